/**
 * Paints waiting lines into pixels: one line a job from queueing to start, hollow where lanes are 3 px or more apart. A pure
 * function of columns, so a test compares arrays. Cost: one pass over the lines, plus the pixels written.
 */

import type { TimeWindow } from "../../timeline/viewport.ts";
import type { WaitLanes } from "../../timeline/waits.ts";
import { laneTopCss, type TierBand } from "./laneLayout.ts";

export interface LanePicture {
  /** One 32-bit pixel each, as `ImageData` lays them out. */
  readonly pixels: Uint32Array;
  readonly widthDev: number;
  readonly heightDev: number;
  readonly ratio: number;
}

/** Draws the lines of all tiers whose band shows lanes. `colours` is one packed pixel a tier. */
export function paintLanes(
  picture: LanePicture,
  lanes: WaitLanes,
  bands: readonly TierBand[],
  window: TimeWindow,
  colours: Uint32Array,
): void {
  const { pixels, widthDev, heightDev, ratio } = picture;
  const perMs = widthDev / (window.toMs - window.fromMs);
  const count = lanes.jobIdx.length;
  for (let row = 0; row < count; row++) {
    if (lanes.fromMs[row]! >= window.toMs || lanes.toMs[row]! <= window.fromMs) continue;
    const band = bands[lanes.tier[row]!]!;
    if (band.mode !== "lanes") continue;
    const left = Math.max(0, Math.round((lanes.fromMs[row]! - window.fromMs) * perMs));
    const end = Math.min(widthDev, Math.round((lanes.toMs[row]! - window.fromMs) * perMs));
    const right = Math.max(left + 1, end);
    const topCss = laneTopCss(band, lanes.lane[row]!);
    const top = Math.round(topCss * ratio);
    const colour = colours[lanes.tier[row]!]!;
    const bodyDev =
      band.pitchCss >= 3
        ? Math.round((topCss + band.pitchCss - 1) * ratio) - top
        : lineHeight(band, ratio);
    if (top + bodyDev > heightDev) continue;
    if (band.pitchCss >= 3 && right - left > 2)
      outline(pixels, widthDev, left, top, right, top + bodyDev, colour);
    else fill(pixels, widthDev, left, top, Math.min(right, widthDev), top + bodyDev, colour);
  }
}

function lineHeight(band: TierBand, ratio: number): number {
  return Math.max(
    1,
    Math.round((band.pitchCss >= 2 ? band.pitchCss - 1 : band.pitchCss * 0.75) * ratio),
  );
}

function fill(
  pixels: Uint32Array,
  width: number,
  left: number,
  top: number,
  right: number,
  bottom: number,
  colour: number,
): void {
  for (let y = top; y < bottom; y++) pixels.fill(colour, y * width + left, y * width + right);
}

function outline(
  pixels: Uint32Array,
  width: number,
  left: number,
  top: number,
  right: number,
  bottom: number,
  colour: number,
): void {
  fill(pixels, width, left, top, right, top + 1, colour);
  fill(pixels, width, left, bottom - 1, right, bottom, colour);
  for (let y = top + 1; y < bottom - 1; y++) {
    pixels[y * width + left] = colour;
    pixels[y * width + right - 1] = colour;
  }
}

/** Jobs waiting per column as an area from the foot of the band: edge in `edge`, body in `body`. */
export function paintDensity(
  picture: LanePicture,
  band: TierBand,
  mean: Float64Array,
  meanFrom: number,
  most: number,
  edge: number,
  body: number,
): void {
  const { pixels, widthDev, heightDev, ratio } = picture;
  const foot = Math.min(heightDev, Math.round((band.topCss + band.heightCss) * ratio) - 1);
  const spanDev = Math.max(1, Math.round(band.heightCss * ratio) - 3);
  for (let x = 0; x < widthDev; x++) {
    const value = mean[meanFrom + x]!;
    if (value <= 0) continue;
    const height = Math.max(
      1,
      Math.min(spanDev, Math.round((value / Math.max(1, most)) * spanDev)),
    );
    const top = foot - height;
    for (let y = Math.max(0, top); y < foot; y++)
      pixels[y * widthDev + x] = y === top ? edge : body;
  }
}
