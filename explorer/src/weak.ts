// Where the graph is weak and what it does not know, worst first: what a reader should see before anything else. Pure.

import { Graph, INFERENCE, REPLACED } from "./graph";

export interface Weakness {
  title: string;
  why: string;
  edges: number[];
  nodes: number[];
  notes: string[]; // what is no node and no edge: units that were not read, rules that are broken
  count: number;
}

export interface Weaknesses {
  first: Weakness[]; // what asks for a look
  unknown: Weakness[]; // what the graph does not know
}

const WEAK: [string, string, string][] = [
  ["missing", "Quotes that are not in their source", "the quoted words were looked for and not found"],
  ["stale", "Quotes whose source has changed", "the source changed after it was read"],
  ["doubtful", "Doubtful support", "the words stand there and don't carry what they are cited for"],
  ["ambiguous", "Quotes that stand in several places", "nothing says which place is meant"],
];

const READ: Record<string, [string, string]> = {
  empty: ["Parts in which nothing was found", "read to their end; what the reader says of each stands beside it"],
  done: ["Parts that gave little", "read to their end; what the reader says of each stands beside it"],
};

function weakness(title: string, why: string, found: Partial<Weakness>): Weakness {
  const { edges = [], nodes = [], notes = [] } = found;
  return { title, why, edges, nodes, notes, count: found.count ?? edges.length + nodes.length + notes.length };
}

export function weaknesses(graph: Graph): Weaknesses {
  const { head } = graph, byStatus = new Map<string, number[]>(head.statuses.map((status) => [status, []]));
  const against: number[] = [], uncited: number[] = [];
  const sourced = new Uint8Array(graph.n);
  const code = (predicate: string) => head.predicates.indexOf(predicate);
  const kind = (type: string) => head.types.indexOf(type);
  const [contradicts, supports, derived, claim, source] = [code("CONTRADICTS"), code("SUPPORTS"), code("DERIVED_FROM"), kind("Claim"), kind("Source")];
  const open = (node: number) => (graph.flags[node] & REPLACED) === 0;
  for (let e = 0; e < graph.m; e++) {
    const a = graph.source[e], b = graph.target[e], status = head.statuses[graph.status[e]];
    byStatus.get(status)?.push(e);
    if (graph.predicate[e] === contradicts && open(a) && open(b)) against.push(e);
    else if (graph.predicate[e] === supports && graph.type[a] === source) {
      sourced[b] = sourced[graph.stands[b]] = 1;
      if (!status) uncited.push(e);
    } else if (graph.predicate[e] === derived && graph.type[b] === source) sourced[a] = sourced[graph.stands[a]] = 1;
  }
  const inferred: number[] = [], bare: number[] = [], alone: number[] = [];
  for (let i = 0; i < graph.n; i++) {
    if (graph.stands[i] !== i) continue;
    if (graph.flags[i] & INFERENCE) inferred.push(i);
    else if (graph.type[i] === claim && !sourced[i]) bare.push(i);
    if (!graph.degree[i]) alone.push(i);
  }
  // what speaks against a guess that no source carries settles it
  const guessed = (node: number) => (graph.flags[node] & INFERENCE) !== 0 && !sourced[node];
  const { rules, unread } = head;
  const first = [
    weakness("The graph breaks its own rules", "a statement without a source, or a record without its author", { notes: rules.examples, count: rules.count }),
    weakness("Contradictions are open", "sources disagree, and nothing says which holds", { edges: against.filter((e) => !guessed(graph.target[e])) }),
    ...WEAK.map(([status, title, why]) => weakness(title, why, { edges: byStatus.get(status) })),
    weakness("Claims that no source supports", "said without a source, and not marked as inferred", { nodes: bare }),
    weakness("Support without a citation", "a source is named, but no words and no place in it", { edges: uncited }),
  ];
  const unknown = [
    ...unread.map(({ outcome, count, examples }) => {
      const [title, why] = READ[outcome] ?? [`Parts not read: ${outcome}`, "what stands in them is missing here"];
      return weakness(title, why, { notes: examples, count });
    }),
    weakness("Citations that nobody checked", "never held against the source", { edges: byStatus.get("unchecked") }),
    weakness("Inferences", "no source says whether they hold", { nodes: inferred }),
    weakness("Nodes without any edge", "something was named, and nothing was said of it", { nodes: alone }),
  ];
  const some = (one: Weakness) => one.count > 0;
  return { first: first.filter(some), unknown: unknown.filter(some) };
}
