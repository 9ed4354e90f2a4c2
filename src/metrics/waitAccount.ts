/**
 * Where waiting comes from: device time waited, by cause, and idle device time, by cause, over a stretch of time cut into bins.
 *
 * A waiting job counts with the devices it asks for, parts of a device as parts. While H devices are idle and W are waited for, min(H, W) of the idle ones are put down to the
 * causes for which the W wait, in proportion; the rest has no demand. Idle devices of nodes that are drained or down, and failed ones, are closed;
 * rented nodes that are away are not counted at all. So, by construction,
 *
 *     Σ waited = ∫ devices waited for        Σ idle + spare + closed = ∫ devices that are there and not held
 *
 * O(rows of the record + bins · causes).
 */
import type { Cluster } from "../model/cluster.ts";
import { askedParts, type WeighedJobs } from "../model/deviceWeight.ts";
import type { JobTable } from "../model/jobs.ts";
import { DEVICE_PARTS } from "../model/units.ts";
import { causeCodeOf, WAIT_CAUSES } from "../model/waitCauses.ts";
import type { Chunk, OpenSet } from "../record/shapes.ts";
import { closedChanges } from "./closedDevices.ts";
import { IdleTimeline } from "./idleTimeline.ts";
import { waitStretches } from "./waitStretches.ts";

/** What the account needs of a world; the page has the same fields in its stage. */
export interface AccountWorld {
  readonly cluster: Pick<Cluster, "deviceCount" | "deviceBase">;
  readonly jobs: Pick<JobTable, "count"> & WeighedJobs;
  readonly tiers: readonly unknown[];
  readonly teams: readonly unknown[];
}

export interface AccountRecord {
  readonly chunks: readonly Omit<Chunk, "fromMs" | "toMs" | "runs" | "gauges">[];
  readonly open: OpenSet | null;
}

/** The stretch of time [fromMs, toMs), ms, in `bins` bins of equal length. */
export interface AccountRange {
  readonly fromMs: number;
  readonly toMs: number;
  readonly bins: number;
}

/** All in device-ms. A cause is its place in `WAIT_CAUSES`. */
export interface WaitAccount {
  readonly range: AccountRange;
  /** [cause × bins + bin]. */
  readonly waited: Float64Array;
  readonly idle: Float64Array;
  /** [bin]: idle without demand; idle and closed. */
  readonly spare: Float64Array;
  readonly closed: Float64Array;
  /** [tier or team × causes + cause], as the job was submitted. */
  readonly byTier: Float64Array;
  readonly byTeam: Float64Array;
}

const CAUSES = WAIT_CAUSES.length;

/** The account of a range, in steps of one chunk. */
export function* waitAccountSteps(
  world: AccountWorld,
  record: AccountRecord,
  range: AccountRange,
): Generator<void, WaitAccount> {
  const { cluster, jobs, tiers, teams } = world;
  const changes = yield* closedChanges(cluster, record.chunks, record.open);
  const idle = new IdleTimeline(cluster.deviceCount);
  yield* idle.read(record.chunks, changes, tiers.length);
  const bins = new Bins(idle, range);
  const byTier = new Float64Array(tiers.length * CAUSES);
  const byTeam = new Float64Array(teams.length * CAUSES);
  const { tier, team } = jobs.at;
  yield* waitStretches(record, range.toMs, (job, reason, startMs, endMs) => {
    const fromMs = Math.max(startMs, range.fromMs);
    const toMs = Math.min(endMs, range.toMs);
    const parts = askedParts(jobs, job);
    if (toMs <= fromMs || parts === 0) return;
    const cause = causeCodeOf(reason);
    bins.add(cause, fromMs, toMs, parts);
    const devices = parts / DEVICE_PARTS;
    byTier[tier[job]! * CAUSES + cause]! += devices * (toMs - fromMs);
    byTeam[team[job]! * CAUSES + cause]! += devices * (toMs - fromMs);
  });
  return { range, ...bins.finish(), byTier, byTeam };
}

/** What a job waited for a cause. */
export interface WaitingJob {
  readonly jobIdx: number;
  readonly deviceMs: number;
}

/** The jobs that waited most device time for a cause in a range, most first, ties by number; at most `most`. */
export function* longestWaitingSteps(
  { jobs }: Pick<AccountWorld, "jobs">,
  record: Pick<AccountRecord, "chunks" | "open">,
  cause: number,
  { fromMs, toMs }: Pick<AccountRange, "fromMs" | "toMs">,
  most: number,
  isMeant: (jobIdx: number) => boolean = () => true,
): Generator<void, WaitingJob[]> {
  const waited = new Map<number, number>();
  yield* waitStretches(record, toMs, (job, reason, startMs, endMs) => {
    const ms = Math.min(endMs, toMs) - Math.max(startMs, fromMs);
    if (ms <= 0 || causeCodeOf(reason) !== cause || !isMeant(job)) return;
    waited.set(job, (waited.get(job) ?? 0) + (ms * askedParts(jobs, job)) / DEVICE_PARTS);
  });
  yield;
  return [...waited]
    .map(([jobIdx, deviceMs]) => ({ jobIdx, deviceMs }))
    .sort((a, b) => b.deviceMs - a.deviceMs || a.jobIdx - b.jobIdx)
    .slice(0, most);
}

/** Sums by cause and bin. A stretch adds its two ends to their bins and a step at each side of the whole bins between: O(1). */
class Bins {
  readonly #idle: IdleTimeline;
  readonly #range: AccountRange;
  readonly #binMs: number;
  readonly #waited: Float64Array;
  readonly #idleOf: Float64Array;
  /** [cause × (bins + 1) + bin]: change of what waits through whole bins, in 1/7,000 of a device: whole numbers come back to 0. */
  readonly #steps: Float64Array;

  constructor(idle: IdleTimeline, range: AccountRange) {
    this.#idle = idle;
    this.#range = range;
    this.#binMs = (range.toMs - range.fromMs) / range.bins;
    this.#waited = new Float64Array(CAUSES * range.bins);
    this.#idleOf = new Float64Array(CAUSES * range.bins);
    this.#steps = new Float64Array(CAUSES * (range.bins + 1));
  }

  add(cause: number, fromMs: number, toMs: number, parts: number): void {
    const devices = parts / DEVICE_PARTS;
    const first = this.#binOf(fromMs);
    const last = this.#binOf(toMs);
    if (first === last) {
      this.#part(cause, first, fromMs, toMs, devices);
      return;
    }
    this.#part(cause, first, fromMs, this.#edge(first + 1), devices);
    this.#part(cause, last, this.#edge(last), toMs, devices);
    const row = cause * (this.#range.bins + 1);
    this.#steps[row + first + 1]! += parts;
    this.#steps[row + last]! -= parts;
  }

  finish(): Pick<WaitAccount, "waited" | "idle" | "spare" | "closed"> {
    const { bins } = this.#range;
    const spare = new Float64Array(bins);
    const closed = new Float64Array(bins);
    for (let bin = 0; bin < bins; bin++) {
      spare[bin] = this.#between(bin, "spareMs");
      closed[bin] = this.#between(bin, "closedMs");
    }
    for (let cause = 0; cause < CAUSES; cause++) {
      let parts = 0;
      for (let bin = 0; bin < bins; bin++) {
        parts += this.#steps[cause * (bins + 1) + bin]!;
        if (parts === 0) continue;
        const devices = parts / DEVICE_PARTS;
        this.#waited[cause * bins + bin]! += devices * (this.#edge(bin + 1) - this.#edge(bin));
        this.#idleOf[cause * bins + bin]! += devices * this.#between(bin, "eachMs");
      }
    }
    return { waited: this.#waited, idle: this.#idleOf, spare, closed };
  }

  #part(cause: number, bin: number, fromMs: number, toMs: number, devices: number): void {
    const place = cause * this.#range.bins + bin;
    this.#waited[place]! += devices * (toMs - fromMs);
    this.#idleOf[place]! +=
      devices * (this.#idle.until(toMs, "eachMs") - this.#idle.until(fromMs, "eachMs"));
  }

  #between(bin: number, of: "spareMs" | "closedMs" | "eachMs"): number {
    return this.#idle.until(this.#edge(bin + 1), of) - this.#idle.until(this.#edge(bin), of);
  }

  #binOf(atMs: number): number {
    return Math.min(
      this.#range.bins - 1,
      Math.max(0, Math.floor((atMs - this.#range.fromMs) / this.#binMs)),
    );
  }

  #edge(bin: number): number {
    return this.#range.fromMs + bin * this.#binMs;
  }
}
