// The drawing surface: a WebGL canvas (or a plain one where there is no WebGL2) below, labels and marks above.

import { Camera, nodeRadius, onScreen } from "./camera";
import type { Graph } from "./graph";
import { Label, place, write } from "./labels";
import { CanvasPen, paint } from "./pens";
import type { Scene } from "./scene";
import type { Theme } from "./shapes";
import type { Visible } from "./visible";
import { WebGL } from "./webgl";

const LEAST_THIN = 4_000;
const SLOW_FRAME_MS = 50;

export interface Marks {
  picked: number[];
  hovered: number;
  first: number[]; // nodes whose names come before all others
  ends: Map<number, string>; // a word beside a node: 'from'
  middles: { x: number; y: number; text: string }[]; // predicates on picked edges
}

export class Stage {
  readonly camera = new Camera();
  readonly webgl: WebGL | null;
  frames = 0;
  private readonly ink: CanvasRenderingContext2D;
  private readonly plain: CanvasRenderingContext2D | null;
  private scene: Scene | null = null;
  private dirty = false;
  private thinBudget = 60_000;
  private movedAt = -1e9;
  private lastFrame = 0;
  private settle = 0;
  labels: Label[] = [];

  constructor(
    private readonly graph: Graph,
    private readonly gl: HTMLCanvasElement,
    private readonly over: HTMLCanvasElement,
    private readonly ask: () => { seen: Visible; theme: Theme; marks: Marks; names: Map<number, string> },
  ) {
    this.webgl = WebGL.on(gl);
    this.plain = this.webgl ? null : gl.getContext("2d");
    this.ink = over.getContext("2d")!;
    new ResizeObserver(() => this.resize()).observe(over.parentElement!);
    this.resize();
  }

  get rendererName(): string { return this.webgl?.rendererName ?? "canvas 2d"; }

  resize(): void {
    const box = this.over.parentElement!.getBoundingClientRect(), ratio = Math.min(2, window.devicePixelRatio || 1);
    this.camera.width = Math.max(1, box.width);
    this.camera.height = Math.max(1, box.height);
    for (const canvas of [this.gl, this.over]) {
      canvas.width = Math.max(1, Math.round(box.width * ratio));
      canvas.height = Math.max(1, Math.round(box.height * ratio));
    }
    this.ink.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.plain?.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.draw();
  }

  show(scene: Scene): void {
    this.scene = scene;
    this.webgl?.show(scene);
    this.draw();
  }

  /** Draw soon. `moving` frames may leave out hairlines; a full one follows when the hand rests. */
  draw(moving = false): void {
    if (moving) this.movedAt = performance.now();
    if (this.dirty) return;
    this.dirty = true;
    requestAnimationFrame((now) => this.frame(now));
  }

  private frame(now: number): void {
    this.dirty = false;
    if (!this.scene) return;
    const { seen, theme, marks, names } = this.ask();
    const moving = performance.now() - this.movedAt < 140;
    if (moving) {
      const took = now - this.lastFrame;
      if (took > SLOW_FRAME_MS && took < 1_000) this.thinBudget = Math.max(LEAST_THIN, this.thinBudget * 0.7);
      clearTimeout(this.settle);
      this.settle = window.setTimeout(() => this.draw(), 160);
    }
    this.lastFrame = now;
    const most = moving ? this.thinBudget : Infinity;
    if (this.webgl) this.webgl.draw(this.camera, theme.background, most);
    else if (this.plain) {
      this.plain.fillStyle = theme.background;
      this.plain.fillRect(0, 0, this.camera.width, this.camera.height);
      paint(new CanvasPen(this.plain), this.scene, this.camera, theme, most);
    }
    this.annotate(this.ink, seen, theme, marks, names);
    this.frames++;
  }

  private annotate(on: CanvasRenderingContext2D, seen: Visible, theme: Theme, marks: Marks, names: Map<number, string>): void {
    const { camera, graph } = this, pen = new CanvasPen(on);
    on.clearRect(0, 0, camera.width, camera.height);
    this.crosses(on, theme);
    const ring = (i: number, colour: string, width: number) => {
      if (i < 0 || seen.shown[i] !== 1) return;
      const [x, y] = camera.toScreen(graph.x[i], graph.y[i]);
      on.beginPath();
      on.arc(x, y, onScreen(nodeRadius(graph.degree[i]), camera) + 4, 0, 2 * Math.PI);
      on.setLineDash([]);
      on.strokeStyle = colour;
      on.lineWidth = width;
      on.stroke();
    };
    ring(marks.hovered, theme.text, 1.5);
    for (const i of marks.picked) ring(i, theme.accent, 3);
    this.labels = place(graph, seen, marks.first, camera, measurer(on), names, marks.picked.length > 0);
    write(pen, this.labels, theme);
    for (const [i, word] of marks.ends) {
      const [x, y] = camera.toScreen(graph.x[i], graph.y[i]);
      pen.text(x, y - onScreen(nodeRadius(graph.degree[i]), camera) - 13, word, 11, theme, "middle");
    }
    for (const { x, y, text } of marks.middles) {
      const [sx, sy] = camera.toScreen(x, y);
      pen.text(sx, sy, text, 10, theme, "middle");
    }
  }

  /** A small cross in the middle of each contradiction, so that it is told without colour as well. */
  private crosses(on: CanvasRenderingContext2D, theme: Theme): void {
    const marks = this.scene?.marks ?? new Float32Array();
    on.strokeStyle = theme.against;
    on.lineWidth = 2;
    on.setLineDash([]);
    for (let k = 0; k < Math.min(marks.length, 1_000); k += 2) {
      const [x, y] = this.camera.toScreen(marks[k], marks[k + 1]);
      if (x < 0 || y < 0 || x > this.camera.width || y > this.camera.height) continue;
      on.beginPath();
      on.moveTo(x - 4, y - 4); on.lineTo(x + 4, y + 4); on.moveTo(x + 4, y - 4); on.lineTo(x - 4, y + 4);
      on.stroke();
    }
  }

  /** The picture as it stands, on a canvas of its own at `ratio` device pixels a CSS pixel. */
  copy(ratio: number): HTMLCanvasElement {
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(this.camera.width * ratio);
    canvas.height = Math.round(this.camera.height * ratio);
    const on = canvas.getContext("2d")!;
    on.setTransform(ratio, 0, 0, ratio, 0, 0);
    const { seen, theme, marks, names } = this.ask();
    on.fillStyle = theme.background;
    on.fillRect(0, 0, this.camera.width, this.camera.height);
    if (this.scene) paint(new CanvasPen(on), this.scene, this.camera, theme);
    const layer = document.createElement("canvas");
    layer.width = canvas.width;
    layer.height = canvas.height;
    const above = layer.getContext("2d")!;
    above.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.annotate(above, seen, theme, marks, names);
    on.setTransform(1, 0, 0, 1, 0, 0);
    on.drawImage(layer, 0, 0);
    return canvas;
  }

  get drawn(): Scene | null { return this.scene; }
}

const widths = new Map<string, number>();

function measurer(on: CanvasRenderingContext2D): (text: string, size: number) => number {
  return (text, size) => {
    const key = size + text;
    let width = widths.get(key);
    if (width === undefined) {
      on.font = `${size}px system-ui, sans-serif`;
      width = on.measureText(text).width;
      if (widths.size > 20_000) widths.clear();
      widths.set(key, width);
    }
    return width;
  };
}
