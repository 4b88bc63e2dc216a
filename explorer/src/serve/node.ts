// One node: all that is said of it, each with its words; and, where the server may write, ways to correct it.

import { el } from "../dom";
import { get, post, type Json } from "./api";
import { badge, citation, facts, failure, field, form, nodeLink, to } from "./parts";
import { go } from "./place";

export async function node(ref: string, mayWrite: boolean): Promise<Node[]> {
  const shown = await get("show", { ref });
  const { node: about, edges } = shown as { node: Json; edges: Json[] };
  const groups = new Map<string, Json[]>();
  for (const edge of edges) {
    const forward = edge.source?.id === about.id || edge.source === about.id;
    const key = forward ? `${edge.predicate} →` : `← ${edge.predicate}`;
    groups.set(key, [...(groups.get(key) ?? []), edge]);
  }
  const parts: Node[] = [
    el("p", { class: "type" }, about.type), el("h2", { tabindex: -1, id: "heading" }, about.name),
    el("p", {}, to({ view: "explore", ref: about.id }, "Explore from here")),
    facts([["id", about.id], ["also", (about.aliases ?? []).join(" · ")], ["kind", about.attrs?.kind ?? about.kind], ["description", about.description ?? (about.descriptions ?? [])[0]?.text], ["canonical", about.canonical !== about.id ? about.canonical : ""]]),
  ];
  for (const [key, some] of [...groups].sort((a, b) => a[0].localeCompare(b[0]))) {
    parts.push(el("h3", {}, `${key} (${some.length})`), el("ul", { class: "edges" }, ...some.slice(0, 100).map((edge) => row(about, edge, mayWrite))));
    if (some.length > 100) parts.push(el("p", { class: "fine" }, `${some.length - 100} more`));
  }
  if (mayWrite) parts.push(...corrections(about, edges.length));
  return parts;
}

function end(edge: Json, side: string): Json {
  const one = edge[side];
  return typeof one === "object" ? one : { id: one, type: edge[`${side}_type`] ?? "", name: edge[`${side}_name`] ?? one };
}

function row(about: Json, edge: Json, mayWrite: boolean): HTMLElement {
  const source = end(edge, "source"), target = end(edge, "target");
  const other = source.id === about.id ? target : source;
  const item = el("li", { class: edge.predicate === "CONTRADICTS" ? "card against" : "card" }, nodeLink(other),
    edge.held ? badge(String(edge.held)) : null,
    edge.quote || edge.source_doc ? citation(edge.quote ?? "", edge.source_doc ?? "", edge.evidence?.status ?? edge.status ?? "", edge.id) : null);
  if (mayWrite) item.append(withdraw(edge.id, item));
  return item;
}

/** A button that takes an edge back, with the reason asked for, and then one that undoes it. */
function withdraw(edge: string, item: HTMLElement): HTMLElement {
  return el("button", { type: "button", class: "small", click: () => {
    item.append(form("Withdraw this statement", "Withdraw", [field("Why", "reason")], async ({ reason }) => {
      const done = await post("retract", { edge, reason, cascade: true });
      item.classList.add("gone");
      return undo(done);
    }));
  } }, "Withdraw …");
}

export function undo(done: Json, after: () => void = () => go(Object.fromEntries(new URLSearchParams(location.search)), true)): HTMLElement {
  const gone = [...(done.gone?.nodes ?? []), ...(done.gone?.edges ?? [])].length;
  return el("p", { class: "done" }, `Done${gone ? `: ${gone} things are no longer shown` : ""}. `,
    el("button", { type: "button", class: "small undo", click: async () => { await post("restore", { tx: done.tx, reason: "undone in the browser" }); after(); } }, "Undo"));
}

function corrections(about: Json, edges: number): Node[] {
  const again = () => go({ view: "node", ref: about.id }, true);
  return [
    el("h3", {}, "Correct"),
    form("Name", "Rename", [field("New name", "to", about.name), field("Why", "reason")], async ({ to, reason }) => { await post("rename", { ref: about.id, to, reason }); again(); return "renamed"; }),
    form("Description and kind", "Save", [field("Description", "description", about.description ?? ""), field("Kind", "kind", about.kind ?? ""), field("Why", "reason ")], async (values) => {
      const body: Json = { ref: about.id };
      for (const key of ["description", "kind"]) if (values[key]) body[key] = values[key];
      if (values["reason "]) body.reason = values["reason "];
      await post("edit", body);
      again();
      return "saved";
    }),
    form("Retract the whole node", "Show what would go", [field("Why", "why")], async ({ why }) => {
      const preview = await post("retract", { node: about.id, cascade: true, dry_run: true });
      const gone = [...preview.gone.nodes, ...preview.gone.edges];
      const said = el("div", { class: "preview" }, el("p", {}, `${preview.gone.nodes.length} nodes and ${preview.gone.edges.length} statements would no longer be shown, of ${edges} at this node. Undo brings all back.`),
        el("ul", {}, ...gone.slice(0, 20).map((id: string) => el("li", {}, to({ view: "node", ref: id }, id)))), gone.length > 20 ? el("p", { class: "fine" }, `and ${gone.length - 20} more`) : null,
        el("button", { type: "button", class: "retract", click: async () => { try { said.replaceChildren(undo(await post("retract", { node: about.id, reason: why, cascade: true }), again)); } catch (error) { said.append(failure(error)); } } }, "Retract them"));
      return said;
    }),
  ];
}
