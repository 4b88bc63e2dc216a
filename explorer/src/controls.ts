// The filters. Each is a native control, so keyboard and screen reader come with it.

import { el, glyph } from "./dom";
import type { Graph } from "./graph";
import { number } from "./panel";
import { Theme, styleOf, typeColour } from "./shapes";
import { State, day, seconds } from "./state";
import { noFilters } from "./visible";

const DAY = 86_400;
const MOST_CHOICES = 400;

export class Controls {
  constructor(
    private readonly graph: Graph,
    private readonly into: HTMLElement,
    private readonly state: State,
    private readonly changed: () => void,
  ) {}

  draw(theme: Theme): void {
    const { graph, state } = this;
    const { filters } = state;
    const types = tally(graph.type, graph.head.types.length), predicates = tally(graph.predicate, graph.head.predicates.length);
    const statuses = tally(graph.status, graph.head.statuses.length);
    this.into.replaceChildren(
      this.boxes("Types", graph.head.types, types, filters.types, (name) => glyph(styleOf(name).outline, typeColour(name, theme)), (name) => `${name}, ${styleOf(name).word}`),
      this.boxes("Predicates", graph.head.predicates, predicates, filters.predicates, (name) => stroke(name, theme)),
      this.boxes("Evidence", graph.head.statuses.map((name) => name || "no citation"), statuses, filters.statuses),
      this.chooser("Run", "runs", graph.head.runs),
      this.chooser("Source", "sources", graph.head.sources.map(([id, node]) => (node >= 0 ? graph.names[node] : id))),
      this.confidence(),
      this.times(),
      this.drawing(),
      el("button", { type: "button", id: "reset", click: () => { Object.assign(filters, noFilters()); this.draw(theme); this.changed(); } }, "Show everything"),
    );
  }

  private boxes(title: string, names: string[], counts: number[], hidden: Set<number>, picture?: (name: string) => Node, spoken?: (name: string) => string): HTMLElement {
    const rows = names.map((name, i) => ({ name, i, count: counts[i] })).filter((row) => row.count > 0).sort((a, b) => b.count - a.count);
    const boxes = rows.map(({ name, i, count }) => {
      const box = el("input", { type: "checkbox", "data-name": name, change: () => { box.checked ? hidden.delete(i) : hidden.add(i); this.changed(); } });
      box.checked = !hidden.has(i);
      if (spoken) box.setAttribute("aria-label", `${spoken(name)}, ${count}`);
      return el("label", { class: "box" }, box, picture ? picture(name) : null, el("span", { class: "grow" }, name), el("span", { class: "count" }, number(count)));
    });
    return el("fieldset", {}, el("legend", {}, title), ...boxes);
  }

  private chooser(title: string, which: "runs" | "sources", names: string[]): HTMLElement {
    const chosen = this.state.filters[which];
    const id = `choose-${which}`;
    const list = el("datalist", { id: `${id}-list` });
    const field = el("input", { id, list: `${id}-list`, placeholder: names.length > 1 ? `all ${names.length}` : "all", autocomplete: "off", disabled: names.length === 0 });
    const held = el("div", { class: "chips" });
    const fill = () => list.replaceChildren(...names.slice(0, MOST_CHOICES).map((name) => { const option = el("option"); option.value = name; return option; }));
    field.addEventListener("focus", fill, { once: true });
    const show = () => held.replaceChildren(...[...chosen].map((i) => el("button", {
      type: "button", class: "chip", "aria-label": `Remove ${title.toLowerCase()} ${names[i]}`,
      click: () => { chosen.delete(i); show(); this.changed(); },
    }, names[i], " \u00d7")));
    field.addEventListener("change", () => {
      const wanted = field.value.trim();
      const found = names.flatMap((name, i) => (name === wanted ? [i] : []));
      if (!found.length) return;
      found.forEach((i) => chosen.add(i));
      field.value = "";
      show();
      this.changed();
    });
    show();
    return el("fieldset", {}, el("legend", {}, title), el("label", { class: "hidden", for: id }, `Only this ${title.toLowerCase()}`), field, list, held);
  }

  private confidence(): HTMLElement {
    const { filters } = this.state;
    const output = el("output", { for: "confidence" });
    const slider = el("input", { type: "range", id: "confidence", min: 0, max: 200, step: 5 });
    const say = () => { output.textContent = filters.confidence ? `at least ${filters.confidence / 200}` : "any"; };
    slider.value = String(filters.confidence);
    slider.addEventListener("input", () => { filters.confidence = Number(slider.value); say(); this.changed(); });
    say();
    return el("fieldset", {}, el("legend", {}, "Confidence"), el("label", { class: "hidden", for: "confidence" }, "Least confidence"), slider, output);
  }

  private times(): HTMLElement {
    const { filters } = this.state;
    const field = (id: string, label: string, value: string, set: (value: string) => void) => {
      const input = el("input", { type: "date", id });
      input.value = value;
      input.addEventListener("change", () => { set(input.value); this.changed(); });
      return el("label", { class: "date" }, el("span", {}, label), input);
    };
    return el("fieldset", {}, el("legend", {}, "Time"),
      field("since", "said since", filters.since ? day(filters.since) : "", (value) => { filters.since = seconds(value) ?? 0; }),
      field("until", "said until", filters.until ? day(filters.until) : "", (value) => { const end = seconds(value); filters.until = end === null ? 0 : end + DAY - 1; }),
      field("at", "true on", filters.at === null ? "" : day(filters.at * DAY), (value) => { const at = seconds(value); filters.at = at === null ? null : at / DAY; }));
  }

  private drawing(): HTMLElement {
    const { graph, state } = this;
    const toggle = (id: string, label: string, value: boolean, set: (value: boolean) => void) => {
      const box = el("input", { type: "checkbox", id });
      box.checked = value;
      box.addEventListener("change", () => { set(box.checked); this.changed(); });
      return el("label", { class: "box" }, box, el("span", { class: "grow" }, label));
    };
    let merged = false;
    for (let i = 0; i < graph.n && !merged; i++) merged = graph.stands[i] !== i;
    return el("fieldset", {}, el("legend", {}, "Drawing"),
      toggle("by-community", "colour by community", state.byCommunity, (value) => { state.byCommunity = value; }),
      merged && toggle("forms", "show merged forms apart", !state.folded, (value) => { state.folded = !value; }),
      toggle("overview", "communities as bubbles", state.overview, (value) => { state.overview = value; state.expanded.clear(); }));
  }
}

function tally(column: Uint8Array, kinds: number): number[] {
  const counts = new Array<number>(kinds).fill(0);
  for (const value of column) counts[value]++;
  return counts;
}

/** How edges of a predicate are drawn, for the legend. */
function stroke(predicate: string, theme: Theme): Node {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("viewBox", "0 0 16 8");
  picture.setAttribute("aria-hidden", "true");
  picture.setAttribute("class", "glyph");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", "M0 4H16");
  path.setAttribute("stroke", predicate === "CONTRADICTS" ? theme.against : theme.edge);
  path.setAttribute("stroke-width", predicate === "CONTRADICTS" ? "3" : "1.6");
  if (predicate === "CONTRADICTS") path.setAttribute("stroke-dasharray", "4 2");
  if (predicate === "RESOLVED_TO") path.setAttribute("stroke-dasharray", "1.5 1.5");
  picture.append(path);
  return picture;
}
