/** Runs one policy of a field case and compares what is recorded of it: starts, last ends, and the numbers over all jobs. */
import { EndStateCode } from "../../model/states.ts";
import type { Chunk } from "../../record/shapes.ts";
import { ScheduleCollector, type ScheduleRow } from "../schedule.ts";
import { simulate } from "../simulate.ts";
import type { FieldCase, FieldCluster, FieldJob, FieldRun } from "./fieldCaseFile.ts";
import { MINUTE_MS, partsOfRun, scenarioOfRun } from "./fieldCaseScenario.ts";

export interface FieldResult {
  readonly rows: readonly ScheduleRow[];
  readonly evictions: number;
  /** Work that evictions threw away, in device minutes. */
  readonly lostGpuMinutes: number;
}

/** Null, or the first difference. */
export function compareRun(one: FieldCase, run: FieldRun): string | null {
  const result = scheduleOf(one, run);
  return differenceOf(one, run, result);
}

/** The schedule of a run and how many runs were stopped for another job or a window. */
export function scheduleOf(one: FieldCase, run: FieldRun): FieldResult {
  const schedule = new ScheduleCollector();
  let evictions = 0;
  const outcome = simulate(scenarioOfRun(one, run), undefined, {
    checks: true,
    onChunk: (chunk) => {
      schedule.add(chunk);
      evictions += evictionsIn(chunk);
    },
  });
  const rows = schedule.finish(outcome.world, outcome.open, 0);
  return { rows, evictions, lostGpuMinutes: outcome.metrics.gpuHours.lostWork * 60 };
}

/** Runs that were stopped for another job or for a window. */
function evictionsIn({ runs }: Chunk): number {
  return runs.endState.filter(
    (state) => state === EndStateCode.preempted || state === EndStateCode.requeued,
  ).length;
}

function differenceOf(one: FieldCase, run: FieldRun, result: FieldResult) {
  const { rows, evictions, lostGpuMinutes } = result;
  const { cluster, jobs } = partsOfRun(one, run);
  const ofJob = new Map<string, ScheduleRow[]>();
  for (const row of rows) ofJob.set(row.jobId, [...(ofJob.get(row.jobId) ?? []), row]);
  for (const [id, want] of Object.entries(run.starts ?? {})) {
    const have = (ofJob.get(id) ?? []).map((row) => row.startMs / MINUTE_MS);
    if (String(want) !== String(have)) return `${id} starts: expected ${want}, came ${have}`;
  }
  for (const [id, want] of Object.entries(run.ends ?? {})) {
    const last = ofJob.get(id)?.at(-1);
    const have = last === undefined ? "never" : last.endMs / MINUTE_MS;
    if (want !== have) return `${id} ends: expected ${want}, came ${have}`;
  }
  const numbers = {
    ...numbersOf(cluster, jobs, ofJob),
    evictions,
    lost_gpu_minutes: lostGpuMinutes,
  };
  for (const [name, have] of Object.entries(numbers)) {
    const want = run[name as keyof typeof numbers];
    if (want !== undefined && Math.abs(want - have) > 1e-6 + 1e-12)
      return `${name}: expected ${want}, came ${have}`;
  }
  return null;
}

/** Over all jobs, as the cases define them. */
function numbersOf(
  cluster: FieldCluster,
  jobs: readonly FieldJob[],
  ofJob: ReadonlyMap<string, readonly ScheduleRow[]>,
) {
  let makespan = 0;
  let held = 0;
  let waits = 0;
  let started = 0;
  for (const job of jobs) {
    const rows = ofJob.get(job.id) ?? [];
    for (const row of rows) {
      makespan = Math.max(makespan, row.endMs / MINUTE_MS);
      held += (row.devices * (row.endMs - row.startMs)) / MINUTE_MS;
    }
    if (rows.length === 0) continue;
    started++;
    waits += rows[0]!.startMs / MINUTE_MS - (job.submit ?? 0);
  }
  const { pool } = cluster;
  const all =
    pool === undefined
      ? (cluster.nodes ?? []).reduce((sum, node) => sum + node.gpus, 0)
      : typeof pool === "number"
        ? pool
        : pool.gpus;
  return {
    makespan,
    gpu_allocation: held / (all * makespan),
    mean_wait: started === 0 ? 0 : waits / started,
  };
}
