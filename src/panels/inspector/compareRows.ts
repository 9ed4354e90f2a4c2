/**
 * "Before and now" as rows whose numbers visibly add up: before, now and change are rounded to one common step, and the change is
 * the difference of the rounded values, so that a reader can check it by eye.
 */
import { durationText, MINUS, NBSP, numberText } from "../../base/format.ts";
import type { RunMetrics } from "../../metrics/runMetrics.ts";
import type { TierInfo } from "../../model/world.ts";
import { type Measure, measures } from "./measures.ts";

export interface CompareRow {
  readonly key: string;
  readonly label: string;
  /** What the number is. */
  readonly meaning: string;
  /** Position of the tier that the row is about; −1 = all. */
  readonly tier: number;
  /** One of those that are folded away at first. */
  readonly further: boolean;
  readonly before: string;
  readonly now: string;
  readonly change: string;
  /** `unlike`: taken over other jobs than before, so neither better nor worse. */
  readonly verdict: "better" | "worse" | "same" | "unlike";
  /** How many jobs it is taken over before and now, where these are not as many. */
  readonly over: readonly [number, number] | null;
  /** The change as a part of the larger value, 0 to 1 (2 where the sign turns). */
  readonly part: number;
}

/** Rows for the table; with `before` null the columns before and change are empty. What means nothing for both runs is left out. */
export function compareRows(
  before: RunMetrics | null,
  now: RunMetrics,
  tiers: readonly TierInfo[],
  word: string,
): CompareRow[] {
  const rows: CompareRow[] = [];
  for (const measure of measures(tiers, word)) {
    const value = measure.of(now);
    const was = before ? measure.of(before) : null;
    if (value === null || (measure.whereAny && value === 0 && (was ?? 0) === 0)) continue;
    rows.push(rowOf(measure, was, value, before && overOf(measure, before, now)));
  }
  return rows;
}

function overOf({ over }: Measure, before: RunMetrics, now: RunMetrics): CompareRow["over"] {
  const [was, is] = [over?.(before) ?? null, over?.(now) ?? null];
  return was === null || is === null || was === is ? null : [was, is];
}

function rowOf(
  measure: Measure,
  was: number | null,
  value: number,
  over: CompareRow["over"],
): CompareRow {
  const step = stepOf(measure.unit, Math.max(Math.abs(value), Math.abs(was ?? 0)));
  const now = Math.round(value / step) * step;
  const text = (amount: number) => amountText(measure.unit, amount, step);
  const { key, label, meaning, tier, further = false } = measure;
  if (was === null)
    return {
      key,
      label,
      meaning,
      tier,
      further,
      before: "–",
      now: text(now),
      change: "",
      verdict: "same",
      over: null,
      part: 0,
    };
  const before = Math.round(was / step) * step;
  const steps = Math.round(now / step) - Math.round(before / step);
  const change = steps * step;
  const better = measure.better === "less" ? steps < 0 : steps > 0;
  return {
    key,
    label,
    meaning,
    tier,
    further,
    before: text(before),
    now: text(now),
    change: steps === 0 ? "±0" : (steps < 0 ? MINUS : "+") + changeText(text(Math.abs(change))),
    verdict: steps === 0 ? "same" : over ? "unlike" : better ? "better" : "worse",
    over,
    part: Math.abs(change) / Math.max(Math.abs(now), Math.abs(before), step),
  };
}

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;

/** The common rounding step of a row, from its largest value. */
function stepOf(unit: Measure["unit"], largest: number): number {
  if (unit === "percent") return 0.1;
  if (unit === "ratio") return 0.01;
  if (unit === "count") return 1;
  if (unit === "hours") return largest < 100 ? 0.1 : 1;
  if (largest < MINUTE) return SECOND / 10;
  if (largest < HOUR) return MINUTE / 10;
  return largest < 48 * HOUR ? MINUTE : HOUR;
}

/** The difference of two percentages is percentage points. */
const changeText = (amount: string): string => amount.replace("%", "pp");

function amountText(unit: Measure["unit"], amount: number, step: number): string {
  if (unit === "percent") return `${numberText(amount, 1)}${NBSP}%`;
  if (unit === "ratio") return numberText(amount, 2);
  if (unit === "count") return numberText(amount);
  if (unit === "hours") return numberText(amount, step < 1 ? 1 : 0);
  if (amount === 0) return step === HOUR ? `0${NBSP}h` : `0${NBSP}m`;
  if (step < SECOND) return `${numberText(amount / SECOND, 1)}${NBSP}s`;
  if (step < MINUTE) return `${numberText(amount / MINUTE, 1)}${NBSP}m`;
  return step === MINUTE && amount < 10 * MINUTE
    ? `${numberText(amount / MINUTE)}${NBSP}m`
    : durationText(amount);
}
