/** Runs a document that a reader made of a case in words. */
import { nodeOfDevice } from "../../../model/cluster.ts";
import { nameOf } from "../../../model/jobs.ts";
import { EndStateCode } from "../../../model/states.ts";
import type { Chunk } from "../../../record/shapes.ts";
import { readScenario } from "../../../scenario/read.ts";
import type { Scenario } from "../../../scenario/schema.ts";
import { problemLine } from "../../fail.ts";
import { ScheduleCollector, type ScheduleRow } from "../../schedule.ts";
import { simulate } from "../../simulate.ts";
import { MINUTE_MS } from "../fieldCaseScenario.ts";

interface StoppedRun {
  readonly jobIdx: number;
  readonly gpuMinutes: number;
}

export interface HandRun {
  readonly rows: readonly ScheduleRow[];
  /** Runs stopped for another job. */
  readonly evictions: number;
  /** Of all runs, what work went on in and counts. */
  readonly usefulGpuHours: number;
  /** Rows of runs that were stopped for another job. */
  readonly stopped: readonly StoppedRun[];
  /** Nodes on which each job ever held devices, by the number of the node. */
  readonly nodesOf: ReadonlyMap<string, ReadonlySet<number>>;
}

/** Throws with the problems that the document has. */
export function runDocument(document: object): HandRun {
  const read = readScenario({ version: 1, title: "by hand", ...document });
  if (!read.ok) throw new Error(read.error.map(problemLine).join("; "));
  return runScenario(read.value);
}

export function runScenario(scenario: Scenario): HandRun {
  const schedule = new ScheduleCollector();
  const stopped: StoppedRun[] = [];
  const grants: [jobIdx: number, device: number][] = [];
  const outcome = simulate(scenario, undefined, {
    checks: true,
    onChunk: (chunk) => {
      schedule.add(chunk);
      stopped.push(...stoppedIn(chunk));
      chunk.rects.jobIdx.forEach((jobIdx, i) => {
        grants.push([jobIdx, chunk.rects.device[i]!]);
      });
    },
  });
  const { jobs, cluster } = outcome.world;
  const nodesOf = new Map<string, Set<number>>();
  for (const [jobIdx, device] of grants) {
    const id = nameOf(jobs.ids, jobIdx);
    const nodes = nodesOf.get(id) ?? new Set<number>();
    nodesOf.set(id, nodes.add(nodeOfDevice(cluster, device)));
  }
  const rows = schedule.finish(outcome.world, outcome.open, 0);
  const usefulGpuHours = outcome.metrics.gpuHours.useful;
  return { rows, evictions: stopped.length, usefulGpuHours, stopped, nodesOf };
}

function stoppedIn({ runs }: Chunk): StoppedRun[] {
  return [...runs.jobIdx].flatMap((jobIdx, row) => {
    if (runs.endState[row] !== EndStateCode.preempted) return [];
    const minutes = (runs.endMs[row]! - runs.startMs[row]!) / MINUTE_MS;
    return [{ jobIdx, gpuMinutes: runs.devices[row]! * minutes }];
  });
}

/** Starts of a job's runs, in minutes. */
export function startsOf({ rows }: HandRun, jobId: string): number[] {
  return rows.filter((row) => row.jobId === jobId).map(({ startMs }) => startMs / MINUTE_MS);
}

/** The end of a job's last run, in minutes. */
export function endOf({ rows }: HandRun, jobId: string): number {
  const last = rows.filter((row) => row.jobId === jobId).at(-1);
  return last === undefined ? Number.POSITIVE_INFINITY : last.endMs / MINUTE_MS;
}

/** Devices that jobs hold at a time, the starts of that time included. */
export function heldAt({ rows }: HandRun, atMin: number, of: (jobId: string) => boolean): number {
  const atMs = atMin * MINUTE_MS;
  let held = 0;
  for (const { jobId, startMs, endMs, devices } of rows)
    if (of(jobId) && startMs <= atMs && atMs < endMs) held += devices;
  return held;
}

/** The pool's policy: the lab, later jobs passing those that do not fit, and these settings. */
export function labOf(settings: Readonly<Record<string, string | number | boolean>>): object[] {
  return [{ id: "all", policy: { preset: "lab", settings: { backfill: "skip", ...settings } } }];
}

export interface HandJob {
  readonly id: string;
  readonly atMin?: number;
  readonly members?: number;
  readonly gpus?: number;
  readonly workMin: number;
  readonly ownNode?: boolean;
  readonly more?: object;
}

export function jobOf({ id, atMin = 0, members = 1, gpus = 1, workMin, ownNode, more }: HandJob) {
  return {
    id,
    submitMs: atMin * MINUTE_MS,
    components: [{ members, gpusPerMember: gpus, ...(ownNode === true ? { ownNode } : {}) }],
    workMs: workMin * MINUTE_MS,
    ...more,
  };
}
