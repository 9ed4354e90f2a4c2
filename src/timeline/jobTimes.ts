/** When each job first started, last ended and how long it waited in all, from the record: read once for a record. */
import type { Chunk, OpenSet } from "../record/shapes.ts";

export interface JobTimes {
  /** `Infinity` where it has not started. */
  readonly firstStartMs: Float64Array;
  /** End of its last run, or when it left without running; `Infinity` while it goes on or is not known. */
  readonly lastEndMs: Float64Array;
  /** Closed stretches of waiting only. */
  readonly waitedMs: Float64Array;
}

interface TimesSource {
  readonly chunks: readonly Chunk[];
  readonly open: OpenSet | null;
}

const known = new WeakMap<TimesSource, JobTimes>();

/** O(runs + waits) once for a record. */
export function jobTimesOf(record: TimesSource, jobCount: number): JobTimes {
  const kept = known.get(record);
  if (kept?.waitedMs.length === jobCount) return kept;
  const firstStartMs = new Float64Array(jobCount).fill(Number.POSITIVE_INFINITY);
  const lastEndMs = new Float64Array(jobCount).fill(Number.POSITIVE_INFINITY);
  const waitedMs = new Float64Array(jobCount);
  for (const { runs, waits } of record.chunks) {
    for (let row = 0; row < runs.jobIdx.length; row++) {
      const job = runs.jobIdx[row]!;
      lastEndMs[job] = runs.endMs[row]!;
      // Run 0 stands for a job that left without running.
      if (runs.run[row] !== 0) firstStartMs[job] = Math.min(firstStartMs[job]!, runs.startMs[row]!);
    }
    for (let row = 0; row < waits.jobIdx.length; row++) {
      const job = waits.jobIdx[row]!;
      waitedMs[job] = waitedMs[job]! + waits.toMs[row]! - waits.fromMs[row]!;
    }
  }
  if (record.open) readOpen(record.open, firstStartMs, lastEndMs);
  const times = { firstStartMs, lastEndMs, waitedMs };
  known.set(record, times);
  return times;
}

/** Jobs that run or wait at the end of the record have no last end. */
function readOpen(
  { rects, waits }: OpenSet,
  firstStartMs: Float64Array,
  lastEndMs: Float64Array,
): void {
  for (let row = 0; row < rects.jobIdx.length; row++) {
    const job = rects.jobIdx[row]!;
    firstStartMs[job] = Math.min(firstStartMs[job]!, rects.startMs[row]!);
    lastEndMs[job] = Number.POSITIVE_INFINITY;
  }
  for (let row = 0; row < waits.jobIdx.length; row++)
    lastEndMs[waits.jobIdx[row]!] = Number.POSITIVE_INFINITY;
}
