/**
 * What the workload of a document comes to, before it is run: when its jobs are submitted, how large and long they are, how much of the cluster they ask for. Classes
 * are drawn with the seed exactly as the run draws them. Yields after each few thousand jobs. O(jobs); a class is drawn up to `MOST_DRAWN` jobs.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../model/units.ts";
import type { JobEntry, Scenario, SyntheticClass } from "../scenario/schema.ts";
import { calendarOf, drawArrivals } from "./arrivals.ts";
import { drawersOf } from "./synthetic.ts";

export const MOST_DRAWN = 50_000;
const SLICE = 4_096;

/** Upper ends of the bins of durations; the last bin has none. */
export const DURATION_ENDS: readonly number[] = [
  ...[1, 5, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 4, 8, 16].map((hours) => hours * HOUR_MS),
  ...[1, 2, 4, 8].map((days) => days * DAY_MS),
];

export interface SourcePreview {
  /** Id of the class; empty for the jobs that are spelled out. */
  readonly id: string;
  readonly jobs: number;
  readonly deviceMs: number;
  /** More would be drawn than were. */
  readonly cut: boolean;
}

export interface WorkloadPreview {
  readonly sources: readonly SourcePreview[];
  readonly jobs: number;
  readonly deviceMs: number;
  /** Stretch of time that the bins of arrivals cover, from 0 on. */
  readonly spanMs: number;
  readonly arrivals: Uint32Array;
  /** Jobs by devices asked for, fewest first. */
  readonly sizes: readonly { readonly devices: number; readonly jobs: number }[];
  /** Jobs by work: one bin more than `DURATION_ENDS`. */
  readonly durations: Uint32Array;
  /** Part of the cluster's time up to the end of the span that the work fills; null where nothing says how long the run is. */
  readonly load: number | null;
}

interface Drawn {
  readonly submitMs: number;
  readonly devices: number;
  readonly workMs: number;
}

/** The preview of a document, with arrivals in `bins` bins. A trace is left out: it is a file. */
export function* previewSteps(scenario: Scenario, bins: number): Generator<void, WorkloadPreview> {
  const { jobs, synthetic } = scenario.workload;
  const perNode = Math.max(1, ...scenario.cluster.nodeGroups.map(({ gpus }) => gpus));
  const sum = new Summing();
  if (jobs.length > 0) yield* sum.take("", spelledOut(jobs, perNode), false);
  for (const entry of synthetic) {
    const untilMs = entry.untilMs ?? scenario.horizonMs ?? entry.fromMs;
    const calendar = calendarOf(scenario.calendarStart);
    const times = drawArrivals(scenario.seed, entry, untilMs, calendar, MOST_DRAWN);
    yield;
    yield* sum.take(
      entry.id,
      drawn(scenario.seed, entry, times, perNode),
      times.length > MOST_DRAWN,
    );
  }
  const devices = scenario.cluster.nodeGroups.reduce(
    (all, { count, gpus }) => all + count * gpus,
    0,
  );
  const ends = synthetic.map((entry) => entry.untilMs ?? scenario.horizonMs ?? 0);
  const runMs = scenario.horizonMs ?? (jobs.length === 0 ? Math.max(0, ...ends) : 0);
  return sum.finish(bins, runMs, devices);
}

function* drawn(
  seed: number,
  entry: SyntheticClass,
  times: readonly number[],
  perNode: number,
): Generator<Drawn> {
  const draw = drawersOf(seed, entry);
  for (const submitMs of times.slice(0, MOST_DRAWN)) {
    const gpus = draw.gpus();
    const whole = entry.wholeNodesFrom !== undefined && gpus >= entry.wholeNodesFrom;
    const devices = whole ? Math.ceil(gpus / perNode) * perNode : gpus;
    yield { submitMs, devices, workMs: draw.workMs() };
  }
}

function* spelledOut(jobs: readonly JobEntry[], perNode: number): Generator<Drawn> {
  for (const job of jobs) {
    const { submitMs, workMs } = job;
    const copies = job.array?.count ?? 1;
    for (let copy = 0; copy < copies; copy++)
      yield { submitMs, workMs, devices: devicesOf(job, perNode) };
  }
}

/** Devices that a job asks for; 0 where only Slurm's own request says it. */
function devicesOf(job: JobEntry, perNode: number): number {
  if (job.components)
    return job.components.reduce(
      (sum, { members, gpusPerMember }) => sum + members * gpusPerMember,
      0,
    );
  if (job.gpus !== undefined) return job.gpus;
  return job.nodes === undefined ? 0 : job.nodes * (job.gpusPerNode ?? perNode);
}

class Summing {
  readonly #sources: SourcePreview[] = [];
  readonly #times: number[] = [];
  readonly #sizes = new Map<number, number>();
  readonly #durations = new Uint32Array(DURATION_ENDS.length + 1);

  *take(id: string, drawnJobs: Iterable<Drawn>, cut: boolean): Generator<void> {
    let jobs = 0;
    let deviceMs = 0;
    for (const { submitMs, devices, workMs } of drawnJobs) {
      jobs += 1;
      deviceMs += devices * workMs;
      this.#times.push(submitMs);
      this.#sizes.set(devices, (this.#sizes.get(devices) ?? 0) + 1);
      const bin = DURATION_ENDS.findIndex((endMs) => workMs < endMs);
      this.#durations[bin < 0 ? DURATION_ENDS.length : bin]! += 1;
      if (jobs % SLICE === 0) yield;
    }
    this.#sources.push({ id, jobs, deviceMs, cut });
  }

  finish(bins: number, runMs: number, devices: number): WorkloadPreview {
    let lastMs = 0;
    for (const atMs of this.#times) lastMs = Math.max(lastMs, atMs);
    const spanMs = Math.max(runMs, lastMs + 1);
    const arrivals = new Uint32Array(bins);
    for (const atMs of this.#times) arrivals[Math.floor((atMs / spanMs) * bins)]! += 1;
    const deviceMs = this.#sources.reduce((sum, each) => sum + each.deviceMs, 0);
    return {
      sources: this.#sources,
      jobs: this.#times.length,
      deviceMs,
      spanMs,
      arrivals,
      sizes: [...this.#sizes]
        .map(([size, jobs]) => ({ devices: size, jobs }))
        .sort((a, b) => a.devices - b.devices),
      durations: this.#durations,
      load: runMs > 0 && devices > 0 ? deviceMs / (runMs * devices) : null,
    };
  }
}
