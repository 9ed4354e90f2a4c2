/**
 * Rounds: at multiples of `roundMs` all jobs, waiting and running, are lined up by the keys of a `JobRule`, and running ones that do not come
 * out among the chosen give their devices to those that do. Their work is saved first, as the papers' trainers checkpoint at the end
 * of a round. Tie-break: submit time, job index.
 *
 * 1. Down the line, a job is chosen while the devices last (wider ones that do not fit are passed over).
 * 2. Chosen jobs that run stay where they are; the chosen that wait are placed beside them.
 * 3. A running job that was not chosen gives way only where its devices are now wanted: nobody is stopped for nothing.
 *
 * The walk then starts the chosen in the same order. Services, sessions, jobs that must not be preempted and jobs on parts of devices are
 * left alone. O(active × log + placements) a round. Pathologies: short rounds spend time on saving and starting; several jobs
 * that one quota holds only together may stop others for nothing.
 */
import { Grant } from "../../engine/grant.ts";
import type { Actions, PoolView } from "../../engine/view.ts";
import { JobFlag } from "../../model/jobs.ts";
import type { LabPlacement } from "../../model/policy.ts";
import { JobStateCode, NodeStateCode } from "../../model/states.ts";
import {
  buildIndex,
  createSketch,
  giveHolding,
  loadSketch,
  type Sketch,
  takePlacing,
} from "../placement/capacity.ts";
import { placeShape } from "../placement/placeShape.ts";
import { Placing } from "../placement/placing.ts";
import type { Shape, Shapes } from "../placement/shapes.ts";

/** One that stands in the line of a round. */
export interface Contender {
  readonly jobIdx: number;
  readonly key: number;
  /** Group of nodes that it is to run on (a device model); −1 = any. */
  readonly group: number;
}

/** What a round came to. */
export interface RoundResult {
  readonly evicted: readonly number[];
  /** Waiting jobs in order, each with the place found for it. */
  readonly placed: readonly { readonly jobIdx: number; readonly placing: Placing }[];
}

const held = new Grant();
const trial = new Placing();

/** Whether a running job may be stopped at a round. */
function mayGiveWay(view: PoolView, shape: Shape, jobIdx: number): boolean {
  const flags = view.jobs.at.flags[jobIdx]!;
  return (
    view.jobState[jobIdx] === JobStateCode.running &&
    (flags & JobFlag.preemptible) !== 0 &&
    (flags & JobFlag.service) === 0 &&
    (view.jobs.lab.get(jobIdx)?.session ?? null) === null &&
    isWhole(shape)
  );
}

function isWhole(shape: Shape): boolean {
  return shape.parts.every((part) => part.shareMilli === 0 && part.mig === 0);
}

/**
 * Decides a round. `line` is in order; a job may stand in it more than once, for several groups of nodes. `groupOfNode` is asked only for
 * groups other than −1.
 */
export function decideRound(
  view: PoolView,
  shapes: Shapes,
  placement: LabPlacement,
  line: readonly Contender[],
  groupOfNode: (node: number) => number,
): RoundResult {
  const shapeOf = (jobIdx: number): Shape => shapes.list[shapes.shapeOfJob[jobIdx]!]!;
  const sketch = createSketch(view);
  loadSketch(sketch, view, shapes.hasParts);
  const movable = new Set<number>();
  const running = view.running();
  for (let i = 0; i < running.length; i++) {
    const jobIdx = running.at[i]!;
    if (!mayGiveWay(view, shapeOf(jobIdx), jobIdx)) continue;
    movable.add(jobIdx);
    giveBack(view, sketch, jobIdx);
  }
  const chosen = choose(view, sketch, line, groupOfNode);
  const staying = new Set(
    [...movable].filter((jobIdx) => {
      const group = chosen.get(jobIdx);
      if (group === undefined) return false;
      return (
        (group < 0 || groupOfNode(firstNode(view, jobIdx)) === group) &&
        takeBack(view, sketch, jobIdx)
      );
    }),
  );
  const placed: { jobIdx: number; placing: Placing }[] = [];
  for (const { jobIdx, group } of line) {
    if (chosen.get(jobIdx) !== group || staying.has(jobIdx)) continue;
    const shape = shapeOf(jobIdx);
    if (!findPlace(view, sketch, shape, placement, group, groupOfNode)) continue;
    takePlacing(sketch, trial, shape.parts);
    placed.push({ jobIdx, placing: trial.copy() });
  }
  const moved = new Set(placed.map(({ jobIdx }) => jobIdx));
  const order = [...new Set(line.map(({ jobIdx }) => jobIdx))];
  const evicted = order.filter((jobIdx) => {
    if (staying.has(jobIdx) || !movable.has(jobIdx)) return false;
    return moved.has(jobIdx) || !takeBack(view, sketch, jobIdx);
  });
  return { evicted, placed };
}

/** Stops a running job so that it goes on later from here. */
export function stopAtRound(view: PoolView, act: Actions, jobIdx: number): void {
  if (view.jobState[jobIdx] === JobStateCode.running) act.checkpoint(jobIdx, 0);
  act.evict(jobIdx, "requeue", 0, -1);
}

/** The next round after now. */
export function nextRoundMs(roundMs: number, nowMs: number): number {
  return (Math.floor(nowMs / roundMs) + 1) * roundMs;
}

/** Group of nodes for each job that comes out, by devices alone. */
function choose(
  view: PoolView,
  sketch: Sketch,
  line: readonly Contender[],
  groupOfNode: (node: number) => number,
): Map<number, number> {
  const left = new Map<number, number>([[-1, sketch.gpusFreeTotal]]);
  if (line.some(({ group }) => group >= 0)) {
    for (const node of view.nodes) {
      if (sketch.nodeState[node] !== NodeStateCode.open) continue;
      const group = groupOfNode(node);
      left.set(group, (left.get(group) ?? 0) + sketch.gpusFree[node]!);
    }
  }
  const chosen = new Map<number, number>();
  for (const { jobIdx, group } of line) {
    const asked = view.jobs.at.gpuTotal[jobIdx]!;
    const free = left.get(group) ?? 0;
    if (chosen.has(jobIdx) || asked > free) continue;
    chosen.set(jobIdx, group);
    left.set(group, free - asked);
  }
  return chosen;
}

function findPlace(
  view: PoolView,
  sketch: Sketch,
  shape: Shape,
  placement: LabPlacement,
  group: number,
  groupOfNode: (node: number) => number,
): boolean {
  const { nodes } = sketch;
  if (group >= 0) sketch.nodes = view.nodes.filter((node) => groupOfNode(node) === group);
  buildIndex(sketch);
  const found = placeShape(sketch, shape, null, placement, trial);
  sketch.nodes = nodes;
  return found;
}

function firstNode(view: PoolView, jobIdx: number): number {
  held.clear();
  view.holdings(jobIdx, held);
  return held.node[0]!;
}

function giveBack(view: PoolView, sketch: Sketch, jobIdx: number): void {
  held.clear();
  view.holdings(jobIdx, held);
  for (let row = 0; row < held.length; row++) giveHolding(sketch, view.jobs, jobIdx, held, row);
}

/** Takes what a job holds out of the sketch again; false (and nothing is taken) where others have been placed on it. */
function takeBack(view: PoolView, sketch: Sketch, jobIdx: number): boolean {
  held.clear();
  view.holdings(jobIdx, held);
  for (let row = 0; row < held.length; row++) takeRow(view, sketch, jobIdx, row, 1);
  for (let row = 0; row < held.length; row++) {
    const node = held.node[row]!;
    const isShort =
      sketch.gpusFree[node]! < 0 || sketch.cpuMilliFree[node]! < 0 || sketch.memMiBFree[node]! < 0;
    if (!isShort) continue;
    for (let back = 0; back < held.length; back++) takeRow(view, sketch, jobIdx, back, -1);
    return false;
  }
  return true;
}

function takeRow(view: PoolView, sketch: Sketch, jobIdx: number, row: number, sign: 1 | -1): void {
  const { at, components } = view.jobs;
  const node = held.node[row]!;
  const component = at.firstComponent[jobIdx]! + held.component[row]!;
  const members = sign * held.members[row]!;
  sketch.cpuMilliFree[node]! -= members * components.cpuMilli[component]!;
  sketch.memMiBFree[node]! -= members * components.memMiB[component]!;
  if (sketch.nodeState[node] !== NodeStateCode.open) return;
  sketch.gpusFree[node]! -= sign * held.count[row]!;
  sketch.gpusFreeTotal -= sign * held.count[row]!;
}
