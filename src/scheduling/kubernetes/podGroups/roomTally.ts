/**
 * How many open nodes have so many devices free, by group of the cluster: so that whether members of whole devices could find nodes at all is known without looking at these. Follows
 * a sketch node by node. A change O(1), a question O(groups × devices of a node).
 */
import type { Cluster } from "../../../model/cluster.ts";
import { NodeStateCode } from "../../../model/states.ts";
import type { Sketch } from "../../placement/capacity.ts";
import type { Part } from "../../placement/shapes.ts";

/** Of a node that is not open, or of another pool. */
const UNCOUNTED = -1;

export class RoomTally {
  readonly #width: number;
  /** By group and free devices. */
  readonly #nodes: Int32Array;
  /** Where each node is counted. */
  readonly #placeOf: Int32Array;

  constructor({ groups, nodeCount, deviceBase }: Cluster) {
    let most = 0;
    for (let node = 0; node < nodeCount; node++)
      most = Math.max(most, deviceBase[node + 1]! - deviceBase[node]!);
    this.#width = most + 1;
    this.#nodes = new Int32Array(groups.length * this.#width);
    this.#placeOf = new Int32Array(nodeCount).fill(UNCOUNTED);
  }

  /** Counts the nodes of a sketch anew. O(nodes). */
  count(sketch: Sketch): void {
    this.clear();
    const { nodes, nodeState, gpusFree, cluster } = sketch;
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i]!;
      if (nodeState[node] !== NodeStateCode.open) continue;
      const from = cluster.nodeGroup[node]! * this.#width;
      this.#enter(node, from + this.#within(gpusFree[node]!));
    }
  }

  /** No node is counted. */
  clear(): void {
    this.#nodes.fill(0);
    this.#placeOf.fill(UNCOUNTED);
  }

  /** Counts a node if another tally of the same cluster does, as it stands there. */
  admit(node: number, other: RoomTally): void {
    const place = other.#placeOf[node]!;
    if (place !== UNCOUNTED && this.#placeOf[node] === UNCOUNTED) this.#enter(node, place);
  }

  /** Becomes equal to another of the same cluster. O(nodes), as a copy. */
  copy(other: RoomTally): void {
    this.#nodes.set(other.#nodes);
    this.#placeOf.set(other.#placeOf);
  }

  /** A node whose state is the same has so many devices free now. */
  move(node: number, gpusFree: number): void {
    const place = this.#placeOf[node]!;
    if (place === UNCOUNTED) return;
    const to = place - (place % this.#width) + this.#within(gpusFree);
    if (to === place) return;
    this.#nodes[place] = this.#nodes[place]! - 1;
    this.#enter(node, to);
  }

  #enter(node: number, place: number): void {
    this.#placeOf[node] = place;
    this.#nodes[place] = this.#nodes[place]! + 1;
  }

  /** No node has more than all of its devices. */
  #within(gpusFree: number): number {
    return Math.max(0, Math.min(gpusFree, this.#width - 1));
  }

  /** Could so many members of a part find nodes, as far as devices tell? True of parts of devices. */
  couldHold({ gpus, ownNode, groupFits, shareMilli, mig }: Part, members: number): boolean {
    if (gpus === 0 || shareMilli > 0 || mig > 0) return true;
    let left = members;
    for (let group = 0; group < groupFits.length && left > 0; group++) {
      if (groupFits[group] === 0) continue;
      const from = group * this.#width;
      for (let free = gpus; free < this.#width; free++)
        left -= this.#nodes[from + free]! * (ownNode ? 1 : Math.floor(free / gpus));
    }
    return left <= 0;
  }
}
