/**
 * Sketches that one round of the walk works with more than once: what is free now outside nodes that are closed to a job, and what is free until the
 * end of a job beside so many reservations (its level, see `keep.ts`). A sketch is made when first asked for and holds until a job starts or a
 * reservation is made; of each use the last one is remembered. Where jobs share devices nothing is remembered, for there room changes otherwise too.
 */
import type { PoolView } from "../../../../engine/view.ts";
import type { Profile } from "../../../../scheduling/backfill/profile.ts";
import { sketchOver } from "../../../../scheduling/backfill/profile.ts";
import { buildIndex, loadSketch, type Sketch } from "../../../../scheduling/placement/capacity.ts";
import type { Shapes } from "../../../../scheduling/placement/shapes.ts";
import { type SketchUse, sketchOf } from "../../scratch.ts";
import type { ClosedNodes } from "../closures/closedNodes.ts";

interface Made {
  readonly use: SketchUse;
  /** −1: nothing is remembered. */
  level: number;
  mask: Int32Array;
}

export class KeepSketches {
  readonly #closedNow: Made = { use: "closedNow", level: -1, mask: new Int32Array(0) };
  readonly #closedLater: Made = { use: "closedLater", level: -1, mask: new Int32Array(0) };
  readonly #later: Made = { use: "later", level: -1, mask: new Int32Array(0) };
  #view!: PoolView;
  #shapes!: Shapes;
  #closed!: ClosedNodes;

  begin(view: PoolView, shapes: Shapes, closed: ClosedNodes): void {
    this.#view = view;
    this.#shapes = shapes;
    this.#closed = closed;
    this.forget();
  }

  forget(): void {
    this.#closedNow.level = -1;
    this.#closedLater.level = -1;
    this.#later.level = -1;
  }

  /** What is free now outside closed nodes. O(nodes) where it is not remembered. */
  now(mask: Int32Array): Sketch {
    return this.#sketch(this.#closedNow, 0, mask, null, 0);
  }

  /** What is free until a time, which lies in a level. O(nodes × log steps) where it is not remembered. */
  until(profile: Profile, untilMs: number, level: number, mask: Int32Array): Sketch {
    const made = mask.length === 0 ? this.#later : this.#closedLater;
    return this.#sketch(made, level, mask, profile, untilMs);
  }

  #sketch(
    made: Made,
    level: number,
    mask: Int32Array,
    profile: Profile | null,
    untilMs: number,
  ): Sketch {
    const view = this.#view;
    const sketch = sketchOf(view, made.use);
    if (made.level === level && isSame(made.mask, mask)) return sketch;
    loadSketch(sketch, view, this.#shapes.hasParts);
    if (profile !== null) sketchOver(profile, sketch, view.nowMs, untilMs);
    this.#closed.apply(sketch, mask);
    buildIndex(sketch);
    made.level = this.#shapes.hasParts ? -1 : level;
    made.mask = mask;
    return sketch;
  }
}

function isSame(one: Int32Array, other: Int32Array): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}
