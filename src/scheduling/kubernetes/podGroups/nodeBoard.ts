/**
 * Nodes as a session sees them: a sketch that trials change and undo exactly, and scores by part that are worked out again only for nodes that have changed
 * since. Loading compares with what was there, so scores outlive sessions. Derived from the view: no part of a scheduler's state. Loading O(nodes), O(devices) with
 * parts of devices; a score O(1); the best node of a list O(its nodes).
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

/** Score of a node for one more member of a part, 0 or more; only asked where it fits. */
export type Scoring = (sketch: Sketch, part: Part, node: number) => number;

interface Scores {
  readonly seen: Int32Array;
  /** −1 where no member fits. */
  readonly score: Float64Array;
}

/** What a node was before a trial touched it. */
interface Saved {
  readonly gpus: number;
  readonly cpuMilli: number;
  readonly memMiB: number;
  readonly used: Uint16Array;
  readonly slices: Uint8Array;
}

/** Parts whose scores are kept; when there are more all are dropped. */
const MOST_PARTS = 512;

export class NodeBoard {
  readonly sketch: Sketch;
  readonly #version: Int32Array;
  readonly #scores = new Map<Part, Scores>();
  readonly #scoring: Scoring;
  /** One for each trial under way, the innermost last. */
  #trials: Map<number, Saved>[] = [];
  #withParts = false;

  constructor(view: PoolView, scoring: Scoring) {
    this.sketch = createSketch(view);
    this.#version = new Int32Array(view.cluster.nodeCount).fill(1);
    this.#scoring = scoring;
  }

  /** Becomes equal to a capacity. */
  load(from: Capacity, withParts: boolean): void {
    const { sketch } = this;
    const { deviceBase } = sketch.cluster;
    this.#withParts = withParts;
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
      if (!same) this.changed(node);
    }
    loadSketch(sketch, from, withParts);
    this.#trials = [];
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
    const first = sketch.cluster.deviceBase[node]!;
    const end = this.#withParts ? sketch.cluster.deviceBase[node + 1]! : first;
    trial.set(node, {
      gpus: sketch.gpusFree[node]!,
      cpuMilli: sketch.cpuMilliFree[node]!,
      memMiB: sketch.memMiBFree[node]!,
      used: sketch.deviceUsed.slice(first, end),
      slices: sketch.sliceUsed.slice(first, end),
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
      if (saved.used.length > 0) {
        sketch.deviceUsed.set(saved.used, sketch.cluster.deviceBase[node]!);
        sketch.sliceUsed.set(saved.slices, sketch.cluster.deviceBase[node]!);
      }
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
    this.#version[node] = this.#version[node]! + 1;
  }

  /** The node of a list that scores best for one more member; the first of equal ones; −1 where none has room. */
  best(
    part: Part,
    nodes: ArrayLike<number>,
    without: ReadonlySet<number> | null,
    extra: Float64Array | null,
  ): number {
    const scores = this.#scoresOf(part);
    let best = -1;
    let bestScore = -1;
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i]!;
      if (scores.seen[node] !== this.#version[node]) this.#rescore(scores, part, node);
      let score = scores.score[node]!;
      if (score < 0) continue;
      if (extra !== null) score += extra[node]!;
      if (score <= bestScore || without?.has(node)) continue;
      best = node;
      bestScore = score;
    }
    return best;
  }

  #scoresOf(part: Part): Scores {
    let scores = this.#scores.get(part);
    if (scores === undefined) {
      if (this.#scores.size >= MOST_PARTS) this.#scores.clear();
      const count = this.#version.length;
      scores = { seen: new Int32Array(count), score: new Float64Array(count) };
      this.#scores.set(part, scores);
    }
    return scores;
  }

  #rescore(scores: Scores, part: Part, node: number): void {
    scores.seen[node] = this.#version[node]!;
    const fits = membersOn(this.sketch, node, part, 1) > 0;
    scores.score[node] = fits ? this.#scoring(this.sketch, part, node) : -1;
  }
}
