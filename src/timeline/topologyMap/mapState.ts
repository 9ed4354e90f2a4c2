/**
 * The cluster at one moment, for the map: who holds each device and each part of one, nodes out of service, failed devices, traffic, what still fits. Read once
 * a frame while the cursor moves; `changed` says whether anything is drawn otherwise than before. O(units · parts of the index · log n + devices).
 */
import { GaugeCode } from "../../model/lab/gauges.ts";
import { NodeStateCode } from "../../model/states.ts";
import type { Stage } from "../../protocol/messages.ts";
import type { Chunk, OpenSet } from "../../record/shapes.ts";
import { Demand } from "../demand.ts";
import { GaugeSeries, valueAt } from "../gaugeSeries.ts";
import { type DeviceStretch, nodeHistoryOf } from "../nodeHistory.ts";
import { PartPlaces } from "../partPlaces.ts";
import { RowIndex } from "../rowIndex.ts";
import { type Slice, slicesAt } from "../slicesAt.ts";
import { createHolders, type Holders, holdersAt, nodeStatesAt } from "../stateAt.ts";
import { createFits, type MapFits, readFits } from "./mapFits.ts";
import { readCrossings } from "./mapLinks.ts";
import { type MapTree, mapTreeOf } from "./mapTree.ts";

/** The record that is shown; `knownMs`: complete up to there. */
export interface MapRecord {
  readonly chunks: readonly Chunk[];
  readonly open: OpenSet | null;
  readonly knownMs: number;
  readonly done: boolean;
}

/** Chunks taken in at once. */
const BATCH = 4;

const states = new WeakMap<Stage, MapState>();

/** The state of the run that a stage belongs to; the same object for the same stage, so that map and table share what they took in. */
export function mapStateOf(stage: Stage): MapState {
  const known = states.get(stage) ?? new MapState(stage);
  states.set(stage, known);
  return known;
}

export class MapState {
  readonly stage: Stage;
  readonly tree: MapTree;
  readonly holders: Holders;
  readonly closedUnit: Uint8Array;
  readonly failedDevice: Uint8Array;
  readonly unitLink: Float32Array;
  readonly blockLink: Float32Array;
  /** What is held of devices that jobs share. */
  slices: ReadonlyMap<number, readonly Slice[]> = new Map();
  readonly fits: MapFits;
  workWaits = false;
  /** The moment lies in what is computed. */
  known = false;
  /** The run has recorded how loaded the uplinks are: links show that, and not who might use them. */
  uplinksKnown = false;
  readonly #index: RowIndex;
  readonly #gauges = new GaugeSeries();
  readonly #demand = new Demand();
  readonly #partPlaces = new PartPlaces();
  #failures: readonly DeviceStretch[] = [];
  #record: MapRecord | null = null;
  #work: Generator<void, void> | null = null;
  #taken: readonly Chunk[] = [];
  #atMs = Number.NaN;
  #stale = true;
  #before: Int32Array;
  #stateBefore: Uint8Array;

  constructor(stage: Stage) {
    const { cluster } = stage;
    this.stage = stage;
    this.tree = mapTreeOf(cluster);
    const { units } = this.tree;
    this.#index = new RowIndex(units);
    this.holders = createHolders(cluster);
    this.closedUnit = new Uint8Array(units.unitCount);
    this.failedDevice = new Uint8Array(cluster.deviceCount);
    this.unitLink = new Float32Array(units.unitCount);
    this.blockLink = new Float32Array(units.blockCount);
    this.fits = createFits(this.tree);
    this.#before = new Int32Array(cluster.deviceCount).fill(-2);
    this.#stateBefore = new Uint8Array(cluster.nodeCount);
  }

  /** From now on another record, or more of it, is read; `step` takes it in. */
  update(record: MapRecord): void {
    if (record === this.#record) return;
    this.#record = record;
    this.#work = this.#takeIn(record);
  }

  /** Takes in about `steps` slices of what is new; true while something is left. */
  step(steps: number): boolean {
    for (let i = 0; i < steps && this.#work; i++) {
      this.#stale = true;
      if (this.#work.next().done) this.#work = null;
    }
    if (this.#work) return true;
    const before = this.#index.parts;
    const more = this.#index.step(steps);
    if (this.#index.parts !== before) this.#stale = true;
    return more;
  }

  /** In batches of chunks: a long record that is there already would cost more than a frame has. O(what is new). */
  *#takeIn({ chunks, open }: MapRecord): Generator<void, void> {
    this.#index.update(chunks, open);
    yield;
    const goesOn = this.#taken.every((chunk, i) => chunks[i] === chunk);
    const { nodeCount } = this.stage.cluster;
    let count = goesOn ? this.#taken.length : 0;
    do {
      // What each chunk says of nodes is kept: the whole is quick afterwards.
      nodeHistoryOf(chunks.slice(count, count + BATCH), null, nodeCount);
      count = Math.min(chunks.length, count + BATCH);
      const some = chunks.slice(0, count);
      this.#gauges.update(some);
      this.#demand.update(some);
      this.#partPlaces.update(this.stage, some, count === chunks.length ? open : null);
      this.#taken = some;
      yield;
    } while (count < chunks.length);
    this.#failures = nodeHistoryOf(chunks, open, nodeCount).devices;
  }

  /** Reads the moment; true where the map changed by it. */
  read(atMs: number): boolean {
    const record = this.#record;
    if (!record || (atMs === this.#atMs && !this.#stale)) return false;
    const fresh = this.#stale;
    this.#atMs = atMs;
    this.#stale = false;
    const { units } = this.tree;
    this.known = record.done || atMs <= record.knownMs;
    holdersAt(this.#index.parts, units, atMs, this.holders);
    if (!this.known) this.holders.jobOfDevice.fill(-1);
    nodeStatesAt(record.chunks, record.open, atMs, this.holders);
    const waits = this.known && this.#demand.waitsAt(atMs);
    const uplinks = this.uplinksKnown ? this.blockLink.slice() : null;
    if (uplinks) this.#readUplinks(atMs);
    const moved =
      fresh ||
      waits !== this.workWaits ||
      this.#readFailures(atMs) ||
      !same(this.holders.jobOfDevice, this.#before) ||
      !same(this.holders.stateOfNode, this.#stateBefore);
    this.workWaits = waits;
    if (!moved) {
      const sliced = this.#readSlices(atMs);
      return sliced || (uplinks !== null && !same(uplinks, this.blockLink));
    }
    this.#readFailures(atMs);
    this.#before.set(this.holders.jobOfDevice);
    this.#stateBefore.set(this.holders.stateOfNode);
    units.unitNode.forEach((node, u) => {
      this.closedUnit[u] = this.holders.stateOfNode[node] === NodeStateCode.open ? 0 : 1;
    });
    this.#readSlices(atMs);
    readCrossings(this.holders.jobOfDevice, units, this.unitLink, this.blockLink);
    this.#readUplinks(atMs);
    readFits(this.tree, this.holders.jobOfDevice, this.closedUnit, this.failedDevice, this.fits);
    return true;
  }

  /** Block b is leaf b. O(leaves · log steps). */
  #readUplinks(atMs: number): void {
    const { leaves, blockCount } = this.tree.units;
    this.uplinksKnown = false;
    for (let leaf = 0; leaves && leaf < blockCount; leaf++) {
      const steps = this.#gauges.get(GaugeCode.uplink, leaf);
      if (!steps) continue;
      if (!this.uplinksKnown) this.blockLink.fill(0);
      this.uplinksKnown = true;
      const load = valueAt(steps, atMs);
      this.blockLink[leaf] = Number.isNaN(load) ? 0 : Math.min(1, load);
    }
  }

  /** True where another device has failed than before. */
  #readFailures(atMs: number): boolean {
    let changed = false;
    if (this.#failures.length === 0) return false;
    const now = new Set<number>();
    for (const { kind, device, fromMs, toMs } of this.#failures)
      if (kind === "failed" && fromMs <= atMs && atMs < toMs) now.add(device);
    for (let d = 0; d < this.failedDevice.length; d++) {
      const failed = now.has(d) ? 1 : 0;
      if (failed !== this.failedDevice[d]) changed = true;
      this.failedDevice[d] = failed;
    }
    return changed;
  }

  /** True where parts are held otherwise than before. O(entries of units with parts at the moment). */
  #readSlices(atMs: number): boolean {
    const parts = this.known ? this.#index.parts : [];
    const slices = slicesAt(parts, this.tree.units, this.#partPlaces, atMs);
    const changed = textOf(slices) !== textOf(this.slices);
    this.slices = slices;
    return changed;
  }
}

function textOf(slices: ReadonlyMap<number, readonly Slice[]>): string {
  if (slices.size === 0) return "";
  return JSON.stringify(
    [...slices].map(([device, list]) => [device, list.map(({ jobIdx, from }) => [jobIdx, from])]),
  );
}

function same(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
