// Adding files, and the log with its undo.

import { el } from "../dom";
import { get, post, upload, type Json } from "./api";
import { badge, failure, facts, to } from "./parts";
import { go } from "./place";

export function add(mayWrite: boolean): Node[] {
  if (!mayWrite) return [el("h2", { tabindex: -1, id: "heading" }, "Add"), el("p", {}, "This server only reads; start it with --allow-write to add files.")];
  const said = el("div", { "aria-live": "polite", id: "uploaded" });
  const input = el("input", { type: "file", multiple: true, id: "files" });
  const take = async (files: FileList | null): Promise<void> => {
    for (const file of files ?? []) {
      const row = el("div", { class: "card" }, el("h3", {}, file.name), el("p", { class: "fine" }, "reading …"));
      said.append(row);
      try {
        const answer = await upload(file);
        row.replaceChildren(el("h3", {}, file.name), ...outcome(answer));
      } catch (error) {
        row.replaceChildren(el("h3", {}, file.name), failure(error));
      }
    }
  };
  input.addEventListener("change", () => void take(input.files));
  const zone = el("div", { class: "zone" }, el("label", {}, "Files to read, without a model and at no cost ", input), el("p", { class: "fine" }, "or drop them here"));
  zone.addEventListener("dragover", (event) => event.preventDefault());
  zone.addEventListener("drop", (event) => { event.preventDefault(); void take((event as DragEvent).dataTransfer?.files ?? null); });
  return [el("h2", { tabindex: -1, id: "heading" }, "Add"), zone, said];
}

function outcome(answer: Json): Node[] {
  const units: Json[] = answer.units ?? [];
  return [el("ul", {}, ...units.map((unit) => el("li", {}, `${unit.unit}: `, badge(unit.outcome), ` ${unit.nodes ?? 0} nodes, ${unit.edges ?? 0} edges `, unit.detail ? el("span", { class: "fine" }, String(unit.detail)) : null, unit.source ? to({ view: "source", uri: String(unit.source) }, "open") : null))),
    ...(answer.skipped_files ? [facts([["skipped", answer.skipped_files]])] : [])];
}

export async function log(mayWrite: boolean): Promise<Node[]> {
  const { transactions } = await get("history", { limit: 60 });
  return [el("h2", { tabindex: -1, id: "heading" }, "History"), el("ol", { class: "log" }, ...transactions.map((one: Json) => el("li", { class: one.withdrawn || one.gone ? "card gone" : "card" },
    el("p", {}, el("strong", {}, one.op), ` ${String(one.ts).slice(0, 19).replace("T", " ")} `, el("span", { class: "fine" }, [one.run_id, one.agent, one.reason].filter(Boolean).join(" · "))),
    el("p", { class: "fine" }, el("code", {}, String(one.tx).slice(0, 12))), mayWrite ? undoing(one) : null)))];
}

function undoing(one: Json): HTMLElement {
  const back = ["retract", "resolve", "distinct", "split", "restore"].includes(one.op);
  return el("button", { type: "button", class: "small undo", click: async (event) => {
    const button = event.target as HTMLButtonElement;
    try {
      await (back ? post("restore", { tx: one.tx, reason: "undone in the browser" }) : post("retract", { tx: one.tx, reason: "undone in the browser", cascade: true }));
      go({ view: "log" }, true);
    } catch (error) {
      button.after(failure(error));
    }
  } }, "Undo");
}
