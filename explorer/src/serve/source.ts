// A source with the cited words marked in place. Words that are selected can become a claim, an alias or a description's quote.

import { el } from "../dom";
import { get, post, type Json } from "./api";
import { badge, field, form, to } from "./parts";
import { go } from "./place";

export async function source(place: Record<string, string>, mayWrite: boolean): Promise<Node[]> {
  const page = await get("source", { uri: place.uri ?? "", edge: place.edge ?? "", line: place.line ?? "1" });
  const chosen = place.edge ?? "";
  const text = el("div", { class: "text", id: "text", role: "document", "aria-label": `The text of ${page.uri}`, tabindex: 0 }, ...page.lines.map((line: Json) => lineOf(line, page, chosen)));
  const parts: Node[] = [
    el("p", { class: "type" }, `Source · ${page.format}`), el("h2", { tabindex: -1, id: "heading" }, page.uri),
    page.changed ? el("p", { class: "failure" }, "The file has changed since it was read; what is marked is where the words stand now.") : null as never,
    el("nav", { "aria-label": "Parts of the text" }, ...window_(page, chosen)), text,
  ].filter(Boolean);
  if (mayWrite) parts.push(selection(page));
  parts.push(el("h3", {}, `Cited from here (${page.cites.length})`), el("ul", { class: "cites" }, ...page.cites.slice(0, 300).map((one: Json) =>
    el("li", {}, to({ view: "source", uri: page.uri, edge: one.edge }, one.says), " ", badge(one.status), one.line ? null : el("span", { class: "fine" }, " its words no longer stand here")))));
  setTimeout(() => text.querySelector("mark.chosen, .line.asked")?.scrollIntoView({ block: "center" }));
  return parts;
}

function lineOf(line: Json, page: Json, chosen: string): HTMLElement {
  return el("div", { class: line.number === page.at && !chosen ? "line asked" : "line" }, el("span", { class: "number", "aria-hidden": "true" }, String(line.number)),
    el("span", { class: "words" }, ...line.parts.map((part: Json) => part.edges.length ? el("mark", { class: part.edges.includes(chosen) ? "chosen" : "", "data-edge": part.edges[0] }, part.text) : part.text)));
}

function window_(page: Json, edge: string): Node[] {
  const found: Node[] = [el("span", { class: "fine" }, `lines ${page.first}–${page.last} of ${page.total} `)];
  const size = page.last - page.first + 1;
  if (page.first > 1) found.push(to({ view: "source", uri: page.uri, line: String(Math.max(1, page.first - size)) }, "before "));
  if (page.last < page.total) found.push(to({ view: "source", uri: page.uri, line: String(page.last + 1) }, " after"));
  void edge;
  return found;
}

/** What may be done with selected words: the quote is taken from the selection, so it stands in the file. */
function selection(page: Json): HTMLElement {
  const into = el("div", { class: "selection" }, el("p", { class: "fine" }, "Select words in the text to make a statement or an alias of them."));
  let before = "";
  document.onselectionchange = () => {
    const picked = getSelection();
    const words = picked?.toString().replace(/^\d+(?=\D)/, "").trim() ?? "";
    if (!words || words.length > 1500 || !picked?.anchorNode || !document.getElementById("text")?.contains(picked.anchorNode) || words === before) return;
    before = words;
    into.replaceChildren(el("blockquote", { id: "picked-words" }, words),
      form("Make a claim of them", "Add the claim", [field("The statement", "claim", words.replace(/\s+/g, " ")), field("Mentions (a name that is in the graph)", "mentions")], async ({ claim, mentions }) => {
        const nodes: Json[] = [{ type: "Source", name: page.name, uri: page.uri }, { type: "Claim", name: claim }];
        const edges: Json[] = [{ predicate: "SUPPORTS", source: page.name, target: claim, quote: words, source_doc: page.uri, confidence: 0.95 }];
        if (mentions) edges.push({ predicate: "MENTIONS", source: claim, target: mentions });
        const done = await post("ingest", { payloads: [{ nodes, edges }] });
        return el("p", { class: "done" }, `Written as ${String(done.tx).slice(0, 10)}. `, el("button", { type: "button", class: "small undo", click: async () => { await post("retract", { tx: done.tx, reason: "undone in the browser" }); go(Object.fromEntries(new URLSearchParams(location.search)), true); } }, "Undo"));
      }),
      form("Make them an alias", "Add the alias", [field("Of which node", "of")], async ({ of }) => {
        await post("edit", { ref: of, alias: [words.replace(/\s+/g, " ")], reason: `so called in ${page.uri}` });
        return "added";
      }));
  };
  return into;
}
