/** The topology of the moment as plain columns: holders of devices, traffic on links, nodes out of service, nodes promised. */
import type { Cluster } from "../../model/cluster.ts";
import { GaugeCode } from "../../model/lab/gauges.ts";
import { NodeStateCode } from "../../model/states.ts";
import { WHOLE_DEVICE } from "../../model/units.ts";
import type { DeviceSlice } from "../../render/topologyPainter.ts";
import { valueAt } from "../../timeline/gaugeSeries.ts";
import type { Part } from "../../timeline/rowIndex.ts";
import type { RowUnits } from "../../timeline/rowUnits.ts";
import { heldPart, slicesAt } from "../../timeline/slicesAt.ts";
import { createHolders, type Holders, holdersAt } from "../../timeline/stateAt.ts";
import { readCrossings } from "../../timeline/topologyMap/mapLinks.ts";
import type { GanttScene } from "./scene.ts";

export class TopologyState {
  readonly positionOfDevice: Int8Array;
  /** Part of each device that is held, 0 to 1. */
  readonly heldOfDevice: Float32Array;
  /** Of devices that jobs share: their parts, each with its colour position. */
  slices: ReadonlyMap<number, readonly DeviceSlice[]> = new Map();
  readonly closedUnit: Uint8Array;
  /** Failed while its node goes on. */
  readonly failedDevice: Uint8Array;
  readonly unitLink: Float32Array;
  readonly blockLink: Float32Array;
  readonly unitLabels: readonly string[];
  /** Pool of each node, where nodes change pools; else empty. */
  readonly unitPools: string[];
  readonly nvswitchUnit: Uint8Array;
  readonly holders: Holders;
  workWaits = false;
  /** The run has recorded how loaded the uplinks are: links show that, and not who might use them. */
  uplinksKnown = false;
  readonly #cluster: Cluster;
  readonly #units: RowUnits;
  #atMs = Number.NaN;
  #version = -1;

  constructor(cluster: Cluster, units: RowUnits) {
    this.#cluster = cluster;
    this.#units = units;
    this.holders = createHolders(cluster);
    this.positionOfDevice = new Int8Array(cluster.deviceCount).fill(-1);
    this.heldOfDevice = new Float32Array(cluster.deviceCount);
    this.closedUnit = new Uint8Array(units.unitCount);
    this.failedDevice = new Uint8Array(cluster.deviceCount);
    this.unitLink = new Float32Array(units.unitCount);
    this.blockLink = new Float32Array(units.blockCount);
    this.unitLabels = Array.from(units.unitNode, (node, u) => unitName(cluster, units, u, node));
    this.unitPools = this.unitLabels.map(() => "");
    this.nvswitchUnit = Uint8Array.from(units.unitNode, (node) =>
      !cluster.flat && cluster.nvswitchOfNode[node]! >= 0 ? 1 : 0,
    );
  }

  /** Reads the state at a time; free when neither time nor record changed. */
  read(scene: GanttScene, atMs: number): void {
    if ((atMs === this.#atMs && scene.version === this.#version) || !scene.places) return;
    this.#atMs = atMs;
    this.#version = scene.version;
    holdersAt(scene.places.index.parts, this.#units, atMs, this.holders);
    // Beyond what is computed nobody is known to hold anything.
    const known = scene.future.done || atMs <= scene.future.knownMs;
    if (!known) this.holders.jobOfDevice.fill(-1);
    const { jobOfDevice } = this.holders;
    for (let d = 0; d < jobOfDevice.length; d++) {
      const job = jobOfDevice[d]!;
      this.positionOfDevice[d] = job < 0 ? -1 : scene.paintOfJob[job]!;
      this.heldOfDevice[d] = job < 0 ? 0 : 1;
    }
    this.#readSlices(scene, known ? scene.places.index.parts : [], atMs);
    this.workWaits = known && scene.demand.waitsAt(atMs);
    this.#readNodes(scene, atMs);
    this.#readHistory(scene, atMs);
    readCrossings(jobOfDevice, this.#units, this.unitLink, this.blockLink);
    this.#readUplinks(scene, atMs);
  }

  #readSlices(scene: GanttScene, parts: readonly Part[], atMs: number): void {
    const slices = new Map<number, DeviceSlice[]>();
    for (const [device, list] of slicesAt(parts, this.#units, scene.partPlaces, atMs)) {
      slices.set(
        device,
        list.map(({ jobIdx, from, to }) => ({
          from: from / WHOLE_DEVICE,
          to: to / WHOLE_DEVICE,
          position: scene.paintOfJob[jobIdx]!,
        })),
      );
      this.heldOfDevice[device] = heldPart(list);
    }
    this.slices = slices;
  }

  /** Block b is leaf b. O(leaves · log steps). */
  #readUplinks({ gauges }: GanttScene, atMs: number): void {
    const { leaves, blockCount } = this.#units;
    this.uplinksKnown = false;
    for (let leaf = 0; leaves && leaf < blockCount; leaf++) {
      const steps = gauges.get(GaugeCode.uplink, leaf);
      if (!steps) continue;
      if (!this.uplinksKnown) this.blockLink.fill(0);
      this.uplinksKnown = true;
      const load = valueAt(steps, atMs);
      this.blockLink[leaf] = Number.isNaN(load) ? 0 : Math.min(1, load);
    }
  }

  #readNodes(scene: GanttScene, atMs: number): void {
    this.closedUnit.fill(0);
    const spans = scene.nodeSpans;
    if (!spans) return;
    const { unitNode } = this.#units;
    for (let u = 0; u < unitNode.length; u++) {
      const node = unitNode[u]!;
      for (let i = spans.first[node]!; i < spans.first[node + 1]!; i++) {
        if (
          spans.startMs[i]! <= atMs &&
          atMs < spans.endMs[i]! &&
          spans.state[i] !== NodeStateCode.open
        )
          this.closedUnit[u] = 1;
      }
    }
  }

  #readHistory({ history }: GanttScene, atMs: number): void {
    this.#units.unitNode.forEach((node, u) => {
      this.unitPools[u] = history?.poolName(node, atMs) ?? "";
    });
    this.failedDevice.fill(0);
    for (const list of history?.failures.values() ?? [])
      for (const { kind, device, fromMs, toMs } of list)
        if (kind === "failed" && fromMs <= atMs && atMs < toMs) this.failedDevice[device] = 1;
  }

  get units(): RowUnits {
    return this.#units;
  }

  get cluster(): Cluster {
    return this.#cluster;
  }
}

/** A node's own name; of a group of rows of a flat machine the number of its first. */
function unitName(cluster: Cluster, units: RowUnits, u: number, node: number): string {
  if (cluster.flat) return String(units.unitFirst[u]! + 1);
  return cluster.nodeNames[node] ?? String(node + 1);
}
