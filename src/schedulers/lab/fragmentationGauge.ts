/**
 * The gauge of fragmentation, after each pass of a pool that is placed by it: the part of what is free on its open nodes that a random member of
 * the workload cannot use, in steps of 1/1,000. O(nodes).
 */
import type { Actions, PoolView } from "../../engine/view.ts";
import { GaugeCode } from "../../model/lab/gauges.ts";
import { fragmentedPart } from "../../scheduling/placement/fragmentation.ts";
import type { Shapes } from "../../scheduling/placement/shapes.ts";

const STEPS = 1_000;

export function gaugeFragmentation(view: PoolView, shapes: Shapes, act: Actions): void {
  const mix = shapes.list[0]?.mix;
  if (mix === undefined) return;
  const part = Math.round(fragmentedPart(mix, view) * STEPS) / STEPS;
  act.gauge(GaugeCode.fragmentation, view.pool, part);
}
