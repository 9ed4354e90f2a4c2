/**
 * The record made ready for drawing: row index, load grid, demand and node spans of the future that is shown. It is outside
 * React; the painter asks it to take in new data and lets it work on in slices until nothing is left.
 */
import { MEMBER_STATES, NODE_STATES } from "../../model/states.ts";
import type { Stage } from "../../protocol/messages.ts";
import { memberStateOf } from "../../record/shapes.ts";
import { DIM } from "../../render/rasterPalette.ts";
import { ClosedLook, Look } from "../../render/spanRaster.ts";
import type { Future, RunData } from "../../store/runData.ts";
import { EMPTY_FUTURE } from "../../store/runData.ts";
import { positionOfTier } from "../../theme/palette.ts";
import { Demand } from "../../timeline/demand.ts";
import { GaugeSeries } from "../../timeline/gaugeSeries.ts";
import { HeatGrid } from "../../timeline/heat.ts";
import { LentDevices } from "../../timeline/lentDevices.ts";
import { LostWork } from "../../timeline/lostWork.ts";
import type { DeviceStretch } from "../../timeline/nodeHistory.ts";
import { PartPlaces } from "../../timeline/partPlaces.ts";
import { type Part, partOfRects, RowIndex } from "../../timeline/rowIndex.ts";
import { type RowUnits, rowUnitsOf } from "../../timeline/rowUnits.ts";

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

export type HistoryOf = (stage: Stage, future: Future) => SceneHistory;

export class GanttScene {
  stage: Stage | null = null;
  future: Future = EMPTY_FUTURE;
  units: RowUnits | null = null;
  index: RowIndex | null = null;
  heat: HeatGrid | null = null;
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
  /** Grows when something drawn may have changed. */
  version = 0;

  /** Takes in what is new. O(what is new), rectangles excepted: those are indexed by `step`. */
  update(data: RunData): void {
    const stageChanged = data.stage !== this.stage;
    if (stageChanged) this.#takeStage(data.stage);
    const future = data.current;
    if (!this.stage || !this.index || !this.heat || (future === this.future && !stageChanged))
      return;
    this.future = future;
    this.index.update(future.chunks, future.open);
    this.heat.update(future.chunks, Math.max(1, future.endMs, future.knownMs), this.positionOfJob);
    this.demand.update(future.chunks);
    this.lost.update(future.chunks, this.stage.jobs.at.flags);
    this.gauges.update(future.chunks);
    if (this.#lent.update(future.chunks)) {
      const rects = this.#lent.rects(future.open);
      this.#lentPart = rects.length > 0 ? partOfRects(rects, this.index.units) : null;
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
    if (!this.#lentPart) return parts;
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
    if (!this.index || !this.heat) return false;
    const before = this.index.parts;
    const indexing = this.index.step(steps);
    const summing = this.heat.step(steps);
    if (this.index.parts !== before || (!summing && this.#summing)) this.version += 1;
    this.#summing = summing;
    return indexing || summing;
  }
  #summing = false;

  #takeStage(stage: Stage | null): void {
    const clusterChanged = stage?.cluster !== this.stage?.cluster;
    this.stage = stage;
    this.version += 1;
    if (!stage) {
      this.units = null;
      this.index = null;
      this.heat = null;
      return;
    }
    const { tier } = stage.jobs.at;
    const tierCount = stage.tiers.length;
    this.positionOfJob =
      tierCount <= 6 ? tier : tier.map((value) => positionOfTier(value, tierCount));
    this.find(this.#hits);
    if (clusterChanged || !this.index) {
      this.units = rowUnitsOf(stage.cluster);
      this.index = new RowIndex(this.units);
      this.heat = new HeatGrid(this.units);
    }
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
