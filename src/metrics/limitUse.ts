/**
 * Asked and used: the time limit of each job beside the length of its run. Backfill plans with limits, so what users ask beyond what they need is
 * what it cannot use (Mu'alem and Feitelson, Utilization, predictability, workloads, and user runtime estimates in scheduling the IBM SP2 with
 * backfilling, 2001).
 *
 * Counted are last runs that ended by their work, by their exit code or at their limit, of jobs with a limit. O(runs + jobs log jobs).
 */
import type { JobTable } from "../model/jobs.ts";
import { StopReasonCode } from "../model/reasons.ts";
import type { Chunk } from "../record/shapes.ts";
import { isService } from "./perJob.ts";
import { type Distribution, distributionSteps } from "./quantiles.ts";

export interface LimitUse {
  /** By entry: job, limit and length of its last run (ms), killed at the limit. */
  readonly jobIdx: Uint32Array;
  readonly limitMs: Float64Array;
  readonly ranMs: Float64Array;
  readonly killed: Uint8Array;
  /** Limit ÷ run of those that were not killed. */
  readonly factor: Distribution;
  readonly killedCount: number;
  /** Jobs that ended and had no limit. */
  readonly unlimited: number;
}

/** Runs shorter than this count as this long in the factor: a job that fails at once says nothing of its estimate. */
const SHORTEST_MS = 1_000;

/** Yields after each chunk. */
export function* limitUseSteps(
  jobs: Pick<JobTable, "count" | "at">,
  chunks: readonly Pick<Chunk, "runs">[],
): Generator<void, LimitUse> {
  const ranMs = new Float64Array(jobs.count).fill(Number.NaN);
  const killed = new Uint8Array(jobs.count);
  for (const { runs } of chunks) {
    for (let row = 0; row < runs.jobIdx.length; row++) {
      const job = runs.jobIdx[row]!;
      const stop = runs.stopReason[row]!;
      const isOwnEnd = stop === StopReasonCode.workDone || stop === StopReasonCode.timeLimit;
      ranMs[job] =
        isOwnEnd && runs.run[row]! > 0 ? runs.endMs[row]! - runs.startMs[row]! : Number.NaN;
      killed[job] = stop === StopReasonCode.timeLimit ? 1 : 0;
    }
    yield;
  }
  const counted: number[] = [];
  let unlimited = 0;
  for (let job = 0; job < jobs.count; job++) {
    if (Number.isNaN(ranMs[job]!) || isService(jobs, job)) continue;
    if (Number.isFinite(jobs.at.limitMs[job]!)) counted.push(job);
    else unlimited++;
  }
  yield;
  const factors = Float64Array.from(
    counted.filter((job) => killed[job] === 0),
    (job) => jobs.at.limitMs[job]! / Math.max(SHORTEST_MS, ranMs[job]!),
  );
  yield;
  const factor = yield* distributionSteps(factors);
  return {
    jobIdx: Uint32Array.from(counted),
    limitMs: Float64Array.from(counted, (job) => jobs.at.limitMs[job]!),
    ranMs: Float64Array.from(counted, (job) => ranMs[job]!),
    killed: Uint8Array.from(counted, (job) => killed[job]!),
    factor,
    killedCount: counted.reduce((sum, job) => sum + killed[job]!, 0),
    unlimited,
  };
}
