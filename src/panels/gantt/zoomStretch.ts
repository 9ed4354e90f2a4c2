/**
 * Zooming over many bars: the last sharp picture is stretched while the zoom goes on, and bars are painted anew once it rests or has
 * gone so far from that picture that one would see it. Whether bars are many and how far is far are counts and factors, not times, so the
 * same zoom looks the same on every machine; with few bars each frame is sharp.
 */
import type { GanttView } from "./basePainter.ts";

/** Pieces of bars in a full picture from which on it is stretched. */
const MANY_BARS = 1_000;
/** It is painted anew where it is stretched or pressed by more. A column is a pixel and a fifth then: an edge is off by one at most. */
const MOST = 1.2;
/** Pieces from which on painting them may take longer than a frame has, and what they are stretched by at most. */
const VERY_MANY_BARS = 20_000;
const MOST_OF_VERY_MANY = 1.5;
const REST_MS = 120;

export class ZoomStretch {
  /** The picture that is stretched; a canvas is kept for the next one. */
  readonly #still = document.createElement("canvas");
  #sharp: GanttView | null = null;
  #version = -1;
  /** Pieces of the last full picture. */
  #bars = 0;
  /** What the canvas shows while it is stretched, else null. */
  #shown: GanttView | null = null;
  #pxPerMs = 0;
  #zoomedMs = Number.NEGATIVE_INFINITY;

  /** Tells what was painted sharp, of which version of the scene; `bars` = pieces of a full picture, if it was one. */
  painted(view: GanttView, version: number, bars: number | null): void {
    this.#sharp = view;
    this.#version = version;
    this.#shown = null;
    this.#pxPerMs = view.scale.pxPerMs;
    if (bars !== null) this.#bars = bars;
  }

  /** Is the canvas showing a stretched picture? */
  get stretched(): boolean {
    return this.#shown !== null;
  }

  /** Does the canvas show this view, stretched? */
  shows(view: GanttView): boolean {
    const shown = this.#shown;
    return shown !== null && shown.scale.originPx === view.scale.originPx && sameZoom(shown, view);
  }

  /** Does a zoom go on that the last sharp picture can be stretched for? */
  goesOn(view: GanttView, version: number, nowMs: number): boolean {
    const sharp = this.#sharp;
    // The first step after a rest is painted sharp: it may be the only one.
    const rests = nowMs - this.#zoomedMs >= REST_MS;
    if (view.scale.pxPerMs !== this.#pxPerMs) this.#zoomedMs = nowMs;
    this.#pxPerMs = view.scale.pxPerMs;
    if (this.#bars < MANY_BARS || sharp === null || version !== this.#version) return false;
    if (rests || !sameRows(sharp, view)) return false;
    const { by, from, to } = placeOf(sharp, view);
    if (by === 1 && this.#shown === null) return false;
    const most = this.#bars < VERY_MANY_BARS ? MOST : MOST_OF_VERY_MANY;
    return by < most && by * most > 1 && (to - from) * most > view.width;
  }

  /** Draws the last picture at the scale of `view`; returns the columns at its sides that are left to paint, from and to. */
  show(context: CanvasRenderingContext2D, view: GanttView): (readonly [number, number])[] {
    if (this.#shown === null) copyTo(this.#still, context.canvas);
    this.#shown = view;
    const { by, left, from, to } = placeOf(this.#sharp!, view);
    context.setTransform(1, 0, 0, 1, 0, 0);
    // Pressed, a column of its own would vanish if pixels were left out.
    context.imageSmoothingEnabled = by < 1;
    const { width, height } = view;
    context.drawImage(this.#still, 0, 0, width, height, left, 0, width * by, height);
    const sides = [[0, from] as const, [to, width] as const];
    return sides.filter(([x0, x1]) => x1 > x0);
  }
}

/** Where the picture `sharp` lies in `view`: its left edge, its factor, and the columns that it covers whole. */
function placeOf(
  sharp: GanttView,
  view: GanttView,
): { readonly by: number; readonly left: number; readonly from: number; readonly to: number } {
  const by = view.scale.pxPerMs / sharp.scale.pxPerMs;
  const left = sharp.scale.originPx * by - view.scale.originPx;
  const from = Math.min(view.width, Math.max(0, Math.ceil(left)));
  const to = Math.max(from, Math.min(view.width, Math.floor(left + view.width * by)));
  return { by, left, from, to };
}

function sameZoom(a: GanttView, b: GanttView): boolean {
  return a.scale.pxPerMs === b.scale.pxPerMs && sameRows(a, b);
}

function sameRows(a: GanttView, b: GanttView): boolean {
  return (
    a.layout === b.layout &&
    a.scrollDev === b.scrollDev &&
    a.width === b.width &&
    a.height === b.height &&
    a.cursorMs === b.cursorMs &&
    a.zeroMs === b.zeroMs
  );
}

function copyTo(copy: HTMLCanvasElement, canvas: HTMLCanvasElement): void {
  if (copy.width !== canvas.width) copy.width = canvas.width;
  if (copy.height !== canvas.height) copy.height = canvas.height;
  const context = copy.getContext("2d");
  if (!context) return;
  context.globalCompositeOperation = "copy";
  context.drawImage(canvas, 0, 0);
}
