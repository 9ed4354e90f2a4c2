/**
 * Takes the record in chunk by chunk, as it arrives, and gives the metrics of the run at the end. Per job it keeps 68
 * bytes (`perJob.ts`), however long the record is. Cost of a
 * chunk is O(its rows); the page feeds one chunk a slice.
 */
import type { Cluster } from "../model/cluster.ts";
import type { Elastic } from "../model/lab/jobLife.ts";
import { STOP_REASONS, StopReasonCode, WAIT_REASONS } from "../model/reasons.ts";
import { EndStateCode, MemberStateCode } from "../model/states.ts";
import { DEVICE_PARTS, HOUR_MS, MINUTE_MS, SECOND_MS, SPEED_ONE } from "../model/units.ts";
import { gaveWay } from "../model/workLost.ts";
import type { TeamInfo, TierInfo } from "../model/world.ts";
import { awaySpans } from "../record/awaySpans.ts";
import type { Chunk, OpenSet } from "../record/shapes.ts";
import { DecisionKindCode } from "../record/shapes.ts";
import { communicationMs, deadlines, type LivesOfJobs, targetsMet } from "./attainment.ts";
import { Cost } from "./cost.ts";
import { DeviceTime, type MeasuredJobs } from "./deviceTime.ts";
import { fairnessSteps, finishTimeFairness } from "./fairness.ts";
import { GaugeSums, type MeasuredService } from "./gaugeSums.ts";
import { groupSteps } from "./groups.ts";
import { IdleTime } from "./idleTime.ts";
import type { PerJob } from "./perJob.ts";
import { isFinished, isService, makePerJob } from "./perJob.ts";
import { Promises } from "./promises.ts";
import { distributionSteps, drain } from "./quantiles.ts";
import type { GpuHours, GroupMetrics, RunMetrics, TierMetrics } from "./runMetrics.ts";

/** What the metrics need of a world; the page has the same fields in its stage. */
export interface MetricsWorld {
  readonly cluster: Pick<Cluster, "deviceCount" | "nodeCount" | "nodeGroup" | "groups">;
  readonly jobs: MeasuredJobs & { readonly lab?: LivesOfJobs };
  readonly tiers: readonly TierInfo[];
  readonly teams: readonly TeamInfo[];
  readonly services?: readonly MeasuredService[];
}

/** The parts of a chunk that numbers are made of. */
export type MeasuredChunk = Omit<Chunk, "fromMs" | "toMs" | "waits">;

/** Runs shorter than this count as this long in the bounded slowdown. */
const SLOWDOWN_BOUND_MS = 10 * SECOND_MS;
const LONG_SLOWDOWN_BOUND_MS = 10 * MINUTE_MS;

/** Not an eviction: the run came to its own end. */
const OWN_ENDS: ReadonlySet<number> = new Set([
  StopReasonCode.none,
  StopReasonCode.workDone,
  StopReasonCode.timeLimit,
  StopReasonCode.fruitless,
  StopReasonCode.cancelledByUser,
]);

export class MetricsAccumulator {
  readonly #world: MetricsWorld;
  readonly #perJob: PerJob;
  readonly #deviceTime: DeviceTime;
  readonly #gauges: GaugeSums;
  readonly #promises = new Promises();
  readonly #idle = new IdleTime();
  readonly #cost: Cost;
  readonly #refusedJobs: Uint8Array;
  readonly #refused = new Map<number, number>();
  readonly #evictions = new Map<number, number>();
  readonly #tierParts: Int32Array;
  readonly #tierWaiting: Int32Array;
  #heldParts = 0;
  #waiting = 0;
  #seriesMs = 0;
  #lastEndMs = 0;
  #preemptions = 0;
  #suspensions = 0;
  #shrinks = 0;

  constructor(world: MetricsWorld) {
    this.#world = world;
    this.#perJob = makePerJob(world.jobs.count);
    this.#deviceTime = new DeviceTime(world.jobs, this.#perJob);
    this.#gauges = new GaugeSums(world.services ?? []);
    this.#cost = new Cost(world.cluster);
    this.#refusedJobs = new Uint8Array(world.jobs.count);
    this.#tierParts = new Int32Array(world.tiers.length);
    this.#tierWaiting = new Int32Array(world.tiers.length);
  }

  /** Chunks must come in order of time, each once. O(rows). */
  add(chunk: MeasuredChunk): void {
    drain(this.addSteps(chunk));
  }

  /** As `add`; yields between the tables of the chunk, of which the largest takes some milliseconds. */
  *addSteps(chunk: MeasuredChunk): Generator<void, void> {
    this.#deviceTime.add(chunk);
    yield;
    this.#addRuns(chunk.runs);
    yield;
    this.#addDecisions(chunk.decisions);
    yield;
    this.#promises.add(chunk.decisions);
    this.#idle.cuts.add(chunk.decisions);
    yield;
    this.#addSeries(chunk.series);
    this.#idle.lastsUntil(this.#lastEndMs);
    yield;
    this.#gauges.add(chunk.gauges);
    this.#cost.add(chunk.nodeSpans, Number.POSITIVE_INFINITY);
    this.#idle.away.add(awaySpans(this.#world.cluster, chunk.nodeSpans));
  }

  #addRuns(runs: Chunk["runs"]): void {
    const per = this.#perJob;
    for (let row = 0; row < runs.jobIdx.length; row++) {
      const job = runs.jobIdx[row]!;
      const endState = runs.endState[row]!;
      const stopReason = runs.stopReason[row]!;
      const endMs = runs.endMs[row]!;
      per.lastEndState[job] = endState;
      per.leftMs[job] = endMs;
      // A job that leaves without a run has a row with run 0.
      if (runs.run[row] === 0) continue;
      per.runs[job]!++;
      per.lastEndMs[job] = endMs;
      per.lastRunMs[job] = endMs - runs.startMs[row]!;
      if (endMs > this.#lastEndMs) this.#lastEndMs = endMs;
      if (gaveWay(endState, stopReason)) this.#preemptions++;
      if (!OWN_ENDS.has(stopReason)) this.#evicted(stopReason, 1);
    }
  }

  #evicted(stopReason: number, times: number): void {
    this.#evictions.set(stopReason, (this.#evictions.get(stopReason) ?? 0) + times);
  }

  #addDecisions(decisions: Chunk["decisions"]): void {
    const { atMs, kind, reason, jobIdx, value } = decisions;
    const { firstStartMs } = this.#perJob;
    for (let row = 0; row < kind.length; row++) {
      // A run begins with its first device; the job has started once enough members hold for work to go on.
      if (kind[row] === DecisionKindCode.start && Number.isNaN(firstStartMs[jobIdx[row]!]!))
        firstStartMs[jobIdx[row]!] = atMs[row]!;
      // Who gives way at a round does so for all that stand before it.
      if (kind[row] === DecisionKindCode.round) this.#preemptions += value[row]!;
      if (kind[row] === DecisionKindCode.suspend) this.#suspensions++;
      if (kind[row] === DecisionKindCode.resize && value[row]! < 0) {
        this.#shrinks++;
        if (!OWN_ENDS.has(reason[row]!)) this.#evicted(reason[row]!, -value[row]!);
      }
      if (kind[row] !== DecisionKindCode.refuse) continue;
      this.#refusedJobs[jobIdx[row]!] = 1;
      this.#refused.set(reason[row]!, (this.#refused.get(reason[row]!) ?? 0) + 1);
    }
  }

  #addSeries(series: Chunk["series"]): void {
    for (let row = 0; row < series.atMs.length; row++) {
      const tier = series.tier[row]!;
      this.#integrate(series.atMs[row]!);
      this.#heldParts += series.heldParts[row]! - this.#tierParts[tier]!;
      this.#waiting += series.jobsWaiting[row]! - this.#tierWaiting[tier]!;
      this.#tierParts[tier] = series.heldParts[row]!;
      this.#tierWaiting[tier] = series.jobsWaiting[row]!;
    }
  }

  #integrate(untilMs: number): void {
    const ms = untilMs - this.#seriesMs;
    if (ms > 0 && this.#waiting > 0) {
      const held = this.#heldParts / DEVICE_PARTS;
      this.#idle.waits(this.#seriesMs, untilMs, this.#world.cluster.deviceCount - held);
    }
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
    if (open !== null) this.#addOpen(open, makespanMs);
    const { jobs, cluster, tiers, teams } = this.#world;
    const per = this.#perJob;
    const { unit } = this.#deviceTime;
    const lives = jobs.lab ?? new Map();
    yield;
    const hours = this.#hours(lives, makespanMs);
    yield;
    const capacity = Math.max(1, cluster.deviceCount * makespanMs) / HOUR_MS;
    const makespanHours = Math.max(1, makespanMs) / HOUR_MS;
    const counts = countEnds(per);
    yield;
    const waitSec = yield* distributionSteps(waits(jobs, per));
    const turnaroundSec = yield* distributionSteps(turnarounds(jobs, per));
    const slowdown = yield* distributionSteps(slowdowns(jobs, per, SLOWDOWN_BOUND_MS));
    const long = yield* distributionSteps(slowdowns(jobs, per, LONG_SLOWDOWN_BOUND_MS));
    const shares = yield* fairnessSteps(jobs, teams, per, cluster.deviceCount, makespanMs);
    const finishTime = yield* distributionSteps(
      finishTimeFairness(jobs, per, cluster.deviceCount, makespanMs),
    );
    const met = deadlines(lives, per, makespanMs);
    const total = this.#cost.total(makespanMs);
    const { paid } = this.#gauges;
    return {
      jobs: jobs.count,
      ...counts,
      refused: inWords(this.#refused, WAIT_REASONS),
      makespanSec: makespanMs / SECOND_MS,
      waitSec,
      turnaroundSec,
      boundedSlowdown: { mean: slowdown.mean, p95: slowdown.p95 },
      boundedSlowdown10Min: { mean: long.mean, p95: long.p95 },
      throughput: {
        jobsPerHour: counts.finished / makespanHours,
        usefulGpuHoursPerHour: hours.useful / makespanHours,
      },
      gpuHours: hours,
      utilization: {
        allocated: hours.allocated / capacity,
        useful: hours.useful / capacity,
        lost: hours.lost / capacity,
        overhead: hours.overhead / capacity,
        communication: hours.communication / capacity,
        idleWhileWaiting: hours.idleWhileWaiting / capacity,
      },
      goodput: hours.allocated > 0 ? hours.useful / hours.allocated : null,
      fragmentation: this.#gauges.fragmentation(makespanMs),
      fairness: { jain: shares.jain, shareError: shares.shareError, finishTime },
      slo: {
        services: this.#gauges.attainment(makespanMs),
        deadlinesMet: met.met,
        deadlinesMissed: met.missed,
      },
      preemptions: this.#preemptions,
      suspensions: this.#suspensions,
      shrinks: this.#shrinks,
      evictions: inWords(this.#evictions, STOP_REASONS),
      promises: { kept: this.#promises.kept, broken: this.#promises.brokenBy(makespanMs) },
      cost:
        total === null
          ? null
          : { total, perUsefulGpuHour: hours.useful > 0 ? total / hours.useful : null },
      auctionPaid: paid.size === 0 ? null : [...paid.values()].reduce((sum, each) => sum + each, 0),
      byTier: withTargets(
        yield* groupSteps(tiers, jobs.at.tier, jobs, per, unit),
        tiers,
        targetsMet(jobs, tiers, per, makespanMs),
      ),
      byTeam: yield* groupSteps(teams, jobs.at.team, jobs, per, unit),
    };
  }

  #addOpen(open: OpenSet, makespanMs: number): void {
    const { lastEndState, living } = this.#perJob;
    this.#deviceTime.addRects(open.rects, 0, open.rects.jobIdx.length, open.atMs);
    this.#cost.add(open.nodeSpans, makespanMs);
    this.#idle.away.add(awaySpans(this.#world.cluster, open.nodeSpans));
    this.#integrate(open.atMs);
    for (const job of open.waits.jobIdx) living[job] = 1;
    for (const job of open.rects.jobIdx) {
      living[job] = 1;
      lastEndState[job] = EndStateCode.running;
    }
  }

  #hours(lives: LivesOfJobs, makespanMs: number): GpuHours {
    const time = this.#deviceTime;
    const { overhead, withoutProgress, unfinished } = time.finish();
    const hours = (amount: number) => amount / time.unit / HOUR_MS;
    const of = (state: keyof typeof MemberStateCode) =>
      hours(time.byState[MemberStateCode[state]]!);
    const { jobs } = this.#world;
    const cutting = this.#idle.cuts.until(makespanMs) / HOUR_MS;
    return {
      offered: offeredDeviceMs(jobs, lives, this.#refusedJobs) / HOUR_MS,
      allocated: hours(time.byState.reduce((sum, each) => sum + each, 0)) + cutting,
      useful: hours(time.useful),
      lost: hours(time.lost),
      idleWhileWaiting: this.#idle.total(makespanMs) / HOUR_MS,
      lostWork: hours(time.lostWork),
      unfinished: hours(unfinished),
      overhead: hours(overhead) + cutting,
      startup: of("starting"),
      checkpoint: of("checkpointing"),
      restore: of("restoring"),
      grace: of("ending"),
      cutting,
      withoutProgress: hours(withoutProgress),
      communication: communicationMs(jobs, lives, this.#perJob, time.unit) / HOUR_MS,
    };
  }
}

function inWords(
  counts: ReadonlyMap<number, number>,
  words: readonly string[],
): Record<string, number> {
  return Object.fromEntries([...counts].map(([code, count]) => [words[code]!, count]));
}

function withTargets(
  groups: Record<string, GroupMetrics>,
  tiers: readonly TierInfo[],
  targets: readonly (number | null)[],
): Record<string, TierMetrics> {
  const targetOf = (id: string) => targets[tiers.findIndex((tier) => tier.id === id)] ?? null;
  return Object.fromEntries(
    Object.entries(groups).map(([id, group]) => [id, { ...group, targetWaitMet: targetOf(id) }]),
  );
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

/** A value of each job that has one, in order of jobs. O(jobs). */
function valuesOf(count: number, numberOf: (job: number) => number): Float64Array {
  const values = new Float64Array(count);
  let used = 0;
  for (let job = 0; job < count; job++) {
    const value = numberOf(job);
    if (!Number.isNaN(value)) values[used++] = value;
  }
  return values.subarray(0, used);
}

function waits({ count, at }: MeasuredJobs, per: PerJob): Float64Array {
  return valuesOf(count, (job) =>
    isService({ at }, job) ? Number.NaN : (per.firstStartMs[job]! - at.submitMs[job]!) / SECOND_MS,
  );
}

function turnarounds({ count, at }: MeasuredJobs, per: PerJob): Float64Array {
  return valuesOf(count, (job) =>
    isFinished(per.lastEndState[job]!)
      ? (per.lastEndMs[job]! - at.submitMs[job]!) / SECOND_MS
      : Number.NaN,
  );
}

function slowdowns({ count, at }: MeasuredJobs, per: PerJob, boundMs: number): Float64Array {
  return valuesOf(count, (job) => {
    if (!isFinished(per.lastEndState[job]!)) return Number.NaN;
    const turnaroundMs = per.lastEndMs[job]! - at.submitMs[job]!;
    return Math.max(1, turnaroundMs / Math.max(per.lastRunMs[job]!, boundMs));
  });
}

function offeredDeviceMs(jobs: MeasuredJobs, lives: LivesOfJobs, refused: Uint8Array): number {
  let deviceMs = 0;
  for (const [job, { elastic }] of lives)
    if (elastic !== null && refused[job] === 0) deviceMs += unaskedDeviceMs(jobs, job, elastic);
  for (let job = 0; job < jobs.count; job++) {
    if (refused[job] === 0)
      deviceMs += (jobs.at.gpuTotal[job]! * jobs.at.workQ16[job]!) / SPEED_ONE;
  }
  return deviceMs;
}

/** What an elastic job that asks at first for other than its reference has to do beyond what its first size says. */
function unaskedDeviceMs({ at, components }: MeasuredJobs, job: number, elastic: Elastic): number {
  if (components === undefined) return 0;
  const row = at.firstComponent[job]!;
  const asked = components.members[row]!;
  const members = (elastic.reference ?? asked) - asked;
  return (members * components.gpus[row]! * at.workQ16[job]!) / SPEED_ONE;
}
