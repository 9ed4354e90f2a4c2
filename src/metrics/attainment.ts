/** Promises of the document to its users: deadlines of jobs, target waits of tiers; and what communication added to the work. O(jobs). */
import type { JobLife } from "../model/lab/jobLife.ts";
import { EndStateCode } from "../model/states.ts";
import { SPEED_ONE } from "../model/units.ts";
import type { TierInfo } from "../model/world.ts";
import type { MeasuredJobs } from "./deviceTime.ts";
import type { PerJob } from "./perJob.ts";

export type LivesOfJobs = ReadonlyMap<number, JobLife>;

/** Deadlines met, and missed: of jobs that completed late, left without completing, or were still there after it. */
export function deadlines(lives: LivesOfJobs, per: PerJob, endMs: number) {
  let met = 0;
  let missed = 0;
  for (const [job, { deadlineMs }] of lives) {
    if (deadlineMs === Number.POSITIVE_INFINITY) continue;
    const completed = per.lastEndState[job] === EndStateCode.completed;
    if (completed && per.lastEndMs[job]! <= deadlineMs) met++;
    else if (completed || deadlineMs <= endMs || hasLeft(per, job)) missed++;
  }
  return { met, missed };
}

function hasLeft(per: PerJob, job: number): boolean {
  return per.living[job] === 0 && per.lastEndState[job] !== EndStateCode.running;
}

/**
 * Part of the jobs of each tier that started within its target wait; of those that never started the ones whose target is over count as missed. Null
 * without target or such jobs.
 */
export function targetsMet(
  jobs: MeasuredJobs,
  tiers: readonly TierInfo[],
  per: PerJob,
  endMs: number,
): (number | null)[] {
  const met = new Uint32Array(tiers.length);
  const judged = new Uint32Array(tiers.length);
  const targets = Float64Array.from(tiers, ({ targetWaitMs }) => targetWaitMs ?? Number.NaN);
  for (let job = 0; job < jobs.count; job++) {
    const tier = jobs.at.tier[job]!;
    const dueMs = jobs.at.submitMs[job]! + targets[tier]!;
    const startMs = per.firstStartMs[job]!;
    if (startMs <= dueMs) met[tier]!++;
    if (!Number.isNaN(startMs) || (per.living[job] === 1 && dueMs < endMs)) judged[tier]!++;
  }
  return tiers.map(({ targetWaitMs }, tier) =>
    targetWaitMs === undefined || judged[tier] === 0 ? null : met[tier]! / judged[tier]!,
  );
}

/**
 * Device time that jobs with traffic worked beyond their reference work, in device-ms: members wait for each other. Of jobs that completed in a single run, at one
 * size, on devices of one speed; for others the record does not tell it apart.
 */
export function communicationMs(
  jobs: MeasuredJobs,
  lives: LivesOfJobs,
  per: PerJob,
  unit: number,
): number {
  let sum = 0;
  for (const [job, { traffic, elastic, nodes }] of lives) {
    if (traffic === null || elastic !== null || (nodes?.models.length ?? 0) > 0) continue;
    if (per.lastEndState[job] !== EndStateCode.completed || per.runs[job] !== 1) continue;
    const workMs = (jobs.at.gpuTotal[job]! * jobs.at.workQ16[job]!) / SPEED_ONE;
    sum += Math.max(0, per.usefulOfJob[job]! / unit - workMs);
  }
  return sum;
}
