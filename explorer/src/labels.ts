// Which names are written where: the most important first, none over another, none over what is picked.

import { Camera, nodeRadius, onScreen } from "./camera";
import type { Graph } from "./graph";
import type { Pen } from "./pens";
import type { Theme } from "./shapes";
import type { Visible } from "./visible";

const PIXELS_A_LABEL = 11_000; // so that names don't hide what they name
const HEADS = 12;
const MOST_KEPT_CLEAR = 600; // nodes on the screen whose own shapes are kept free of names
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

export function place(graph: Graph, seen: Visible, first: number[], camera: Camera, measure: Measure, names: Map<number, string>, only: boolean): Label[] {
  const room = new Room(), labels: Label[] = [];
  const put = (left: number, y: number, width: number, text: string, size: number, force = false): boolean => {
    if (force) left = Math.max(4, Math.min(left, camera.width - width - 4));
    const box = { left: left - 3, right: left + width + 3, top: y - size * 0.8, bottom: y + size * 0.8 };
    if (box.left < 0 || box.top < 0 || box.right > camera.width || box.bottom > camera.height) return false;
    if (!room.take(box, force)) return false;
    labels.push({ ...box, x: left, y, text, size, anchor: "start" });
    return true;
  };
  const node = (i: number, force = false) => {
    const [x, y] = camera.toScreen(graph.x[i], graph.y[i]);
    const text = shortened(graph.names[i]), width = measure(text, SIZE), gap = onScreen(nodeRadius(graph.degree[i]), camera) + 5;
    // beside it, on either side; else below or above
    void (put(x + gap, y, width, text, SIZE) || put(x - gap - width, y, width, text, SIZE)
      || put(x - width / 2, y + gap + SIZE * 0.6, width, text, SIZE) || put(x - width / 2, y - gap - SIZE * 0.6, width, text, SIZE)
      || (force && put(x + gap, y, width, text, SIZE, true)));
  };
  const inside = within(graph, seen, camera), order = ranked(graph, inside);
  const most = Math.max(10, (camera.width * camera.height) / PIXELS_A_LABEL);
  const clear = (nodes: number[]) => nodes.forEach((i) => room.take(around(graph, camera, i), true));
  // the names that matter most may cover small fry, but nothing of their own kind
  const head = only ? first.filter((i) => seen.shown[i] === 1) : [...first.filter((i) => seen.shown[i] === 1), ...order.slice(0, HEADS)];
  if (only || inside.length <= MOST_KEPT_CLEAR) clear(head);
  head.forEach((i, rank) => node(i, rank === 0 && first.length > 0));
  if (!only && inside.length <= MOST_KEPT_CLEAR) clear(inside);
  for (const bubble of seen.bubbles) {
    const [x, y] = camera.toScreen(bubble.x, bubble.y);
    const size = bubble.radius * camera.scale > 26 ? 13 : 11, text = names.get(bubble.community) ?? String(bubble.count);
    const width = measure(text, size);
    put(x - width / 2, y, width, text, size);
  }
  if (only) return labels;
  const written = new Set(head);
  for (const i of order) {
    if (written.has(i)) continue;
    if (labels.length >= most) break;
    node(i);
  }
  return labels;
}

/** The box of a node's own shape, which no name may cover. */
function around(graph: Graph, camera: Camera, i: number): Box {
  const [x, y] = camera.toScreen(graph.x[i], graph.y[i]), radius = onScreen(nodeRadius(graph.degree[i]), camera);
  return { left: x - radius, right: x + radius, top: y - radius, bottom: y + radius };
}

function within(graph: Graph, seen: Visible, camera: Camera): number[] {
  const margin = 10;
  const [left, top] = camera.toWorld(-margin, -margin), [right, bottom] = camera.toWorld(camera.width + margin, camera.height + margin);
  return seen.nodes.filter((i) => graph.x[i] >= left && graph.x[i] <= right && graph.y[i] >= top && graph.y[i] <= bottom);
}

/** The best connected first; of very many only those that could get a place at all. */
function ranked(graph: Graph, inside: number[]): number[] {
  const cut = inside.length > 4_000 ? best(graph, inside, 1_000) : inside.slice();
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
