/**
 * Zooming over very many bars: the last sharp picture is stretched while the zoom goes on, and bars are painted anew once it rests. Whether
 * bars are very many is a count, not a time, so the same zoom looks the same on every machine; below it each frame is sharp.
 */
import type { GanttView } from "./basePainter.ts";

/** Pieces of bars in a full picture from which painting them anew may take longer than a frame has. */
const MANY_BARS = 20_000;
const REST_MS = 120;

export class ZoomStretch {
  /** The picture that is stretched, and what it shows; null while none is. */
  #still: HTMLCanvasElement | null = null;
  #sharp: GanttView | null = null;
  #heavy = false;
  #pxPerMs = 0;
  #zoomedMs = Number.NEGATIVE_INFINITY;

  /** Tells what was painted sharp; `bars` = pieces of a full picture, if it was one. */
  painted(view: GanttView, bars: number | null): void {
    this.#sharp = view;
    this.#still = null;
    this.#pxPerMs = view.scale.pxPerMs;
    if (bars !== null) this.#heavy = bars > MANY_BARS;
  }

  /** Is the canvas showing a stretched picture? */
  get stretched(): boolean {
    return this.#still !== null;
  }

  /** Draws the last picture at the scale of `view`; false when bars must be painted instead. */
  show(context: CanvasRenderingContext2D, view: GanttView, nowMs: number): boolean {
    const sharp = this.#sharp;
    if (!this.#heavy || sharp === null || !sameRows(sharp, view)) return false;
    if (view.scale.pxPerMs !== this.#pxPerMs) this.#zoomedMs = nowMs;
    this.#pxPerMs = view.scale.pxPerMs;
    if (nowMs - this.#zoomedMs >= REST_MS) return false;
    this.#still ??= copyOf(context.canvas);
    const by = view.scale.pxPerMs / sharp.scale.pxPerMs;
    const left = sharp.scale.originPx * by - view.scale.originPx;
    const from = Math.max(0, left);
    const to = Math.min(view.width, left + view.width * by);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, view.width, view.height);
    if (to <= from) return true;
    context.imageSmoothingEnabled = false;
    context.drawImage(
      this.#still,
      (from - left) / by,
      0,
      (to - from) / by,
      view.height,
      from,
      0,
      to - from,
      view.height,
    );
    return true;
  }
}

function sameRows(a: GanttView, b: GanttView): boolean {
  return (
    a.layout === b.layout &&
    a.scrollDev === b.scrollDev &&
    a.width === b.width &&
    a.height === b.height &&
    a.cursorMs === b.cursorMs
  );
}

function copyOf(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const copy = document.createElement("canvas");
  copy.width = canvas.width;
  copy.height = canvas.height;
  copy.getContext("2d")?.drawImage(canvas, 0, 0);
  return copy;
}
