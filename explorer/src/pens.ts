// The scene on a plain canvas (print, PNG, browsers without WebGL2) or as SVG. One painter, two pens.

import { Camera, onScreen } from "./camera";
import { SHAPES, Scene } from "./scene";
import { Point, Theme, rgb, styleOf } from "./shapes";

export interface Stroke {
  colour: string;
  width: number;
  dash: number;
}

export interface Pen {
  line(ax: number, ay: number, bx: number, by: number, stroke: Stroke): void;
  shape(outline: readonly Point[], fill: string, stroke: Stroke | null): void;
  disc(x: number, y: number, radius: number, fill: string, rim: string): void;
  text(x: number, y: number, text: string, size: number, theme: Theme, anchor: "start" | "middle"): void;
}

function css(bytes: Uint8Array, k: number): string {
  return `rgba(${bytes[4 * k]},${bytes[4 * k + 1]},${bytes[4 * k + 2]},${(bytes[4 * k + 3] / 255).toFixed(3)})`;
}

export function paint(pen: Pen, scene: Scene, camera: Camera, theme: Theme, mostThin = Infinity): void {
  for (let k = 0; k < Math.min(scene.thinCount, mostThin); k++) {
    const [ax, ay] = camera.toScreen(scene.thinEnds[4 * k], scene.thinEnds[4 * k + 1]);
    const [bx, by] = camera.toScreen(scene.thinEnds[4 * k + 2], scene.thinEnds[4 * k + 3]);
    if (outside(ax, ay, bx, by, camera)) continue;
    pen.line(ax, ay, bx, by, { colour: css(scene.thinColour, 2 * k), width: 0.8, dash: 0 });
  }
  for (let k = 0; k < scene.thickCount; k++) thick(pen, scene, k, camera);
  for (let k = 0; k < scene.discX.length; k++) {
    const [x, y] = camera.toScreen(scene.discX[k], scene.discY[k]);
    const colour = rgb(`#${hex(scene.discColour, k)}`);
    pen.disc(x, y, Math.max(5, scene.discR[k] * camera.scale), `rgba(${colour.join()},0.36)`, `rgba(${colour.join()},0.9)`);
  }
  for (let k = 0; k < scene.nodeX.length; k++) {
    const [x, y] = camera.toScreen(scene.nodeX[k], scene.nodeY[k]);
    const radius = onScreen(scene.nodeR[k], camera);
    if (x < -radius || y < -radius || x > camera.width + radius || y > camera.height + radius) continue;
    const outline = styleOf(SHAPES[scene.nodeShape[k]]).outline.map(([px, py]) => [x + px * radius, y + py * radius] as Point);
    const colour = css(scene.nodeColour, k);
    if (scene.nodeHollow[k]) pen.shape(outline, theme.background, { colour, width: Math.max(1, radius / 4), dash: 0 });
    else pen.shape(outline, colour, null);
  }
}

function thick(pen: Pen, scene: Scene, k: number, camera: Camera): void {
  const [ax, ay] = camera.toScreen(scene.thickEnds[4 * k], scene.thickEnds[4 * k + 1]);
  const [bx, by] = camera.toScreen(scene.thickEnds[4 * k + 2], scene.thickEnds[4 * k + 3]);
  if (outside(ax, ay, bx, by, camera)) return;
  const whole = Math.max(Math.hypot(bx - ax, by - ay), 0.001), ux = (bx - ax) / whole, uy = (by - ay) / whole;
  const width = scene.thickStyle[3 * k], dash = scene.thickStyle[3 * k + 1], shift = scene.thickStyle[3 * k + 2];
  const ra = scene.thickRadii[2 * k], rb = scene.thickRadii[2 * k + 1];
  const from = Math.min(ra ? onScreen(ra, camera) : 0, whole * 0.4), to = Math.max(whole - (rb ? onScreen(rb, camera) : 0), whole * 0.6);
  const colour = css(scene.thickColour, k), sx = -uy * shift, sy = ux * shift;
  const at = (t: number, aside = 0): Point => [ax + ux * t + sx - uy * aside, ay + uy * t + sy + ux * aside];
  const size = rb && scene.arrows ? Math.min(4 + 1.6 * width, (to - from) * 0.6) : 0;
  const [px, py] = at(from), [qx, qy] = at(to - size * 0.8);
  pen.line(px, py, qx, qy, { colour, width, dash });
  if (size) pen.shape([at(to), at(to - size, size * 0.45), at(to - size, -size * 0.45)], colour, null);
}

function outside(ax: number, ay: number, bx: number, by: number, camera: Camera): boolean {
  return Math.max(ax, bx) < 0 || Math.max(ay, by) < 0 || Math.min(ax, bx) > camera.width || Math.min(ay, by) > camera.height;
}

function hex(bytes: Uint8Array, k: number): string {
  return [0, 1, 2].map((i) => bytes[4 * k + i].toString(16).padStart(2, "0")).join("");
}

export class CanvasPen implements Pen {
  constructor(private readonly on: CanvasRenderingContext2D) {}

  line(ax: number, ay: number, bx: number, by: number, { colour, width, dash }: Stroke): void {
    this.on.strokeStyle = colour;
    this.on.lineWidth = width;
    this.on.setLineDash(dash ? [dash, dash] : []);
    this.on.beginPath();
    this.on.moveTo(ax, ay);
    this.on.lineTo(bx, by);
    this.on.stroke();
  }

  shape(outline: readonly Point[], fill: string, stroke: Stroke | null): void {
    this.on.beginPath();
    outline.forEach(([x, y], i) => this.on[i ? "lineTo" : "moveTo"](x, y));
    this.on.closePath();
    this.on.fillStyle = fill;
    this.on.fill();
    if (!stroke) return;
    this.on.setLineDash([]);
    this.on.strokeStyle = stroke.colour;
    this.on.lineWidth = stroke.width;
    this.on.stroke();
  }

  disc(x: number, y: number, radius: number, fill: string, rim: string): void {
    this.on.beginPath();
    this.on.arc(x, y, radius, 0, 2 * Math.PI);
    this.on.fillStyle = fill;
    this.on.fill();
    this.on.setLineDash([]);
    this.on.strokeStyle = rim;
    this.on.lineWidth = 2;
    this.on.stroke();
  }

  text(x: number, y: number, text: string, size: number, theme: Theme, anchor: "start" | "middle"): void {
    this.on.font = `${size}px system-ui, sans-serif`;
    this.on.textAlign = anchor === "middle" ? "center" : "left";
    this.on.textBaseline = "middle";
    this.on.lineJoin = "round";
    this.on.setLineDash([]);
    this.on.strokeStyle = theme.background;
    this.on.lineWidth = 3;
    this.on.strokeText(text, x, y);
    this.on.fillStyle = theme.text;
    this.on.fillText(text, x, y);
  }
}

export class SvgPen implements Pen {
  private readonly parts: string[] = [];

  line(ax: number, ay: number, bx: number, by: number, { colour, width, dash }: Stroke): void {
    const dashes = dash ? ` stroke-dasharray="${dash}"` : "";
    this.parts.push(`<path d="M${r(ax)} ${r(ay)}L${r(bx)} ${r(by)}" stroke="${colour}" stroke-width="${r(width)}"${dashes}/>`);
  }

  shape(outline: readonly Point[], fill: string, stroke: Stroke | null): void {
    const around = stroke ? ` stroke="${stroke.colour}" stroke-width="${r(stroke.width)}"` : "";
    this.parts.push(`<path d="M${outline.map(([x, y]) => `${r(x)} ${r(y)}`).join("L")}Z" fill="${fill}"${around}/>`);
  }

  disc(x: number, y: number, radius: number, fill: string, rim: string): void {
    this.parts.push(`<circle cx="${r(x)}" cy="${r(y)}" r="${r(radius)}" fill="${fill}" stroke="${rim}" stroke-width="2"/>`);
  }

  text(x: number, y: number, text: string, size: number, theme: Theme, anchor: "start" | "middle"): void {
    this.parts.push(
      `<text x="${r(x)}" y="${r(y)}" font-size="${size}" text-anchor="${anchor}" dominant-baseline="central" fill="${theme.text}" ` +
        `stroke="${theme.background}" stroke-width="3" paint-order="stroke" stroke-linejoin="round">${escaped(text)}</text>`,
    );
  }

  document(camera: Camera, theme: Theme, title: string): string {
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" width="${r(camera.width)}" height="${r(camera.height)}" ` +
      `viewBox="0 0 ${r(camera.width)} ${r(camera.height)}" font-family="system-ui, sans-serif" role="img">` +
      `<title>${escaped(title)}</title><rect width="100%" height="100%" fill="${theme.background}"/>${this.parts.join("")}</svg>\n`
    );
  }
}

const r = (value: number) => String(Math.round(value * 10) / 10);

/** Text for XML; what XML 1.0 can't hold becomes U+FFFD. */
export function escaped(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd")
    .replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
