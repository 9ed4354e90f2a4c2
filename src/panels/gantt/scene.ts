/**
 * The record made ready for drawing: row index, load grid, demand and node spans of the future that is shown. It is outside
 * React; the painter asks it to take in new data and lets it work on in slices until nothing is left.
 */
import { MEMBER_STATES, NODE_STATES } from "../../model/states.ts";
import type { Stage } from "../../protocol/messages.ts";
import { memberStateOf } from "../../record/shapes.ts";
import { DIM } from "../../render/rasterPalette.ts";
import { ClosedLook, Look } from "../../render/spanRaster.ts";
import { WordBoxes } from "../../render/wordBoxes.ts";
import type { Future, RunData } from "../../store/runData.ts";
import { EMPTY_FUTURE } from "../../store/runData.ts";
import { positionOfTier } from "../../theme/palette.ts";
import { Demand } from "../../timeline/demand.ts";
import { GaugeSeries } from "../../timeline/gaugeSeries.ts";
import { HeatGrid } from "../../timeline/heat.ts";
import {
  type JobRect,
  otherRunsOnLanes,
  rectsOfJob,
  rectsOfJobs,
} from "../../timeline/jobRects.ts";
import type { LaneRows } from "../../timeline/jobRows.ts";
import { LentDevices } from "../../timeline/lentDevices.ts";
import { LostWork } from "../../timeline/lostWork.ts";
import type { DeviceStretch } from "../../timeline/nodeHistory.ts";
import { PartPlaces } from "../../timeline/partPlaces.ts";
import { type Part, partOfRects, RowIndex } from "../../timeline/rowIndex.ts";
import { type PlaceGrouping, type RowUnits, rowUnitsOf } from "../../timeline/rowUnits.ts";

/** Node spans by node: `first[node]` … `first[node + 1]`. `state` is a place in `NODE_LOOKS`. */
export interface NodeSpans {
  readonly first: Uint32Array;
  readonly startMs: Float64Array;
  readonly endMs: Float64Array;
  readonly state: Uint8Array;
}

/** States of nodes that only a history tells apart, behind those of `NodeStateCode`. */
export const Drawn = { boots: NODE_STATES.length, moves: NODE_STATES.length + 1 } as const;

/** By `NodeStateCode`, and behind those what only a history tells apart. */
export const NODE_LOOKS: readonly number[] = [
  ...NODE_STATES.map((state) =>
    state === "unborn"
      ? ClosedLook.absent
      : state === "down"
        ? ClosedLook.down
        : ClosedLook.drained,
  ),
  ClosedLook.boots,
  ClosedLook.moves,
];

/** What only some runs have: nodes that boot or change pools, failed devices, rounds. Made by `history/`, which is loaded with them. */
export interface SceneHistory {
  readonly spans: NodeSpans;
  /** Failed devices by unit. */
  readonly failures: ReadonlyMap<number, readonly DeviceStretch[]>;
  /** Words beside a span. */
  noteOf(span: number): string;
  /** The pool of a node at a time, where nodes change pools; else empty. */
  poolName(node: number, atMs: number): string;
  /** What there is to say of a node at a time: its pool, what it is on its way to, its failed devices. */
  nodeWords(node: number, atMs: number): readonly string[];
  /** How a run ended, where it gave way at a round; else empty. */
  endWords(jobIdx: number, endMs: number): string;
}

/** Lanes of jobs in the place of devices. Made by `groups/`, which is loaded when they are asked for. */
export interface SceneLanes {
  /** Complete as far as it goes; null before. */
  readonly rows: LaneRows | null;
  update(stage: Stage, future: Future, positionOfJob: Uint8Array): void;
  /** True while something is left. */
  step(steps: number): boolean;
}

export type HistoryOf = (stage: Stage, future: Future) => SceneHistory;

export class GanttScene {
  stage: Stage | null = null;
  future: Future = EMPTY_FUTURE;
  /** By devices, whatever the rows are. */
  places: { readonly units: RowUnits; readonly index: RowIndex; readonly heat: HeatGrid } | null =
    null;
  #placesBy: PlaceGrouping = "leaf";
  #lanes: SceneLanes | null = null;
  readonly demand = new Demand();
  readonly lost = new LostWork();
  readonly partPlaces = new PartPlaces();
  readonly gauges = new GaugeSeries();
  readonly #lent = new LentDevices();
  #lentPart: Part | null = null;
  #barParts: { readonly of: readonly Part[]; readonly all: readonly Part[] } = { of: [], all: [] };
  nodeSpans: NodeSpans | null = null;
  history: SceneHistory | null = null;
  #historyOf: HistoryOf | null = null;
  /** Colour position of each job's tier. */
  positionOfJob: Uint8Array = new Uint8Array(0);
  /** The same, `DIM` further for jobs that the search does not find. */
  paintOfJob: Uint8Array = new Uint8Array(0);
  #hits: Uint32Array | null = null;
  /** Where labels of bars stand, and on them words of the overlay. */
  readonly words = { bars: new WordBoxes(), over: new WordBoxes() } as const;
  /** Some job asks for shares or slices of devices. */
  hasParts = false;
  /** Grows when something drawn may have changed. */
  version = 0;

  /** The lanes that stand in the place of devices, once there are some. */
  get lanes(): LaneRows | null {
    return this.#lanes?.rows ?? null;
  }

  get units(): RowUnits | null {
    return this.lanes?.units ?? this.places?.units ?? null;
  }

  get index(): RowIndex | null {
    return this.lanes?.index ?? this.places?.index ?? null;
  }

  /** Null too where blocks are nothing whose load could be told. */
  get heat(): HeatGrid | null {
    return this.lanes ? this.lanes.heat : (this.places?.heat ?? null);
  }

  /** What a block of devices is from now on. O(devices); sums of load are made anew in slices. */
  groupBy(by: PlaceGrouping): void {
    if (by === this.#placesBy) return;
    this.#placesBy = by;
    if (!this.stage) return;
    this.#makePlaces(this.stage);
    this.#takeChunks();
    this.version += 1;
  }

  /** Lanes in the place of devices from now on; null = devices again. */
  showLanes(lanes: SceneLanes | null): void {
    this.#lanes = lanes;
    if (lanes && this.stage) lanes.update(this.stage, this.future, this.positionOfJob);
    this.version += 1;
  }

  /**
   * Rectangles of a job on the rows that are drawn. A run of another future stands on the lane of the job's run of this one, in order; on the first of its group
   * where the job has fewer here. O(rectangles of the record).
   */
  rectsOfJob(future: Future, jobIdx: number): JobRect[] {
    const { lanes } = this;
    if (!lanes) return rectsOfJob(future.chunks, future.open, jobIdx);
    const own = rectsOfJob(lanes.chunks, lanes.open, jobIdx);
    if (future === this.future) return own;
    return otherRunsOnLanes(
      rectsOfJob(future.chunks, future.open, jobIdx),
      own,
      this.#firstLane(jobIdx),
    );
  }

  /** The first lane of a job's group; −1 = it has none. */
  #firstLane(jobIdx: number): number {
    const { lanes, stage } = this;
    const { groups, unitFirst, blockFirst } = lanes?.units ?? {};
    if (!groups || !stage || !unitFirst || !blockFirst) return -1;
    if (groups.by === "job") return jobIdx;
    const { at } = stage.jobs;
    const block = groups.ofBlock.indexOf(
      groups.by === "tier" ? at.tier[jobIdx]! : at.team[jobIdx]!,
    );
    return block < 0 ? -1 : unitFirst[blockFirst[block]!]!;
  }

  /** Rectangles of several jobs on the rows that are drawn. O(rectangles of the record). */
  rectsOfJobs(jobs: Iterable<number>): JobRect[] {
    const { chunks, open } = this.lanes ?? this.future;
    return rectsOfJobs(chunks, open, jobs);
  }

  /** Takes in what is new. O(what is new), rectangles excepted: those are indexed by `step`. */
  update(data: RunData): void {
    const stageChanged = data.stage !== this.stage;
    if (stageChanged) this.#takeStage(data.stage);
    const future = data.current;
    if (!this.stage || !this.places || (future === this.future && !stageChanged)) return;
    this.future = future;
    this.#takeChunks();
    this.#lanes?.update(this.stage, future, this.positionOfJob);
    this.demand.update(future.chunks);
    this.lost.update(future.chunks, this.stage.jobs.at.flags);
    this.gauges.update(future.chunks);
    if (this.#lent.update(future.chunks)) {
      const rects = this.#lent.rects(future.open);
      this.#lentPart = rects.length > 0 ? partOfRects(rects, this.places.units) : null;
    }
    this.partPlaces.update(this.stage, future.chunks, future.open);
    this.#takeHistory(this.stage);
  }

  /** From now on the history of nodes is made so; null = not at all. */
  tellHistory(by: HistoryOf | null): void {
    this.#historyOf = by;
    if (this.stage) this.#takeHistory(this.stage);
  }

  #takeHistory(stage: Stage): void {
    this.history = this.#historyOf?.(stage, this.future) ?? null;
    this.nodeSpans = this.history?.spans ?? collectSpans(this.future, stage.cluster.nodeCount);
    this.version += 1;
  }

  /** What is drawn as bars: what suspended jobs have lent, under what is held. */
  get barParts(): readonly Part[] {
    const parts = this.index?.parts ?? [];
    if (!this.#lentPart || this.lanes) return parts;
    if (this.#barParts.of !== parts || this.#barParts.all[0] !== this.#lentPart)
      this.#barParts = { of: parts, all: [this.#lentPart, ...parts] };
    return this.#barParts.all;
  }

  /** Makes all jobs but these pale; none while `hits` is null. O(jobs). */
  find(hits: Uint32Array | null): void {
    this.#hits = hits;
    this.paintOfJob = this.positionOfJob;
    if (hits) {
      this.paintOfJob = this.positionOfJob.map((position) => position + DIM);
      for (const job of hits) {
        if (job < this.paintOfJob.length) this.paintOfJob[job] = this.positionOfJob[job]!;
      }
    }
    this.version += 1;
  }

  /** Works on the index for about `steps` slices; true while something is left. */
  step(steps: number): boolean {
    if (!this.places) return false;
    const { index, heat } = this.places;
    const before = index.parts;
    const rows = this.lanes;
    const indexing = index.step(steps);
    const summing = heat.step(steps);
    const packing = this.#lanes?.step(steps) ?? false;
    if (
      index.parts !== before ||
      (!summing && this.#summing) ||
      (this.lanes !== null && this.lanes !== rows)
    )
      this.version += 1;
    this.#summing = summing;
    return indexing || summing || packing;
  }
  #summing = false;

  #takeChunks(): void {
    const { chunks, open, endMs, knownMs } = this.future;
    this.places?.index.update(chunks, open);
    this.places?.heat.update(chunks, Math.max(1, endMs, knownMs), this.positionOfJob);
  }

  #makePlaces(stage: Stage): void {
    const units = rowUnitsOf(stage.cluster, this.#placesBy);
    this.places = { units, index: new RowIndex(units), heat: new HeatGrid(units) };
  }

  #takeStage(stage: Stage | null): void {
    const clusterChanged = stage?.cluster !== this.stage?.cluster;
    this.stage = stage;
    this.version += 1;
    if (!stage) {
      this.places = null;
      return;
    }
    const { shareMilli, mig } = stage.jobs.components;
    this.hasParts = [shareMilli, mig].some((asked) => asked.some((part) => part > 0));
    const { tier } = stage.jobs.at;
    const tierCount = stage.tiers.length;
    this.positionOfJob =
      tierCount <= 6 ? tier : tier.map((value) => positionOfTier(value, tierCount));
    this.find(this.#hits);
    if (clusterChanged || !this.places) this.#makePlaces(stage);
  }
}

function collectSpans(future: Future, nodeCount: number): NodeSpans {
  const sources = [
    ...future.chunks.map((chunk) => chunk.nodeSpans),
    ...(future.open ? [future.open.nodeSpans] : []),
  ];
  const first = new Uint32Array(nodeCount + 1);
  for (const spans of sources)
    for (let i = 0; i < spans.node.length; i++) first[spans.node[i]! + 1]! += 1;
  for (let n = 0; n < nodeCount; n++) first[n + 1]! += first[n]!;
  const total = first[nodeCount]!;
  const next = first.slice();
  const startMs = new Float64Array(total);
  const endMs = new Float64Array(total);
  const state = new Uint8Array(total);
  for (const spans of sources) {
    for (let i = 0; i < spans.node.length; i++) {
      const at = next[spans.node[i]!]!++;
      startMs[at] = spans.startMs[i]!;
      endMs[at] = spans.endMs[i]!;
      state[at] = spans.state[i]!;
    }
  }
  return { first, startMs, endMs, state };
}

/** How what a device does for a run looks, by member state. */
const LOOKS: readonly number[] = MEMBER_STATES.map((state) => {
  switch (state) {
    case "running":
      return Look.running;
    case "checkpointing":
      return Look.writing;
    case "restoring":
      return Look.reading;
    case "starting":
      return Look.starting;
    case "ending":
      return Look.ending;
    case "stalled":
      return Look.hung;
    default:
      return Look.stalled;
  }
});

/** How a rectangle looks as long as its work is not lost. */
export function lookOf(bits: number): number {
  return LOOKS[memberStateOf(bits)] ?? Look.running;
}
