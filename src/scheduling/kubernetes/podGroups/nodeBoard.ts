/**
 * Nodes as a session sees them: a sketch that trials change and undo exactly, and scores by part that are worked out again only for nodes that have changed
 * since. Loading compares with what was there, so scores outlive sessions. Derived from the view: no part of a scheduler's state. Loading O(nodes), O(devices) with
 * parts of devices; the best node of the pool O(nodes changed since × log nodes), of a list O(its nodes).
 */
import type { PoolView } from "../../../engine/view.ts";
import {
  type Capacity,
  createSketch,
  loadSketch,
  membersOn,
  type Sketch,
} from "../../placement/capacity.ts";
import type { Part } from "../../placement/shapes.ts";
import { BestNode } from "./bestNode.ts";

/** Score of a node for one more member of a part, 0 or more; only asked where it fits. */
export type Scoring = (sketch: Sketch, part: Part, node: number) => number;

/** What a node was before a trial touched it. */
interface Saved {
  readonly gpus: number;
  readonly cpuMilli: number;
  readonly memMiB: number;
  readonly used: Uint16Array | null;
  readonly slices: Uint8Array | null;
}

interface Scores {
  readonly best: BestNode;
  /** How much of the log of changes it has seen. */
  seen: number;
}

/** Parts whose scores are kept; when there are more all are dropped. */
const MOST_PARTS = 512;
/** Changes after which everything is worked out anew. */
const LOG_PER_NODE = 4;

export class NodeBoard {
  readonly sketch: Sketch;
  readonly #scores = new Map<Part, Scores>();
  readonly #scoring: Scoring;
  /** Nodes that have changed, in order. */
  #log: number[] = [];
  /** One for each trial under way, the innermost last. */
  #trials: Map<number, Saved>[] = [];
  #withParts = false;

  constructor(view: PoolView, scoring: Scoring) {
    this.sketch = createSketch(view);
    this.#scoring = scoring;
  }

  /** Becomes equal to a capacity. */
  load(from: Capacity, withParts: boolean): void {
    const { sketch } = this;
    const { deviceBase } = sketch.cluster;
    this.#withParts = withParts;
    if (sketch.nodes !== from.nodes) this.#forget();
    for (let node = 0; node < sketch.gpusFree.length; node++) {
      let same =
        sketch.gpusFree[node] === from.gpusFree[node] &&
        sketch.cpuMilliFree[node] === from.cpuMilliFree[node] &&
        sketch.memMiBFree[node] === from.memMiBFree[node] &&
        sketch.nodeState[node] === from.nodeState[node];
      if (withParts && same) {
        for (let device = deviceBase[node]!; device < deviceBase[node + 1]! && same; device++)
          same =
            sketch.deviceUsed[device] === from.deviceUsed[device] &&
            sketch.sliceUsed[device] === from.sliceUsed[device];
      }
      if (!same) this.#log.push(node);
    }
    loadSketch(sketch, from, withParts);
    this.#trials = [];
    if (this.#log.length > LOG_PER_NODE * sketch.gpusFree.length) this.#forget();
  }

  #forget(): void {
    this.#scores.clear();
    this.#log = [];
  }

  /** A trial begins, inside another or not: what it touches can be undone. */
  begin(): void {
    this.#trials.push(new Map());
  }

  /** The trial has succeeded; one around it can still be undone. */
  keep(): void {
    const trial = this.#trials.pop()!;
    const around = this.#trials.at(-1);
    if (around === undefined) return;
    for (const [node, saved] of trial) if (!around.has(node)) around.set(node, saved);
  }

  /** To be called before a node of the sketch is changed in a trial. O(1), O(devices of the node) with parts. */
  touch(node: number): void {
    const trial = this.#trials.at(-1);
    if (trial === undefined || trial.has(node)) return;
    const { sketch } = this;
    const { deviceBase } = sketch.cluster;
    const parts = this.#withParts;
    trial.set(node, {
      gpus: sketch.gpusFree[node]!,
      cpuMilli: sketch.cpuMilliFree[node]!,
      memMiB: sketch.memMiBFree[node]!,
      used: parts ? sketch.deviceUsed.slice(deviceBase[node]!, deviceBase[node + 1]!) : null,
      slices: parts ? sketch.sliceUsed.slice(deviceBase[node]!, deviceBase[node + 1]!) : null,
    });
  }

  /** Back to where the trial began. */
  undo(): void {
    const { sketch } = this;
    for (const [node, saved] of this.#trials.pop()!) {
      sketch.gpusFreeTotal += saved.gpus - sketch.gpusFree[node]!;
      sketch.gpusFree[node] = saved.gpus;
      sketch.cpuMilliFree[node] = saved.cpuMilli;
      sketch.memMiBFree[node] = saved.memMiB;
      const first = sketch.cluster.deviceBase[node]!;
      if (saved.used !== null) sketch.deviceUsed.set(saved.used, first);
      if (saved.slices !== null) sketch.sliceUsed.set(saved.slices, first);
      this.changed(node);
    }
  }

  /** A node takes over what a capacity says of it. O(devices of the node). */
  refresh(from: Capacity, node: number): void {
    const { sketch } = this;
    sketch.gpusFreeTotal += from.gpusFree[node]! - sketch.gpusFree[node]!;
    sketch.gpusFree[node] = from.gpusFree[node]!;
    sketch.cpuMilliFree[node] = from.cpuMilliFree[node]!;
    sketch.memMiBFree[node] = from.memMiBFree[node]!;
    if (this.#withParts) {
      const first = sketch.cluster.deviceBase[node]!;
      const end = sketch.cluster.deviceBase[node + 1]!;
      sketch.deviceUsed.set(from.deviceUsed.subarray(first, end), first);
      sketch.sliceUsed.set(from.sliceUsed.subarray(first, end), first);
    }
    this.changed(node);
  }

  /** The node is not what it was: its scores are worked out anew. */
  changed(node: number): void {
    this.#log.push(node);
  }

  /** The scores of all nodes for one more member of a part, as of now. */
  bestFor(part: Part): BestNode {
    let scores = this.#scores.get(part);
    if (scores === undefined) {
      if (this.#scores.size >= MOST_PARTS) this.#scores.clear();
      scores = { best: new BestNode(this.sketch.gpusFree.length), seen: this.#log.length };
      const { nodes } = this.sketch;
      for (let i = 0; i < nodes.length; i++)
        scores.best.put(nodes[i]!, this.#scoreOf(part, nodes[i]!));
      this.#scores.set(part, scores);
      return scores.best;
    }
    for (; scores.seen < this.#log.length; scores.seen++) {
      const node = this.#log[scores.seen]!;
      if (scores.best.has(node)) scores.best.put(node, this.#scoreOf(part, node));
    }
    return scores.best;
  }

  #scoreOf(part: Part, node: number): number {
    return membersOn(this.sketch, node, part, 1) > 0 ? this.#scoring(this.sketch, part, node) : -1;
  }
}
