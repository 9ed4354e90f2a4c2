/**
 * Demand of a service as steps: requests a second from each time on. The wave is taken at the middle of each step, so that the steps hold its mean.
 *
 *     constant  perSec
 *     diurnal   perSec · (1 + swing · cos(2π (t − peak) / period)), t on the clock of the calendar
 *     square    highPerSec for half of each period, around the peak; else perSec
 *     points    as listed, perSec before the first
 */
import sin from "@stdlib/math-base-special-sin";
import type { ServiceEntry } from "../../scenario/schema.ts";

type DemandEntry = ServiceEntry["demand"];

export interface DemandSteps {
  readonly atMs: Float64Array;
  readonly perSec: Float64Array;
}

/** Steps from 0 to `untilMs`; equal neighbours are one. `ofDayMs`: time of day of time 0. O(untilMs / step). */
export function demandSteps(demand: DemandEntry, untilMs: number, ofDayMs: number): DemandSteps {
  const atMs: number[] = [];
  const perSec: number[] = [];
  for (const [time, rate] of stepsOf(demand, untilMs, ofDayMs)) {
    if (perSec.length > 0 && perSec[perSec.length - 1] === rate) continue;
    atMs.push(time);
    perSec.push(rate);
  }
  return { atMs: Float64Array.from(atMs), perSec: Float64Array.from(perSec) };
}

type Steps = Iterable<readonly [atMs: number, perSec: number]>;

function stepsOf(demand: DemandEntry, untilMs: number, ofDayMs: number): Steps {
  switch (demand.shape) {
    case "constant":
      return [[0, demand.perSec]];
    case "diurnal":
      return diurnal(demand, untilMs, ofDayMs);
    case "square":
      return square(demand, untilMs, ofDayMs);
    case "points":
      return points(demand);
  }
}

function* diurnal(demand: DemandEntry, untilMs: number, ofDayMs: number): Steps {
  const { perSec, swing, periodMs, peakMs, stepMs } = demand;
  for (let atMs = 0; atMs < untilMs; atMs += stepMs) {
    const turns = (atMs + stepMs / 2 + ofDayMs - peakMs) / periodMs;
    const angle = 2 * Math.PI * (turns - Math.floor(turns));
    yield [atMs, perSec * (1 + swing * sin(angle + Math.PI / 2))];
  }
}

function* square(demand: DemandEntry, untilMs: number, ofDayMs: number): Steps {
  const { perSec, highPerSec = perSec, periodMs, peakMs } = demand;
  const half = Math.max(1, Math.round(periodMs / 2));
  const riseMs = peakMs - Math.floor(half / 2) - ofDayMs;
  const sinceRise = (((-riseMs % periodMs) + periodMs) % periodMs) as number;
  yield [0, sinceRise < half ? highPerSec : perSec];
  for (let startMs = -sinceRise; startMs < untilMs; startMs += periodMs) {
    if (startMs > 0) yield [startMs, highPerSec];
    const fallMs = startMs + half;
    if (half < periodMs && fallMs > 0 && fallMs < untilMs) yield [fallMs, perSec];
  }
}

/** Of several points of one time the last one counts. */
function points(demand: DemandEntry): Steps {
  const rates = new Map<number, number>([[0, demand.perSec]]);
  for (const { atMs, perSec } of demand.points.toSorted((a, b) => a.atMs - b.atMs))
    rates.set(atMs, perSec);
  return rates;
}
