// Which names are written where: the most important first, none over another, none over what is picked.

import { Camera, nodeRadius, onScreen } from "./camera";
import type { Graph } from "./graph";
import type { Pen } from "./pens";
import type { Theme } from "./shapes";
import type { Visible } from "./visible";

const MOST_LABELS = 160;
const LONGEST = 34;
const SIZE = 12;

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Label extends Box {
  x: number;
  y: number;
  text: string;
  size: number;
  anchor: "start" | "middle";
}

/** Boxes in a coarse grid, so that asking for room is cheap. */
class Room {
  private readonly cells = new Map<number, Box[]>();

  take(box: Box, force = false): boolean {
    const keys: number[] = [];
    for (let column = Math.floor(box.left / 80); column <= Math.floor(box.right / 80); column++) {
      for (let row = Math.floor(box.top / 40); row <= Math.floor(box.bottom / 40); row++) keys.push(column * 10_000 + row);
    }
    if (!force) {
      for (const key of keys) for (const other of this.cells.get(key) ?? []) if (overlap(box, other)) return false;
    }
    for (const key of keys) {
      const held = this.cells.get(key);
      if (held) held.push(box);
      else this.cells.set(key, [box]);
    }
    return true;
  }
}

function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

export function shortened(text: string, longest = LONGEST): string {
  const flat = text.replace(/\s+/g, " ");
  const signs = Array.from(flat);
  return signs.length <= longest ? flat : signs.slice(0, longest - 1).join("") + "\u2026";
}

export type Measure = (text: string, size: number) => number;

export function place(graph: Graph, seen: Visible, first: number[], camera: Camera, measure: Measure, names: Map<number, string>): Label[] {
  const room = new Room(), labels: Label[] = [];
  const put = (x: number, y: number, gap: number, text: string, size: number, anchor: "start" | "middle", force: boolean): void => {
    const width = measure(text, size);
    const left = anchor === "start" ? x + gap : x - width / 2;
    const box = { left: left - 2, right: left + width + 2, top: y - size * 0.7, bottom: y + size * 0.7 };
    if (box.right < 0 || box.bottom < 0 || box.left > camera.width || box.top > camera.height) return;
    if (room.take(box, force && labels.length === 0)) labels.push({ ...box, x: anchor === "start" ? left : x, y, text, size, anchor });
  };
  const node = (i: number, force: boolean) => {
    const [x, y] = camera.toScreen(graph.x[i], graph.y[i]);
    put(x, y, onScreen(nodeRadius(graph.degree[i]), camera) + 4, shortened(graph.names[i]), SIZE, "start", force);
  };
  for (const i of first) if (seen.shown[i] === 1) node(i, true);
  for (const bubble of seen.bubbles) {
    const [x, y] = camera.toScreen(bubble.x, bubble.y);
    const size = bubble.radius * camera.scale > 26 ? 13 : 11;
    if (labels.length < MOST_LABELS) put(x, y, 0, names.get(bubble.community) ?? `${bubble.count}`, size, "middle", false);
  }
  for (const i of ranked(graph, seen, camera)) {
    if (labels.length >= MOST_LABELS) break;
    node(i, false);
  }
  return labels;
}

/** Nodes on the screen that are drawn large enough to bear a name, the best connected first. */
function ranked(graph: Graph, seen: Visible, camera: Camera): number[] {
  const margin = 30;
  const [left, top] = camera.toWorld(-margin, -margin), [right, bottom] = camera.toWorld(camera.width + margin, camera.height + margin);
  const inside = seen.nodes.filter((i) => graph.x[i] >= left && graph.x[i] <= right && graph.y[i] >= top && graph.y[i] <= bottom);
  const cut = inside.length > 4_000 ? best(graph, inside, 1_000) : inside;
  return cut.sort((one, other) => graph.degree[other] - graph.degree[one] || one - other);
}

/** Those of at least the degree that about `count` nodes reach. */
function best(graph: Graph, nodes: number[], count: number): number[] {
  const histogram = new Uint32Array(257);
  for (const i of nodes) histogram[Math.min(256, graph.degree[i])]++;
  let least = 256, sum = histogram[256];
  while (least > 0 && sum < count) sum += histogram[--least];
  return nodes.filter((i) => graph.degree[i] >= least).slice(0, 4 * count);
}

export function write(pen: Pen, labels: Label[], theme: Theme): void {
  for (const label of labels) pen.text(label.x, label.y, label.text, label.size, theme, label.anchor);
}
