/**
 * Which jobs a change moved: first starts of the same jobs in two records. A job is moved when its first starts differ, or when it starts in
 * one record only. Jobs of services are left out: replicas come and go.
 *
 * O(decisions + jobs).
 */
import type { JobTable } from "../model/jobs.ts";
import { nameOf } from "../model/jobs.ts";
import type { Chunk } from "../record/shapes.ts";
import { DecisionKindCode } from "../record/shapes.ts";
import { isService } from "./perJob.ts";

export interface MovedRecord {
  readonly jobs: Pick<JobTable, "count" | "at" | "ids">;
  readonly chunks: readonly Pick<Chunk, "decisions">[];
}

export interface MovedJob {
  /** Number in the second record; in the first where it is there only. */
  readonly jobIdx: number;
  /** First starts, ms; NaN where it does not start. */
  readonly beforeMs: number;
  readonly nowMs: number;
}

export interface Moved {
  readonly earlier: number;
  readonly later: number;
  /** Starts only in the second, only in the first. */
  readonly onlyNow: number;
  readonly onlyBefore: number;
  /** Jobs that both records have, and how many of them start at the same time in both. */
  readonly shared: number;
  readonly same: number;
  /** Moved most first; jobs that start in one record only come first of all. Ties by number. */
  readonly most: readonly MovedJob[];
}

/** First start of each job, ms; NaN = none. Yields after each chunk. */
export function* firstStarts({ jobs, chunks }: MovedRecord): Generator<void, Float64Array> {
  const startMs = new Float64Array(jobs.count).fill(Number.NaN);
  for (const { decisions } of chunks) {
    const { kind, jobIdx, atMs } = decisions;
    for (let row = 0; row < kind.length; row++) {
      if (kind[row] !== DecisionKindCode.start) continue;
      const job = jobIdx[row]!;
      if (Number.isNaN(startMs[job]!)) startMs[job] = atMs[row]!;
    }
    yield;
  }
  return startMs;
}

/** Compares two records of one workload; at most `most` jobs are listed. */
export function* movedSteps(
  before: MovedRecord,
  now: MovedRecord,
  most: number,
): Generator<void, Moved> {
  const beforeMs = yield* firstStarts(before);
  const nowMs = yield* firstStarts(now);
  const jobOf = pairing(before.jobs, now.jobs);
  yield;
  const counts = { earlier: 0, later: 0, onlyNow: 0, onlyBefore: 0, shared: 0, same: 0 };
  const moved: MovedJob[] = [];
  for (let job = 0; job < now.jobs.count; job++) {
    const other = jobOf(job);
    if (other < 0 || isService(now.jobs, job)) continue;
    counts.shared++;
    const was = beforeMs[other]!;
    const is = nowMs[job]!;
    if (was === is || (Number.isNaN(was) && Number.isNaN(is))) {
      counts.same++;
      continue;
    }
    if (Number.isNaN(was)) counts.onlyNow++;
    else if (Number.isNaN(is)) counts.onlyBefore++;
    else if (is < was) counts.earlier++;
    else counts.later++;
    moved.push({ jobIdx: job, beforeMs: was, nowMs: is });
  }
  yield;
  moved.sort((a, b) => distance(b) - distance(a) || a.jobIdx - b.jobIdx);
  return { ...counts, most: moved.slice(0, most) };
}

function distance({ beforeMs, nowMs }: MovedJob): number {
  const ms = Math.abs(nowMs - beforeMs);
  return Number.isNaN(ms) ? Number.MAX_VALUE : ms;
}

/** The number in `before` of a job of `now`; −1 where it has none. Most often the numbers are the same. O(jobs) where they are not. */
function pairing(before: MovedRecord["jobs"], now: MovedRecord["jobs"]): (job: number) => number {
  const shared = Math.min(before.count, now.count);
  const isSame = (job: number) => nameOf(before.ids, job) === nameOf(now.ids, job);
  let same = true;
  for (let job = 0; job < shared && same; job++) same = isSame(job);
  if (same) return (job) => (job < shared ? job : -1);
  const byName = new Map<string, number>();
  for (let job = 0; job < before.count; job++) byName.set(nameOf(before.ids, job), job);
  return (job) => byName.get(nameOf(now.ids, job)) ?? -1;
}
