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
 * left alone. O(active + placements) a round, as only those near the end of the line are sorted. Pathologies: short rounds spend time on saving and starting; several jobs
 * that one quota holds only together may stop others for nothing.
 */
import { Grant } from "../../engine/grant.ts";
import type { Actions, PoolView } from "../../engine/view.ts";
import { JobFlag } from "../../model/jobs.ts";
import type { LabPlacement } from "../../model/policy.ts";
import { JobStateCode, NodeStateCode } from "../../model/states.ts";
import {
  buildIndex,
  giveHolding,
  loadSketch,
  type Sketch,
  takePlacing,
} from "../placement/capacity.ts";
import { placeShape } from "../placement/placeShape.ts";
import { Placing } from "../placement/placing.ts";
import type { Shape, Shapes } from "../placement/shapes.ts";
import type { RoundLine } from "./roundLine.ts";

/** One that stands in the line of a round on several groups of nodes. */
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

/** What a round works with. */
export interface RoundDesk {
  readonly view: PoolView;
  readonly shapes: Shapes;
  readonly placement: LabPlacement;
  /** To be overwritten. */
  readonly sketch: Sketch;
}

/**
 * Decides a round on nodes that are all alike to the jobs. `line`: each job once, in any order. Whoever stands before as many others as there are devices is chosen
 * whatever the order among them, so only the rest is sorted. Who is to be stopped, in the order of the line. O(line + rows held by those that may be stopped + rest × log line), and a
 * placement for each waiting job chosen.
 */
export function decideRound(desk: RoundDesk, line: RoundLine): readonly number[] {
  const { view, shapes } = desk;
  const { gpuTotal } = view.jobs.at;
  const allOpen = view.nodes.every((node) => view.nodeState[node] === NodeStateCode.open);
  let left = view.gpusFreeTotal;
  for (let at = 0; at < line.length; at++) {
    const jobIdx = line.jobIdx[at]!;
    const moves = mayGiveWay(view, shapes.list[shapes.shapeOfJob[jobIdx]!]!, jobIdx);
    line.mark[at] = moves ? 1 : 0;
    if (moves) left += allOpen ? view.devicesHeld(jobIdx) : openDevices(view, jobIdx);
  }
  const from = line.sortRest(view, left);
  const wanting: number[] = [];
  for (let at = 0; at < from; at++) {
    left -= gpuTotal[line.jobIdx[at]!]!;
    if (line.mark[at] === 0) wanting.push(at);
  }
  wanting.sort((a, b) => line.compare(view, a, b));
  const leaving: number[] = [];
  for (let at = from; at < line.length; at++) {
    const isChosen = gpuTotal[line.jobIdx[at]!]! <= left;
    if (isChosen) left -= gpuTotal[line.jobIdx[at]!]!;
    if (isChosen && line.mark[at] === 0) wanting.push(at);
    if (!isChosen && line.mark[at] === 1) leaving.push(line.jobIdx[at]!);
  }
  if (leaving.length === 0) return leaving;
  const chosen = wanting.map((at) => ({ jobIdx: line.jobIdx[at]!, key: 0, group: -1 }));
  return settle(desk, chosen, leaving, () => -1).evicted;
}

/**
 * Decides a round in which a job is to run on one of several groups of nodes. `line` is in order; a job may stand in it once for each group. O(line + rows held by
 * those that may be stopped), and a placement for each waiting job chosen.
 */
export function decideRoundOnGroups(
  desk: RoundDesk,
  line: readonly Contender[],
  groupOfNode: (node: number) => number,
): RoundResult {
  const { view } = desk;
  const movable = movableJobs(desk);
  const chosen = choose(view, movable, line, groupOfNode);
  const stays = (jobIdx: number): boolean => {
    const group = chosen.get(jobIdx);
    if (group === undefined || !movable.has(jobIdx)) return false;
    return groupOfNode(firstNode(view, jobIdx)) === group;
  };
  const wanting = line.filter(
    ({ jobIdx, group }) => chosen.get(jobIdx) === group && !stays(jobIdx),
  );
  const leaving = new Set([...movable].filter((jobIdx) => !stays(jobIdx)));
  // Who stands twice in the line is looked at where it stands first.
  const inLine = line.map(({ jobIdx }) => jobIdx).filter((jobIdx) => leaving.delete(jobIdx));
  return settle(desk, wanting, [...inLine, ...leaving], groupOfNode, inLine.length);
}

/**
 * Those that want a place get one, in order, where it can be found on what is free and what the others leave; of these, in order, those are stopped whose devices are
 * now wanted (the first `stoppable`; the others hold nothing that counts).
 */
function settle(
  { view, shapes, placement, sketch }: RoundDesk,
  wanting: readonly Contender[],
  leaving: readonly number[],
  groupOfNode: (node: number) => number,
  stoppable = leaving.length,
): RoundResult {
  if (wanting.length === 0) return { evicted: [], placed: [] };
  loadSketch(sketch, view, shapes.hasParts);
  // Taken from below without a word on whose CPUs they are.
  sketch.cpuMilliAtDevices = null;
  for (const jobIdx of leaving) giveBack(view, sketch, jobIdx);
  const placed: { jobIdx: number; placing: Placing }[] = [];
  // Room only shrinks: the index stands until something is placed, and a shape that found no place finds none later.
  let indexed = false;
  const failed = new Set<Shape>();
  for (const { jobIdx, group } of wanting) {
    const shape = shapes.list[shapes.shapeOfJob[jobIdx]!]!;
    if (group < 0 && failed.has(shape)) continue;
    if (!indexed && group < 0) buildIndex(sketch);
    indexed = group < 0;
    const found =
      group < 0
        ? placeShape(sketch, shape, null, placement, trial)
        : findPlace(view, sketch, shape, placement, group, groupOfNode);
    if (!found) {
      failed.add(shape);
      continue;
    }
    indexed = false;
    takePlacing(sketch, trial, shape.parts);
    placed.push({ jobIdx, placing: trial.copy() });
  }
  const moved = new Set(placed.map(({ jobIdx }) => jobIdx));
  const evicted = leaving
    .slice(0, stoppable)
    .filter((jobIdx) => moved.has(jobIdx) || !takeBack(view, sketch, jobIdx));
  return { evicted, placed };
}

/** Devices on open nodes that a job holds. */
function openDevices(view: PoolView, jobIdx: number): number {
  held.clear();
  view.holdings(jobIdx, held);
  let devices = 0;
  for (let row = 0; row < held.length; row++)
    if (view.nodeState[held.node[row]!] === NodeStateCode.open) devices += held.count[row]!;
  return devices;
}

function movableJobs({ view, shapes }: RoundDesk): Set<number> {
  const movable = new Set<number>();
  const running = view.running();
  for (let i = 0; i < running.length; i++) {
    const jobIdx = running.at[i]!;
    if (mayGiveWay(view, shapes.list[shapes.shapeOfJob[jobIdx]!]!, jobIdx)) movable.add(jobIdx);
  }
  return movable;
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
  movable: ReadonlySet<number>,
  line: readonly Contender[],
  groupOfNode: (node: number) => number,
): Map<number, number> {
  const left = new Map<number, number>();
  const give = (node: number, devices: number): void => {
    if (view.nodeState[node] !== NodeStateCode.open) return;
    const group = groupOfNode(node);
    left.set(group, (left.get(group) ?? 0) + devices);
  };
  for (const node of view.nodes) give(node, view.gpusFree[node]!);
  for (const jobIdx of movable) {
    held.clear();
    view.holdings(jobIdx, held);
    for (let row = 0; row < held.length; row++) give(held.node[row]!, held.count[row]!);
  }
  const chosen = new Map<number, number>();
  for (const { jobIdx, group } of line) {
    const asked = view.jobs.at.gpuTotal[jobIdx]!;
    const free = left.get(group) ?? 0;
    if (asked > free || chosen.has(jobIdx)) continue;
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
  sketch.nodes = view.nodes.filter((node) => groupOfNode(node) === group);
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
