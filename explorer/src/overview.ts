// What the panel says while nothing is picked: what to look at first, what the graph does not know, what it is about, where it comes from.

import { el, glyph } from "./dom";
import type { Graph } from "./graph";
import { PanelHost, count, instant, number } from "./panel";
import { shortened } from "./labels";
import { communityColour, styleOf } from "./shapes";
import type { Visible } from "./visible";
import { Weakness, Weaknesses, weaknesses } from "./weak";

const EXAMPLES = 6;
const PAGE = 40;
const BEST = 10;
const ASIDE = ["Claim", "Source", "AgentRun", "Commit", "Evaluation"]; // what a graph says and who said it, not what it is about

export class Overview {
  private weak: Weaknesses | null = null;

  constructor(private readonly graph: Graph, private readonly host: PanelHost, private readonly nodeButton: (node: number) => HTMLElement) {}

  parts(seen: Visible, communityNames: Map<number, string>): Node[] {
    const { head } = this.graph, weak = (this.weak ??= weaknesses(this.graph));
    const parts: Node[] = [el("h2", {}, "Overview")];
    if (head.objective) parts.push(el("p", { class: "objective" }, head.objective));
    parts.push(el("p", {}, `${count(seen.passing, "node")} and ${count(seen.passingEdges, "edge")} shown. Pick a node or an edge to see who said it, and where.`));
    if (head.leftOut[0] || head.leftOut[1]) {
      parts.push(el("p", { class: "notice" },
        `This page holds the best connected ${number(head.n)} nodes; ${count(head.leftOut[0], "node")} and ${count(head.leftOut[1], "edge")} of the graph are left out.`));
    }
    parts.push(el("h3", {}, "Look at this first"), ...this.list(weak.first, "No broken rule, no open contradiction, no weak citation."));
    parts.push(el("h3", {}, "What the graph does not know"), ...this.list(weak.unknown, head.unitsRecorded
      ? "Nothing that it knows of: every part was read, every citation checked."
      : "No run recorded what it was given, so nothing is known about parts left unread."));
    parts.push(...this.best("What it is about", seen, (type) => !ASIDE.includes(type)));
    parts.push(...this.best("Where it comes from", seen, (type) => type === "Source"));
    parts.push(...this.communities(seen, communityNames));
    parts.push(el("p", { class: "fine" }, `Layout: ${head.layout}. Communities: ${head.method}. Both computed when the page was written`
      + `${head.rendered ? `, ${instant(head.rendered)}` : ""}${head.version ? `, by kgraph ${head.version}` : ""}.`));
    return parts;
  }

  private list(found: Weakness[], none: string): Node[] {
    return found.length ? found.map((one) => this.weakness(one)) : [el("p", { class: "fine" }, none)];
  }

  /** One kind of weak place, closed; its examples are made when somebody opens it. */
  private weakness(one: Weakness): HTMLElement {
    const rows = el("ul", { class: "plain" });
    const fold = el("details", { class: "weak" }, el("summary", {}, one.title, el("span", { class: "count" }, number(one.count))), el("p", { class: "fine" }, one.why), rows);
    const all = [...one.notes.map((note) => () => el("span", { class: "note" }, note)), ...one.edges.map((edge) => () => this.edgeButton(edge)),
      ...one.nodes.map((node) => () => this.nodeButton(node))];
    const show = (from: number, to: number): void => {
      rows.append(...all.slice(from, to).map((make) => el("li", {}, make())));
      const rest = one.count - to;
      if (rest <= 0) return;
      if (to >= all.length) {
        rows.append(el("li", { class: "fine" }, `and ${number(rest)} more: REPORT.md`));
        return;
      }
      const item = el("li", {}, el("button", { type: "button", class: "small", click: () => { item.remove(); show(to, to + PAGE); } }, `${number(rest)} more`));
      rows.append(item);
    };
    fold.addEventListener("toggle", () => { if (fold.open && !rows.childElementCount) show(0, EXAMPLES); });
    return fold;
  }

  private edgeButton(edge: number): HTMLElement {
    const { graph } = this, predicate = graph.predicateName(edge);
    const [a, b] = [graph.names[graph.source[edge]], graph.names[graph.target[edge]]].map((name) => shortened(name, 70));
    return el("button", { type: "button", class: "row", click: () => this.host.pickEdge(edge) },
      el("span", {}, a, " ", el("span", { class: predicate === "CONTRADICTS" ? "between against" : "between" }, predicate), " ", b));
  }

  private best(title: string, seen: Visible, wanted: (type: string) => boolean): Node[] {
    const { graph } = this, may = graph.head.types.map(wanted);
    const best: number[] = [];
    for (let i = 0; i < graph.n; i++) {
      if (!seen.shown[i] || !may[graph.type[i]] || !graph.degree[i]) continue;
      if (best.length === BEST && graph.degree[i] <= graph.degree[best[BEST - 1]]) continue;
      let at = best.length;
      while (at > 0 && graph.degree[best[at - 1]] < graph.degree[i]) at--;
      best.splice(at, 0, i);
      best.length = Math.min(best.length, BEST);
    }
    if (!best.length) return [];
    const rows = best.map((node) => el("li", { class: "counted" }, this.nodeButton(node), el("span", { class: "count", title: count(graph.degree[node], "edge") }, number(graph.degree[node]))));
    return [el("h3", {}, title), el("ul", { class: "plain" }, ...rows)];
  }

  private communities(seen: Visible, names: Map<number, string>): Node[] {
    const sizes = new Map<number, number>();
    for (const node of seen.nodes) sizes.set(this.graph.community[node], (sizes.get(this.graph.community[node]) ?? 0) + 1);
    for (const bubble of seen.bubbles) sizes.set(bubble.community, bubble.count);
    const largest = [...sizes].filter(([, size]) => size > 2).sort((a, b) => b[1] - a[1]).slice(0, 24);
    if (largest.length < 2) return [];
    const rows = largest.map(([community, size]) => {
      const open = this.host.isOpen(community);
      const label = names.get(community) ?? number(size);
      const button = el("button", { type: "button", class: "row", "aria-pressed": open ? "true" : "false", click: () => this.host.openCommunity(community, !open) },
        glyph(styleOf("Entity").outline, communityColour(community, this.host.theme), !open), el("span", {}, label));
      return el("li", {}, button);
    });
    return [el("h3", {}, "Communities"), el("ul", { class: "plain", id: "communities" }, ...rows)];
  }
}
