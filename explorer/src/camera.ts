// What part of the plane is seen. World units are the layout's; screen units are CSS pixels.

export class Camera {
  width = 1;
  height = 1;
  x = 0;
  y = 0;
  scale = 1; // pixels per world unit

  constructor(private readonly least = 0.002, private readonly most = 12) {}

  toScreen(x: number, y: number): [number, number] {
    return [(x - this.x) * this.scale + this.width / 2, (y - this.y) * this.scale + this.height / 2];
  }

  toWorld(x: number, y: number): [number, number] {
    return [(x - this.width / 2) / this.scale + this.x, (y - this.height / 2) / this.scale + this.y];
  }

  pan(dx: number, dy: number): void {
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
  }

  zoom(factor: number, atX = this.width / 2, atY = this.height / 2): void {
    const [wx, wy] = this.toWorld(atX, atY);
    this.scale = Math.min(this.most, Math.max(this.least, this.scale * factor));
    this.x = wx - (atX - this.width / 2) / this.scale;
    this.y = wy - (atY - this.height / 2) / this.scale;
  }

  fit(left: number, top: number, right: number, bottom: number, margin = 48): void {
    const wide = Math.max(right - left, 60), high = Math.max(bottom - top, 60);
    const scale = Math.min((this.width - 2 * margin) / wide, (this.height - 2 * margin) / high);
    this.scale = Math.min(3, Math.max(this.least, scale));
    this.x = (left + right) / 2;
    this.y = (top + bottom) / 2;
  }

  /** How many pixels one unit of a node's radius has: it grows more slowly than the distances, so that nodes part when zooming in. */
  get radiusScale(): number { return Math.pow(this.scale, 0.6); }
}

export const LEAST_RADIUS = 2;
export const MOST_RADIUS = 40;

export function nodeRadius(degree: number): number {
  return Math.min(16, 4.5 + 1.5 * Math.sqrt(degree));
}

export function onScreen(radius: number, camera: Camera): number {
  return Math.min(MOST_RADIUS, Math.max(LEAST_RADIUS, radius * camera.radiusScale));
}
