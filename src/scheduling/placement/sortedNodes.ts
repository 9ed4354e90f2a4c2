/**
 * A free index over a sketch: the nodes sorted by number of free devices (then by number) by one counting sort. It is built in
 * one go, O(nodes + devices of a node), where the engine's own index is kept up to date device by device.
 */
import type { FreeIndex } from "../../engine/view.ts";

export class SortedNodes implements FreeIndex {
  maxFree = 0;
  #start = new Int32Array(2);
  #order = new Int32Array(0);
  #place = new Int32Array(0);

  /** Sorts the nodes of a pool by `gpusFree`; nodes that are not open are left out. */
  build(nodes: Int32Array, gpusFree: Int32Array, nodeState: Uint8Array): void {
    let most = 0;
    for (let i = 0; i < nodes.length; i++) most = Math.max(most, gpusFree[nodes[i]!]!);
    this.maxFree = most;
    if (this.#start.length < most + 2) this.#start = new Int32Array(most + 2);
    if (this.#order.length < nodes.length) this.#order = new Int32Array(nodes.length);
    if (this.#place.length < gpusFree.length) this.#place = new Int32Array(gpusFree.length);
    const start = this.#start;
    start.fill(0);
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i]!;
      if (nodeState[node] === 0) start[gpusFree[node]! + 1] = start[gpusFree[node]! + 1]! + 1;
    }
    for (let free = 0; free <= most; free++) start[free + 1] = start[free + 1]! + start[free]!;
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i]!;
      if (nodeState[node] !== 0) continue;
      const place = start[gpusFree[node]!]!;
      this.#order[place] = node;
      this.#place[node] = place;
      start[gpusFree[node]!] = place + 1;
    }
    start.copyWithin(1, 0, most + 1);
    start[0] = 0;
  }

  countWith(free: number): number {
    return free < 0 || free > this.maxFree ? 0 : this.#start[free + 1]! - this.#start[free]!;
  }

  nextNode(free: number, after: number): number {
    if (free < 0 || free > this.maxFree) return -1;
    const end = this.#start[free + 1]!;
    let at = this.#start[free]!;
    if (after >= 0) {
      const place = this.#place[after]!;
      if (place >= at && place < end && this.#order[place] === after) at = place + 1;
      else while (at < end && this.#order[at]! <= after) at++;
    }
    return at < end ? this.#order[at]! : -1;
  }
}
