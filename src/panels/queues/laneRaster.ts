/**
 * Paints waiting lines into pixels: one line a job from queueing to start, hollow where lanes are 3 px or more apart, with upright stripes where the job has its quota
 * and waits for nodes (of thin lines dashes). A pure function of columns and of absolute pixels, so a strip equals that part of a full picture. Cost: one pass over the lines, plus the
 * pixels written.
 */

import type { AdmittedWaits } from "../../timeline/admittedWaits.ts";
import type { PixelScale } from "../../timeline/pixelScale.ts";
import type { WaitLanes } from "../../timeline/waitLanes.ts";
import { laneTopCss, type TierBand } from "./laneLayout.ts";

export interface LanePicture {
  /** One 32-bit pixel each, as `ImageData` lays them out. */
  readonly pixels: Uint32Array;
  readonly widthDev: number;
  readonly heightDev: number;
  readonly ratio: number;
  /** Only columns `fromX` ≤ x < `toX` are written. */
  readonly fromX: number;
  readonly toX: number;
}

/** From a stripe to the next, in CSS pixels, and how wide one is. */
const STRIPE_CSS = 4;

/** Draws the lines of all tiers whose band shows lanes. `colours` is one packed pixel a tier. */
export function paintLanes(
  picture: LanePicture,
  lanes: WaitLanes,
  bands: readonly TierBand[],
  scale: PixelScale,
  colours: Uint32Array,
  admitted?: Pick<AdmittedWaits, "of">,
): void {
  const { heightDev, ratio, fromX, toX } = picture;
  const { pxPerMs, originPx } = scale;
  const fromMs = (originPx + fromX - 1) / pxPerMs;
  const toMs = (originPx + toX + 1) / pxPerMs;
  const count = lanes.jobIdx.length;
  for (let row = 0; row < count; row++) {
    if (lanes.fromMs[row]! >= toMs) return;
    if (lanes.toMs[row]! <= fromMs) continue;
    const band = bands[lanes.tier[row]!];
    if (band?.mode !== "lanes") continue;
    const left = Math.round(lanes.fromMs[row]! * pxPerMs) - originPx;
    const right = Math.max(left + 1, Math.round(lanes.toMs[row]! * pxPerMs) - originPx);
    const topCss = laneTopCss(band, lanes.lane[row]!);
    const top = Math.round(topCss * ratio);
    const colour = colours[lanes.tier[row]!]!;
    const bodyDev =
      band.pitchCss >= 3
        ? Math.round((topCss + band.pitchCss - 1) * ratio) - top
        : lineHeight(band, ratio);
    if (top + bodyDev > heightDev) continue;
    if (band.pitchCss >= 3 && right - left > 2)
      outline(picture, left, top, right, top + bodyDev, colour);
    else fill(picture, left, top, right, top + bodyDev, colour);
    const spans = admitted?.of(lanes.jobIdx[row]!) ?? [];
    for (let i = 0; i < spans.length; i += 2) {
      if (spans[i]! < lanes.fromMs[row]! || spans[i]! >= lanes.toMs[row]!) continue;
      const from = Math.round(spans[i]! * pxPerMs) - originPx;
      const to = Math.min(right, Math.round(spans[i + 1]! * pxPerMs) - originPx);
      stripe(picture, from, top, to, top + bodyDev, originPx, band.pitchCss >= 3 ? colour : 0);
    }
  }
}

/** Upright stripes that stand at absolute pixels, so that they move with the line; of 0 they are gaps. */
function stripe(
  picture: LanePicture,
  left: number,
  top: number,
  right: number,
  bottom: number,
  originPx: number,
  colour: number,
): void {
  const hair = Math.max(1, Math.round(picture.ratio));
  const period = STRIPE_CSS * hair;
  const from = Math.max(left, picture.fromX);
  const to = Math.min(right, picture.toX);
  const past = (((from + originPx) % period) + period) % period;
  for (let x = from - past; x < to; x += period)
    fill(picture, Math.max(left, x), top, Math.min(right, x + hair), bottom, colour);
}

function lineHeight(band: TierBand, ratio: number): number {
  return Math.max(
    1,
    Math.round((band.pitchCss >= 2 ? band.pitchCss - 1 : band.pitchCss * 0.75) * ratio),
  );
}

function fill(
  picture: LanePicture,
  left: number,
  top: number,
  right: number,
  bottom: number,
  colour: number,
): void {
  const { pixels, widthDev } = picture;
  const from = Math.max(left, picture.fromX);
  const to = Math.min(right, picture.toX);
  if (to <= from) return;
  for (let y = top; y < bottom; y++) pixels.fill(colour, y * widthDev + from, y * widthDev + to);
}

function outline(
  picture: LanePicture,
  left: number,
  top: number,
  right: number,
  bottom: number,
  colour: number,
): void {
  fill(picture, left, top, right, top + 1, colour);
  fill(picture, left, bottom - 1, right, bottom, colour);
  fill(picture, left, top + 1, left + 1, bottom - 1, colour);
  fill(picture, right - 1, top + 1, right, bottom - 1, colour);
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
  const { pixels, widthDev, heightDev, ratio, fromX, toX } = picture;
  const foot = Math.min(heightDev, Math.round((band.topCss + band.heightCss) * ratio) - 1);
  const spanDev = Math.max(1, Math.round(band.heightCss * ratio) - 3);
  for (let x = fromX; x < toX; x++) {
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
