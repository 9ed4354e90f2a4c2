/**
 * Which nodes to rent for the jobs that wait. Jobs that lack devices and have waited long enough are placed, in order of tier, then of how long they wait, then of number, on what
 * is free, on what boots already, and on as few more nodes as hold them; a job that even all of them would not hold gets none. Nodes are rented in order of their number.
 *
 * Pathologies: a job that starts elsewhere in the meantime leaves nodes that only the idle time-out gives back; a job that a reservation keeps off free devices does not
 * get nodes for itself, since it would fit without. O(jobs looked at × placements); jobs beyond `LOOKED_AT` wait for the next pass.
 */
import type { PoolView } from "../../engine/view.ts";
import { WaitReasonCode } from "../../model/reasons.ts";
import { NodeStateCode } from "../../model/states.ts";
import {
  buildIndex,
  createSketch,
  loadSketch,
  openEmpty,
  type Sketch,
  takePlacing,
} from "../placement/capacity.ts";
import { placeShape } from "../placement/placeShape.ts";
import { Placing } from "../placement/placing.ts";
import type { Shape, Shapes } from "../placement/shapes.ts";

const LOOKED_AT = 256;
const LACKS_DEVICES: ReadonlySet<number> = new Set([
  WaitReasonCode.resources,
  WaitReasonCode.fragmentation,
  WaitReasonCode.cpuOrMemory,
  WaitReasonCode.priority,
  WaitReasonCode.reservation,
  WaitReasonCode.depth,
  WaitReasonCode.nodesClosed,
  WaitReasonCode.booting,
]);

/** Nodes to rent, and for which job. */
export interface Rental {
  readonly jobIdx: number;
  readonly nodes: readonly number[];
}

const placing = new Placing();

/** `waitedSince`: when each waiting job began to wait, in that order. `unborn`: nodes that can be rented, ascending. */
export function chooseRentals(
  view: PoolView,
  shapes: Shapes,
  waitedSince: ReadonlyMap<number, number>,
  unborn: readonly number[],
  booting: readonly number[],
  afterWaitMs: number,
): Rental[] {
  const jobs = jobsInNeed(view, waitedSince, afterWaitMs);
  if (jobs.length === 0 || unborn.length === 0) return [];
  const sketch = createSketch(view);
  loadSketch(sketch, view, true);
  for (const node of booting) openEmpty(sketch, node);
  const rentals: Rental[] = [];
  let next = 0;
  for (const jobIdx of jobs) {
    const shape = shapes.list[shapes.shapeOfJob[jobIdx]!]!;
    const more = nodesFor(sketch, shape, unborn, next);
    if (more < 0) continue;
    takePlacing(sketch, placing, shape.parts);
    if (more > 0) rentals.push({ jobIdx, nodes: unborn.slice(next, next + more) });
    next += more;
    if (next === unborn.length) break;
  }
  return rentals;
}

function jobsInNeed(
  view: PoolView,
  waitedSince: ReadonlyMap<number, number>,
  afterWaitMs: number,
): number[] {
  const jobs: number[] = [];
  let looked = 0;
  for (const [jobIdx, sinceMs] of waitedSince) {
    if (sinceMs + afterWaitMs > view.nowMs || looked++ === LOOKED_AT) break;
    if (LACKS_DEVICES.has(view.waitReason(jobIdx))) jobs.push(jobIdx);
  }
  const tier = view.tierOfJob;
  return jobs.sort(
    (a, b) => tier[a]! - tier[b]! || waitedSince.get(a)! - waitedSince.get(b)! || a - b,
  );
}

function emptyNode(sketch: Sketch, node: number): void {
  sketch.nodeState[node] = NodeStateCode.unborn;
  sketch.gpusFreeTotal -= sketch.gpusFree[node]!;
  sketch.gpusFree[node] = 0;
}

/** How many of the nodes from `next` on the job needs beside the sketch, which has them then; −1 where all do not do. `placing` is its place. */
function nodesFor(sketch: Sketch, shape: Shape, unborn: readonly number[], next: number): number {
  const fits = () => {
    buildIndex(sketch);
    return placeShape(sketch, shape, null, "fewestNodes", placing);
  };
  let more = 0;
  while (next + more < unborn.length && sketch.gpusFreeTotal < shape.gpusWhole)
    openEmpty(sketch, unborn[next + more++]!);
  while (!fits()) {
    if (next + more === unborn.length) {
      for (let i = 0; i < more; i++) emptyNode(sketch, unborn[next + i]!);
      return -1;
    }
    openEmpty(sketch, unborn[next + more++]!);
  }
  return more;
}
