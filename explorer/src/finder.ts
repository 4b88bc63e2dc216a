// The search box: a combobox whose list is filled at each key.

import { byId, el, glyph } from "./dom";
import type { Graph } from "./graph";
import type { Search } from "./search";
import { Theme, styleOf, typeColour } from "./shapes";

export class Finder {
  private hits: number[] = [];
  private active = -1;
  private readonly field = byId<HTMLInputElement>("query");
  private readonly list = byId<HTMLUListElement>("hits");
  lastSearchMs = 0;

  constructor(private readonly graph: Graph, private readonly search: Search, private readonly theme: () => Theme, private readonly pick: (node: number) => void) {
    this.field.addEventListener("input", () => this.look());
    this.field.addEventListener("focus", () => { if (this.field.value) this.look(); });
    this.field.addEventListener("keydown", (event) => this.key(event));
    this.field.addEventListener("blur", () => setTimeout(() => this.close(), 150));
  }

  focus(): void { this.field.focus(); this.field.select(); }
  get query(): string { return this.field.value; }
  set query(text: string) { this.field.value = text; }

  look(): void {
    const begun = performance.now();
    const found = this.search.find(this.field.value);
    this.hits = found.map((hit) => hit.node);
    this.active = this.hits.length ? 0 : -1;
    const rows = found.map((hit, i) => {
      const type = this.graph.typeName(hit.node);
      return el("li", { role: "option", id: `hit-${i}`, "aria-selected": i === 0 ? "true" : "false", pointerdown: (event) => { event.preventDefault(); this.choose(i); } },
        glyph(styleOf(type).outline, typeColour(type, this.theme())), el("span", { class: "name" }, this.graph.names[hit.node]),
        el("span", { class: "kind" }, type + (hit.where === "name" ? "" : `, by ${hit.where}`)));
    });
    if (!rows.length && this.field.value.trim()) rows.push(el("li", { role: "option", "aria-disabled": "true" }, this.search.complete ? "nothing found" : "nothing found yet: still reading the texts"));
    this.list.replaceChildren(...rows);
    this.list.hidden = !rows.length;
    this.field.setAttribute("aria-expanded", String(rows.length > 0));
    this.mark();
    this.lastSearchMs = performance.now() - begun;
  }

  private mark(): void {
    [...this.list.children].forEach((row, i) => row.setAttribute("aria-selected", String(i === this.active)));
    if (this.active >= 0) {
      this.field.setAttribute("aria-activedescendant", `hit-${this.active}`);
      this.list.children[this.active]?.scrollIntoView({ block: "nearest" });
    } else this.field.removeAttribute("aria-activedescendant");
  }

  private key(event: KeyboardEvent): void {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!this.hits.length) return;
      this.active = (this.active + (event.key === "ArrowDown" ? 1 : -1) + this.hits.length) % this.hits.length;
      this.mark();
    } else if (event.key === "Enter" && this.active >= 0) {
      event.preventDefault();
      this.choose(this.active);
    } else if (event.key === "Escape") {
      event.stopPropagation();
      if (this.list.hidden) this.field.value = "";
      this.close();
    }
  }

  private choose(i: number): void {
    this.close();
    this.pick(this.hits[i]);
  }

  private close(): void {
    this.list.hidden = true;
    this.field.setAttribute("aria-expanded", "false");
    this.field.removeAttribute("aria-activedescendant");
  }
}
