/**
 * The record by team, tier or job: a row is a lane, and a bar of it a run, however many devices it held. Runs of a team or a tier are packed
 * in order of start, each into the lowest lane of its group that is free (`waitLanes.ts`); by job every job has the row of its number.
 * What comes out has the shape of the record by devices: units, blocks, rectangles in chunks, so that index, drawing and pointing
 * are the same code. All work runs in slices; rows change in one step, when those of more of the run are complete.
 *
 * Of the rectangles of one run that began together (a gang's members) one is kept; whatever else a member does alone lies over it.
 */
import { DeviceWeight, type WeighedJobs } from "../model/deviceWeight.ts";
import type { JobTable } from "../model/jobs.ts";
import { type Chunk, type OpenSet, partOf } from "../record/shapes.ts";
import { type GroupLoad, groupLoads, type LoadWorld } from "./groupLoad.ts";
import { HeatGrid } from "./heat.ts";
import { RowIndex } from "./rowIndex.ts";
import { type RowGroups, type RowUnits, UNIT_ROWS_MAX } from "./rowUnits.ts";
import { packSteps } from "./waitLanes.ts";

export type LaneGrouping = RowGroups["by"];

/** What the rows are made from. */
export interface LaneSource {
  readonly jobs: Pick<JobTable, "count"> & WeighedJobs;
  /** Names of teams or tiers, by their index; not asked for by job. */
  readonly names: readonly string[];
  readonly chunks: readonly Chunk[];
  readonly open: OpenSet | null;
  readonly endMs: number;
  readonly positionOfJob: Uint8Array;
  /** Absent: what groups hold is not summed. */
  readonly world?: LoadWorld;
}

/** A view of the record by lanes, complete as far as `knownMs`. */
export interface LaneRows {
  readonly units: RowUnits;
  readonly index: RowIndex;
  /** Runs at work in each block over time; null by job, whose blocks are no groups. */
  readonly heat: HeatGrid | null;
  /** By block; null by job. */
  readonly load: readonly GroupLoad[] | null;
  readonly chunks: readonly Chunk[];
  readonly open: OpenSet | null;
}

/** Jobs that fold as one. */
const JOBS_A_BLOCK = 8 * UNIT_ROWS_MAX;
/** Runs that a view by lanes can hold. */
const RUNS_MOST = 4_000_000;
const STEP = 4_096;

/** Keeps the lanes of a run that grows: `next` is swapped in when complete. */
export class LaneWork {
  rows: LaneRows | null = null;
  readonly by: LaneGrouping;
  #source: LaneSource | null = null;
  #work: Generator<void, LaneRows> | null = null;
  #stale = false;

  constructor(by: LaneGrouping) {
    this.by = by;
  }

  /** Takes more of the run, or another. */
  update(source: LaneSource): void {
    this.#source = source;
    this.#stale = true;
    if (!this.#work) this.#begin();
  }

  /** What comes next is another cluster or other jobs: nothing of before may stand under their names. */
  forget(): void {
    this.rows = null;
    this.#work = null;
  }

  /** Works on; true while something is left. */
  step(steps: number): boolean {
    for (let i = 0; i < steps && this.#work; i++) {
      const step = this.#work.next();
      if (!step.done) continue;
      this.#work = null;
      this.rows = step.value;
      if (this.#stale) this.#begin();
    }
    return this.#work !== null;
  }

  #begin(): void {
    if (!this.#source) return;
    this.#stale = false;
    this.#work = laneRows(this.by, this.#source);
  }
}

/** Makes all rows. O(rectangles + runs · log chunks), in slices of well under a millisecond. */
export function* laneRows(by: LaneGrouping, source: LaneSource): Generator<void, LaneRows> {
  const places = by === "job" ? jobPlaces(source) : yield* packedPlaces(by, source);
  const chunks: Chunk[] = [];
  const seen = new Float64Array(source.jobs.count).fill(-1);
  for (const chunk of source.chunks) {
    const rects = yield* laneRects(chunk.rects, places.laneAt, seen);
    chunks.push({ ...chunk, rects });
  }
  const open = source.open && {
    ...source.open,
    rects: yield* laneRects(source.open.rects, places.laneAt, seen),
  };
  const index = new RowIndex(places.units);
  index.update(chunks, open);
  while (index.step(1)) yield;
  const heat = by === "job" ? null : new HeatGrid(places.units);
  heat?.update(chunks, Math.max(1, source.endMs), source.positionOfJob);
  while (heat?.step(1)) yield;
  const { world } = source;
  const groups = places.units.groups?.ofBlock;
  const load =
    by === "job" || !world || !groups ? null : yield* groupLoads(by, world, source, groups);
  return { units: places.units, index, heat, load, chunks, open };
}

interface Places {
  readonly units: RowUnits;
  /** The lane of a job's run that holds something at this time. */
  readonly laneAt: (jobIdx: number, atMs: number) => number;
}

function jobPlaces({ jobs }: LaneSource): Places {
  const blocks = Math.ceil(jobs.count / JOBS_A_BLOCK);
  const lanes = Array.from({ length: blocks }, (_, b) =>
    Math.min(JOBS_A_BLOCK, jobs.count - b * JOBS_A_BLOCK),
  );
  const names = lanes.map((count, b) => `${b * JOBS_A_BLOCK + 1}–${b * JOBS_A_BLOCK + count}`);
  const ofBlock = Int32Array.from(lanes, (_, b) => b * JOBS_A_BLOCK);
  return { units: laneUnits(lanes, names, { by: "job", ofBlock }), laneAt: (jobIdx) => jobIdx };
}

function* packedPlaces(by: "team" | "tier", source: LaneSource): Generator<void, Places> {
  const { jobs, names } = source;
  const group = by === "tier" ? jobs.at.tier : jobs.at.team;
  const groups = Math.max(1, names.length);
  const groupOf = (jobIdx: number): number => Math.min(groups - 1, group[jobIdx]!);
  const runs = source.chunks.map((chunk) => ({
    ...chunk,
    waits: { jobIdx: chunk.runs.jobIdx, fromMs: chunk.runs.startMs, toMs: chunk.runs.endMs },
  }));
  const open = source.open && {
    ...source.open,
    waits: yield* openRuns(source),
  };
  const packed = yield* packSteps(
    { chunks: runs, open: open as OpenSet | null },
    { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY },
    groups,
    groupOf,
    RUNS_MOST,
  );
  const shown: number[] = [];
  packed.lanesOfTier.forEach((lanes, g) => {
    if (lanes > 0) shown.push(g);
  });
  const units = laneUnits(
    shown.map((g) => packed.lanesOfTier[g]!),
    shown.map((g) => names[g] ?? ""),
    { by, ofBlock: Int32Array.from(shown) },
  );
  const firstLane = new Int32Array(groups);
  shown.forEach((g, b) => {
    firstLane[g] = units.unitFirst[units.blockFirst[b]!]!;
  });
  // Runs by job, in order of start: most jobs have one.
  const first = new Uint32Array(jobs.count + 1);
  for (const job of packed.jobIdx) first[job + 1]! += 1;
  for (let job = 0; job < jobs.count; job++) first[job + 1]! += first[job]!;
  const next = first.slice();
  const runOf = new Uint32Array(packed.jobIdx.length);
  for (let i = 0; i < packed.jobIdx.length; i++) {
    runOf[next[packed.jobIdx[i]!]!++] = i;
    if (i % STEP === STEP - 1) yield;
  }
  const laneAt = (jobIdx: number, atMs: number): number => {
    let at = first[jobIdx]!;
    while (at + 1 < first[jobIdx + 1]! && packed.fromMs[runOf[at + 1]!]! <= atMs) at += 1;
    return at < first[jobIdx + 1]! ? firstLane[groupOf(jobIdx)]! + packed.lane[runOf[at]!]! : -1;
  };
  return { units, laneAt };
}

/** Runs that still go on, from their first rectangle: what they did before lies in chunks already. */
function* openRuns({
  chunks,
  open,
  jobs,
}: LaneSource): Generator<
  void,
  { readonly jobIdx: Uint32Array; readonly fromMs: Float64Array; readonly toMs: Float64Array }
> {
  const startMs = new Map<number, number>();
  const { rects } = open!;
  for (let i = 0; i < rects.jobIdx.length; i++) {
    const job = rects.jobIdx[i]!;
    startMs.set(job, Math.min(startMs.get(job) ?? Number.POSITIVE_INFINITY, rects.startMs[i]!));
  }
  const lastEndMs = new Float64Array(jobs.count);
  for (const { runs } of chunks)
    for (let i = 0; i < runs.jobIdx.length; i++)
      lastEndMs[runs.jobIdx[i]!] = Math.max(lastEndMs[runs.jobIdx[i]!]!, runs.endMs[i]!);
  for (const chunk of chunks) {
    const { jobIdx, startMs: starts } = chunk.rects;
    for (let i = 0; i < jobIdx.length; i++) {
      const known = startMs.get(jobIdx[i]!);
      if (known !== undefined && starts[i]! < known && starts[i]! >= lastEndMs[jobIdx[i]!]!)
        startMs.set(jobIdx[i]!, starts[i]!);
    }
    yield;
  }
  return {
    jobIdx: Uint32Array.from(startMs.keys()),
    fromMs: Float64Array.from(startMs.values()),
    toMs: new Float64Array(startMs.size).fill(Number.POSITIVE_INFINITY),
  };
}

/** Rectangles on lanes: one of those that a run began at the same time, without its part of a device. */
function* laneRects(
  rects: Chunk["rects"],
  laneAt: Places["laneAt"],
  seen: Float64Array,
): Generator<void, Chunk["rects"]> {
  const n = rects.startMs.length;
  const kept = new Uint32Array(n);
  const lane = new Uint32Array(n);
  let count = 0;
  for (let i = 0; i < n; i++) {
    if (i % STEP === STEP - 1) yield;
    const job = rects.jobIdx[i]!;
    if (seen[job] === rects.startMs[i]) continue;
    const at = laneAt(job, rects.startMs[i]!);
    if (at < 0) continue;
    seen[job] = rects.startMs[i]!;
    kept[count] = i;
    lane[count++] = at;
  }
  const order = kept.subarray(0, count);
  return {
    startMs: Float64Array.from(order, (i) => rects.startMs[i]!),
    endMs: Float64Array.from(order, (i) => rects.endMs[i]!),
    jobIdx: Uint32Array.from(order, (i) => rects.jobIdx[i]!),
    device: lane.slice(0, count),
    deviceCount: new Uint16Array(count).fill(1),
    bits: Uint16Array.from(order, (i) => rects.bits[i]! & 63),
  };
}

/** Units of at most 64 lanes; a group begins a unit. */
function laneUnits(
  lanes: readonly number[],
  names: readonly string[],
  groups: RowGroups,
): RowUnits {
  const unitFirst: number[] = [];
  const blockFirst: number[] = [];
  let lane = 0;
  for (const count of lanes) {
    blockFirst.push(unitFirst.length);
    for (let from = 0; from < count; from += UNIT_ROWS_MAX) unitFirst.push(lane + from);
    lane += count;
  }
  const unitCount = unitFirst.length;
  unitFirst.push(lane);
  blockFirst.push(unitCount);
  const unitOfDevice = new Int32Array(lane);
  for (let u = 0; u < unitCount; u++) unitOfDevice.fill(u, unitFirst[u]!, unitFirst[u + 1]!);
  const blockOfUnit = new Int32Array(unitCount);
  for (let b = 0; b < lanes.length; b++) blockOfUnit.fill(b, blockFirst[b]!, blockFirst[b + 1]!);
  return {
    unitCount,
    unitFirst: Int32Array.from(unitFirst),
    unitNode: new Int32Array(unitCount).fill(-1),
    unitOfDevice,
    blockCount: lanes.length,
    blockFirst: Int32Array.from(blockFirst),
    blockOfUnit,
    blockNames: names,
    leaves: false,
    groups,
  };
}

/** What each block holds at a time: devices, a share or a MIG slice as the fraction that it is, and jobs. O(rectangles that end later). */
export function heldByBlock(
  units: RowUnits,
  source: Pick<LaneSource, "jobs" | "chunks" | "open">,
  atMs: number,
): { readonly devices: Float64Array; readonly jobs: Int32Array } {
  const devices = new Float64Array(units.blockCount);
  const jobs = new Int32Array(units.blockCount);
  const { groups } = units;
  if (!groups) return { devices, jobs };
  const { at } = source.jobs;
  const blockOf = new Map(Array.from(groups.ofBlock, (group, b) => [group, b]));
  const counted = new Set<number>();
  const weight = new DeviceWeight(source.jobs);
  const read = (rects: Chunk["rects"]): void => {
    for (let i = 0; i < rects.startMs.length; i++) {
      if (rects.startMs[i]! > atMs || rects.endMs[i]! <= atMs) continue;
      const job = rects.jobIdx[i]!;
      const block =
        groups.by === "job"
          ? Math.floor(job / JOBS_A_BLOCK)
          : (blockOf.get(groups.by === "tier" ? at.tier[job]! : at.team[job]!) ?? -1);
      if (block < 0) continue;
      // Summed in whole parts of a device: sums come out equal and not just close.
      devices[block]! += rects.deviceCount[i]! * weight.of(job, partOf(rects.bits[i]!));
      if (!counted.has(job)) jobs[block]! += 1;
      counted.add(job);
    }
  };
  for (const chunk of source.chunks) if (chunk.toMs >= atMs) read(chunk.rects);
  if (source.open) read(source.open.rects);
  return { devices: devices.map((parts) => parts / weight.unit), jobs };
}
