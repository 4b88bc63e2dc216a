// Queues of what waits for a person, decided by keyboard: each decision is one transaction with its reason, and one key undoes it.

import { el } from "../dom";
import { get, post, type Json } from "./api";
import { badge, citation, failure, nodeLink } from "./parts";
import { addressOf, go, type Place } from "./place";

const TITLES: Record<string, string> = { candidates: "May be one thing", doubtful: "Words that don't carry the claim", contradictions: "Contradictions", stale: "Citations that no longer hold", unread: "Not read, or with losses" };

interface Decision { key: string; label: string; body: (item: Json, why: string) => [string, Json] }

const DECISIONS: Record<string, Decision[]> = {
  candidates: [
    { key: "s", label: "Same", body: (item, why) => ["resolve", { canonical: item.sides[0].id, alias: [item.sides[1].id], rationale: why, force: true }] },
    { key: "d", label: "Distinct", body: (item, why) => ["distinct", { one: item.sides[0].id, other: item.sides[1].id, rationale: why }] },
  ],
  doubtful: [{ key: "w", label: "Withdraw", body: (item, why) => ["retract", { edge: item.edge, reason: why, cascade: true }] }],
  contradictions: [
    { key: "h", label: "The claim holds", body: (item, why) => ["retract", { edge: item.edge, reason: why }] },
    { key: "w", label: "Withdraw the claim", body: (item, why) => ["retract", { node: item.target.id, reason: why, cascade: true }] },
  ],
  stale: [{ key: "w", label: "Withdraw", body: (item, why) => ["retract", { edge: item.edge, reason: why, cascade: true }] }],
  unread: [],
};

let session = { decided: 0, last: null as Json };
let keys: ((event: KeyboardEvent) => void) | null = null;

export async function review(place: Place, mayWrite: boolean): Promise<Node[]> {
  const name = place.queue ?? "";
  if (!name) return overview();
  const skip = Number(place.at ?? 0);
  const page = await get("queue", { name, skip: Math.floor(skip / 50) * 50 });
  const items: Json[] = page.items.slice(skip % 50);
  const item = items[0];
  const head = [el("h2", { tabindex: -1, id: "heading" }, TITLES[name] ?? name),
    el("p", { class: "fine", id: "progress", "aria-live": "polite" }, `${session.decided} decided · ${page.items.length - (skip % 50)}${page.more ? " and more" : ""} to go`)];
  const undo = session.last ? [el("button", { type: "button", class: "small undo", id: "undo", click: () => void takeBack(place) }, "Undo the last decision (z)")] : [];
  if (!item) {
    listenTo((event) => { if (event.key === "z") void takeBack(place); });
    return [...head, el("p", { class: "nothing" }, "Nothing waits here."), ...undo];
  }
  const why = el("textarea", { id: "why", rows: 2, "aria-label": "Why" });
  why.value = suggestion(name, item);
  const said = el("div", { "aria-live": "assertive" });
  const decide = async (decision: Decision): Promise<void> => {
    try {
      const [command, body] = decision.body(item, why.value);
      const done = await post(command, body);
      session = { decided: session.decided + 1, last: { tx: done.tx, command } };
      go(place, true);
    } catch (error) {
      said.replaceChildren(failure(error));
    }
  };
  const next = () => go({ ...place, at: String(skip + 1) }, true);
  const decisions = mayWrite ? DECISIONS[name] ?? [] : [];
  listenTo((event) => {
    if (event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement) { if (event.key === "Escape") (event.target as HTMLElement).blur(); return; }
    const found = decisions.find((one) => one.key === event.key);
    if (found) void decide(found);
    else if (event.key === "u" || event.key === "j") next();
    else if (event.key === "k" && skip) go({ ...place, at: String(skip - 1) }, true);
    else if (event.key === "z" && session.last) void takeBack(place);
    else if (event.key === "e") why.focus();
    else return;
    event.preventDefault();
  });
  return [...head, el("div", { class: "card", id: "item", "data-key": item.key }, ...(name === "candidates" ? pair(item) : single(name, item))),
    decisions.length ? el("label", { class: "field" }, "Why (e to edit)", why) : el("p", { class: "fine" }, mayWrite ? "Nothing to decide here: read it again with kgraph extract." : "This server only reads; start it with --allow-write to decide."),
    el("p", { class: "buttons" }, ...decisions.map((one) => el("button", { type: "button", id: `decide-${one.key}`, click: () => void decide(one) }, `${one.label} (${one.key})`)),
      el("button", { type: "button", id: "unsure", click: next }, "Unsure, next (u)"), ...undo), said];
}

function listenTo(keyed: (event: KeyboardEvent) => void): void {
  stopListening();
  keys = (event) => { if (!event.ctrlKey && !event.metaKey && !event.altKey) keyed(event); };
  addEventListener("keydown", keys);
}

export function stopListening(): void {
  if (keys) removeEventListener("keydown", keys);
  keys = null;
}

async function takeBack(place: Place): Promise<void> {
  const { last } = session;
  if (!last) return;
  await post("restore", { tx: last.tx, reason: "undone in the review" });
  session = { decided: Math.max(0, session.decided - 1), last: null };
  go(place, true);
}

/** The queues; how much waits in each is counted one after the other, since looking for candidates in a large graph takes a while. */
function overview(): Node[] {
  stopListening();
  const counts = new Map<string, HTMLElement>();
  const rows = Object.entries(TITLES).map(([name, title]) => {
    const anchor = el("a", { click: (event) => { event.preventDefault(); go({ view: "review", queue: name }); } }, title);
    anchor.href = addressOf({ view: "review", queue: name });
    const count = el("span", { class: "count", id: `count-${name}` }, "counting …");
    counts.set(name, count);
    return el("li", {}, anchor, " ", count);
  });
  void (async () => {
    for (const [name, count] of [...counts].reverse()) {
      try {
        const page = await get("queue", { name, skip: 0 });
        count.textContent = `${page.items.length}${page.more ? "+" : ""}`;
      } catch {
        count.textContent = "can't be counted";
      }
      if (!count.isConnected) return;
    }
  })();
  return [el("h2", { tabindex: -1, id: "heading" }, "Review"), el("ul", { class: "queues" }, ...rows)];
}

function suggestion(name: string, item: Json): string {
  if (name === "candidates") {
    const told = Object.entries(item.features ?? {}).filter(([, value]) => value !== false && value !== 0 && value !== null && !(Array.isArray(value) && !value.length));
    return `reviewed side by side: ${told.slice(0, 5).map(([key, value]) => `${key.replaceAll("_", " ")} ${typeof value === "object" ? JSON.stringify(value) : value}`).join("; ") || "the quotes of both"}`;
  }
  if (name === "doubtful") return `the quoted words don't carry it: ${(item.reasons ?? []).map((one: Json) => one.doubt).join(", ")}`;
  return name === "stale" ? "the file no longer says it" : "reviewed against the sources of both";
}

function pair(item: Json): Node[] {
  return [el("div", { class: "sides" }, ...item.sides.map((side: Json) => el("section", { "aria-label": side.name },
    el("p", { class: "type" }, [side.type, side.kind, side.qualifier].filter(Boolean).join(" · ")), el("h3", {}, nodeLink(side)),
    side.aliases.length ? el("p", { class: "fine" }, `also ${side.aliases.join(", ")}`) : null, side.description ? el("p", {}, side.description) : null,
    ...side.quotes.map((one: Json) => citation(one.text, one.source_doc))))),
    el("p", { class: "fine" }, `score ${item.score}`), el("ul", { class: "features" }, ...Object.entries(item.features ?? {}).map(([key, value]) => el("li", {}, `${key.replaceAll("_", " ")}: ${typeof value === "object" ? JSON.stringify(value) : value}`)))];
}

function single(name: string, item: Json): Node[] {
  if (name === "unread") return [el("h3", {}, item.unit), el("p", {}, badge(item.outcome), " ", item.reason ?? "")];
  return [el("p", {}, nodeLink(item.source), ` ${item.predicate} `, nodeLink(item.target)), citation(item.quote, item.source_doc, item.status, item.edge),
    ...(item.reasons ?? []).map((one: Json) => el("p", { class: "failure" }, `${one.doubt}${one.said ? `: the claim says “${one.said}”` : ""}${one.quoted ? `, the words say “${one.quoted}”` : ""}`)),
    ...(item.now ? [el("h4", {}, "What stands there now"), el("pre", {}, item.now)] : []),
    ...(item.supports ?? []).map((one: Json) => el("div", {}, el("h4", {}, "What carries it"), citation(one.quote, one.source_doc, "", one.edge)))];
}
