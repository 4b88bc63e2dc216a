// The view's whole state, and its way into the address and back, by names and ids, so that a link survives a new rendering.

import type { Graph } from "./graph";
import { Filters, noFilters } from "./visible";

export interface State {
  filters: Filters;
  folded: boolean;
  byCommunity: boolean;
  overview: boolean;
  expanded: Set<number>;
  node: number; // picked, or -1
  edge: number; // picked, or -1
  from: number; // ends of the route, or -1
  to: number;
  query: string;
}

export function initial(graph: Graph): State {
  return {
    filters: noFilters(), folded: true, byCommunity: false, overview: graph.head.overview, expanded: new Set(),
    node: -1, edge: -1, from: -1, to: -1, query: "",
  };
}

export type View = [x: number, y: number, scale: number];

const DAY = 86_400;

export async function written(graph: Graph, state: State, view: View): Promise<string> {
  const { filters } = state;
  const out = new URLSearchParams();
  const names = (key: string, numbers: Set<number>, all: (number: number) => string) => {
    for (const number of numbers) out.append(key, all(number));
  };
  names("type", filters.types, (i) => graph.head.types[i]);
  names("predicate", filters.predicates, (i) => graph.head.predicates[i]);
  names("status", filters.statuses, (i) => graph.head.statuses[i] || "none");
  names("run", filters.runs, (i) => graph.head.runs[i]);
  names("source", filters.sources, (i) => graph.head.sources[i][0]);
  if (filters.confidence) out.set("confidence", String(filters.confidence / 200));
  if (filters.since) out.set("since", day(filters.since));
  if (filters.until) out.set("until", day(filters.until - DAY + 1));
  if (filters.at !== null) out.set("at", day(filters.at * DAY));
  if (!state.folded) out.set("forms", "1");
  if (state.byCommunity) out.set("colour", "community");
  if (state.overview !== graph.head.overview) out.set("overview", state.overview ? "1" : "0");
  if (state.expanded.size) out.set("open", [...state.expanded].join(" "));
  if (state.node >= 0) out.set("node", (await graph.node(state.node)).id);
  if (state.edge >= 0) {
    out.set("edge", (await graph.edge(state.edge)).id);
    out.set("of", (await graph.node(graph.source[state.edge])).id);
  }
  if (state.from >= 0) out.set("from", (await graph.node(state.from)).id);
  if (state.to >= 0) out.set("to", (await graph.node(state.to)).id);
  if (state.query) out.set("q", state.query);
  out.set("view", view.map((part) => Number(part.toPrecision(6))).join(" "));
  return out.toString();
}

/** What an address says, as far as this graph knows the names in it; the rest is left out. */
export async function read(graph: Graph, text: string): Promise<{ state: State; view: View | null }> {
  const given = new URLSearchParams(text.replace(/^#/, ""));
  const state = initial(graph), { filters } = state;
  const numbers = (key: string, all: string[]) => {
    const known = new Map(all.map((name, i) => [name, i]));
    return new Set(given.getAll(key).flatMap((name) => { const i = known.get(name); return i === undefined ? [] : [i]; }));
  };
  filters.types = numbers("type", graph.head.types);
  filters.predicates = numbers("predicate", graph.head.predicates);
  filters.statuses = numbers("status", graph.head.statuses.map((status) => status || "none"));
  filters.runs = numbers("run", graph.head.runs);
  filters.sources = numbers("source", graph.head.sources.map(([id]) => id));
  const confidence = Number(given.get("confidence") ?? 0);
  filters.confidence = confidence > 0 && confidence <= 1 ? Math.round(confidence * 200) : 0;
  filters.since = seconds(given.get("since")) ?? 0;
  const until = seconds(given.get("until"));
  filters.until = until === null ? 0 : until + DAY - 1;
  const at = seconds(given.get("at"));
  filters.at = at === null ? null : at / DAY;
  state.folded = given.get("forms") !== "1";
  state.byCommunity = given.get("colour") === "community";
  if (given.has("overview")) state.overview = given.get("overview") === "1";
  for (const part of (given.get("open") ?? "").split(" ")) {
    const community = Number(part);
    if (part && Number.isInteger(community) && community >= 0 && community < graph.head.communities) state.expanded.add(community);
  }
  const find = (key: string) => (given.has(key) ? graph.find(given.get(key)!) : Promise.resolve(-1));
  state.node = await find("node");
  state.from = await find("from");
  state.to = await find("to");
  if (given.has("edge")) {
    const of = await find("of");
    for (const e of of >= 0 ? graph.edgesOf(of, false) : []) if ((await graph.edge(e)).id === given.get("edge")) state.edge = e;
  }
  state.query = given.get("q") ?? "";
  const view = (given.get("view") ?? "").split(" ").map(Number);
  return { state, view: view.length === 3 && view.every(Number.isFinite) && view[2] > 0 ? (view as View) : null };
}

export function day(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

export function seconds(date: string | null): number | null {
  if (!date || !/^\d{4}-\d\d-\d\d$/.test(date)) return null;
  const found = Date.parse(date + "T00:00:00Z");
  return Number.isFinite(found) ? found / 1000 : null;
}
