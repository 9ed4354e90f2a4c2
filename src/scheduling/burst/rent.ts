/**
 * Which nodes to rent for the jobs that wait. Jobs that lack devices and have waited long enough are placed, in the order of the queue, on what
 * is free, on what boots already, and on as few more nodes as hold them: of one group if one does, in order of the groups, else of all together; a job that even all of them would not hold gets none.
 * Where nobody gets any so, the first job that some would hold alone gets them.
 * Behind as many jobs that nothing helps as passes test, nobody gets any: its nodes would come and go without its being tested.
 * Of a gang that has some of its members, the others are placed. Nodes are rented in order of their number. Places are those of the pool's own rule: nodes on which another rule
 * would place a job, and its own does not, would come and go without end.
 *
 * Pathologies: a job that starts elsewhere in the meantime leaves nodes that only the idle time-out gives back; a job that a reservation keeps off free devices does not
 * get nodes for itself, since it would fit without. O(jobs looked at × groups × placements); jobs beyond `LOOKED_AT` wait for the next pass.
 */
import type { PoolView } from "../../engine/view.ts";
import type { LabPlacement } from "../../model/policy.ts";
import { isCeiling, WaitReasonCode } from "../../model/reasons.ts";
import { JobStateCode, NodeStateCode } from "../../model/states.ts";
import {
  buildIndex,
  createSketch,
  loadSketch,
  openEmpty,
  type Sketch,
  takePlacing,
} from "../placement/capacity.ts";
import { gpusWanted, placeShape, type Wanted } from "../placement/placeShape.ts";
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
  WaitReasonCode.gang,
  WaitReasonCode.nodesClosed,
  WaitReasonCode.booting,
]);

/** Nodes of one rule that are not there: those that can be rented, ascending, for jobs that have waited so long. */
export interface RentGroup {
  readonly absent: readonly number[];
  readonly afterWaitMs: number;
}

/** Nodes to rent, for which job, and all on which it would be then. */
export interface Rental {
  readonly jobIdx: number;
  readonly nodes: readonly number[];
  readonly place: readonly number[];
}

/** How the pool would start the jobs that nodes are rented for. */
export interface RentDesk {
  readonly placement: LabPlacement;
  /** Members that a job lacks. */
  readonly wantedOf: (jobIdx: number, shape: Shape) => Wanted;
  /** Whether one waiting job stands before another in the queue. */
  readonly isBefore: (jobIdx: number, otherIdx: number) => boolean;
  /** Whether shares and ceilings let a job start. What it was told last may be of another time: not every pass asks about everybody. */
  readonly mayStart: (jobIdx: number) => boolean;
  /** So many of the jobs that do not start are tested in a pass: one in strict order. */
  readonly depth: number;
}

type Waiting = readonly [jobIdx: number, sinceMs: number];

const placing = new Placing();

/** `waiting`: jobs and since when they wait, in that order. */
export function chooseRentals(
  view: PoolView,
  shapes: Shapes,
  waiting: Iterable<Waiting>,
  groups: readonly RentGroup[],
  booting: readonly number[],
  desk: RentDesk,
): Rental[] {
  const some = groups.filter(({ absent }) => absent.length > 0);
  const shortestMs = Math.min(...some.map(({ afterWaitMs }) => afterWaitMs));
  const jobs = jobsInNeed(view, waiting, shortestMs, desk);
  const together = rentFor(view, shapes, jobs, some, booting, desk);
  if (together.length > 0 || booting.length > 0) return together;
  // Those placed first in thought may wait behind one for whom they leave no room: then the first that nodes would help alone has them.
  for (const [ahead, job] of jobs.entries()) {
    if (!isTested(view, job, ahead, desk)) continue;
    const alone = rentFor(view, shapes, [job], some, booting, desk);
    if (alone.length > 0) return alone;
  }
  return [];
}

/** The jobs are placed one beside the other. */
function rentFor(
  view: PoolView,
  shapes: Shapes,
  jobs: readonly Waiting[],
  groups: readonly RentGroup[],
  booting: readonly number[],
  desk: RentDesk,
): Rental[] {
  if (jobs.length === 0) return [];
  let left = groups;
  let stuck = 0;
  const { placement, wantedOf } = desk;
  const sketch = createSketch(view);
  loadSketch(sketch, view, true);
  for (const node of booting) openEmpty(sketch, node);
  const rentals: Rental[] = [];
  for (const job of jobs) {
    if (!isTested(view, job, stuck, desk)) continue;
    const [jobIdx, sinceMs] = job;
    const shape = shapes.list[shapes.shapeOfJob[jobIdx]!]!;
    const wanted = wantedOf(jobIdx, shape);
    const open = left.filter(({ afterWaitMs }) => sinceMs + afterWaitMs <= view.nowMs);
    const nodes = nodesFor(sketch, shape, wanted, choicesOf(open), placement);
    if (nodes === null) {
      stuck++;
      continue;
    }
    takePlacing(sketch, placing, shape.parts);
    if (nodes.length === 0) continue;
    rentals.push({ jobIdx, nodes, place: [...placing.node.subarray(0, placing.length), ...nodes] });
    left = left
      .map((group) => ({ ...group, absent: group.absent.filter((node) => !nodes.includes(node)) }))
      .filter(({ absent }) => absent.length > 0);
    if (left.length === 0) break;
  }
  return rentals;
}

/** Whether a pass comes to a job behind so many that do not start. Who has some of its members gets the others out of turn. */
function isTested(view: PoolView, [jobIdx]: Waiting, ahead: number, { depth }: RentDesk): boolean {
  return ahead < depth || view.jobState[jobIdx] === JobStateCode.placed;
}

function jobsInNeed(
  view: PoolView,
  waiting: Iterable<Waiting>,
  afterWaitMs: number,
  { isBefore, mayStart }: RentDesk,
): Waiting[] {
  const jobs: Waiting[] = [];
  let looked = 0;
  for (const job of waiting) {
    const [jobIdx, sinceMs] = job;
    if (sinceMs + afterWaitMs > view.nowMs || looked++ === LOOKED_AT) break;
    const reason = view.waitReason(jobIdx);
    if ((LACKS_DEVICES.has(reason) || isCeiling(reason)) && mayStart(jobIdx)) jobs.push(job);
  }
  return jobs.sort(([a], [b]) => (isBefore(a, b) ? -1 : 1));
}

/** The nodes that a job may be given: of each group alone, then of all. */
function choicesOf(groups: readonly RentGroup[]): (readonly number[])[] {
  const alone = groups.map(({ absent }) => absent);
  return alone.length > 1 ? [...alone, alone.flat()] : alone;
}

function emptyNode(sketch: Sketch, node: number): void {
  sketch.nodeState[node] = NodeStateCode.unborn;
  sketch.gpusFreeTotal -= sketch.gpusFree[node]!;
  sketch.gpusFree[node] = 0;
}

/** The nodes that the job needs beside the sketch, which has them then; null where none of the choices does. `placing` is its place. */
function nodesFor(
  sketch: Sketch,
  shape: Shape,
  wanted: Wanted,
  choices: readonly (readonly number[])[],
  placement: LabPlacement,
): readonly number[] | null {
  const fits = () => {
    buildIndex(sketch);
    return placeShape(sketch, shape, wanted, placement, placing);
  };
  const gpus = gpusWanted(shape, wanted);
  for (const nodes of choices.length > 0 ? choices : [[]]) {
    let more = 0;
    while (more < nodes.length && sketch.gpusFreeTotal < gpus) openEmpty(sketch, nodes[more++]!);
    let found = fits();
    while (!found && more < nodes.length) {
      openEmpty(sketch, nodes[more++]!);
      found = fits();
    }
    const opened = nodes.slice(0, more);
    const used = new Set(found ? placing.node.subarray(0, placing.length) : []);
    const spare = opened.filter((node) => !used.has(node));
    for (const node of spare) emptyNode(sketch, node);
    if (!found) continue;
    if (spare.length === 0 || fits()) return opened.filter((node) => used.has(node));
    // Nodes that it does not use lead the rule to a place that it does not find without them.
    for (const node of spare) openEmpty(sketch, node);
    fits();
    return opened;
  }
  return null;
}
