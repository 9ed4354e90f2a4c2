/**
 * Where the device time went. Each rectangle of the record belongs to one member state; the time in which work went on is settled when its
 * run closes, by how it closed and by what a checkpoint kept:
 *
 *     allocated = useful + lost work + unfinished work      (work goes on)
 *               + start-up + checkpoint + restore + grace   (overhead)
 *               + held without progress                     (members missing, suspended, stalled)
 *
 * All sums are integers in parts of a device-millisecond (`unit`), so the two sides are equal and not just close, as long as they stay below 2^53 parts.
 * O(rows) a chunk.
 */
import { DeviceWeight, type WeighedJobs } from "../model/deviceWeight.ts";
import type { JobTable } from "../model/jobs.ts";
import { EndStateCode, MemberStateCode } from "../model/states.ts";
import { throwsWorkAway } from "../model/workLost.ts";
import type { Chunk } from "../record/shapes.ts";
import { DecisionKindCode, memberStateOf, partOf } from "../record/shapes.ts";
import { isService, type PerJob } from "./perJob.ts";

/** What the device time needs of the jobs. */
export type MeasuredJobs = Pick<JobTable, "count"> & WeighedJobs;

/** The kinds of decisions that say what becomes of work. */
const ABOUT_WORK: ReadonlySet<number> = new Set([
  DecisionKindCode.start,
  DecisionKindCode.saved,
  DecisionKindCode.unsaved,
  DecisionKindCode.restart,
]);

export class DeviceTime {
  /** Parts of a device in which everything is counted: 1, or 7,000 where jobs ask for shares or slices. */
  readonly unit: number;
  /** By `MemberStateCode`. */
  readonly byState = new Float64Array(8);
  /** Of state running. */
  useful = 0;
  lostWork = 0;
  /** Everything held in runs that were thrown away, less what a checkpoint kept. */
  lost = 0;
  readonly #jobs: MeasuredJobs;
  readonly #weight: DeviceWeight;
  readonly #perJob: PerJob;
  /** Of jobs that wrote checkpoints: device time whose work is safe, in the run under way and in runs before it. */
  readonly #safe = new Map<number, number>();
  readonly #kept = new Map<number, number>();
  /** Jobs that have kept work and run: it is in their memory too. */
  readonly #inMemory = new Set<number>();

  constructor(jobs: MeasuredJobs, perJob: PerJob) {
    this.#jobs = jobs;
    this.#perJob = perJob;
    this.#weight = new DeviceWeight(jobs);
    this.unit = this.#weight.unit;
  }

  /**
   * Rectangles and runs come in order of closing, so the rectangles of a run are those that closed since the job's last run and
   * no later than the run. Summing these, and not devices × length of the run, stays true where members come and go. A checkpoint that is
   * complete makes safe what the run has done so far; it stands before a run's end at the same instant.
   */
  add({ rects, runs, decisions }: Pick<Chunk, "rects" | "runs" | "decisions">): void {
    let rect = 0;
    const addUntil = (endMs: number): void => {
      const from = rect;
      while (rect < rects.jobIdx.length && rects.endMs[rect]! <= endMs) rect++;
      this.addRects(rects, from, rect, Number.POSITIVE_INFINITY);
    };
    let row = 0;
    const decideUntil = (endMs: number): void => {
      for (; row < decisions.kind.length && decisions.atMs[row]! <= endMs; row++) {
        const kind = decisions.kind[row]!;
        if (!ABOUT_WORK.has(kind)) continue;
        if (kind !== DecisionKindCode.start) addUntil(decisions.atMs[row]!);
        this.#decided(kind, decisions.jobIdx[row]!, decisions.value[row]!);
      }
    };
    for (let run = 0; run < runs.jobIdx.length; run++) {
      decideUntil(runs.endMs[run]!);
      addUntil(runs.endMs[run]!);
      if (runs.run[run] !== 0)
        this.#closed(runs.jobIdx[run]!, runs.endState[run]!, runs.stopReason[run]!);
    }
    decideUntil(Number.POSITIVE_INFINITY);
    addUntil(Number.POSITIVE_INFINITY);
  }

  /** Rectangles `from` to `end`, cut off at `atMs`. */
  addRects(rects: Chunk["rects"], from: number, end: number, atMs: number): void {
    const { held, openHeld, openRunning } = this.#perJob;
    for (let row = from; row < end; row++) {
      const job = rects.jobIdx[row]!;
      const bits = rects.bits[row]!;
      const ms = Math.min(rects.endMs[row]!, atMs) - rects.startMs[row]!;
      const time = ms * rects.deviceCount[row]! * this.#weight.of(job, partOf(bits));
      const state = memberStateOf(bits);
      held[job]! += time;
      openHeld[job]! += time;
      this.byState[state]! += time;
      if (state === MemberStateCode.running) openRunning[job]! += time;
    }
  }

  /** Overhead, held without progress, and work that is neither useful nor lost (yet). Call once everything is in. O(jobs of services). */
  finish(): { readonly unfinished: number; readonly withoutProgress: number; overhead: number } {
    const { byState } = this;
    const { openRunning } = this.#perJob;
    for (let job = 0; job < this.#jobs.count; job++) {
      if (isService(this.#jobs, job)) {
        this.useful += openRunning[job]!;
        openRunning[job] = 0;
      }
    }
    const of = (name: keyof typeof MemberStateCode) => byState[MemberStateCode[name]]!;
    return {
      unfinished: of("running") - this.useful - this.lostWork,
      withoutProgress: of("held") + of("suspended") + of("stalled"),
      overhead: of("starting") + of("checkpointing") + of("restoring") + of("ending"),
    };
  }

  #decided(kind: number, job: number, value: number): void {
    const { openHeld, openRunning } = this.#perJob;
    if (kind === DecisionKindCode.saved) this.#safe.set(job, openRunning[job]!);
    if (kind === DecisionKindCode.start && this.#kept.has(job)) this.#inMemory.add(job);
    if (kind === DecisionKindCode.restart && value > 0) {
      // Within a run: back to what is safe.
      const gone = openRunning[job]! - (this.#safe.get(job) ?? 0);
      openRunning[job]! -= gone;
      openHeld[job]! -= gone;
      this.lostWork += gone;
      this.lost += gone;
    }
    if (kind === DecisionKindCode.unsaved) {
      const kept = this.#kept.get(job) ?? 0;
      this.#kept.delete(job);
      this.#safe.delete(job);
      if (this.#inMemory.has(job)) {
        openRunning[job]! += kept;
        openHeld[job]! += kept;
      } else {
        this.lostWork += kept;
        this.lost += kept;
      }
    }
  }

  #closed(job: number, endState: number, stopReason: number): void {
    const { openHeld, openRunning } = this.#perJob;
    const safe = this.#safe.get(job) ?? 0;
    const kept = this.#kept.get(job) ?? 0;
    const running = openRunning[job]!;
    if (isService(this.#jobs, job)) {
      // What a replica has served cannot be lost.
      this.useful += running;
      if (throwsWorkAway(endState, stopReason)) this.lost += openHeld[job]! - running;
    } else {
      if (endState === EndStateCode.completed) {
        this.useful += running + kept;
        this.#perJob.usefulOfJob[job] = running + kept;
        this.#kept.delete(job);
        this.#safe.delete(job);
      } else if (safe > 0) {
        this.#kept.set(job, kept + safe);
        this.#safe.delete(job);
      }
      if (throwsWorkAway(endState, stopReason)) {
        this.lost += openHeld[job]! - safe;
        this.lostWork += running - safe;
      }
    }
    this.#inMemory.delete(job);
    openRunning[job] = 0;
    openHeld[job] = 0;
  }
}
