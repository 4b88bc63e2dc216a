// Pieces that several views share: links within the page, citations, badges, problems.

import { el, glyph } from "../dom";
import { styleOf } from "../shapes";
import type { Json } from "./api";
import { addressOf, go, type Place } from "./place";

export function to(place: Place, ...text: (Node | string)[]): HTMLAnchorElement {
  const anchor = el("a", { click: (event) => {
    const mouse = event as MouseEvent;
    if (mouse.metaKey || mouse.ctrlKey || mouse.shiftKey) return;
    event.preventDefault();
    go(place);
  } }, ...text);
  anchor.href = addressOf(place);
  return anchor;
}

/** A text without the marks of Markdown's emphasis and code: for names and statements, never for quotes. */
export function plain(text: string): string {
  return text.replace(/\*\*|__|`/g, "");
}

export function dark(): boolean {
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

export function nodeLink(node: { id: string; type: string; name: string }): HTMLElement {
  const style = styleOf(node.type);
  return to({ view: "node", ref: node.id }, glyph(style.outline, dark() ? style.dark : style.light), el("span", { class: "hidden" }, `${node.type} `), plain(node.name));
}

/** The words, and the file and place beside them; a click opens the source with the words marked. */
export function citation(quote: string, sourceDoc: string, status = "", edge = ""): HTMLElement {
  const [uri, anchor] = [sourceDoc.split("#")[0], sourceDoc.split("#").slice(1).join("#")];
  const place: Place = { view: "source", uri };
  if (edge) place.edge = edge;
  return el("div", { class: "citation" },
    quote ? el("blockquote", {}, quote) : null,
    el("p", { class: "where" }, uri ? to(place, uri + (anchor ? ` #${anchor}` : "")) : "no source is cited", " ", status ? badge(status) : null));
}

const GOOD = ["verified", "located", "moved", "stated"];

export function badge(word: string): HTMLElement {
  return el("span", { class: `badge ${GOOD.includes(word) ? "good" : "bad"}` }, word);
}

export function failure(error: unknown): HTMLElement {
  return el("div", { class: "failure", role: "alert" }, error instanceof Error ? error.message : String(error));
}

export function facts(rows: [string, Json][]): HTMLElement {
  const shown = rows.filter(([, value]) => value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && !value.length));
  return el("dl", {}, ...shown.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value instanceof Node ? value : typeof value === "string" ? value : JSON.stringify(value))]));
}

/** A labelled field. */
export function field(label: string, name: string, value = ""): HTMLElement {
  const input = el("input", { name, id: `field-${name}`, autocomplete: "off" });
  input.value = value;
  return el("label", { class: "field" }, label, input);
}

/** A form whose values go to `send`; what it says afterwards stands below it. */
export function form(title: string, action: string, fields: HTMLElement[], send: (values: Record<string, string>) => Promise<Node | string>): HTMLElement {
  const said = el("div", { "aria-live": "polite" });
  const button = el("button", { type: "submit" }, action);
  const made = el("form", { class: "card", submit: async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      said.replaceChildren(await send(Object.fromEntries(new FormData(made as HTMLFormElement)) as Record<string, string>));
    } catch (error) {
      said.replaceChildren(failure(error));
    }
    button.disabled = false;
  } }, el("h3", {}, title), ...fields, button, said);
  return made;
}
