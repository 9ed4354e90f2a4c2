/** A curve of the strip: lines of steps on one scale, and what a line says at a time or over a stretch. Colours and words of values are the panel's. */
import { HOUR_MS } from "../../model/units.ts";
import type { Use } from "./deviceUse.ts";
import {
  type Columns,
  type Covered,
  covered,
  fillColumns,
  integralUntil,
  type Steps,
  valueAt,
} from "./steps.ts";

/** What a value is: it decides how it reads, and what it adds up to over time. */
export type CurveUnit =
  | "devices"
  | "jobs"
  | "events"
  | "duration"
  | "ratio"
  | "share"
  | "money"
  | "rate";

/** What a line looks like: filled as a tier or as a use of devices, or a line with its dashes. */
export type LineLook =
  | { readonly kind: "tier"; readonly tier: number }
  | { readonly kind: "use"; readonly use: Use }
  | { readonly kind: "line"; readonly dash: number };

export interface CurveLine {
  readonly label: string;
  readonly look: LineLook;
  readonly steps: Steps;
  /**
   * `value`: the steps themselves. `sum`: their integral since 0, in hours. `quotient`: that of `steps` ÷ that of `over`.
   */
  readonly as: "value" | "sum" | "quotient";
  readonly over?: Steps;
}

export interface Curve {
  readonly lines: readonly CurveLine[];
  readonly unit: CurveUnit;
  /** Lines lie on each other, the first below. */
  readonly stacked: boolean;
  /** Upper end of the scale; values beyond it are cut off. */
  readonly most: number;
  /** A dotted line to compare with. */
  readonly level?: { readonly label: string; readonly steps: Steps };
  /** The line that speaks for the curve; `null` = the sum of all. */
  readonly main: number | null;
  /** So many lines from below make the outline that a former future is shown by. */
  readonly outline: number;
  /** Length of the bins that events and waits are counted in, ms. */
  readonly binMs?: number;
}

/** What a line says at a time; NaN where it says nothing. O(log steps). */
export function lineAt(line: CurveLine, atMs: number): number {
  if (line.as === "value") return valueAt(line.steps, atMs);
  const sum = integralUntil(line.steps, atMs);
  if (line.as === "sum") return sum / HOUR_MS;
  const over = integralUntil(line.over!, atMs);
  return over > 0 ? sum / over : Number.NaN;
}

/** Over a stretch of time. Sums grow, so their least is at its begin; of a quotient only begin and end are looked at. O(log steps). */
export function lineOver(line: CurveLine, fromMs: number, toMs: number): Covered {
  if (line.as === "value") return covered(line.steps, fromMs, toMs);
  const ends = [lineAt(line, fromMs), lineAt(line, toMs)].filter((value) => !Number.isNaN(value));
  if (ends.length === 0) return { least: Number.NaN, most: Number.NaN, mean: Number.NaN };
  return { least: Math.min(...ends), most: Math.max(...ends), mean: Number.NaN };
}

/** What a value adds up to over a stretch: device-hours, events, money; NaN where a sum means nothing. O(log steps). */
export function lineTotal(curve: Curve, line: CurveLine, fromMs: number, toMs: number): number {
  const sum = () => integralUntil(line.steps, toMs) - integralUntil(line.steps, fromMs);
  if (curve.unit === "money") return sum() / HOUR_MS;
  if (line.as !== "value") return Number.NaN;
  if (curve.unit === "devices") return sum() / HOUR_MS;
  if (curve.unit === "events") return sum() / curve.binMs!;
  return Number.NaN;
}

/** The columns of a window; of sums and quotients the value at the end of each. O(columns · log steps). */
export function fillLine(line: CurveLine, fromMs: number, toMs: number, into: Columns): void {
  if (line.as === "value") {
    fillColumns(line.steps, fromMs, toMs, into);
    return;
  }
  const count = into.mean.length;
  for (let column = 0; column < count; column++) {
    const value = lineAt(line, fromMs + ((toMs - fromMs) * (column + 1)) / count);
    into.mean[column] = into.least[column] = into.most[column] = value;
  }
}
