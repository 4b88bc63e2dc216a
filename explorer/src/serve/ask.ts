// A question: statements with their words beside them, then what is doubtful, contradicted or ended, then what is only text.

import { el } from "../dom";
import { get, type Json } from "./api";
import { badge, citation, nodeLink, plain, to } from "./parts";

export async function ask(question: string): Promise<Node[]> {
  if (!question) return [el("p", {}, "Ask something: a question, a name, a few words.")];
  const [answer, found] = await Promise.all([get("ask", { question }), get("query", { text: question, max_tokens: 6000 })]);
  const parts: Node[] = [el("h2", { tabindex: -1, id: "heading" }, question), el("h3", {}, "What the graph carries")];
  parts.push(answer.statements.length
    ? el("ol", { class: "statements" }, ...answer.statements.map((one: Json) => el("li", { class: "card" }, el("p", {}, plain(one.text)), ...one.support.map((tie: Json) => supported(tie, one.text)))))
    : el("p", { class: "nothing" }, "Nothing in the graph carries an answer."));
  if (answer.missing.length) parts.push(el("ul", { class: "fine" }, ...answer.missing.map((one: string) => el("li", {}, one))));
  if (answer.dropped.length) parts.push(el("details", {}, el("summary", {}, `Left out: ${answer.dropped.length}`), el("ul", {}, ...answer.dropped.map((one: Json) => el("li", {}, one.text, el("p", { class: "fine" }, one.why))))));
  return [...parts, ...conflicts(found), ...passages(found), ...things(found)];
}

function supported(tie: Json, text: string): HTMLElement {
  return citation(tie.quote.replace(/\s+/g, " ") === text ? "" : tie.quote, tie.source_doc, tie.evidence[0], tie.edges[0]);
}

function conflicts(found: Json): Node[] {
  const names = new Map<string, Json>(found.nodes.map((node: Json) => [node.id, node]));
  const against = found.edges.filter((edge: Json) => edge.predicate === "CONTRADICTS");
  if (!against.length) return [];
  return [el("h3", {}, "Contradicted"), el("ul", {}, ...against.map((edge: Json) => el("li", { class: "card against" },
    el("p", {}, names.get(edge.source)?.name ?? edge.source, " contradicts ", names.get(edge.target)?.name ?? edge.target), citation(edge.quote ?? "", edge.source_doc ?? "", edge.status ?? "", edge.id))))];
}

function passages(found: Json): Node[] {
  const rows: Json[] = found.passages ?? [];
  if (!rows.length) return [];
  return [el("h3", {}, "In the sources, not in the graph"), el("p", { class: "fine" }, "Text that was read and that nobody made a statement of."),
    el("ul", { class: "passages" }, ...rows.map((row) => {
      const uri = String(row.uri ?? row.source ?? ""), line = String((row.lines ?? [row.line ?? 1])[0] ?? 1);
      return el("li", {}, el("blockquote", {}, String(row.text ?? row.quote ?? "")), el("p", { class: "where" }, to({ view: "source", uri, line }, `${uri}:${line}`)));
    }))];
}

function things(found: Json): Node[] {
  const rows: Json[] = found.nodes.filter((node: Json) => node.type !== "Claim");
  if (!rows.length) return [];
  return [el("h3", {}, "What it is about"), el("ul", { class: "things" }, ...rows.slice(0, 24).map((node) => el("li", {}, nodeLink(node), node.superseded ? badge("superseded") : null, node.description ? el("span", { class: "fine" }, ` ${node.description}`) : null)))];
}
