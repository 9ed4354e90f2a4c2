/**
 * What became of the devices, over time: useful, not finished yet, overhead, without progress, lost, and idle while work waits. The rules are those of
 * `metrics/deviceTime.ts`; here each stretch in which work went on is kept until its run is over, and is then put down where it lay. Stretches wait as
 *
 *     open  since the last complete checkpoint of the run       safe  before it       kept  of runs before, in a checkpoint
 *
 * O(rows of the record); memory O(stretches).
 */
import type { Cluster } from "../../model/cluster.ts";
import { DeviceWeight, type WeighedJobs } from "../../model/deviceWeight.ts";
import { JobFlag, type JobTable } from "../../model/jobs.ts";
import { EndStateCode, MemberStateCode } from "../../model/states.ts";
import { DEVICE_PARTS } from "../../model/units.ts";
import { throwsWorkAway } from "../../model/workLost.ts";
import { awaySpans } from "../../record/awaySpans.ts";
import type { Chunk, OpenSet } from "../../record/shapes.ts";
import { DecisionKindCode, memberStateOf, partOf } from "../../record/shapes.ts";
import { ChangeList } from "./changeList.ts";
import { type Steps, stepsOf } from "./steps.ts";

export const USES = ["useful", "unfinished", "overhead", "stalled", "lost", "idle"] as const;
export type Use = (typeof USES)[number];

export interface UseWorld {
  readonly cluster: Pick<Cluster, "deviceCount" | "nodeGroup" | "groups">;
  readonly jobs: Pick<JobTable, "count"> & WeighedJobs;
}

export interface UseRecord {
  readonly chunks: readonly Pick<Chunk, "rects" | "runs" | "decisions" | "series" | "nodeSpans">[];
  readonly open: Pick<OpenSet, "atMs" | "rects" | "nodeSpans"> | null;
  /** Where what is counted ends. */
  readonly endMs: number;
}

/** Runs a piece of work. */
const SLICE = 512;

/** Begin, end and amount of each stretch, one after the other. */
type Stretches = number[];

const STATE_USE: ReadonlyMap<number, Use> = new Map([
  [MemberStateCode.starting, "overhead"],
  [MemberStateCode.checkpointing, "overhead"],
  [MemberStateCode.restoring, "overhead"],
  [MemberStateCode.ending, "overhead"],
  [MemberStateCode.held, "stalled"],
  [MemberStateCode.suspended, "stalled"],
  [MemberStateCode.stalled, "stalled"],
]);

/** Devices in each use over time, in steps of one chunk. */
export function* deviceUseSteps(
  world: UseWorld,
  record: UseRecord,
): Generator<void, Record<Use, Steps>> {
  const settling = new Settling(world.jobs);
  for (const chunk of record.chunks) {
    yield* settling.addChunk(chunk);
    yield;
  }
  if (record.open) {
    const { rects, atMs } = record.open;
    settling.addRects(rects, 0, rects.jobIdx.length, atMs);
  }
  settling.finish();
  const cuts = cutsOf(record);
  for (const [fromMs, toMs] of cuts)
    settling.changes.overhead.span(fromMs, Math.min(toMs, record.endMs), settling.unit);
  const uses = {} as Record<Use, Steps>;
  for (const use of USES) {
    uses[use] =
      use === "idle"
        ? yield* idleSteps(world.cluster, record, cuts)
        : yield* settling.changes[use].steps(settling.unit);
  }
  return uses;
}

class Settling {
  readonly unit: number;
  readonly changes: Record<Exclude<Use, "idle">, ChangeList> = {
    useful: new ChangeList(),
    unfinished: new ChangeList(),
    overhead: new ChangeList(),
    stalled: new ChangeList(),
    lost: new ChangeList(),
  };
  readonly #jobs: UseWorld["jobs"];
  readonly #weight: DeviceWeight;
  readonly #open = new Map<number, Stretches>();
  readonly #safe = new Map<number, Stretches>();
  readonly #kept = new Map<number, Stretches>();
  /** Jobs that have kept work and run: it is in their memory too. */
  readonly #inMemory = new Set<number>();

  constructor(jobs: UseWorld["jobs"]) {
    this.#jobs = jobs;
    this.#weight = new DeviceWeight(jobs);
    this.unit = this.#weight.unit;
  }

  /** Rectangles, decisions and ends of runs in the order in which they happened. O(rows). */
  *addChunk({ rects, runs, decisions }: UseRecord["chunks"][number]): Generator<void> {
    let rect = 0;
    let row = 0;
    const addUntil = (endMs: number): void => {
      const from = rect;
      while (rect < rects.jobIdx.length && rects.endMs[rect]! <= endMs) rect++;
      this.addRects(rects, from, rect, Number.POSITIVE_INFINITY);
    };
    const decideUntil = (endMs: number): void => {
      for (; row < decisions.kind.length && decisions.atMs[row]! <= endMs; row++) {
        const kind = decisions.kind[row]!;
        if (kind === DecisionKindCode.start) {
          if (this.#kept.has(decisions.jobIdx[row]!)) this.#inMemory.add(decisions.jobIdx[row]!);
        } else if (
          kind === DecisionKindCode.saved ||
          kind === DecisionKindCode.unsaved ||
          (kind === DecisionKindCode.restart && decisions.value[row]! > 0)
        ) {
          addUntil(decisions.atMs[row]!);
          this.#decided(kind, decisions.jobIdx[row]!);
        }
      }
    };
    for (let run = 0; run < runs.jobIdx.length; run++) {
      if (run % SLICE === SLICE - 1) yield;
      decideUntil(runs.endMs[run]!);
      addUntil(runs.endMs[run]!);
      if (runs.run[run] !== 0)
        this.#closed(runs.jobIdx[run]!, runs.endState[run]!, runs.stopReason[run]!);
    }
    decideUntil(Number.POSITIVE_INFINITY);
    addUntil(Number.POSITIVE_INFINITY);
  }

  addRects(rects: Chunk["rects"], from: number, end: number, atMs: number): void {
    for (let row = from; row < end; row++) {
      const job = rects.jobIdx[row]!;
      const bits = rects.bits[row]!;
      const startMs = rects.startMs[row]!;
      const endMs = Math.min(rects.endMs[row]!, atMs);
      const amount = rects.deviceCount[row]! * this.#weight.of(job, partOf(bits));
      const use = STATE_USE.get(memberStateOf(bits));
      if (use !== undefined && use !== "idle") this.changes[use].span(startMs, endMs, amount);
      else push(listOf(this.#open, job), startMs, endMs, amount);
    }
  }

  /** What no run has settled by the end. */
  finish(): void {
    for (const waiting of [this.#open, this.#safe, this.#kept])
      for (const [job, stretches] of waiting)
        this.#settle(stretches, this.#isService(job) ? "useful" : "unfinished");
  }

  #decided(kind: number, job: number): void {
    if (kind === DecisionKindCode.saved) {
      this.#move(this.#open, this.#safe, job);
      return;
    }
    if (kind === DecisionKindCode.restart) {
      // Within a run: back to what is safe.
      this.#settle(this.#open.get(job), "lost");
      this.#open.delete(job);
      return;
    }
    this.#move(this.#safe, this.#open, job);
    if (this.#inMemory.has(job)) this.#move(this.#kept, this.#open, job);
    else {
      this.#settle(this.#kept.get(job), "lost");
      this.#kept.delete(job);
    }
  }

  #closed(job: number, endState: number, stopReason: number): void {
    const open = this.#open.get(job);
    this.#open.delete(job);
    this.#inMemory.delete(job);
    if (this.#isService(job) || endState === EndStateCode.completed) {
      this.#settle(open, "useful");
      this.#settle(this.#safe.get(job), "useful");
      this.#safe.delete(job);
      if (this.#isService(job)) return;
      this.#settle(this.#kept.get(job), "useful");
      this.#kept.delete(job);
      return;
    }
    this.#move(this.#safe, this.#kept, job);
    this.#settle(open, throwsWorkAway(endState, stopReason) ? "lost" : "unfinished");
  }

  #move(from: Map<number, Stretches>, to: Map<number, Stretches>, job: number): void {
    const stretches = from.get(job);
    if (stretches === undefined) return;
    from.delete(job);
    const list = to.get(job);
    if (list === undefined) to.set(job, stretches);
    else for (const number of stretches) list.push(number);
  }

  #settle(stretches: Stretches | undefined, use: Exclude<Use, "idle">): void {
    if (stretches === undefined) return;
    for (let i = 0; i < stretches.length; i += 3)
      this.changes[use].span(stretches[i]!, stretches[i + 1]!, stretches[i + 2]!);
  }

  #isService(job: number): boolean {
    return (this.#jobs.at.flags[job]! & JobFlag.service) !== 0;
  }
}

function listOf(lists: Map<number, Stretches>, job: number): Stretches {
  let list = lists.get(job);
  if (list === undefined) {
    list = [];
    lists.set(job, list);
  }
  return list;
}

/** Members of a gang begin and end together: they are one stretch. */
function push(list: Stretches, startMs: number, endMs: number, amount: number): void {
  const last = list.length - 3;
  if (last >= 0 && list[last] === startMs && list[last + 1] === endMs) list[last + 2]! += amount;
  else list.push(startMs, endMs, amount);
}

/** Begin and end of each time in which a device was cut anew: overhead, and no idle time. */
function cutsOf({ chunks }: UseRecord): [number, number][] {
  const cuts: [number, number][] = [];
  for (const { decisions } of chunks)
    for (let row = 0; row < decisions.kind.length; row++)
      if (decisions.kind[row] === DecisionKindCode.repartition)
        cuts.push([decisions.atMs[row]!, decisions.atMs[row]! + decisions.value[row]!]);
  return cuts;
}

/** Devices that nobody holds while some job waits; neither those that are cut anew nor those of rented nodes that are away. */
function* idleSteps(
  cluster: UseWorld["cluster"],
  { chunks, open, endMs }: UseRecord,
  cuts: readonly [number, number][],
): Generator<void, Steps> {
  const devices = cluster.deviceCount;
  const away = [...chunks, ...(open === null ? [] : [open])].flatMap(({ nodeSpans }) =>
    awaySpans(cluster, nodeSpans),
  );
  const missing = [
    ...cuts.flatMap(([fromMs, toMs]) => [[fromMs, 1] as const, [toMs, -1] as const]),
    ...away.flatMap((span) => [
      [span.startMs, span.devices] as const,
      [span.endMs, -span.devices] as const,
    ]),
  ].sort((a, b) => a[0] - b[0]);
  const atMs = [0];
  const values = [0];
  const held: number[] = [];
  const waiting: number[] = [];
  let heldParts = 0;
  let sumWaiting = 0;
  let gone = 0;
  let next = 0;
  const note = (ms: number): void => {
    atMs.push(ms);
    values.push(sumWaiting > 0 ? devices - heldParts / DEVICE_PARTS - gone : 0);
  };
  const goneUntil = (ms: number): void => {
    for (; next < missing.length && missing[next]![0] <= ms; next++) {
      gone += missing[next]![1];
      note(missing[next]![0]);
    }
  };
  for (const { series } of chunks) {
    for (let row = 0; row < series.atMs.length; row++) {
      const tier = series.tier[row]!;
      goneUntil(series.atMs[row]!);
      heldParts += series.heldParts[row]! - (held[tier] ?? 0);
      sumWaiting += series.jobsWaiting[row]! - (waiting[tier] ?? 0);
      held[tier] = series.heldParts[row]!;
      waiting[tier] = series.jobsWaiting[row]!;
      note(series.atMs[row]!);
    }
    yield;
  }
  goneUntil(endMs);
  if (endMs > atMs.at(-1)!) {
    atMs.push(endMs);
    values.push(0);
  }
  return stepsOf(atMs, values);
}
