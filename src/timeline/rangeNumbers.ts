/**
 * What happened in a stretch of time, from the record alone: jobs submitted, runs started and ended, how long those that started had waited, and
 * device time held, lost and idle, in all and by tier. A run that began before counts with what it held within; idle is what devices in service
 * did not do. Stretches are closed at their start and open at their end. O(rectangles + runs + waits of the record), in slices.
 */

import { MemberStateCode } from "../model/states.ts";
import { WHOLE_DEVICE } from "../model/units.ts";
import { type Chunk, memberStateOf, type OpenSet, partOf } from "../record/shapes.ts";
import type { CapacityStep } from "./capacity.ts";
import type { TimeWindow } from "./viewport.ts";

export interface RangeSums {
  queued: number;
  started: number;
  ended: number;
  /** Of those that started; NaN where none did. */
  meanWaitMs: number;
  p95WaitMs: number;
  heldMs: number;
  /** Of what was held within, what was work that is gone by the end of what is known. */
  lostMs: number;
}

export interface RangeNumbers {
  readonly all: RangeSums;
  readonly byTier: readonly RangeSums[];
  readonly idleMs: number;
}

export interface RangeSource {
  readonly chunks: readonly Chunk[];
  readonly open: OpenSet | null;
  readonly knownMs: number;
  readonly jobs: {
    readonly count: number;
    readonly at: { readonly submitMs: Float64Array; readonly tier: Uint8Array };
  };
  readonly tiers: number;
  /** When the work of a run's stretch was lost; `Infinity` = it was not. */
  readonly lostAtMs: (jobIdx: number, startMs: number) => number;
  /** Devices in service over time, as `capacitySteps` has them. */
  readonly capacity: readonly CapacityStep[];
}

const STEP = 16_384;

const noSums = (): RangeSums => ({
  queued: 0,
  started: 0,
  ended: 0,
  meanWaitMs: Number.NaN,
  p95WaitMs: Number.NaN,
  heldMs: 0,
  lostMs: 0,
});

export function* rangeNumbers(
  source: RangeSource,
  range: TimeWindow,
): Generator<void, RangeNumbers> {
  const { chunks, jobs, knownMs } = source;
  const { submitMs, tier } = jobs.at;
  const within = (atMs: number) => atMs >= range.fromMs && atMs < range.toMs;
  const sums = Array.from({ length: source.tiers }, noSums);
  for (let job = 0; job < jobs.count; job++)
    if (within(submitMs[job]!)) sums[tier[job]!]!.queued += 1;
  // Starts by job, so that a wait that ends with one is known from one that ends otherwise.
  const starts = new Map<number, Set<number>>();
  const start = (job: number, atMs: number): void => {
    const known = starts.get(job);
    if (known?.has(atMs)) return;
    if (known) known.add(atMs);
    else starts.set(job, new Set([atMs]));
    sums[tier[job]!]!.started += 1;
  };
  const lastEndMs = new Map<number, number>();
  for (const { runs } of chunks) {
    for (let row = 0; row < runs.jobIdx.length; row++) {
      if (runs.run[row] === 0) continue;
      const job = runs.jobIdx[row]!;
      lastEndMs.set(job, Math.max(lastEndMs.get(job) ?? 0, runs.endMs[row]!));
      if (within(runs.startMs[row]!)) start(job, runs.startMs[row]!);
      if (within(runs.endMs[row]!)) sums[tier[job]!]!.ended += 1;
    }
    yield;
  }
  for (const [job, atMs] of openStarts(source, lastEndMs)) if (within(atMs)) start(job, atMs);
  const waited: number[][] = sums.map(() => []);
  for (const chunk of chunks) {
    const { jobIdx, fromMs, toMs } = chunk.waits;
    if (chunk.toMs < range.fromMs) continue;
    for (let row = 0; row < jobIdx.length; row++)
      if (starts.get(jobIdx[row]!)?.has(toMs[row]!))
        waited[tier[jobIdx[row]!]!]!.push(toMs[row]! - fromMs[row]!);
    yield;
  }
  for (const [t, list] of waited.entries()) {
    // Who started at once has no wait in the record of some readers.
    while (list.length < sums[t]!.started) list.push(0);
    Object.assign(sums[t]!, waitsOf(list));
  }
  yield* addHeld(source, range, sums);
  const all = noSums();
  for (const one of sums) {
    all.queued += one.queued;
    all.started += one.started;
    all.ended += one.ended;
    all.heldMs += one.heldMs;
    all.lostMs += one.lostMs;
  }
  Object.assign(all, waitsOf(waited.flat()));
  const capacityMs = deviceTime(source.capacity, range.fromMs, Math.min(range.toMs, knownMs));
  return { all, byTier: sums, idleMs: Math.max(0, capacityMs - all.heldMs) };
}

/** Runs that still go on, by their first rectangle after the last run that ended. */
function openStarts(
  { chunks, open }: RangeSource,
  lastEndMs: ReadonlyMap<number, number>,
): Map<number, number> {
  const starts = new Map<number, number>();
  if (!open) return starts;
  const read = (rects: Chunk["rects"], add: boolean): void => {
    for (let i = 0; i < rects.jobIdx.length; i++) {
      const job = rects.jobIdx[i]!;
      const known = starts.get(job);
      if (known === undefined ? !add : rects.startMs[i]! >= known) continue;
      if (rects.startMs[i]! >= (lastEndMs.get(job) ?? 0)) starts.set(job, rects.startMs[i]!);
    }
  };
  read(open.rects, true);
  for (const chunk of chunks) read(chunk.rects, false);
  return starts;
}

function* addHeld(
  { chunks, open, knownMs, jobs, lostAtMs }: RangeSource,
  range: TimeWindow,
  sums: RangeSums[],
): Generator<void> {
  for (const { rects } of [
    ...chunks.filter((chunk) => chunk.toMs >= range.fromMs),
    ...(open ? [open] : []),
  ]) {
    for (let i = 0; i < rects.startMs.length; i++) {
      if (i % STEP === STEP - 1) yield;
      const fromMs = Math.max(range.fromMs, rects.startMs[i]!);
      const toMs = Math.min(range.toMs, rects.endMs[i]!, knownMs);
      if (toMs <= fromMs) continue;
      const part = partOf(rects.bits[i]!);
      const share = part > 0 && part <= WHOLE_DEVICE ? part / WHOLE_DEVICE : 1;
      const held = (toMs - fromMs) * rects.deviceCount[i]! * share;
      const job = rects.jobIdx[i]!;
      const sum = sums[jobs.at.tier[job]!]!;
      sum.heldMs += held;
      const works = memberStateOf(rects.bits[i]!) === MemberStateCode.running;
      if (works && lostAtMs(job, rects.startMs[i]!) <= knownMs) sum.lostMs += held;
    }
    yield;
  }
}

function waitsOf(list: number[]): Pick<RangeSums, "meanWaitMs" | "p95WaitMs"> {
  if (list.length === 0) return { meanWaitMs: Number.NaN, p95WaitMs: Number.NaN };
  const sorted = Float64Array.from(list).sort();
  let sum = 0;
  for (const ms of sorted) sum += ms;
  // The nearest rank: the least wait that 95 % did not exceed.
  const rank = Math.max(1, Math.ceil(0.95 * sorted.length));
  return { meanWaitMs: sum / sorted.length, p95WaitMs: sorted[rank - 1]! };
}

/** Device-ms in service between two times. */
function deviceTime(steps: readonly CapacityStep[], fromMs: number, toMs: number): number {
  let sum = 0;
  for (const [i, step] of steps.entries()) {
    const start = Math.max(fromMs, step.atMs);
    const end = Math.min(toMs, steps[i + 1]?.atMs ?? toMs);
    if (end > start) sum += (end - start) * step.devices;
  }
  return sum;
}
