// The served page: which view the address asks for, and what happens when the graph changes meanwhile.

import { byId, el } from "../dom";
import { get, listen } from "./api";
import { ask } from "./ask";
import { explore } from "./explore";
import { add, log } from "./more";
import { node } from "./node";
import { failure } from "./parts";
import { go, here, onMove, type Place } from "./place";
import { review, stopListening } from "./review";
import { source } from "./source";

let mayWrite = false;
let turn = 0;

async function view(place: Place): Promise<Node[]> {
  switch (place.view) {
    case "explore": return explore(place);
    case "review": return review(place, mayWrite);
    case "node": return node(place.ref ?? "", mayWrite);
    case "source": return source(place, mayWrite);
    case "add": return add(mayWrite);
    case "log": return log(mayWrite);
    default: return ask(place.q ?? "");
  }
}

async function show(place: Place, focus = true): Promise<void> {
  const mine = ++turn;
  if (place.view !== "review") stopListening();
  document.onselectionchange = null;
  const main = byId("main");
  main.setAttribute("aria-busy", "true");
  let parts: Node[];
  try {
    parts = await view(place);
  } catch (error) {
    parts = [failure(error)];
  }
  if (mine !== turn) return; // something else is asked for by now
  main.replaceChildren(...parts);
  main.removeAttribute("aria-busy");
  byId<HTMLInputElement>("question").value = place.q ?? byId<HTMLInputElement>("question").value;
  for (const anchor of document.querySelectorAll<HTMLAnchorElement>("nav.views a")) anchor.toggleAttribute("aria-current", anchor.dataset.view === (place.view ?? "ask"));
  if (focus) document.getElementById("heading")?.focus({ preventScroll: true });
}

async function start(): Promise<void> {
  onMove((place) => void show(place));
  byId("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    go({ view: "ask", q: byId<HTMLInputElement>("question").value });
  });
  for (const anchor of document.querySelectorAll<HTMLAnchorElement>("nav.views a")) anchor.addEventListener("click", (event) => {
    event.preventDefault();
    go({ view: anchor.dataset.view ?? "ask" });
  });
  const about = await get("session");
  mayWrite = about.allow_write;
  byId("graph").textContent = about.graph;
  document.title = `${about.graph} · kgraph`;
  if (!mayWrite) byId("mode").textContent = "read only";
  await show(here());
  listen(() => {
    const busy = here().view === "add" || document.querySelector(".done, .selection form") !== null || document.activeElement instanceof HTMLInputElement || document.activeElement instanceof HTMLTextAreaElement;
    const news = byId("news");
    if (busy) news.replaceChildren("The graph has changed. ", el("button", { type: "button", class: "small", click: () => { news.replaceChildren(); void show(here(), false); } }, "Show it"));
    else void show(here(), false);
    document.body.dataset.heard = String(Number(document.body.dataset.heard ?? 0) + 1);
  });
}

start().catch((error) => byId("main").replaceChildren(failure(error)));
