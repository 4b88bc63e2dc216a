// The surroundings of a node as a picture and as a list; a click opens a neighbour's own surroundings. Nothing else is loaded.

import { el } from "../dom";
import { styleOf } from "../shapes";
import { get, type Json } from "./api";
import { badge, dark, nodeLink, to } from "./parts";
import { go, type Place } from "./place";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 900, HEIGHT = 620, MOST = 36, LONGEST = 26;

export async function explore(place: Place): Promise<Node[]> {
  if (!place.ref) return beginnings();
  const around = await get("neighbours", { ref: place.ref, skip: place.skip ?? "0" });
  const skip = Number(place.skip ?? 0);
  const merged = unique(around.neighbours);
  return [el("p", { class: "type" }, around.node.type), el("h2", { tabindex: -1, id: "heading" }, around.node.name),
    el("p", {}, to({ view: "node", ref: around.node.id }, "All that is said of it"), el("span", { class: "fine" }, ` · ${around.degree} edges`)),
    picture(around.node, merged.slice(0, MOST)),
    el("ul", { class: "edges" }, ...around.neighbours.map((one: Json) => el("li", {}, el("span", { class: "fine" }, one.forward ? `${one.predicate} → ` : `← ${one.predicate} `), nodeLink(one.node), " ", one.status && one.status !== "none" ? badge(one.status) : null))),
    el("p", {}, skip ? to({ ...place, skip: String(Math.max(0, skip - 40)) }, "before ") : "", around.more ? to({ ...place, skip: String(skip + 40) }, "more") : "")];
}

async function beginnings(): Promise<Node[]> {
  const { nodes, by_node_type, by_edge_type } = await get("beginnings");
  const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((all, one) => all + one, 0);
  return [el("h2", { tabindex: -1, id: "heading" }, "Explore"),
    el("p", {}, `${sum(by_node_type)} nodes, ${sum(by_edge_type)} edges. Best connected things:`),
    el("ul", { class: "things" }, ...nodes.map((node: Json) => el("li", {}, to({ view: "explore", ref: node.id }, node.name), el("span", { class: "fine" }, ` ${node.kind || node.type}, ${node.degree} statements`)))),
    el("h3", {}, "By type"), el("ul", {}, ...Object.entries(by_node_type as Record<string, number>).map(([type, count]) => el("li", {}, `${type}: ${count}`)))];
}

function unique(rows: Json[]): Json[] {
  const seen = new Map<string, Json>();
  for (const row of rows) if (!seen.has(row.node.id)) seen.set(row.node.id, row);
  return [...seen.values()];
}

function svg(tag: string, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElement {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** The node in the middle, its neighbours on rings around it, grouped by predicate so that like stands with like. */
function picture(centre: Json, rows: Json[]): Node {
  const sorted = [...rows].sort((a, b) => `${a.predicate}${a.forward}`.localeCompare(`${b.predicate}${b.forward}`));
  const middle: [number, number] = [WIDTH / 2, HEIGHT / 2];
  const places = sorted.map((_, i): [number, number] => {
    const angle = -Math.PI / 2 + (2 * Math.PI * i) / sorted.length, ring = i % 2 && sorted.length > 12 ? 0.62 : 1;
    return [middle[0] + Math.cos(angle) * (WIDTH / 2 - 130) * ring, middle[1] + Math.sin(angle) * (HEIGHT / 2 - 44) * ring];
  });
  const lines = sorted.map((row, i) => svg("line", { x1: middle[0], y1: middle[1], x2: places[i][0], y2: places[i][1], class: row.predicate === "CONTRADICTS" ? "tie against" : "tie" }, svg("title", {}, row.predicate)));
  const dots = sorted.map((row, i) => dot(row.node, places[i], false));
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "picture", role: "group", "aria-label": `Neighbours of ${centre.name}` }, ...lines, ...dots, dot(centre, middle, true));
}

function dot(node: Json, [x, y]: [number, number], middle: boolean): SVGElement {
  const style = styleOf(node.type), size = middle ? 14 : 9;
  const outline = `M${style.outline.map(([a, b]) => `${(x + a * size).toFixed(1)} ${(y + b * size).toFixed(1)}`).join("L")}Z`;
  const plain = String(node.name).replace(/[*_`]/g, "");
  const label = plain.length > LONGEST ? `${plain.slice(0, LONGEST - 1)}…` : plain;
  const made = svg("a", { class: "dot", href: "#" }, svg("path", { d: outline, fill: dark() ? style.dark : style.light }), svg("text", { x, y: y + size + 13, "text-anchor": "middle" }, label), svg("title", {}, `${node.type}: ${node.name}`));
  made.addEventListener("click", (event) => {
    event.preventDefault();
    go({ view: middle ? "node" : "explore", ref: node.id });
  });
  return made;
}
