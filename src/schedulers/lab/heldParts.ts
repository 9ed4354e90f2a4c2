/**
 * Gangs that hold some of their members, as obstacles: what they hold comes back only once they have run. A job that cannot start before, whatever else ends, and a gang
 * that is kept off free devices for that job's sake would wait for each other for ever; so such a job stands in the way of no gang that can complete itself.
 */
import { Grant } from "../../engine/grant.ts";
import type { PoolView } from "../../engine/view.ts";
import { JobStateCode } from "../../model/states.ts";
import { buildIndex, giveHolding, loadSketch } from "../../scheduling/placement/capacity.ts";
import { placeShape } from "../../scheduling/placement/placeShape.ts";
import { Placing } from "../../scheduling/placement/placing.ts";
import type { Shape } from "../../scheduling/placement/shapes.ts";
import { sketchOf } from "./scratch.ts";
import { stillWanted } from "./starts.ts";

const held = new Grant();
const trial = new Placing();

/** Jobs that hold some of their members, ascending. O(jobs that hold devices). */
export function partlyPlaced(view: PoolView): number[] {
  const running = view.running();
  const jobs: number[] = [];
  for (let i = 0; i < running.length; i++)
    if (view.jobState[running.at[i]!] === JobStateCode.placed) jobs.push(running.at[i]!);
  return jobs;
}

/** Whether a waiting job could not start although all else ended, for what such gangs hold. O(nodes + what is held). */
export function waitsForParts(view: PoolView, shape: Shape, jobIdx: number): boolean {
  const sketch = sketchOf(view, "withoutRuns");
  loadSketch(sketch, view, true);
  const running = view.running();
  let parts = 0;
  for (let i = 0; i < running.length; i++) {
    const runIdx = running.at[i]!;
    if (view.jobState[runIdx] === JobStateCode.placed) parts++;
    // What is lent is free, or another job's.
    else if (view.jobState[runIdx] !== JobStateCode.suspended || view.lent(runIdx) === "no") {
      held.clear();
      view.holdings(runIdx, held);
      for (let row = 0; row < held.length; row++) giveHolding(sketch, view.jobs, runIdx, held, row);
    }
  }
  if (parts === 0) return false;
  buildIndex(sketch);
  return !placeShape(sketch, shape, stillWanted(view, shape, jobIdx), "fewestNodes", trial);
}
