/**
 * Sketches that one round of the walk works with more than once: what is free now outside nodes that are closed to a job, and what is free until the
 * end of a job beside so many reservations (its level, see `keep.ts`). A sketch is made when first asked for and holds until a job starts or a
 * reservation is made; of each use the last one is remembered. Where jobs share devices nothing is remembered, for there room changes otherwise too.
 */
import type { PoolView } from "../../../../engine/view.ts";
import {
  buildIndex,
  type Capacity,
  loadSketch,
  type Sketch,
} from "../../../../scheduling/placement/capacity.ts";
import type { Shapes } from "../../../../scheduling/placement/shapes.ts";
import { type SketchUse, sketchOf } from "../../scratch.ts";
import type { ClosedNodes } from "../closures/closedNodes.ts";
import { type Cuts, isCutting, takeCuts } from "../cuts.ts";
import type { OneKept } from "./oneKept.ts";

/** Makes a sketch of what is free now show what stays free until a time beside all that is kept. */
export interface Lessens {
  lessen(sketch: Sketch, untilMs: number): void;
}

interface Made {
  readonly use: SketchUse;
  /** −1: nothing is remembered. */
  level: number;
  mask: Int32Array;
  indexed: boolean;
}

/** Level of a sketch beside EASY's one reservation; those of a profile begin at 1. */
const BESIDE_ONE = 0;

const notMade = (use: SketchUse): Made => ({
  use,
  level: -1,
  mask: new Int32Array(0),
  indexed: false,
});

export class KeepSketches {
  readonly #closedNow = notMade("closedNow");
  readonly #closedLater = notMade("closedLater");
  readonly #later = notMade("later");
  #view!: PoolView;
  #shapes!: Shapes;
  #closed!: ClosedNodes;
  #cuts!: Cuts;

  begin(view: PoolView, shapes: Shapes, closed: ClosedNodes, cuts: Cuts): void {
    this.#view = view;
    this.#shapes = shapes;
    this.#closed = closed;
    this.#cuts = cuts;
    this.forget();
  }

  forget(): void {
    this.#closedNow.level = -1;
    this.#closedLater.level = -1;
    this.#later.level = -1;
  }

  /** What is free now, the view itself where nothing is planned besides. O(1), O(nodes + devices) while devices are cut. */
  asItIs(): Capacity {
    if (!isCutting(this.#cuts)) return this.#view;
    const sketch = this.load("closedNow");
    this.#closedNow.level = -1;
    buildIndex(sketch);
    return sketch;
  }

  /** A sketch of what is free now, less what is planned on devices that are being cut; its index is not built. O(nodes), O(devices) where jobs share them. */
  load(use: SketchUse): Sketch {
    const sketch = sketchOf(this.#view, use);
    loadSketch(sketch, this.#view, this.#shapes.hasParts);
    if (isCutting(this.#cuts)) takeCuts(this.#cuts, this.#shapes, sketch);
    return sketch;
  }

  /** What is free now outside closed nodes; its index only where it is asked for. O(nodes) where it is not remembered. */
  now(mask: Int32Array, indexed: boolean): Sketch {
    return this.#sketch(this.#closedNow, 0, mask, null, 0, indexed);
  }

  /** What is free until a time, which lies in a level. O(nodes × log steps) where it is not remembered. */
  until(kept: Lessens, untilMs: number, level: number, mask: Int32Array, indexed: boolean): Sketch {
    const made = mask.length === 0 ? this.#later : this.#closedLater;
    return this.#sketch(made, level, mask, kept, untilMs, indexed);
  }

  /** What is free now and beside the one reservation, outside closed nodes; its index only where it is asked for. O(nodes) where it is not remembered. */
  beside(one: OneKept, mask: Int32Array, indexed: boolean): Sketch {
    const made = this.#closedLater;
    const sketch = sketchOf(this.#view, made.use);
    if (made.level !== BESIDE_ONE || !isSame(made.mask, mask)) {
      one.loadLeft(sketch);
      this.#closed.apply(sketch, mask);
      made.level = BESIDE_ONE;
      made.mask = mask;
      made.indexed = false;
    }
    if (indexed && !made.indexed) {
      buildIndex(sketch);
      made.indexed = true;
    }
    return sketch;
  }

  #sketch(
    made: Made,
    level: number,
    mask: Int32Array,
    kept: Lessens | null,
    untilMs: number,
    indexed: boolean,
  ): Sketch {
    const view = this.#view;
    const isMade = made.level === level && isSame(made.mask, mask);
    const sketch = isMade ? sketchOf(view, made.use) : this.load(made.use);
    if (!isMade) {
      kept?.lessen(sketch, untilMs);
      this.#closed.apply(sketch, mask);
      made.level = this.#shapes.hasParts ? -1 : level;
      made.mask = mask;
      made.indexed = false;
    }
    if (indexed && !made.indexed) {
      buildIndex(sketch);
      made.indexed = true;
    }
    return sketch;
  }
}

function isSame(one: Int32Array, other: Int32Array): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}
