// What lies under the pointer. A plain walk over what is drawn: a hundred thousand nodes take about a millisecond.

import { Camera, nodeRadius, onScreen } from "./camera";
import type { Graph } from "./graph";
import type { Visible } from "./visible";

const REACH = 6; // pixels

export function nodeAt(graph: Graph, seen: Visible, camera: Camera, x: number, y: number): number {
  let best = -1, nearest = Infinity;
  const [wx, wy] = camera.toWorld(x, y), window = 50 / camera.scale;
  for (const i of seen.nodes) {
    const dx = graph.x[i] - wx, dy = graph.y[i] - wy;
    if (dx > window || dx < -window || dy > window || dy < -window) continue;
    const distance = Math.hypot(dx, dy) * camera.scale - onScreen(nodeRadius(graph.degree[i]), camera);
    if (distance < nearest) { nearest = distance; best = i; }
  }
  return nearest <= REACH / 2 ? best : -1;
}

export function bubbleAt(seen: Visible, camera: Camera, x: number, y: number): number {
  const [wx, wy] = camera.toWorld(x, y);
  for (const bubble of seen.bubbles) {
    if (Math.hypot(bubble.x - wx, bubble.y - wy) <= Math.max(bubble.radius, 7 / camera.scale)) return bubble.community;
  }
  return -1;
}

export function edgeAt(graph: Graph, seen: Visible, camera: Camera, x: number, y: number, folded: boolean): number {
  let best = -1, nearest = REACH;
  const [wx, wy] = camera.toWorld(x, y);
  for (const e of seen.edges) {
    const a = graph.end(graph.source[e], folded), b = graph.end(graph.target[e], folded);
    const ax = graph.x[a], ay = graph.y[a], dx = graph.x[b] - ax, dy = graph.y[b] - ay;
    const along = Math.max(0, Math.min(1, ((wx - ax) * dx + (wy - ay) * dy) / (dx * dx + dy * dy || 1)));
    const distance = Math.hypot(ax + along * dx - wx, ay + along * dy - wy) * camera.scale;
    if (distance < nearest) { nearest = distance; best = e; }
  }
  return best;
}
