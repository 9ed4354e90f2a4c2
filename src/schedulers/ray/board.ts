/**
 * The nodes of a Ray cluster as its rules see them: what each has and has left, whole and broken GPUs added up, where a worker is there. Taken from the view at the begin of a pass and kept up
 * to date by what the pass does; no part of the state. CPUs that nobody has counted are as good as endless. Loading O(nodes), O(devices) where some job asks for a part of one.
 */
import type { PoolView } from "../../engine/view.ts";
import type { Cluster } from "../../model/cluster.ts";
import { NodeStateCode } from "../../model/states.ts";
import { WHOLE_DEVICE } from "../../model/units.ts";
import {
  CPU,
  GPU,
  isIn,
  MEMORY,
  type NodeMask,
  type RayNodes,
} from "../../scheduling/ray/resources.ts";
import { type CallClass, callsOf, WIDTH } from "./calls.ts";
import type { RaySetup } from "./setup.ts";

const UNCOUNTED = 2 ** 40;

/** Nodes that hold a bundle, and how many bundles all of them hold. */
interface Room {
  readonly nodes: number;
  readonly members: number;
}

export class Board implements RayNodes {
  readonly count: number;
  readonly width = WIDTH;
  readonly available: Float64Array;
  readonly total: Float64Array;
  /** 1 where a worker is there. */
  readonly alive: Uint8Array;
  /** Workers that are there. */
  known = 0;
  readonly #setup: RaySetup;
  readonly #cluster: Cluster;
  #hasParts = false;
  readonly #masks = new Map<Uint8Array, Uint8Array>();
  /** By what groups fit, and by their bundle. */
  readonly #rooms = new Map<Uint8Array, Map<string, Room>>();

  constructor(cluster: Cluster, setup: RaySetup) {
    this.#setup = setup;
    this.#cluster = cluster;
    this.count = cluster.nodeCount;
    this.available = new Float64Array(this.count * WIDTH);
    this.total = new Float64Array(this.count * WIDTH);
    this.alive = new Uint8Array(this.count);
    for (let node = 0; node < this.count; node++) this.#setTotal(node);
  }

  #setTotal(node: number): void {
    const group = this.#setup.groups[this.#setup.groupOf[node]!];
    if (group === undefined) return;
    const { cpusPerNode, memMiBPerNode } = this.#cluster.groups[this.#cluster.nodeGroup[node]!]!;
    const base = node * WIDTH;
    const gpuMilli = this.#gpus(node) * WHOLE_DEVICE;
    this.total[base + GPU] = Math.min(gpuMilli, group.gpuMilli);
    this.total[base + CPU] =
      cpusPerNode === 0 ? UNCOUNTED : Math.min(cpusPerNode * 1_000, group.cpuMilli);
    this.total[base + MEMORY] = memMiBPerNode;
  }

  #gpus(node: number): number {
    const { deviceBase } = this.#cluster;
    return deviceBase[node + 1]! - deviceBase[node]!;
  }

  /** As the view has it. `absent`: 1 where no worker has been started. */
  load(view: PoolView, absent: Uint8Array): void {
    this.#hasParts = callsOf(view.jobs, view.cluster).hasParts;
    this.known = 0;
    this.#masks.clear();
    this.#rooms.clear();
    this.alive.fill(0);
    for (let i = 0; i < view.nodes.length; i++) {
      const node = view.nodes[i]!;
      if (view.nodeState[node] !== NodeStateCode.open || absent[node] === 1) continue;
      if (this.#setup.groupOf[node]! < 0) continue;
      this.alive[node] = 1;
      this.known++;
      this.refresh(view, node);
    }
  }

  /** One node as the view has it. O(1), O(its devices) with parts. */
  refresh(view: PoolView, node: number): void {
    const { available, total } = this;
    const base = node * WIDTH;
    const { cpusPerNode } = this.#cluster.groups[this.#cluster.nodeGroup[node]!]!;
    const gpuMilli = this.#gpus(node) * WHOLE_DEVICE;
    const used = gpuMilli - this.#freeMilli(view, node);
    available[base + GPU] = Math.max(0, total[base + GPU]! - used);
    available[base + CPU] =
      cpusPerNode === 0
        ? UNCOUNTED
        : Math.max(0, total[base + CPU]! - (cpusPerNode * 1_000 - view.cpuMilliFree[node]!));
    available[base + MEMORY] = view.memMiBFree[node]!;
  }

  /**
   * Whether the group may find room: its one kind of bundle on enough nodes, or often enough. What was counted once in a pass holds for the rest of it, since a pass only takes, so a group is
   * never refused that a search would place. O(1) after the first of its kind.
   */
  mayHold({ requests, bundleKey, members, strategy, fits }: CallClass, mask: NodeMask): boolean {
    if (bundleKey === "") return true;
    const rooms = this.#rooms.get(fits[0]!) ?? new Map<string, Room>();
    this.#rooms.set(fits[0]!, rooms);
    let room = rooms.get(bundleKey);
    if (room === undefined) {
      room = this.#count(requests[0]!, mask);
      rooms.set(bundleKey, room);
    }
    return (strategy === "STRICT_SPREAD" ? room.nodes : room.members) >= members;
  }

  #count(request: Float64Array, mask: NodeMask): Room {
    const room = { nodes: 0, members: 0 };
    for (let node = 0; node < this.count; node++) {
      if (!isIn(mask, node)) continue;
      let members = Number.POSITIVE_INFINITY;
      for (let r = 0; r < WIDTH; r++)
        if (request[r]! > 0)
          members = Math.min(members, Math.floor(this.available[node * WIDTH + r]! / request[r]!));
      if (members < 1) continue;
      room.nodes++;
      room.members += members;
    }
    return room;
  }

  #freeMilli(view: PoolView, node: number): number {
    if (!this.#hasParts) return view.gpusFree[node]! * WHOLE_DEVICE;
    const { deviceBase } = this.#cluster;
    let free = 0;
    for (let device = deviceBase[node]!; device < deviceBase[node + 1]!; device++)
      free += view.sliceUsed[device] === 0 ? WHOLE_DEVICE - view.deviceUsed[device]! : 0;
    return free;
  }

  /** Whether a node is of a group that members of a component fit, be a worker there or not. */
  fits(groups: Uint8Array, node: number): boolean {
    return groups[this.#cluster.nodeGroup[node]!] === 1;
  }

  /** Workers on which members of a component may be. The same array until the next load. */
  maskOf(calls: CallClass, component: number): NodeMask {
    const fits = calls.fits[component]!;
    let mask = this.#masks.get(fits);
    if (mask === undefined) {
      mask = this.alive;
      if (fits.includes(0)) {
        mask = this.alive.slice();
        for (let node = 0; node < this.count; node++)
          if (fits[this.#cluster.nodeGroup[node]!] === 0) mask[node] = 0;
      }
      this.#masks.set(fits, mask);
    }
    return mask;
  }
}

const boards = new WeakMap<RaySetup, Board>();

/** The board of a setup, loaded. */
export function boardOf(view: PoolView, setup: RaySetup, absent: Uint8Array): Board {
  let board = boards.get(setup);
  if (board === undefined) {
    board = new Board(view.cluster, setup);
    boards.set(setup, board);
  }
  board.load(view, absent);
  return board;
}
