// What is drawn, as plain arrays: the same scene goes to WebGL, to a canvas and to SVG.

import { nodeRadius } from "./camera";
import { Graph, INFERENCE, REPLACED } from "./graph";
import { STYLES, Theme, communityColour, rgb, typeColour } from "./shapes";
import { AGAINST, DOUBTFUL, INFERRED, MERGED, NORMAL, Visible } from "./visible";

export const THIN_EDGES = 6_000; // from here on ordinary edges are hairlines without arrows
const MOST_BUNDLES = 1_500;
export const SHAPES = [...Object.keys(STYLES), ""];

export interface Scene {
  nodes: number[];
  nodeX: Float32Array;
  nodeY: Float32Array;
  nodeR: Float32Array;
  nodeShape: Float32Array;
  nodeHollow: Float32Array;
  nodeColour: Uint8Array;
  thinEnds: Float32Array; // ax ay bx by
  thinColour: Uint8Array; // one for each of the two ends
  thinCount: number;
  thickEnds: Float32Array;
  thickRadii: Float32Array; // at a and at b
  thickColour: Uint8Array;
  thickStyle: Float32Array; // width, dash, shift in pixels
  thickCount: number;
  arrows: boolean;
  discX: Float32Array;
  discY: Float32Array;
  discR: Float32Array;
  discColour: Uint8Array;
  marks: Float32Array; // middles of contradictions
}

export interface Emphasis {
  nodes: Set<number> | null; // null: all alike
  edges: Set<number>; // picked out by colour and width
}

export interface Look {
  theme: Theme;
  byCommunity: boolean;
  folded: boolean;
}

export function scene(graph: Graph, seen: Visible, emphasis: Emphasis, look: Look): Scene {
  const bubbleOf = new Map(seen.bubbles.map((bubble) => [bubble.community, bubble]));
  return { ...nodes(graph, seen, emphasis, look), ...edges(graph, seen, emphasis, look, bubbleOf), ...discs(seen, look) };
}

function nodes(graph: Graph, seen: Visible, emphasis: Emphasis, look: Look) {
  const list = hubsLast(graph, seen.nodes);
  const count = list.length;
  const nodeX = new Float32Array(count), nodeY = new Float32Array(count), nodeR = new Float32Array(count);
  const nodeShape = new Float32Array(count), nodeHollow = new Float32Array(count);
  const nodeColour = new Uint8Array(4 * count), words = new Uint32Array(nodeColour.buffer);
  const shapeOf = graph.head.types.map((name) => (SHAPES.includes(name) ? SHAPES.indexOf(name) : SHAPES.length - 1));
  const colours = graph.head.types.map((name) => rgb(typeColour(name, look.theme)));
  const ofCommunity = look.byCommunity ? (community: number) => rgb(communityColour(community, look.theme)) : null;
  for (let k = 0; k < count; k++) {
    const i = list[k];
    nodeX[k] = graph.x[i];
    nodeY[k] = graph.y[i];
    nodeR[k] = nodeRadius(graph.degree[i]);
    nodeShape[k] = shapeOf[graph.type[i]];
    nodeHollow[k] = graph.flags[i] & INFERENCE ? 1 : 0;
    const colour = ofCommunity ? ofCommunity(graph.community[i]) : colours[graph.type[i]];
    words[k] = word(colour, emphasis.nodes ? (emphasis.nodes.has(i) ? 255 : 46) : graph.flags[i] & REPLACED ? 120 : 255);
  }
  return { nodes: list, nodeX, nodeY, nodeR, nodeShape, nodeHollow, nodeColour };
}

/** Four bytes of colour as one number, in the order in which every machine that has a browser keeps them. */
function word([red, green, blue]: readonly [number, number, number], alpha: number): number {
  return (red | (green << 8) | (blue << 16) | (alpha << 24)) >>> 0;
}

/** In order of degree, by counting, so that hubs are drawn on top. */
function hubsLast(graph: Graph, nodes: number[]): number[] {
  let most = 0;
  for (const i of nodes) most = Math.max(most, graph.degree[i]);
  const starts = new Uint32Array(most + 2), list = new Array<number>(nodes.length);
  for (const i of nodes) starts[graph.degree[i] + 1]++;
  for (let degree = 0; degree <= most; degree++) starts[degree + 1] += starts[degree];
  for (const i of nodes) list[starts[graph.degree[i]]++] = i;
  return list;
}

function edges(graph: Graph, seen: Visible, emphasis: Emphasis, look: Look, bubbleOf: Map<number, { x: number; y: number; radius: number }>) {
  const { theme } = look;
  const many = seen.edges.length > THIN_EDGES;
  const thin: number[] = [], thick: number[] = [];
  for (const e of scattered(seen.edges)) {
    if (many && seen.kinds[e] === NORMAL && !emphasis.edges.has(e)) thin.push(e);
    else thick.push(e);
  }
  const bundles = seen.bundles.slice(0, MOST_BUNDLES);
  const thinEnds = new Float32Array(4 * thin.length), thinColour = new Uint8Array(8 * thin.length);
  const base = rgb(theme.edge), against = rgb(theme.against), doubt = rgb(theme.doubt), accent = rgb(theme.accent);
  const dimmed = emphasis.nodes !== null || emphasis.edges.size > 0;
  const faint = 84 * Math.min(1, Math.pow(THIN_EDGES / Math.max(1, thin.length), 0.7)); // the more, the fainter each
  const { source, target, x, y, community } = graph, words = new Uint32Array(thinColour.buffer);
  for (let k = 0; k < thin.length; k++) {
    const a = graph.end(source[thin[k]], look.folded), b = graph.end(target[thin[k]], look.folded);
    thinEnds[4 * k] = x[a];
    thinEnds[4 * k + 1] = y[a];
    thinEnds[4 * k + 2] = x[b];
    thinEnds[4 * k + 3] = y[b];
    const within = community[a] === community[b] ? 1 : 0.45; // ties between communities would hide the communities
    words[2 * k] = words[2 * k + 1] = word(base, Math.max(6, (dimmed ? 0.25 : 1) * within * faint));
  }
  const count = thick.length + bundles.length;
  const thickEnds = new Float32Array(4 * count), thickRadii = new Float32Array(2 * count);
  const thickColour = new Uint8Array(4 * count), thickStyle = new Float32Array(3 * count);
  const shifts = many ? null : parallel(graph, thick, look.folded);
  const marks: number[] = [];
  const ordinary = Math.max(70, 200 - 30 * Math.log2(1 + thick.length / 300)); // the more edges, the fainter each
  thick.forEach((e, k) => {
    const a = graph.end(graph.source[e], look.folded), b = graph.end(graph.target[e], look.folded);
    const kind = seen.kinds[e], picked = emphasis.edges.has(e);
    thickEnds.set([graph.x[a], graph.y[a], graph.x[b], graph.y[b]], 4 * k);
    thickRadii.set([nodeRadius(graph.degree[a]), nodeRadius(graph.degree[b])], 2 * k);
    const colour = kind === AGAINST ? against : picked ? accent : kind === DOUBTFUL ? doubt : base;
    thickColour.set([...colour, dimmed && !picked ? 34 : kind === AGAINST || kind === DOUBTFUL || picked ? 255 : ordinary], 4 * k);
    const width = (kind === AGAINST ? 2.2 : 1.2) + (picked ? 1.2 : 0);
    const dash = kind === AGAINST ? 7 : kind === INFERRED ? 4 : kind === MERGED ? 1.6 : 0;
    thickStyle.set([width, dash, shifts ? shifts[k] : 0], 3 * k);
    if (kind === AGAINST && (picked || !dimmed)) marks.push((graph.x[a] + graph.x[b]) / 2, (graph.y[a] + graph.y[b]) / 2);
  });
  const at = (side: number): [number, number, number] => {
    if (side >= 0) return [graph.x[side], graph.y[side], nodeRadius(graph.degree[side])];
    const bubble = bubbleOf.get(-1 - side);
    return bubble ? [bubble.x, bubble.y, 0] : [0, 0, 0];
  };
  bundles.forEach((bundle, i) => {
    const k = thick.length + i;
    const [ax, ay] = at(bundle.a), [bx, by] = at(bundle.b);
    thickEnds.set([ax, ay, bx, by], 4 * k);
    thickColour.set([...base, dimmed ? 20 : Math.min(150, 28 + 12 * Math.log2(1 + bundle.count))], 4 * k);
    thickStyle.set([Math.min(9, 0.8 + Math.log2(1 + bundle.count) / 2), 0, 0], 3 * k);
  });
  return {
    thinEnds, thinColour, thinCount: thin.length, thickEnds, thickRadii, thickColour, thickStyle, thickCount: count,
    arrows: thick.length <= THIN_EDGES && !many, marks: new Float32Array(marks),
  };
}

/** The same list in an order in which every beginning is a fair sample, so that a hurried frame may draw only the first ones. */
function scattered(list: number[]): number[] {
  const { length } = list;
  if (length < 2_000) return list;
  let stride = Math.floor(length * 0.618) | 1;
  while (divisor(stride, length) !== 1) stride += 2;
  const made = new Array<number>(length);
  for (let i = 0, at = 0; i < length; i++, at = (at + stride) % length) made[i] = list[at];
  return made;
}

function divisor(a: number, b: number): number {
  while (b) [a, b] = [b, a % b];
  return a;
}

/** How far each edge is moved aside, in pixels, so that edges between the same two nodes lie beside each other. */
function parallel(graph: Graph, list: number[], folded: boolean): Float32Array {
  const between = new Map<string, number[]>();
  list.forEach((e, k) => {
    const a = graph.end(graph.source[e], folded), b = graph.end(graph.target[e], folded);
    const key = a < b ? `${a} ${b}` : `${b} ${a}`;
    const same = between.get(key);
    if (same) same.push(k);
    else between.set(key, [k]);
  });
  const shifts = new Float32Array(list.length);
  for (const same of between.values()) {
    if (same.length === 1) continue;
    same.forEach((k, place) => {
      const e = list[k];
      const turned = graph.end(graph.source[e], folded) < graph.end(graph.target[e], folded) ? 1 : -1;
      shifts[k] = (place - (same.length - 1) / 2) * 6 * turned;
    });
  }
  return shifts;
}

function discs(seen: Visible, look: Look) {
  const count = seen.bubbles.length;
  const discX = new Float32Array(count), discY = new Float32Array(count), discR = new Float32Array(count);
  const discColour = new Uint8Array(4 * count);
  seen.bubbles.forEach((bubble, k) => {
    discX[k] = bubble.x;
    discY[k] = bubble.y;
    discR[k] = bubble.radius;
    discColour.set([...rgb(communityColour(bubble.community, look.theme)), 215], 4 * k);
  });
  return { discX, discY, discR, discColour };
}
