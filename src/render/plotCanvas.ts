/**
 * A canvas that keeps its backing store at device pixels (ratio capped at 2) and tells when its size changed. Painters that
 * need crisp columns ask for `widthDev`; everything else draws in CSS pixels after `begin`.
 */
import { Dirty, frameLoop } from "./frameLoop.ts";

const sizes = new Map<Element, () => void>();

/** One observer for all: whatever changes size together is measured together, and drawn before it is shown. */
const observer =
  typeof ResizeObserver === "undefined"
    ? null
    : new ResizeObserver((entries) => {
        for (const { target } of entries) sizes.get(target)?.();
        frameLoop.flush();
      });

/** Draws on something else than the canvas, for a picture in shapes. */
export type Recorder = (canvas: HTMLCanvasElement, ratio: number) => CanvasRenderingContext2D;

let forcedRatio: number | null = null;
let recorder: Recorder | null = null;

/**
 * Draws everything at a ratio of device to CSS pixels, calls `act`, and draws as before: all within one task, so that nobody sees it. With `record` what is
 * drawn anew goes there, and the canvases keep what they show.
 */
export function redrawFor<T>(ratio: number | null, record: Recorder | null, act: () => T): T {
  const redraw = (): void => {
    for (const measure of sizes.values()) measure();
    frameLoop.markAll(Dirty.all);
    frameLoop.flush();
  };
  forcedRatio = ratio;
  recorder = record;
  try {
    redraw();
    return act();
  } finally {
    forcedRatio = null;
    recorder = null;
    redraw();
  }
}

export class PlotCanvas {
  widthCss = 0;
  heightCss = 0;
  ratio = 1;
  readonly #context: CanvasRenderingContext2D | null;
  readonly #canvas: HTMLCanvasElement;

  constructor(canvas: HTMLCanvasElement, onSize: () => void) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d");
    sizes.set(canvas, () => {
      if (this.#measure()) onSize();
    });
    observer?.observe(canvas);
    this.#measure();
  }

  get context(): CanvasRenderingContext2D | null {
    return recorder === null ? this.#context : recorder(this.#canvas, this.ratio);
  }

  get widthDev(): number {
    return this.#canvas.width;
  }

  get heightDev(): number {
    return this.#canvas.height;
  }

  /** Clears and sets the transform to CSS pixels; null where nothing can be drawn. */
  begin(): CanvasRenderingContext2D | null {
    const { context } = this;
    if (!context || this.widthDev === 0 || this.heightDev === 0) return null;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.widthDev, this.heightDev);
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    return context;
  }

  /** Moves the picture sideways by whole device pixels, clears what it leaves, and sets the transform to CSS pixels. */
  shift(byDev: number): void {
    const { context } = this;
    if (!context) return;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalCompositeOperation = "copy";
    context.drawImage(this.#canvas, byDev, 0);
    context.globalCompositeOperation = "source-over";
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
  }

  stop(): void {
    observer?.unobserve(this.#canvas);
    sizes.delete(this.#canvas);
  }

  #measure(): boolean {
    const { clientWidth, clientHeight } = this.#canvas;
    const ratio = forcedRatio ?? Math.min(2, globalThis.devicePixelRatio || 1);
    const width = Math.round(clientWidth * ratio);
    const height = Math.round(clientHeight * ratio);
    if (
      width === this.#canvas.width &&
      height === this.#canvas.height &&
      ratio === this.ratio &&
      this.widthCss > 0
    ) {
      return false;
    }
    this.widthCss = clientWidth;
    this.heightCss = clientHeight;
    this.ratio = ratio;
    this.#canvas.width = width;
    this.#canvas.height = height;
    return true;
  }
}
