/**
 * Takes the record in chunk by chunk, as it arrives, and gives the metrics of the run at the end. Per job it keeps 49
 * bytes (`perJob.ts`), however long the record is. Cost of a
 * chunk is O(its rows); the page feeds one chunk a slice.
 */
import type { Cluster } from "../model/cluster.ts";
import type { JobTable } from "../model/jobs.ts";
import { WAIT_REASONS } from "../model/reasons.ts";
import { EndStateCode, MemberStateCode } from "../model/states.ts";
import { HOUR_MS, SECOND_MS, SPEED_ONE, WHOLE_DEVICE } from "../model/units.ts";
import type { TeamInfo, TierInfo } from "../model/world.ts";
import type { Chunk, OpenSet } from "../record/shapes.ts";
import { DecisionKindCode, memberStateOf, partOf } from "../record/shapes.ts";
import { groupSteps } from "./groups.ts";
import type { PerJob } from "./perJob.ts";
import { isFinished, makePerJob } from "./perJob.ts";
import { distributionSteps, drain } from "./quantiles.ts";
import type { RunMetrics } from "./runMetrics.ts";

/** What the metrics need of a world; the page has the same fields in its stage. */
export interface MetricsWorld {
  readonly cluster: Pick<Cluster, "deviceCount">;
  readonly jobs: Pick<JobTable, "count" | "at">;
  readonly tiers: readonly TierInfo[];
  readonly teams: readonly TeamInfo[];
}

/** Runs shorter than this count as this long in the bounded slowdown. */
const SLOWDOWN_BOUND_MS = 10 * SECOND_MS;
/** A MIG slice is counted as one of seven compute slices. */
const MIG_SLICES = 7;

export class MetricsAccumulator {
  readonly #world: MetricsWorld;
  readonly #perJob: PerJob;
  readonly #refusedJobs: Uint8Array;
  readonly #refused = new Map<number, number>();
  /** Of jobs that wrote checkpoints: device time whose work is safe, in the run under way and in runs before it. */
  readonly #safeMs = new Map<number, number>();
  readonly #keptMs = new Map<number, number>();
  readonly #tierHeld: Int32Array;
  readonly #tierWaiting: Int32Array;
  #held = 0;
  #waiting = 0;
  #seriesMs = 0;
  #idleDeviceMs = 0;
  #usefulDeviceMs = 0;
  #lostDeviceMs = 0;
  #lastEndMs = 0;
  #preemptions = 0;

  constructor(world: MetricsWorld) {
    this.#world = world;
    this.#perJob = makePerJob(world.jobs.count);
    this.#refusedJobs = new Uint8Array(world.jobs.count);
    this.#tierHeld = new Int32Array(world.tiers.length);
    this.#tierWaiting = new Int32Array(world.tiers.length);
  }

  /** Chunks must come in order of time, each once. O(rows). */
  add(chunk: Pick<Chunk, "rects" | "runs" | "decisions" | "series">): void {
    this.#addHoldings(chunk.rects, chunk.runs, chunk.decisions);
    this.#addDecisions(chunk.decisions);
    this.#addSeries(chunk.series);
  }

  /**
   * Rectangles and runs come in order of closing, so the rectangles of a run are those that closed since the job's last run and
   * no later than the run. Summing these, and not devices × length of the run, stays true where members come and go. A checkpoint that is
   * complete makes safe what the run has done so far; it stands before a run's end at the same instant.
   */
  #addHoldings(rects: Chunk["rects"], runs: Chunk["runs"], decisions: Chunk["decisions"]): void {
    let rect = 0;
    const addUntil = (endMs: number): void => {
      const from = rect;
      while (rect < rects.jobIdx.length && rects.endMs[rect]! <= endMs) rect++;
      this.#addRects(rects, from, rect, Number.POSITIVE_INFINITY);
    };
    let saved = decisions.kind.indexOf(DecisionKindCode.saved);
    const saveUntil = (endMs: number): void => {
      while (saved >= 0 && decisions.atMs[saved]! <= endMs) {
        addUntil(decisions.atMs[saved]!);
        const job = decisions.jobIdx[saved]!;
        this.#safeMs.set(job, this.#perJob.openRunningMs[job]!);
        saved = decisions.kind.indexOf(DecisionKindCode.saved, saved + 1);
      }
    };
    for (let row = 0; row < runs.jobIdx.length; row++) {
      if (saved >= 0) saveUntil(runs.endMs[row]!);
      addUntil(runs.endMs[row]!);
      this.#addRun(runs, row);
    }
    saveUntil(Number.POSITIVE_INFINITY);
    addUntil(Number.POSITIVE_INFINITY);
  }

  #addRun(runs: Chunk["runs"], row: number): void {
    const per = this.#perJob;
    const job = runs.jobIdx[row]!;
    const endState = runs.endState[row]!;
    per.lastEndState[job] = endState;
    // A job that leaves without a run has a row with run 0.
    if (runs.run[row] === 0) return;
    const startMs = runs.startMs[row]!;
    const endMs = runs.endMs[row]!;
    per.lastEndMs[job] = endMs;
    per.lastRunMs[job] = endMs - startMs;
    if (endMs > this.#lastEndMs) this.#lastEndMs = endMs;
    const safeMs = this.#safeMs.get(job) ?? 0;
    const keptMs = this.#keptMs.get(job) ?? 0;
    if (endState === EndStateCode.completed)
      this.#usefulDeviceMs += per.openRunningMs[job]! + keptMs;
    if (throwsWorkAway(endState)) this.#lostDeviceMs += per.openHeldMs[job]! - safeMs;
    if (safeMs > 0) {
      this.#keptMs.set(job, keptMs + safeMs);
      this.#safeMs.delete(job);
    }
    per.openRunningMs[job] = 0;
    per.openHeldMs[job] = 0;
    if (endState === EndStateCode.preempted) this.#preemptions++;
  }

  #addRects(rects: Chunk["rects"], from: number, end: number, atMs: number): void {
    const { heldMs, openHeldMs, openRunningMs } = this.#perJob;
    for (let row = from; row < end; row++) {
      const job = rects.jobIdx[row]!;
      const bits = rects.bits[row]!;
      const ms = Math.min(rects.endMs[row]!, atMs) - rects.startMs[row]!;
      const deviceMs = ms * rects.deviceCount[row]! * weightOf(partOf(bits));
      heldMs[job]! += deviceMs;
      openHeldMs[job]! += deviceMs;
      if (memberStateOf(bits) === MemberStateCode.running) openRunningMs[job]! += deviceMs;
    }
  }

  #addDecisions(decisions: Chunk["decisions"]): void {
    const { atMs, kind, reason, jobIdx } = decisions;
    const { firstStartMs } = this.#perJob;
    for (let row = 0; row < kind.length; row++) {
      // A run begins with its first device; the job has started once enough members hold for work to go on.
      if (kind[row] === DecisionKindCode.start && Number.isNaN(firstStartMs[jobIdx[row]!]!))
        firstStartMs[jobIdx[row]!] = atMs[row]!;
      if (kind[row] !== DecisionKindCode.refuse) continue;
      this.#refusedJobs[jobIdx[row]!] = 1;
      this.#refused.set(reason[row]!, (this.#refused.get(reason[row]!) ?? 0) + 1);
    }
  }

  #addSeries(series: Chunk["series"]): void {
    for (let row = 0; row < series.atMs.length; row++) {
      const tier = series.tier[row]!;
      this.#integrate(series.atMs[row]!);
      this.#held += series.gpusHeld[row]! - this.#tierHeld[tier]!;
      this.#waiting += series.jobsWaiting[row]! - this.#tierWaiting[tier]!;
      this.#tierHeld[tier] = series.gpusHeld[row]!;
      this.#tierWaiting[tier] = series.jobsWaiting[row]!;
    }
  }

  #integrate(untilMs: number): void {
    const ms = untilMs - this.#seriesMs;
    if (ms > 0 && this.#waiting > 0)
      this.#idleDeviceMs += ms * (this.#world.cluster.deviceCount - this.#held);
    if (ms > 0) this.#seriesMs = untilMs;
  }

  /** All steps of `finishSteps` at once: half a second for a million jobs. For CLI and tests. */
  finish(open: OpenSet | null): RunMetrics {
    return drain(this.finishSteps(open));
  }

  /**
   * The metrics of everything taken in. `open` is what was open at the end of the record; null after a run to the last end. May be
   * called once. A generator that yields after each piece of work of some 50 ms at most a million jobs. O(jobs).
   */
  *finishSteps(open: OpenSet | null): Generator<void, RunMetrics> {
    const stillRunning = open !== null && open.rects.jobIdx.length > 0;
    const makespanMs = stillRunning ? open.atMs : this.#lastEndMs;
    if (open !== null) this.#addOpen(open);
    const { jobs, cluster, tiers, teams } = this.#world;
    const per = this.#perJob;
    yield;
    const allocatedMs = per.heldMs.reduce((sum, ms) => sum + ms, 0);
    yield;
    const capacityMs = Math.max(1, cluster.deviceCount * makespanMs);
    const offeredMs = offeredDeviceMs(jobs, this.#refusedJobs);
    yield;
    const counts = countEnds(per);
    yield;
    const waitValues = waits(jobs, per);
    yield;
    const waitSec = yield* distributionSteps(waitValues);
    const slowdownValues = slowdowns(jobs, per);
    yield;
    const slowdown = yield* distributionSteps(slowdownValues);
    return {
      jobs: jobs.count,
      ...counts,
      refused: this.#refusedByReason(),
      makespanSec: makespanMs / SECOND_MS,
      waitSec,
      boundedSlowdown: { mean: slowdown.mean, p95: slowdown.p95 },
      gpuHours: {
        offered: offeredMs / HOUR_MS,
        allocated: allocatedMs / HOUR_MS,
        useful: this.#usefulDeviceMs / HOUR_MS,
        lost: this.#lostDeviceMs / HOUR_MS,
        idleWhileWaiting: this.#idleDeviceMs / HOUR_MS,
      },
      utilization: {
        allocated: allocatedMs / capacityMs,
        useful: this.#usefulDeviceMs / capacityMs,
      },
      preemptions: this.#preemptions,
      byTier: yield* groupSteps(tiers, jobs.at.tier, jobs, per),
      byTeam: yield* groupSteps(teams, jobs.at.team, jobs, per),
    };
  }

  #addOpen(open: OpenSet): void {
    const { lastEndState } = this.#perJob;
    this.#addRects(open.rects, 0, open.rects.jobIdx.length, open.atMs);
    this.#integrate(open.atMs);
    for (let row = 0; row < open.rects.jobIdx.length; row++)
      lastEndState[open.rects.jobIdx[row]!] = EndStateCode.running;
  }

  #refusedByReason(): Record<string, number> {
    return Object.fromEntries(
      [...this.#refused].map(([reason, count]) => [WAIT_REASONS[reason]!, count]),
    );
  }
}

function throwsWorkAway(endState: number): boolean {
  return (
    endState === EndStateCode.preempted ||
    endState === EndStateCode.requeued ||
    endState === EndStateCode.nodeFailed
  );
}

/** Part of a device that a rectangle holds: 0 = all of it, up to 1,000 a share, above a MIG slice. */
function weightOf(part: number): number {
  if (part === 0) return 1;
  return part <= WHOLE_DEVICE ? part / WHOLE_DEVICE : 1 / MIG_SLICES;
}

function countEnds(per: PerJob): { completed: number; finished: number; started: number } {
  let completed = 0;
  let finished = 0;
  let started = 0;
  for (let job = 0; job < per.lastEndState.length; job++) {
    if (!Number.isNaN(per.firstStartMs[job]!)) started++;
    if (isFinished(per.lastEndState[job]!)) finished++;
    if (per.lastEndState[job] === EndStateCode.completed) completed++;
  }
  return { completed, finished, started };
}

function waits(jobs: MetricsWorld["jobs"], per: PerJob): Float64Array {
  const values = new Float64Array(jobs.count);
  let count = 0;
  for (let job = 0; job < jobs.count; job++) {
    const startMs = per.firstStartMs[job]!;
    if (!Number.isNaN(startMs)) values[count++] = (startMs - jobs.at.submitMs[job]!) / SECOND_MS;
  }
  return values.subarray(0, count);
}

function slowdowns(jobs: MetricsWorld["jobs"], per: PerJob): Float64Array {
  const values = new Float64Array(jobs.count);
  let count = 0;
  for (let job = 0; job < jobs.count; job++) {
    if (!isFinished(per.lastEndState[job]!)) continue;
    const turnaroundMs = per.lastEndMs[job]! - jobs.at.submitMs[job]!;
    values[count++] = Math.max(1, turnaroundMs / Math.max(per.lastRunMs[job]!, SLOWDOWN_BOUND_MS));
  }
  return values.subarray(0, count);
}

function offeredDeviceMs(jobs: MetricsWorld["jobs"], refused: Uint8Array): number {
  let deviceMs = 0;
  for (let job = 0; job < jobs.count; job++) {
    if (refused[job] === 0)
      deviceMs += (jobs.at.gpuTotal[job]! * jobs.at.workQ16[job]!) / SPEED_ONE;
  }
  return deviceMs;
}
