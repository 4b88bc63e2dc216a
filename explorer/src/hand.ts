// Pointer and wheel on the picture: drag, pinch, zoom, hover, pick.

import type { Camera } from "./camera";

export interface HandHost {
  readonly camera: Camera;
  moved(): void;
  hover(x: number, y: number): void;
  pick(x: number, y: number, second: boolean): void;
}

export function listen(canvas: HTMLCanvasElement, host: HandHost): void {
  const held = new Map<number, [number, number]>();
  let travelled = 0, apart = 0;
  const at = (event: PointerEvent | WheelEvent): [number, number] => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    held.set(event.pointerId, at(event));
    if (held.size === 1) travelled = 0;
    apart = 0;
    canvas.classList.add("held");
  });
  canvas.addEventListener("pointermove", (event) => {
    const now = at(event), before = held.get(event.pointerId);
    if (!before) { host.hover(...now); return; }
    held.set(event.pointerId, now);
    if (held.size === 1) {
      travelled += Math.abs(now[0] - before[0]) + Math.abs(now[1] - before[1]);
      if (travelled > 4) { host.camera.pan(now[0] - before[0], now[1] - before[1]); host.moved(); }
    } else if (held.size === 2) {
      travelled = 100;
      const [one, other] = [...held.values()];
      const distance = Math.hypot(one[0] - other[0], one[1] - other[1]);
      if (apart > 0) { host.camera.zoom(distance / apart, (one[0] + other[0]) / 2, (one[1] + other[1]) / 2); host.moved(); }
      apart = distance;
    }
  });
  const release = (event: PointerEvent) => {
    if (!held.delete(event.pointerId)) return;
    apart = 0;
    if (held.size) return;
    canvas.classList.remove("held");
    if (event.type === "pointerup" && travelled <= 4) host.pick(...at(event), event.shiftKey);
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => host.hover(-1e6, -1e6));
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const step = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY;
    host.camera.zoom(Math.exp(-Math.max(-200, Math.min(200, step)) * 0.0022), ...at(event));
    host.moved();
  }, { passive: false });
}
