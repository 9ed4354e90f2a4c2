/**
 * Devices that work holds by node, for each queue and priority, of what may be evicted at all: with what is free, an upper bound of what evictions can make of a node. A job that would
 * not fit even then is not searched for. Follows from what runs: a copy makes it anew when it is asked. Changes O(entries of the job), a bound O(nodes × queues × priorities).
 */
import { Grant } from "../../engine/grant.ts";
import type { PoolView } from "../../engine/view.ts";
import type { Cluster } from "../../model/cluster.ts";
import type { NodeBoard } from "../../scheduling/kubernetes/podGroups/nodeBoard.ts";
import { RoomTally } from "../../scheduling/kubernetes/podGroups/roomTally.ts";
import type { Part } from "../../scheduling/placement/shapes.ts";

/** Less than any node has, trials included. */
const NOT_YET = -0x80000000;

/** What nodes could have free at most. Belongs to `Bounds`: not to be kept. */
export class Bound {
  /** Devices by node. */
  readonly free: Int32Array;
  readonly #tally: RoomTally;
  #board: NodeBoard | null = null;

  constructor(cluster: Cluster) {
    this.free = new Int32Array(cluster.nodeCount);
    this.#tally = new RoomTally(cluster);
  }

  /** Begins with what is free on a board. `victimsOnly`: what is free on nodes alone of which something is added. O(nodes), as a copy. */
  begin(board: NodeBoard, victimsOnly: boolean): void {
    this.#board = victimsOnly ? board : null;
    if (victimsOnly) {
      this.free.fill(NOT_YET);
      this.#tally.clear();
      return;
    }
    this.free.set(board.sketch.gpusFree);
    this.#tally.copy(board.tally);
  }

  /** A node could have so many more. */
  add(node: number, devices: number): void {
    let free = this.free[node]!;
    if (free === NOT_YET && this.#board !== null) {
      free = this.#board.sketch.gpusFree[node]!;
      this.#tally.admit(node, this.#board.tally);
    }
    free += devices;
    this.free[node] = free;
    this.#tally.move(node, free);
  }

  /** What a run holds could be free as well. O(its nodes). */
  addDevices(devices: DevicesOn): void {
    for (let at = 0; at < devices.length; at += 2) this.add(devices[at]!, devices[at + 1]!);
  }

  /** What such work holds could be free as well. O(nodes × queues × priorities). */
  addHeld({ byQueue }: HeldOn, may: (queueIdx: number, priority: number) => boolean): void {
    for (let queueIdx = 0; queueIdx < byQueue.length; queueIdx++)
      for (const [priority, held] of byQueue[queueIdx]!) {
        if (!may(queueIdx, priority)) continue;
        for (let node = 0; node < held.length; node++)
          if (held[node] !== 0) this.add(node, held[node]!);
      }
  }

  /** Could so many members of a part find nodes? True where devices alone do not tell. */
  couldHold(part: Part, members: number): boolean {
    return this.#tally.couldHold(part, members);
  }
}

/** Bounds by question, and earlier ones to use again. */
export class Bounds {
  readonly #cluster: Cluster;
  readonly #known = new Map<number, Bound>();
  readonly #spare: Bound[] = [];

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** A bound that holds until `clear`; `fill` adds to what is free on the board, or on nodes with victims alone. */
  kept(key: number, board: NodeBoard, fill: (bound: Bound) => void, victimsOnly = false): Bound {
    let bound = this.#known.get(key);
    if (bound !== undefined) return bound;
    bound = this.#spare.pop() ?? new Bound(this.#cluster);
    bound.begin(board, victimsOnly);
    fill(bound);
    this.#known.set(key, bound);
    return bound;
  }

  /** Somebody was told to leave, or has taken a place: nothing is known any more. */
  clear(): void {
    if (this.#known.size === 0) return;
    this.#spare.push(...this.#known.values());
    this.#known.clear();
  }
}

/** Where a run holds devices: node and count in turn. */
export type DevicesOn = Int32Array;

export interface HeldOn {
  readonly nodes: number;
  /** By queue, then by priority. */
  readonly byQueue: Map<number, Int32Array>[];
}

export function createHeldOn(nodes: number, queues: number): HeldOn {
  return { nodes, byQueue: Array.from({ length: queues }, () => new Map<number, Int32Array>()) };
}

const holdings = new Grant();

export function devicesOn(view: PoolView, jobIdx: number): DevicesOn {
  holdings.clear();
  view.holdings(jobIdx, holdings);
  const devices = new Int32Array(holdings.length * 2);
  for (let row = 0; row < holdings.length; row++) {
    devices[row * 2] = holdings.node[row]!;
    devices[row * 2 + 1] = holdings.count[row]!;
  }
  return devices;
}

/** What a run takes of each node: node, devices, CPU and memory in turn. Null where parts of devices are among it. */
export function takenOn(view: PoolView, jobIdx: number): Int32Array | null {
  holdings.clear();
  view.holdings(jobIdx, holdings);
  const rowOf = new Map<number, number>();
  const taken: number[] = [];
  for (let row = 0; row < holdings.length; row++) {
    if (holdings.part[row]! > 0) return null;
    const node = holdings.node[row]!;
    let at = rowOf.get(node);
    if (at === undefined) {
      at = taken.length;
      rowOf.set(node, at);
      taken.push(node, 0, 0, 0);
    }
    taken[at + 1] = taken[at + 1]! + holdings.count[row]!;
    taken[at + 2] = taken[at + 2]! + holdings.cpuMilli[row]!;
    taken[at + 3] = taken[at + 3]! + holdings.memMiB[row]!;
  }
  return Int32Array.from(taken);
}

export function shiftHeldOn(
  { nodes, byQueue }: HeldOn,
  queueIdx: number,
  priority: number,
  devices: DevicesOn,
  sign: number,
): void {
  const ofQueue = byQueue[queueIdx]!;
  let held = ofQueue.get(priority);
  if (held === undefined) {
    held = new Int32Array(nodes);
    ofQueue.set(priority, held);
  }
  for (let at = 0; at < devices.length; at += 2) {
    const node = devices[at]!;
    held[node] = held[node]! + sign * devices[at + 1]!;
  }
}

/** Members of whole devices: a bound tells of them. */
export function isWhole({ gpus, shareMilli, mig }: Part): boolean {
  return gpus > 0 && shareMilli === 0 && mig === 0;
}
