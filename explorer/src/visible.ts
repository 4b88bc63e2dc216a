// Which nodes, edges and collapsed communities are to be seen, from the filters and from what is expanded. Pure.

import { Graph, INFERENCE, NO_CONFIDENCE } from "./graph";

export interface Filters {
  types: Set<number>; // hidden ones
  predicates: Set<number>; // hidden ones
  statuses: Set<number>; // hidden ones
  runs: Set<number>; // shown ones; empty: all
  sources: Set<number>; // shown ones; empty: all
  confidence: number; // 0…200, the columns' own unit
  since: number; // seconds
  until: number; // seconds; 0: no end
  at: number | null; // days: true on that day
}

export function noFilters(): Filters {
  return {
    types: new Set(), predicates: new Set(), statuses: new Set(), runs: new Set(), sources: new Set(),
    confidence: 0, since: 0, until: 0, at: null,
  };
}

export function filtered(filters: Filters): boolean {
  return filters.types.size + filters.predicates.size + filters.statuses.size + filters.runs.size + filters.sources.size > 0
    || filters.confidence > 0 || filters.since > 0 || filters.until > 0 || filters.at !== null;
}

export interface Bubble {
  community: number;
  x: number;
  y: number;
  radius: number; // world units
  count: number; // nodes in it that pass the filters
}

export interface Bundle {
  a: number; // a node's number, or -1 - community
  b: number;
  count: number;
}

export const NORMAL = 0, AGAINST = 1, INFERRED = 2, MERGED = 3, DOUBTFUL = 4;

export interface Visible {
  shown: Uint8Array; // per node: 1 drawn as itself, 2 within a bubble, 0 not at all
  nodes: number[];
  edges: number[];
  kinds: Uint8Array; // per edge: how it is drawn
  bubbles: Bubble[];
  bundles: Bundle[];
  passing: number; // nodes that pass, drawn or in bubbles
  passingEdges: number;
}

export interface Folding {
  folded: boolean; // merged forms drawn as the node they were merged into
  expanded: Set<number>; // communities
  overview: boolean; // communities are collapsed unless expanded
}

export function edgePasses(graph: Graph, edge: number, filters: Filters): boolean {
  if (filters.predicates.has(graph.predicate[edge]) || filters.statuses.has(graph.status[edge])) return false;
  if (filters.confidence > 0) {
    const confidence = graph.confidence[edge];
    if (confidence !== NO_CONFIDENCE && confidence < filters.confidence) return false;
  }
  if (filters.since && graph.numbers("edgeLast")[edge] < filters.since) return false;
  if (filters.until && graph.numbers("edgeFirst")[edge] > filters.until) return false;
  if (filters.at !== null && !(graph.numbers("edgeFrom")[edge] <= filters.at && filters.at < graph.numbers("edgeTo")[edge])) return false;
  if (filters.runs.size && !graph.holds("edgeRun", edge, filters.runs)) return false;
  return !filters.sources.size || graph.holds("edgeSource", edge, filters.sources);
}

function nodePasses(graph: Graph, node: number, filters: Filters): boolean {
  if (filters.types.has(graph.type[node])) return false;
  if (filters.since && graph.numbers("nodeLast")[node] < filters.since) return false;
  if (filters.until && graph.numbers("nodeFirst")[node] > filters.until) return false;
  if (filters.at !== null && !(graph.numbers("nodeFrom")[node] <= filters.at && filters.at < graph.numbers("nodeTo")[node])) return false;
  if (filters.runs.size && !graph.holds("nodeRun", node, filters.runs)) return false;
  return !filters.sources.size || graph.holds("nodeSource", node, filters.sources);
}

function edgeKinds(graph: Graph): (edge: number) => number {
  const against = graph.head.predicates.indexOf("CONTRADICTS"), merged = graph.head.predicates.indexOf("RESOLVED_TO");
  const doubtful = graph.head.statuses.indexOf("doubtful");
  const { predicate, flags, source, target, status } = graph;
  return (edge) => {
    if (predicate[edge] === against) return AGAINST;
    if (status[edge] === doubtful) return DOUBTFUL;
    if (predicate[edge] === merged) return MERGED;
    return (flags[source[edge]] | flags[target[edge]]) & INFERENCE ? INFERRED : NORMAL;
  };
}

/** Before anything has been looked at: nothing. */
export function nothing(graph: Graph): Visible {
  return {
    shown: new Uint8Array(graph.n), nodes: [], edges: [], kinds: new Uint8Array(graph.m), bubbles: [], bundles: [], passing: 0, passingEdges: 0,
  };
}

export function visible(graph: Graph, filters: Filters, folding: Folding): Visible {
  const { n, m } = graph;
  const active = filtered(filters);
  const passes = new Uint8Array(n);
  for (let i = 0; i < n; i++) {
    if (active ? nodePasses(graph, i, filters) : true) passes[graph.end(i, folding.folded)] = 1;
  }
  const passing: number[] = [];
  const tied = new Uint8Array(n);
  for (let e = 0; e < m; e++) {
    const a = graph.end(graph.source[e], folding.folded), b = graph.end(graph.target[e], folding.folded);
    if (a === b || !passes[a] || !passes[b] || (active && !edgePasses(graph, e, filters))) continue;
    passing.push(e);
    tied[a] = tied[b] = 1;
  }
  // a node all of whose edges are filtered away is of no interest to who filters edges; one that never had any is
  const byEdge = filters.predicates.size + filters.statuses.size > 0 || filters.confidence > 0;
  const shown = new Uint8Array(n);
  const nodes: number[] = [];
  const sums = new Map<number, [number, number, number]>();
  let count = 0;
  for (let i = 0; i < n; i++) {
    if (!passes[i] || (folding.folded && graph.stands[i] !== i) || (byEdge && !tied[i] && graph.degree[i] > 0)) continue;
    count++;
    const community = graph.community[i];
    if (folding.overview && !folding.expanded.has(community)) {
      shown[i] = 2;
      const sum = sums.get(community) ?? [0, 0, 0];
      sum[0] += graph.x[i]; sum[1] += graph.y[i]; sum[2]++;
      sums.set(community, sum);
    } else {
      shown[i] = 1;
      nodes.push(i);
    }
  }
  const bubbles: Bubble[] = [];
  for (const [community, [x, y, c]] of sums) {
    bubbles.push({ community, x: x / c, y: y / c, radius: 22 * Math.sqrt(c) + 10, count: c });
  }
  bubbles.sort((one, other) => other.count - one.count);
  const { edges, bundles, kinds } = drawn(graph, passing, shown, folding.folded);
  return { shown, nodes, edges, kinds, bubbles, bundles, passing: count, passingEdges: passing.length };
}

function drawn(graph: Graph, passing: number[], shown: Uint8Array, folded: boolean) {
  const edges: number[] = [];
  const kinds = new Uint8Array(graph.m);
  const bundled = new Map<number, Bundle>();
  const kindOf = edgeKinds(graph);
  const side = (node: number) => (shown[node] === 1 ? node : -1 - graph.community[node]);
  const span = graph.n + 65537;
  for (const e of passing) {
    const a = graph.end(graph.source[e], folded), b = graph.end(graph.target[e], folded);
    if (!shown[a] || !shown[b]) continue;
    if (shown[a] === 1 && shown[b] === 1) {
      edges.push(e);
      kinds[e] = kindOf(e);
      continue;
    }
    let one = side(a), other = side(b);
    if (one === other) continue;
    if (one > other) [one, other] = [other, one];
    const key = (one + 65536) * span + (other + 65536);
    const bundle = bundled.get(key);
    if (bundle) bundle.count++;
    else bundled.set(key, { a: one, b: other, count: 1 });
  }
  const bundles = [...bundled.values()].sort((one, other) => other.count - one.count);
  return { edges, kinds, bundles };
}
