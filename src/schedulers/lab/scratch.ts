/**
 * Sketches to work on within one pass, one of each kind for a cluster. Nothing in them outlives the pass, so schedulers of
 * several pools and futures may share them.
 */
import type { PoolView } from "../../engine/view.ts";
import type { Cluster } from "../../model/cluster.ts";
import type { Sketch } from "../../scheduling/placement/capacity.ts";
import { createSketch } from "../../scheduling/placement/capacity.ts";

export type SketchUse =
  | "shadow"
  | "lesser"
  | "plan"
  | "later"
  | "closedNodes"
  | "closedNow"
  | "closedLater"
  | "withoutRuns";

const sketches = new WeakMap<Cluster, Partial<Record<SketchUse, Sketch>>>();

/**
 * The sketch of a cluster for one use; what is in it is of an earlier pass. O(nodes + devices) the first time, then O(1).
 */
export function sketchOf(view: PoolView, use: SketchUse): Sketch {
  let known = sketches.get(view.cluster);
  if (known === undefined) {
    known = {};
    sketches.set(view.cluster, known);
  }
  let sketch = known[use];
  if (sketch === undefined) {
    sketch = createSketch(view);
    known[use] = sketch;
  }
  // Runs of one cluster share sketches: what runs on a node must be that of this one.
  sketch.kindsOn = view.kindsOn;
  return sketch;
}
