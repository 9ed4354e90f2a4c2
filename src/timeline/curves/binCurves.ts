/**
 * What is counted in bins of time: percentiles of the wait of the jobs that start in each, by nearest rank as in the metrics, and how often a running job
 * gave way. A bin without a start has no percentile. Bins are as long as a run of some two hundred of them allows. O(rows of the record).
 */
import { JobFlag, type JobTable } from "../../model/jobs.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../model/units.ts";
import { gaveWay } from "../../model/workLost.ts";
import type { Chunk } from "../../record/shapes.ts";
import { DecisionKindCode } from "../../record/shapes.ts";
import { type Steps, stepsOf } from "./steps.ts";

const MOST_BINS = 240;
const LEAST_BINS = 24;
/** With fewer, a bin says of one job what its bar says already. */
const JOBS_A_BIN = 4;
const LENGTHS: readonly number[] = [
  ...[1, 5, 15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
];

/** The length of bins for a run that ends at `endMs`: round, no more than 240 of them, and fewer where jobs are few. */
export function binLength(endMs: number, jobs: number): number {
  const bins = Math.min(MOST_BINS, Math.max(LEAST_BINS, jobs / JOBS_A_BIN));
  const least = endMs / bins;
  return LENGTHS.find((ms) => ms >= least) ?? Math.ceil(least / DAY_MS) * DAY_MS;
}

type Decided = readonly Pick<Chunk, "decisions">[];

/** p50 and p95 of the waits of first starts, ms. */
export function* waitSteps(
  chunks: Decided,
  jobs: Pick<JobTable, "count" | "at">,
  binMs: number,
): Generator<void, { readonly p50: Steps; readonly p95: Steps }> {
  const started = new Uint8Array(jobs.count);
  const atMs: number[] = [];
  const p50: number[] = [];
  const p95: number[] = [];
  let bin = -1;
  let waits: number[] = [];
  const close = (): void => {
    if (waits.length === 0) return;
    waits.sort((a, b) => a - b);
    const ranked = (part: number) => waits[Math.max(0, Math.ceil(part * waits.length) - 1)]!;
    atMs.push(bin * binMs, (bin + 1) * binMs);
    p50.push(ranked(0.5), Number.NaN);
    p95.push(ranked(0.95), Number.NaN);
    waits = [];
  };
  for (const { decisions } of chunks) {
    for (let row = 0; row < decisions.kind.length; row++) {
      const job = decisions.jobIdx[row]!;
      if (decisions.kind[row] !== DecisionKindCode.start || started[job] === 1) continue;
      started[job] = 1;
      if ((jobs.at.flags[job]! & JobFlag.service) !== 0) continue;
      const own = Math.floor(decisions.atMs[row]! / binMs);
      if (own !== bin) {
        close();
        bin = own;
      }
      waits.push(decisions.atMs[row]! - jobs.at.submitMs[job]!);
    }
    yield;
  }
  close();
  return { p50: stepsOf(atMs, p50), p95: stepsOf(atMs, p95) };
}

/** Runs that ended for another job, suspensions, and gangs that gave up members, in each bin. */
export function* stopSteps(
  chunks: readonly Pick<Chunk, "decisions" | "runs">[],
  binMs: number,
  endMs: number,
): Generator<
  void,
  { readonly preempted: Steps; readonly suspended: Steps; readonly shrunk: Steps }
> {
  const bins = Math.max(1, Math.ceil(endMs / binMs));
  const counts = {
    preempted: new Float64Array(bins),
    suspended: new Float64Array(bins),
    shrunk: new Float64Array(bins),
  };
  const binOf = (atMs: number) => Math.min(bins - 1, Math.floor(atMs / binMs));
  for (const { decisions, runs } of chunks) {
    for (let row = 0; row < runs.jobIdx.length; row++)
      if (runs.run[row] !== 0 && gaveWay(runs.endState[row]!, runs.stopReason[row]!))
        counts.preempted[binOf(runs.endMs[row]!)]! += 1;
    for (let row = 0; row < decisions.kind.length; row++) {
      const kind = decisions.kind[row]!;
      const bin = binOf(decisions.atMs[row]!);
      // Who gives way at a round does so for all that stand before it.
      if (kind === DecisionKindCode.round) counts.preempted[bin]! += decisions.value[row]!;
      if (kind === DecisionKindCode.suspend) counts.suspended[bin]! += 1;
      if (kind === DecisionKindCode.resize && decisions.value[row]! < 0) counts.shrunk[bin]! += 1;
    }
    yield;
  }
  const steps = (values: Float64Array) =>
    stepsOf(
      [...values.keys(), bins].map((bin) => bin * binMs),
      [...values, 0],
    );
  return {
    preempted: steps(counts.preempted),
    suspended: steps(counts.suspended),
    shrunk: steps(counts.shrunk),
  };
}
