/**
 * What is free beside what is kept, on single nodes, without a profile out of which all of it has been taken. What runs only gives devices back, so what is free is least
 * at first or where something kept begins. Of whole devices alone, where nobody asks for CPUs or memory. O(what is kept on the node, squared, × log steps) a question.
 */
import type { PoolView } from "../../../../engine/view.ts";
import { NEVER_MS } from "../../../../model/units.ts";
import type { Profile } from "../../../../scheduling/backfill/profile.ts";
import {
  addOver,
  copyInto,
  createSteps,
  type Steps,
  stepAt,
} from "../../../../scheduling/backfill/steps.ts";
import { type Sketch, takenBy } from "../../../../scheduling/placement/capacity.ts";
import type { Placing } from "../../../../scheduling/placement/placing.ts";
import type { Shape, Shapes } from "../../../../scheduling/placement/shapes.ts";
import type { KeptJob } from "../state.ts";
import type { Room } from "./stillKept.ts";

export class BesideKept implements Room {
  readonly flat = null;
  #runs!: readonly Steps[];
  /** By node: the last of its rows, where its mark is that of the round. */
  #last = new Int32Array(0);
  #mark = new Float64Array(0);
  #round = 0;
  /** Rows: node, the one before on it, from when to when, devices. */
  #rows = 0;
  #node = new Int32Array(64);
  #before = new Int32Array(64);
  #fromMs = new Float64Array(64);
  #toMs = new Float64Array(64);
  #gpus = new Int32Array(64);
  /** Jobs of the list that the rows are of. */
  #known = 0;
  #scratch = createSteps(0, 0);

  /** Nothing is known of what is kept. */
  newRound(): void {
    this.#round++;
    this.#rows = 0;
    this.#known = 0;
  }

  /** Questions are about these runs and all that is kept, to which jobs are only added in a round. O(rows of those that are new). */
  with({ ofNode }: Profile, kept: readonly KeptJob[], shapes: Shapes): this {
    this.#runs = ofNode;
    if (this.#last.length < ofNode.length) {
      this.#last = new Int32Array(ofNode.length);
      this.#mark = new Float64Array(ofNode.length);
    }
    for (; this.#known < kept.length; this.#known++) {
      const { jobIdx, startMs, endMs, placing } = kept[this.#known]!;
      if (startMs === NEVER_MS) continue;
      this.#add(shapes.list[shapes.shapeOfJob[jobIdx]!]!, placing, startMs, endMs);
    }
    return this;
  }

  #add({ parts }: Shape, placing: Placing, fromMs: number, toMs: number): void {
    for (let row = 0; row < placing.length; row++) {
      if (this.#rows === this.#node.length) this.#grow();
      const node = placing.node[row]!;
      const at = this.#rows++;
      this.#node[at] = node;
      this.#before[at] = this.#mark[node] === this.#round ? this.#last[node]! : -1;
      this.#mark[node] = this.#round;
      this.#last[node] = at;
      this.#fromMs[at] = fromMs;
      this.#toMs[at] = toMs;
      this.#gpus[at] = takenBy(parts, placing, row).gpus;
    }
  }

  #lastOn(node: number): number {
    return this.#mark[node] === this.#round ? this.#last[node]! : -1;
  }

  /** Devices free on a node all the time from one moment to another, less than none where victims still are. */
  least(node: number, fromMs: number, toMs: number): number {
    let least = this.#freeAt(node, fromMs);
    for (let at = this.#lastOn(node); at >= 0; at = this.#before[at]!) {
      const beginMs = this.#fromMs[at]!;
      if (beginMs > fromMs && beginMs < toMs) least = Math.min(least, this.#freeAt(node, beginMs));
    }
    return least;
  }

  #freeAt(node: number, atMs: number): number {
    const steps = this.#runs[node]!;
    let free = steps.gpus[stepAt(steps, atMs)]!;
    for (let at = this.#lastOn(node); at >= 0; at = this.#before[at]!)
      if (this.#fromMs[at]! <= atMs && this.#toMs[at]! > atMs) free -= this.#gpus[at]!;
    return free;
  }

  /** Whether a place has its devices from one time to another. False for an empty one. */
  isFree({ parts }: Shape, placing: Placing, fromMs: number, toMs: number): boolean {
    for (let row = 0; row < placing.length; row++) {
      const { gpus } = takenBy(parts, placing, row);
      if (this.least(placing.node[row]!, fromMs, toMs) < gpus) return false;
    }
    return placing.length > 0;
  }

  /** Makes a sketch of now show what stays free until a time. O(rows). */
  lessen(sketch: Sketch, { nowMs }: PoolView, toMs: number): void {
    for (let at = 0; at < this.#rows; at++) {
      const node = this.#node[at]!;
      const free = sketch.gpusFree[node]!;
      if (this.#last[node] !== at || free <= 0 || this.#firstMs(node) >= toMs) continue;
      const least = Math.min(free, Math.max(0, this.least(node, nowMs, toMs)));
      sketch.gpusFree[node] = least;
      sketch.gpusFreeTotal -= free - least;
    }
  }

  /** What is free on a node from each moment on; valid until the next question. */
  on(node: number): Steps | undefined {
    const runs = this.#runs[node];
    const last = this.#lastOn(node);
    if (runs === undefined || last < 0) return runs;
    const steps = copyInto(this.#scratch, runs);
    for (let at = last; at >= 0; at = this.#before[at]!)
      addOver(steps, this.#fromMs[at]!, this.#toMs[at]!, -this.#gpus[at]!, 0, 0);
    return steps;
  }

  #firstMs(node: number): number {
    let firstMs = NEVER_MS;
    for (let at = this.#lastOn(node); at >= 0; at = this.#before[at]!)
      firstMs = Math.min(firstMs, this.#fromMs[at]!);
    return firstMs;
  }

  #grow(): void {
    const rows = this.#node.length * 2;
    this.#node = into(new Int32Array(rows), this.#node);
    this.#before = into(new Int32Array(rows), this.#before);
    this.#fromMs = into(new Float64Array(rows), this.#fromMs);
    this.#toMs = into(new Float64Array(rows), this.#toMs);
    this.#gpus = into(new Int32Array(rows), this.#gpus);
  }
}

function into<T extends Int32Array | Float64Array>(grown: T, column: T): T {
  grown.set(column);
  return grown;
}
