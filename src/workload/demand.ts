/**
 * What a log asks for over time, if every job ran as soon as it was submitted: on average, and in its busiest tenth. A log that grows, as one of pods that
 * stay, has a mean that says little: a machine made for it would never catch up, so where the busiest tenth is more than twice the mean, that tenth
 * counts. Stretches are whole hundredths of the time in which jobs are submitted. O(jobs + slots).
 */
import { HOUR_MS } from "../model/units.ts";
import { isOutside, type ParsedWorkload } from "./parsed.ts";

/** The share of time for which a suggested machine is asked for at most. */
const LOAD_WANTED = 0.85;
const SLOTS = 100;
const WINDOW = SLOTS / 10;
/** In a log of fewer jobs a tenth is chance. */
const JOBS_LEAST = 50;
const UNEVEN = 2;

export interface Demand {
  /** Busy on average while jobs are submitted. */
  readonly mean: number;
  /** In the busiest tenth of that time, where it counts; else the mean. */
  readonly busiest: number;
  /** As many as are asked for `LOAD_WANTED` of the time that counts; not whole. */
  readonly wanted: number;
}

/** `asked` = what job `i` takes while it runs: GPUs, CPUs, GiB. */
export function demandOver(parsed: ParsedWorkload, asked: (jobIdx: number) => number): Demand {
  const { at, count, firstSubmitMs } = parsed;
  const spanMs = submitSpanMs(parsed);
  const slotMs = spanMs / SLOTS;
  // Of whole slots only the changes: their sums are what is asked for in each.
  const steps = new Float64Array(SLOTS + 1);
  const parts = new Float64Array(SLOTS);
  let total = 0;
  for (let job = 0; job < count; job++) {
    const units = asked(job);
    total += units * at.runMs[job]!;
    const fromMs = Math.max(0, at.submitMs[job]! - firstSubmitMs);
    const toMs = Math.min(spanMs, fromMs + at.runMs[job]!);
    if (toMs <= fromMs) continue;
    const first = Math.min(SLOTS - 1, Math.floor(fromMs / slotMs));
    const last = Math.min(SLOTS - 1, Math.floor(toMs / slotMs));
    if (first === last) parts[first]! += (units * (toMs - fromMs)) / slotMs;
    else {
      parts[first]! += units * (first + 1 - fromMs / slotMs);
      parts[last]! += units * (toMs / slotMs - last);
      steps[first + 1]! += units;
      steps[last]! -= units;
    }
  }
  const mean = total / spanMs;
  const most = count < JOBS_LEAST ? mean : busiestWindow(steps, parts);
  const busiest = most > UNEVEN * mean ? most : mean;
  return { mean, busiest, wanted: busiest / LOAD_WANTED };
}

function busiestWindow(steps: Float64Array, parts: Float64Array): number {
  const slots = new Float64Array(SLOTS);
  let whole = 0;
  let sum = 0;
  let most = 0;
  for (let slot = 0; slot < SLOTS; slot++) {
    whole += steps[slot]!;
    slots[slot] = whole + parts[slot]!;
    sum += slots[slot]! - (slot < WINDOW ? 0 : slots[slot - WINDOW]!);
    most = Math.max(most, sum / WINDOW);
  }
  return most;
}

/** From the first to the last job that counts, at least an hour. O(jobs). */
function submitSpanMs({ at, count, firstSubmitMs }: ParsedWorkload): number {
  let lastMs = firstSubmitMs;
  for (let job = 0; job < count; job++)
    if (!isOutside(at.submitMs[job]! - firstSubmitMs)) lastMs = Math.max(lastMs, at.submitMs[job]!);
  return Math.max(HOUR_MS, lastMs - firstSubmitMs);
}
