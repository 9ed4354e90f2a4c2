/**
 * A step function of time: what is free from each moment on until the next. Columns of its own length, no step that changes
 * nothing, and none that ended long ago.
 *
 *     free ▲        ┌────────
 *          │   ┌────┘                  times  0   40  90        a step holds until the next time
 *          │───┘                       gpus   2    5   8
 *          └───────────────▶ time
 */
import { NEVER_MS } from "../../model/units.ts";

export interface Steps {
  length: number;
  times: Float64Array;
  gpus: Int32Array;
  cpuMilli: Int32Array;
  memMiB: Int32Array;
  /** Whether CPUs and memory are counted too; if not, their columns are empty. */
  wide: boolean;
  /** How many jobs end where a step begins. */
  ends: Int32Array;
}

const UNUSED = new Int32Array(0);

/** Without amounts of CPUs and memory only devices are counted, and amounts of the others are passed over. */
export function createSteps(
  fromMs: number,
  gpus: number,
  cpuMilli?: number,
  memMiB?: number,
): Steps {
  const wide = cpuMilli !== undefined && memMiB !== undefined;
  const steps: Steps = {
    length: 1,
    times: new Float64Array(8),
    gpus: new Int32Array(8),
    cpuMilli: wide ? new Int32Array(8) : UNUSED,
    memMiB: wide ? new Int32Array(8) : UNUSED,
    wide,
    ends: new Int32Array(8),
  };
  steps.times[0] = fromMs;
  steps.gpus[0] = gpus;
  if (wide) {
    steps.cpuMilli[0] = cpuMilli;
    steps.memMiB[0] = memMiB;
  }
  return steps;
}

/** Makes old steps new, in the memory that they have. They count CPUs and memory as before. */
export function resetSteps(
  steps: Steps,
  fromMs: number,
  gpus: number,
  cpuMilli: number,
  memMiB: number,
): Steps {
  steps.length = 1;
  steps.times[0] = fromMs;
  steps.gpus[0] = gpus;
  steps.ends[0] = 0;
  if (steps.wide) {
    steps.cpuMilli[0] = cpuMilli;
    steps.memMiB[0] = memMiB;
  }
  return steps;
}

/** Makes steps equal to others of their kind. O(steps). */
export function copyInto(steps: Steps, from: Steps): Steps {
  while (steps.times.length < from.length) grow(steps);
  steps.length = from.length;
  for (let at = 0; at < from.length; at++) {
    steps.times[at] = from.times[at]!;
    steps.gpus[at] = from.gpus[at]!;
    steps.ends[at] = from.ends[at]!;
    if (!steps.wide) continue;
    steps.cpuMilli[at] = from.cpuMilli[at]!;
    steps.memMiB[at] = from.memMiB[at]!;
  }
  return steps;
}

/** Adds amounts from one time to another (which may be `Infinity`); negative amounts take away. O(steps in between and moved). */
export function addOver(
  steps: Steps,
  fromMs: number,
  toMs: number,
  gpus: number,
  cpuMilli: number,
  memMiB: number,
): void {
  if (fromMs >= toMs) return;
  const first = cutAt(steps, fromMs);
  const end = toMs === NEVER_MS ? steps.length : cutAt(steps, toMs);
  addTo(steps.gpus, first, end, gpus);
  if (steps.wide) {
    addTo(steps.cpuMilli, first, end, cpuMilli);
    addTo(steps.memMiB, first, end, memMiB);
  }
  if (end < steps.length) joinAt(steps, end);
  joinAt(steps, first);
}

function addTo(column: Int32Array, first: number, end: number, amount: number): void {
  if (amount === 0) return;
  for (let at = first; at < end; at++) column[at] = column[at]! + amount;
}

/** Notes that a job ends at a time (or, with −1, that it does not after all), before what it gives back is added. */
export function noteEnd(steps: Steps, endMs: number, sign: 1 | -1): void {
  if (endMs === NEVER_MS) return;
  const at = cutAt(steps, endMs);
  steps.ends[at] = steps.ends[at]! + sign;
}

/** Index of the last step that starts at or before a time; 0 before the first. O(log steps). */
export function stepAt(steps: Steps, atMs: number): number {
  const { times } = steps;
  let low = 0;
  let high = steps.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle]! <= atMs) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Forgets steps that ended before a time, once they are many. O(1) amortized. */
export function forgetBefore(steps: Steps, beforeMs: number): void {
  if (steps.length < 16 || steps.times[steps.length >> 2]! > beforeMs) return;
  shift(steps, stepAt(steps, beforeMs), 0);
}

/** Makes a step begin at a time and returns its index; times before the first step count as its start. */
function cutAt(steps: Steps, atMs: number): number {
  const at = stepAt(steps, atMs);
  if (steps.times[at]! >= atMs) return at;
  if (steps.length === steps.times.length) grow(steps);
  shift(steps, at, at + 1);
  steps.times[at + 1] = atMs;
  steps.ends[at + 1] = 0;
  return at + 1;
}

/** Takes a step away that nothing sets apart from the one before it. */
function joinAt(steps: Steps, at: number): void {
  if (at === 0 || steps.ends[at] !== 0 || steps.gpus[at] !== steps.gpus[at - 1]) return;
  const { wide, cpuMilli, memMiB } = steps;
  if (wide && (cpuMilli[at] !== cpuMilli[at - 1] || memMiB[at] !== memMiB[at - 1])) return;
  if (at === steps.length - 1) steps.length--;
  else shift(steps, at + 1, at);
}

/** Moves the steps from `from` on to `to`. One by one where they are few: calls of copyWithin cost more. */
function shift(steps: Steps, from: number, to: number): void {
  const { length, times, gpus, ends } = steps;
  const moved = length - from;
  if (steps.wide) {
    shiftColumn(steps.cpuMilli, from, to, moved);
    shiftColumn(steps.memMiB, from, to, moved);
  }
  if (moved > 48) {
    times.copyWithin(to, from, length);
    gpus.copyWithin(to, from, length);
    ends.copyWithin(to, from, length);
  } else {
    const up = to > from;
    for (let i = 0; i < moved; i++) {
      const row = up ? moved - 1 - i : i;
      times[to + row] = times[from + row]!;
      gpus[to + row] = gpus[from + row]!;
      ends[to + row] = ends[from + row]!;
    }
  }
  steps.length = to + moved;
}

function shiftColumn(column: Int32Array, from: number, to: number, moved: number): void {
  if (moved > 48) column.copyWithin(to, from, from + moved);
  else if (to > from) for (let i = moved - 1; i >= 0; i--) column[to + i] = column[from + i]!;
  else for (let i = 0; i < moved; i++) column[to + i] = column[from + i]!;
}

function grow(steps: Steps): void {
  const columns = steps.wide
    ? (["gpus", "ends", "cpuMilli", "memMiB"] as const)
    : (["gpus", "ends"] as const);
  for (const name of columns) {
    const grown = new Int32Array(steps[name].length * 2);
    grown.set(steps[name]);
    steps[name] = grown;
  }
  const times = new Float64Array(steps.times.length * 2);
  times.set(steps.times);
  steps.times = times;
}
