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
const FIRST_THIN = 12_000; // the first picture may come before its last hairlines
const SLOW_FRAME_MS = 40;
const TOO_SLOW_MS = 900;

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
  /** Fulfilled when the first picture stands. */
  readonly first: Promise<void>;
  private begun!: () => void;
  private readonly ink: CanvasRenderingContext2D;
  private readonly plain: CanvasRenderingContext2D | null;
  private scene: Scene | null = null;
  private dirty = false;
  private thinBudget = Infinity;
  private hurried = 60_000;
  private movedAt = -1e9;
  private drawnAt: [number, number, number] = [0, 0, 1];
  cost = 0; // milliseconds of the last frame at rest
  private settle = 0;
  private size = "";
  labels: Label[] = [];

  constructor(
    private readonly graph: Graph,
    private readonly gl: HTMLCanvasElement,
    private readonly over: HTMLCanvasElement,
    private readonly ask: () => { seen: Visible; theme: Theme; marks: Marks; names: Map<number, string> },
    private readonly onThinned: (drawn: number, all: number) => void,
  ) {
    this.first = new Promise((resolve) => { this.begun = resolve; });
    this.webgl = WebGL.on(gl);
    this.plain = this.webgl ? null : gl.getContext("2d");
    this.ink = over.getContext("2d")!;
    // a browser may take the graphics memory away, for instance while the machine sleeps; the address holds the view
    gl.addEventListener("webglcontextlost", (event) => event.preventDefault());
    gl.addEventListener("webglcontextrestored", () => location.reload());
    new ResizeObserver(() => this.resize()).observe(over.parentElement!);
    this.resize();
  }

  get rendererName(): string { return this.webgl?.rendererName ?? "canvas 2d"; }

  resize(): void {
    const box = this.over.parentElement!.getBoundingClientRect(), ratio = Math.min(2, window.devicePixelRatio || 1);
    const size = `${box.width} ${box.height} ${ratio}`;
    if (size === this.size) return; // an observer speaks once at its start, and a canvas that is given its size is wiped
    this.size = size;
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
    this.thinBudget = Infinity;
    this.webgl?.show(scene);
    this.draw();
  }

  /** Draw soon. `moving` frames may leave out hairlines; a full one follows when the hand rests. */
  draw(moving = false): void {
    if (moving) this.movedAt = performance.now();
    if (this.dirty) return;
    this.dirty = true;
    requestAnimationFrame(() => this.frame());
  }

  /** Draw only what lies above the picture: rings and names. */
  mark(): void {
    requestAnimationFrame(() => {
      if (this.dirty || this.gl.style.transform) return;
      const { seen, theme, marks, names } = this.ask();
      this.annotate(this.ink, seen, theme, marks, names);
    });
  }

  private frame(): void {
    this.dirty = false;
    if (!this.scene) return;
    const moving = performance.now() - this.movedAt < 140;
    if (moving) {
      clearTimeout(this.settle);
      this.settle = window.setTimeout(() => this.draw(), 160);
    }
    if (!this.frames++ && this.scene.thinCount > FIRST_THIN) {
      const begun = performance.now();
      this.redraw(FIRST_THIN);
      this.cost = performance.now() - begun;
      this.begun();
      this.settle = window.setTimeout(() => this.draw(), 320); // so that this one is on the screen before the next is begun
      return;
    }
    if (moving && this.cost > SLOW_FRAME_MS && this.slide()) return;
    const begun = performance.now();
    this.redraw(moving ? Math.min(this.thinBudget, this.hurried) : this.thinBudget);
    if (!moving) this.measured(performance.now() - begun);
    this.begun();
  }

  private redraw(most: number): void {
    const { seen, theme, marks, names } = this.ask(), { camera } = this;
    this.slid(1, 0, 0);
    this.drawnAt = [camera.x, camera.y, camera.scale];
    if (this.webgl) this.webgl.draw(camera, theme.background, most);
    else if (this.plain && this.scene) {
      this.plain.fillStyle = theme.background;
      this.plain.fillRect(0, 0, camera.width, camera.height);
      paint(new CanvasPen(this.plain), this.scene, camera, theme, most);
    }
    this.annotate(this.ink, seen, theme, marks, names);
    this.webgl?.finish();
  }

  /** Learn from a frame at rest what this machine can do: slow ones make moving a shift of the picture, very slow ones thin the hairlines. */
  private measured(took: number): void {
    this.cost = took;
    const thin = this.scene?.thinCount ?? 0;
    if (took > TOO_SLOW_MS && thin > LEAST_THIN) this.thinBudget = Math.max(LEAST_THIN, Math.min(this.thinBudget, thin) * (TOO_SLOW_MS / took));
    if (took > SLOW_FRAME_MS) this.hurried = LEAST_THIN;
    this.onThinned(Math.min(thin, Math.floor(this.thinBudget)), thin);
  }

  /** Move the last picture instead of drawing a new one. False when too little of it would be left on the screen. */
  private slide(): boolean {
    const { camera } = this, [x, y, scale] = this.drawnAt, factor = camera.scale / scale;
    const dx = (x - camera.x) * camera.scale + (camera.width / 2) * (1 - factor);
    const dy = (y - camera.y) * camera.scale + (camera.height / 2) * (1 - factor);
    const left = Math.min(camera.width, dx + camera.width * factor) - Math.max(0, dx);
    const high = Math.min(camera.height, dy + camera.height * factor) - Math.max(0, dy);
    if (left * high < 0.3 * camera.width * camera.height || factor > 4) return false;
    this.slid(factor, dx, dy);
    return true;
  }

  private slid(factor: number, dx: number, dy: number): void {
    for (const canvas of [this.gl, this.over]) canvas.style.transform = factor === 1 && !dx && !dy ? "" : `translate(${dx}px, ${dy}px) scale(${factor})`;
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
