// Reads the graph from the page, opens the explorer, and ties the buttons and keys to it.

import { byId, el, safeAddress } from "./dom";
import { Explorer } from "./explorer";
import { Graph } from "./graph";

function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const anchor = el("a", { download: name });
  anchor.href = address;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

function fileName(explorer: Explorer, ending: string): string {
  return `${explorer.graph.head.name.replace(/[^\p{L}\p{N}_-]+/gu, "-").slice(0, 60) || "graph"}.${ending}`;
}

async function copyLink(explorer: Explorer): Promise<void> {
  const field = byId<HTMLInputElement>("address");
  field.value = await explorer.address();
  byId("saved").hidden = false;
  field.focus();
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    explorer.say("Link copied");
  } catch {
    explorer.say("The link is in the field, selected");
  }
}

function buttons(explorer: Explorer): void {
  const on = (id: string, act: () => void) => byId(id).addEventListener("click", act);
  const zoom = (factor: number) => { explorer.stage.camera.zoom(factor); explorer.moved(); };
  on("in", () => zoom(1.4));
  on("out", () => zoom(1 / 1.4));
  on("fit", () => explorer.fit());
  on("theme", () => explorer.applyTheme(!explorer.theme.dark));
  on("link", () => void copyLink(explorer));
  on("close-saved", () => { byId("saved").hidden = true; byId("link").focus(); });
  on("png", () => void explorer.png().then((blob) => { if (blob) save(fileName(explorer, "png"), blob); }));
  on("svg", () => save(fileName(explorer, "svg"), new Blob([explorer.svg()], { type: "image/svg+xml" })));
  on("print", () => window.print());
  on("help", () => toggleKeys());
  on("close-keys", () => toggleKeys(false));
  on("toggle-filters", () => showFilters(byId("filters").hasAttribute("hidden")));
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  let dark = false; // paper is light
  window.addEventListener("beforeprint", () => {
    dark = explorer.theme.dark;
    if (dark) explorer.applyTheme(false);
    byId<HTMLImageElement>("printed").src = explorer.stage.copy(2).toDataURL("image/png");
  });
  window.addEventListener("afterprint", () => { if (dark) explorer.applyTheme(true); });
  if (matchMedia("(max-width: 720px)").matches) showFilters(false);
}

function showFilters(show: boolean): void {
  byId("filters").hidden = !show;
  byId("toggle-filters").setAttribute("aria-expanded", String(show));
}

function toggleKeys(show = byId("keys").hasAttribute("hidden")): void {
  byId("keys").hidden = !show;
  byId("help").setAttribute("aria-expanded", String(show));
  byId(show ? "close-keys" : "help").focus();
}

function keys(explorer: Explorer): void {
  const far = 60;
  const onPicture: Record<string, () => void> = {
    ArrowLeft: () => { explorer.stage.camera.pan(far, 0); explorer.moved(); },
    ArrowRight: () => { explorer.stage.camera.pan(-far, 0); explorer.moved(); },
    ArrowUp: () => { explorer.stage.camera.pan(0, far); explorer.moved(); },
    ArrowDown: () => { explorer.stage.camera.pan(0, -far); explorer.moved(); },
    "+": () => { explorer.stage.camera.zoom(1.25); explorer.moved(); },
    "=": () => { explorer.stage.camera.zoom(1.25); explorer.moved(); },
    "-": () => { explorer.stage.camera.zoom(0.8); explorer.moved(); },
    "0": () => explorer.fit(),
    n: () => explorer.step(1),
    p: () => explorer.step(-1),
    Enter: () => explorer.focusPicked(),
  };
  byId("ink").addEventListener("keydown", (event) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : onPicture[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLInputElement && event.target.type !== "checkbox" && event.target.type !== "range";
    if (event.key === "Escape") {
      if (!byId("keys").hidden) toggleKeys(false);
      else if (!byId("saved").hidden) { byId("saved").hidden = true; byId("link").focus(); }
      else if (!typing) explorer.drop();
    } else if (!typing && event.key === "/") {
      event.preventDefault();
      explorer.finder.focus();
    } else if (!typing && event.key === "?") toggleKeys();
  });
}

async function main(): Promise<void> {
  const graph = await Graph.load();
  const explorer = new Explorer(graph);
  buttons(explorer);
  keys(explorer);
  await explorer.open(location.hash);
  window.addEventListener("hashchange", () => void explorer.open(location.hash));
  await explorer.stage.first;
  document.documentElement.dataset.ready = "true";
  // for measuring and for tests: what draws, how many frames were drawn, how long the last search took
  Object.defineProperty(window, "kgraph", { value: Object.assign(explorer, { safeAddress }) });
  await explorer.search.prepare();
  document.documentElement.dataset.searchable = "true";
}

main().catch((problem: unknown) => {
  byId("panel").replaceChildren(el("h2", {}, "The graph could not be shown"), el("p", {}, problem instanceof Error ? problem.message : String(problem)),
    el("p", {}, "REPORT.md and graph.json beside this page hold the same graph."));
});
