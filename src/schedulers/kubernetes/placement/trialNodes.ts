/**
 * Nodes as they are, to try pods on: what a controller that only thinks ahead (autoscaler) works with. Pods that were put somewhere can be taken back in the order in which they came. O(1) a
 * pod, O(nodes + devices) to load.
 */
import type { PoolView } from "../../../engine/view.ts";
import { NodeStateCode } from "../../../model/states.ts";
import {
  createSketch,
  loadSketch,
  membersOn,
  openEmpty,
  type Sketch,
  takePlacing,
} from "../../../scheduling/placement/capacity.ts";
import { takeShares, takeSlices } from "../../../scheduling/placement/parts.ts";
import { Placing } from "../../../scheduling/placement/placing.ts";
import type { Part } from "../../../scheduling/placement/shapes.ts";
import { CPU, GPU, MEMORY, type PodShape } from "./shapes.ts";

const placing = new Placing();

interface Before {
  readonly node: number;
  readonly amounts: readonly [cpuMilli: number, memMiB: number, gpus: number];
  readonly devices: Uint16Array;
  readonly slices: Uint8Array;
}

export class TrialNodes {
  readonly #sketch: Sketch;
  readonly #before: Before[] = [];

  constructor(view: PoolView) {
    this.#sketch = createSketch(view);
    loadSketch(this.#sketch, view, true);
  }

  /** A node that is not there yet stands there empty. */
  open(node: number): void {
    openEmpty(this.#sketch, node);
  }

  /** A node is no longer there. */
  close(node: number): void {
    this.#sketch.nodeState[node] = NodeStateCode.unborn;
  }

  /** Pods of a shape that a node has room for, at most `most`. */
  roomFor(node: number, part: Part, most: number): number {
    return membersOn(this.#sketch, node, part, most);
  }

  /** Puts pods there, for which there is room. */
  put(node: number, { part }: PodShape, pods: number): void {
    placing.clear();
    if (part.shareMilli > 0) takeShares(this.#sketch, 0, part, node, pods, placing);
    else if (part.mig > 0) takeSlices(this.#sketch, 0, part, node, pods, placing);
    else placing.push(0, node, pods);
    takePlacing(this.#sketch, placing, [part]);
  }

  /** Takes what one pod asks for, whether it is free or not: somebody is about to leave. */
  keep(node: number, { request }: PodShape): void {
    const sketch = this.#sketch;
    sketch.cpuMilliFree[node] = sketch.cpuMilliFree[node]! - request[CPU];
    sketch.memMiBFree[node] = sketch.memMiBFree[node]! - request[MEMORY];
    sketch.gpusFree[node] = sketch.gpusFree[node]! - request[GPU];
  }

  /** As `put`, to be taken back by `undo`. */
  tryPut(node: number, shape: PodShape): void {
    const sketch = this.#sketch;
    const [from, to] = [sketch.cluster.deviceBase[node]!, sketch.cluster.deviceBase[node + 1]!];
    this.#before.push({
      node,
      amounts: [sketch.cpuMilliFree[node]!, sketch.memMiBFree[node]!, sketch.gpusFree[node]!],
      devices: sketch.deviceUsed.slice(from, to),
      slices: sketch.sliceUsed.slice(from, to),
    });
    this.put(node, shape, 1);
  }

  /** Everything tried so far stays. */
  accept(): void {
    this.#before.length = 0;
  }

  /** Takes back what was tried since the last `accept`. */
  undo(): void {
    const sketch = this.#sketch;
    for (let before = this.#before.pop(); before; before = this.#before.pop()) {
      const { node, amounts, devices, slices } = before;
      [sketch.cpuMilliFree[node], sketch.memMiBFree[node], sketch.gpusFree[node]] = amounts;
      sketch.deviceUsed.set(devices, sketch.cluster.deviceBase[node]!);
      sketch.sliceUsed.set(slices, sketch.cluster.deviceBase[node]!);
    }
  }
}
