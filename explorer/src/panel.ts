// The panel beside the picture: what is known of the picked node or edge, who said it, and the words it rests on.

import { el, fileAddress, glyph, link } from "./dom";
import { EdgeAssertion, EdgeDetail, Graph, INFERENCE, NodeDetail, REPLACED } from "./graph";
import { Overview } from "./overview";
import type { Step } from "./paths";
import { shortened } from "./labels";
import { Theme, styleOf, typeColour } from "./shapes";
import type { Visible } from "./visible";

const PAGE = 40;

export interface PanelHost {
  pickNode(node: number): void;
  pickEdge(edge: number): void;
  startRoute(node: number): void;
  drop(): void;
  endRoute(node: number): void;
  openCommunity(community: number, open: boolean): void;
  readonly theme: Theme;
  readonly folded: boolean;
  readonly from: number;
  isOpen(community: number): boolean;
}

export class Panel {
  private turn = 0;
  private readonly overview: Overview;

  constructor(private readonly graph: Graph, private readonly into: HTMLElement, private readonly host: PanelHost) {
    this.overview = new Overview(graph, host, (node) => this.nodeButton(node, true));
  }

  /** Put content in unless something else was asked for meanwhile. */
  private async put(make: () => Promise<Node[]>, picked = true): Promise<void> {
    const turn = ++this.turn;
    const content = await make();
    if (turn !== this.turn) return;
    const back = el("button", { type: "button", class: "small quiet back", click: () => this.host.drop() }, "\u2190 Overview");
    this.into.replaceChildren(...(picked ? [back] : []), ...content);
    if (turn > 1) this.into.scrollTop = 0; // which makes the browser lay the page out at once
  }

  about(seen: Visible, communityNames: Map<number, string>): Promise<void> {
    return this.put(() => Promise.resolve(this.overview.parts(seen, communityNames)), false);
  }

  node(node: number): Promise<void> {
    return this.put(async () => {
      const { graph } = this;
      const detail = await graph.node(node);
      const parts: Node[] = [this.heading(node), this.marks(node)];
      parts.push(this.facts(node, detail));
      const uri = detail.fields.uri;
      if (graph.typeName(node) === "Source" && typeof uri === "string") {
        parts.push(el("p", {}, link(fileAddress(graph.head.sourceRoot, uri), uri)));
      }
      parts.push(...this.routeButtons(node));
      parts.push(...this.descriptions(detail));
      parts.push(...(await this.forms(node)));
      parts.push(...(await this.edges(node)));
      parts.push(...attributes(detail.attrs));
      return parts;
    });
  }

  private heading(node: number): HTMLElement {
    const type = this.graph.typeName(node), style = styleOf(type);
    const hollow = (this.graph.flags[node] & INFERENCE) > 0;
    return el("div", { class: "title" },
      el("p", { class: "type" }, glyph(style.outline, typeColour(type, this.host.theme), hollow), type),
      el("h2", { tabindex: -1, id: "picked" }, this.graph.names[node]));
  }

  private marks(node: number): HTMLElement {
    const flags = this.graph.flags[node];
    return el("p", { class: "marks" },
      (flags & INFERENCE) > 0 && el("span", { class: "badge inferred" }, "inference: no source says so"),
      (flags & REPLACED) > 0 && el("span", { class: "badge replaced" }, "superseded"));
  }

  private facts(node: number, detail: NodeDetail): HTMLElement {
    const { graph } = this;
    const rows: [string, Node | string][] = [["id", el("code", {}, detail.id)]];
    if (detail.qualifier) rows.push(["qualifier", detail.qualifier]);
    for (const [name, value] of Object.entries(detail.fields)) if (name !== "uri" && name !== "inference") rows.push([name, typeof value === "string" ? value : JSON.stringify(value)]);
    if (detail.aliases.length) rows.push(["also", detail.aliases.join(" \u00b7 ")]);
    if (detail.from || detail.to) rows.push(["true", span(detail)]);
    rows.push(["said", `${detail.assertions === 1 ? "once" : `${detail.assertions} times`} by ${detail.runs.map((run) => graph.head.runs[run]).join(", ") || "an unnamed run"}`]);
    if (detail.sources.length) rows.push(["sources", this.inline(detail.sources.map((source) => this.sourceNode(source)))]);
    const stands = graph.stands[node];
    if (stands !== node) rows.push(["merged into", this.nodeButton(stands)]);
    return el("dl", {}, ...rows.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
  }

  private inline(parts: Node[]): HTMLElement {
    const most = 6;
    const rest = parts.length - most;
    return el("span", { class: "inline" }, ...parts.slice(0, most), rest > 0 && ` and ${rest} more`);
  }

  private sourceNode(source: number): HTMLElement {
    const [id, node] = this.graph.head.sources[source];
    return node >= 0 ? this.nodeButton(node) : el("code", {}, id);
  }

  private routeButtons(node: number): Node[] {
    const { from } = this.host;
    const start = el("button", { type: "button", class: "small", id: "route-from", click: () => this.host.startRoute(node) }, "Path from here");
    if (from < 0 || from === node) return [el("p", { class: "buttons" }, start)];
    const name = shortened(this.graph.names[from], 28);
    return [el("p", { class: "buttons" }, el("button", { type: "button", class: "small", id: "route-to", click: () => this.host.endRoute(node) }, `Path from \u201c${name}\u201d to here`), start)];
  }

  private descriptions(detail: NodeDetail): Node[] {
    if (!detail.descriptions.length) return [el("p", { class: "fine" }, "Nobody described it.")];
    return detail.descriptions.map((said) => el("div", { class: "said" }, el("p", {}, said.text), this.whoSaid(said.run, said.source < 0 ? [] : [said.source], said.ts)));
  }

  private whoSaid(run: number, sources: number[], ts: string): HTMLElement {
    const parts: (Node | string)[] = [];
    sources.forEach((source, i) => parts.push(i ? ", " : "from ", this.sourceNode(source)));
    if (run >= 0) parts.push(`${parts.length ? " \u00b7 " : ""}run ${this.graph.head.runs[run]}`);
    if (ts) parts.push(`${parts.length ? " \u00b7 " : ""}${instant(ts)}`);
    return el("p", { class: "who" }, ...parts);
  }

  /** The nodes that were merged into this one. */
  private async forms(node: number): Promise<Node[]> {
    const forms: number[] = [];
    for (const edge of this.graph.edgesOf(node, true)) {
      if (this.graph.predicateName(edge) !== "RESOLVED_TO") continue;
      const form = this.graph.source[edge];
      if (this.graph.stands[form] === node && !forms.includes(form)) forms.push(form);
    }
    if (!forms.length) return [];
    const rows = await Promise.all(forms.slice(0, PAGE).map(async (form) => el("li", {}, this.graph.names[form], " ", el("code", {}, (await this.graph.node(form)).id))));
    return [el("h3", {}, `Surface forms merged into it (${forms.length})`), el("ul", {}, ...rows)];
  }

  private async edges(node: number): Promise<Node[]> {
    const { graph, host } = this;
    const groups = new Map<string, number[]>();
    for (const edge of graph.edgesOf(node, host.folded)) {
      const a = graph.end(graph.source[edge], host.folded), b = graph.end(graph.target[edge], host.folded);
      if (a === b && host.folded) continue;
      const key = a === node ? `${graph.predicateName(edge)} \u2192` : `\u2190 ${graph.predicateName(edge)}`;
      const group = groups.get(key);
      if (group) group.push(edge);
      else groups.set(key, [edge]);
    }
    const order = [...groups].sort((a, b) => rank(a[0]) - rank(b[0]) || a[0].localeCompare(b[0]));
    const parts: Node[] = [];
    for (const [key, edges] of order) parts.push(el("h3", {}, `${key} (${edges.length})`), await this.list(edges, node));
    return parts;
  }

  private async list(edges: number[], node: number): Promise<HTMLElement> {
    const list = el("ul", { class: "edges" });
    const more = async (start: number): Promise<void> => {
      const rows = await Promise.all(edges.slice(start, start + PAGE).map((edge) => this.row(edge, node)));
      list.append(...rows);
      const rest = edges.length - start - PAGE;
      if (rest <= 0) return;
      const button = el("button", { type: "button", class: "small", click: () => { item.remove(); void more(start + PAGE); } }, `${rest} more`);
      const item = el("li", {}, button);
      list.append(item);
    };
    await more(0);
    return list;
  }

  private async row(edge: number, node: number): Promise<HTMLElement> {
    const { graph, host } = this;
    const detail = await graph.edge(edge);
    const a = graph.end(graph.source[edge], host.folded), b = graph.end(graph.target[edge], host.folded);
    const mine = a === node ? graph.source[edge] : graph.target[edge];
    const open = el("button", { type: "button", class: "small quiet", "aria-label": `Edge ${graph.predicateName(edge)} in full`, click: () => host.pickEdge(edge) }, "edge");
    return el("li", { class: graph.predicateName(edge) === "CONTRADICTS" ? "against" : "" },
      this.nodeButton(a === node ? b : a), open,
      mine !== node && el("span", { class: "fine" }, ` as \u201c${graph.names[mine]}\u201d`),
      this.citation(detail.said[0]));
  }

  /** The quote, and the file and line beside it. */
  private citation(said: EdgeAssertion | undefined): HTMLElement | null {
    if (!said || (!said.quote && !said.sourceDoc)) return null; // nothing is cited
    const [uri, anchor] = divided(said.sourceDoc);
    const lines = said.lines.length ? `:${said.lines[0]}${said.lines[1] > said.lines[0] ? `\u2013${said.lines[1]}` : ""}` : "";
    const page = said.page ? (typeof said.page === "number" ? ` p. ${said.page}` : ` ${said.page}`) : "";
    const file = uri || this.fileOf(said);
    const place = file ? file + lines + page : said.sourceDoc || (lines ? `line ${lines.slice(1)}` : "");
    const path = fileAddress(this.graph.head.sourceRoot, file);
    const address = path ? path + fragment(said.quote, anchor) : "";
    return el("div", { class: "citation" },
      said.quote ? el("blockquote", {}, said.quote) : null,
      el("p", { class: "where" }, link(address, place), anchor && !lines ? ` #${anchor}` : "", " ", status(said.status), " ",
        said.support ? el("span", { class: `badge status-${said.support === "doubtful" ? "doubtful" : "support"}` }, said.doubt ? `${said.support}: ${said.doubt}` : said.support) : null,
        said.confidence === null ? null : el("span", { class: "fine" }, ` confidence ${Number(said.confidence.toPrecision(3))}`)));
  }

  private fileOf(said: EdgeAssertion): string {
    const source = said.sources.length ? this.graph.head.sources[said.sources[0]] : undefined;
    return source && source[1] >= 0 ? this.graph.names[source[1]] : "";
  }

  edge(edge: number): Promise<void> {
    return this.put(async () => {
      const { graph, host } = this;
      const a = graph.source[edge], b = graph.target[edge];
      const detail = await graph.edge(edge);
      const parts = [...this.edgeHead(edge, detail)];
      for (const said of detail.said) {
        parts.push(el("div", { class: "said" }, this.citation(said) ?? el("p", { class: "fine" }, "No words are cited."),
          said.from || said.to ? el("p", { class: "fine" }, `true ${span(said)}`) : null,
          this.whoSaid(said.run, said.sources, said.ts), ...attributes(said.attrs)));
      }
      if (graph.predicateName(edge) === "CONTRADICTS") parts.push(...(await this.side(a)), ...(await this.side(b)));
      const one = graph.end(a, host.folded), other = graph.end(b, host.folded);
      const beside = [...graph.edgesOf(one, host.folded)].filter((e) => e !== edge
        && (graph.end(graph.source[e], host.folded) === other || graph.end(graph.target[e], host.folded) === other));
      if (beside.length && one !== other) {
        parts.push(el("h3", {}, "Between the same two nodes"));
        parts.push(el("ul", { class: "plain" }, ...beside.slice(0, PAGE).map((e) => el("li", {}, el("button", { type: "button", class: "row", click: () => host.pickEdge(e) },
          `${shortened(graph.names[graph.source[e]])} \u2014 ${graph.predicateName(e)} \u2192 ${shortened(graph.names[graph.target[e]])}`)))));
      }
      return parts;
    });
  }

  /** What one side of a contradiction rests on: the words of each source that supports it. */
  private async side(claim: number): Promise<Node[]> {
    const { graph, host } = this;
    const supports = [...graph.edgesOf(claim, host.folded)].filter((e) => graph.predicateName(e) === "SUPPORTS"
      && graph.end(graph.target[e], host.folded) === graph.end(claim, host.folded));
    const title = el("h3", {}, `What \u201c${shortened(graph.names[claim], 60)}\u201d rests on (${supports.length})`);
    if (!supports.length) return [title, el("p", { class: "fine" }, "No source supports it.")];
    return [title, await this.list(supports, graph.end(claim, host.folded))];
  }

  private edgeHead(edge: number, detail: EdgeDetail): Node[] {
    const { graph } = this;
    const predicate = graph.predicateName(edge);
    const times = detail.said.length === 1 ? "once" : `${detail.said.length} times`;
    return [
      el("div", { class: "title" }, el("p", { class: "type" }, "Edge"),
        el("h2", { tabindex: -1, id: "picked" }, predicate, detail.kind ? ` (${detail.kind})` : "")),
      predicate === "CONTRADICTS" ? el("p", { class: "marks" }, el("span", { class: "badge against" }, "contradiction")) : el("span", {}),
      el("div", { class: "ends" }, this.nodeButton(graph.source[edge], true), el("span", { class: "arrow", "aria-label": predicate }, "\u2193"), this.nodeButton(graph.target[edge], true)),
      el("dl", {}, el("dt", {}, "id"), el("dd", {}, el("code", {}, detail.id)), el("dt", {}, "said"), el("dd", {}, times)),
    ];
  }

  route(from: number, to: number, steps: Step[], found: boolean): Promise<void> {
    return this.put(async () => {
      const { graph } = this;
      const parts: Node[] = [el("div", { class: "title" }, el("p", { class: "type" }, "Path"), el("h2", { tabindex: -1, id: "picked" }, found ? count(steps.length, "hop") : "No path"))];
      parts.push(el("p", {}, this.nodeButton(from), " to ", this.nodeButton(to)));
      if (!found) {
        parts.push(el("p", {}, "Nothing that is shown leads from one to the other. A source may be an end of a path but not a step in it, and contradictions are not crossed. Filters narrow what is walked."));
        return parts;
      }
      const list = el("ol", { class: "route" });
      for (const step of steps) {
        const detail = await graph.edge(step.edge);
        const forward = graph.end(graph.source[step.edge], this.host.folded) === step.from;
        const predicate = graph.predicateName(step.edge);
        list.append(el("li", {}, this.nodeButton(step.from), el("button", { type: "button", class: "small quiet", click: () => this.host.pickEdge(step.edge) },
          forward ? `\u2014 ${predicate} \u2192` : `\u2190 ${predicate} \u2014`), this.nodeButton(step.to), this.citation(detail.said[0])));
      }
      parts.push(list);
      return parts;
    });
  }

  nodeButton(node: number, whole = false): HTMLElement {
    const type = this.graph.typeName(node);
    const hollow = (this.graph.flags[node] & INFERENCE) > 0;
    return el("button", { type: "button", class: "node", title: `${type}: ${this.graph.names[node]}`, click: () => this.host.pickNode(node) },
      glyph(styleOf(type).outline, typeColour(type, this.host.theme), hollow), el("span", { class: "hidden" }, `${type}: `),
      el("span", {}, whole ? this.graph.names[node] : shortened(this.graph.names[node], 80)));
  }
}

function rank(key: string): number {
  if (key.includes("CONTRADICTS")) return 0;
  if (key.includes("SUPERSEDES") || key.includes("REVISES")) return 1;
  return key.includes("SUPPORTS") ? 2 : 3;
}

/** An interval, marked where it is not now. Dates sort as texts. */
function span({ from, to }: { from: string; to: string }): string {
  const now = new Date().toISOString();
  const mark = to && to <= now ? ` (held until ${to})` : from && from > now ? ` (holds from ${from})` : "";
  return `${from || "\u2026"} to ${to || "\u2026"}${mark}`;
}

function status(name: string): HTMLElement | null {
  return name ? el("span", { class: `badge status-${/^[a-z]+$/.test(name) ? name : "unchecked"}` }, name) : null;
}

function divided(sourceDoc: string): [string, string] {
  const hash = sourceDoc.indexOf("#");
  const [path, anchor] = hash < 0 ? [sourceDoc, ""] : [sourceDoc.slice(0, hash), sourceDoc.slice(hash + 1)];
  return [path.replace(/:\d+(-\d+)?$/, ""), anchor];
}

/** Browsers that know text fragments scroll to the quoted words; the others ignore it. */
function fragment(quote: string, anchor: string): string {
  const words = quote.split("\n")[0].trim().slice(0, 120);
  if (words) return `#:~:text=${encodeURIComponent(words).replace(/-/g, "%2D")}`;
  return anchor ? `#${encodeURIComponent(anchor)}` : "";
}

function attributes(attrs: Record<string, unknown>): Node[] {
  const rows = Object.entries(attrs);
  if (!rows.length) return [];
  return [el("table", { class: "attrs" }, el("caption", {}, "Attributes"), el("tbody", {}, ...rows.map(([name, value]) =>
    el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, typeof value === "string" ? maybeLink(value) : JSON.stringify(value))))))];
}

function maybeLink(value: string): Node {
  return /^(https?:\/\/|mailto:)/i.test(value) ? link(value, value) : document.createTextNode(value);
}

/** An instant to the second, as people write it. */
export function instant(ts: string): string {
  return ts.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?Z$/, "$1 $2 UTC");
}

export function number(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

export function count(value: number, noun: string): string {
  return `${number(value)} ${noun}${value === 1 ? "" : "s"}`;
}
