/** What would be free if some runs had ended: on a flat machine, in a sketch of now, and in a profile until the ends that were estimated. */
import { Grant } from "../../../../engine/grant.ts";
import type { PoolView } from "../../../../engine/view.ts";
import { type Profile, sketchOver } from "../../../../scheduling/backfill/profile.ts";
import type { Reservation } from "../../../../scheduling/backfill/shadow.ts";
import { addOver, type Steps, stepAt } from "../../../../scheduling/backfill/steps.ts";
import { giveHolding, type Sketch } from "../../../../scheduling/placement/capacity.ts";
import type { Shapes } from "../../../../scheduling/placement/shapes.ts";
import { isCpuWork } from "../../runsProfile.ts";
import type { WalkState } from "../state.ts";

export interface RunsDesk {
  readonly view: PoolView;
  readonly state: WalkState;
  readonly shapes: Shapes;
}

const held = new Grant();

/** Devices free on a flat machine without these runs. */
export function freeWithout({ view, shapes }: RunsDesk, runs: ReadonlySet<number>): number {
  let free = view.gpusFreeTotal;
  for (const runIdx of runs) free += shapes.list[shapes.shapeOfJob[runIdx]!]!.gpusWhole;
  return free;
}

let given = new Int32Array(64);

/**
 * Whether so many devices of a flat machine are free from now on for a length of time, by a profile, if these runs had ended. O(runs × log steps +
 * steps); the profile stays as it is.
 */
export function isFreeWithout(
  { view, state, shapes }: RunsDesk,
  total: Steps,
  need: number,
  lengthMs: number,
  runs: ReadonlySet<number>,
): boolean {
  const { nowMs } = view;
  const { length, times, gpus } = total;
  const untilMs = nowMs + lengthMs;
  if (given.length < length) given = new Int32Array(length * 2);
  const first = stepAt(total, nowMs);
  given.fill(0, first, length);
  // At a step: what is no longer given from there on; its negative is carried along from all that is given at first.
  let sum = 0;
  for (const runIdx of runs) {
    const { gpusWhole } = shapes.list[shapes.shapeOfJob[runIdx]!]!;
    const endMs = state.endMsOf.get(runIdx) ?? nowMs;
    if (endMs <= nowMs) continue;
    sum += gpusWhole;
    if (endMs >= untilMs) continue;
    const at = stepAt(total, endMs);
    given[at]! += gpusWhole;
  }
  for (let at = first; at < length && (at === first || times[at]! < untilMs); at++) {
    sum -= given[at]!;
    if (gpus[at]! + sum < need) return false;
  }
  return true;
}

/** Gives what these runs hold to a sketch whose index is not built yet. O(their holdings). */
export function giveToSketch({ view }: RunsDesk, sketch: Sketch, runs: ReadonlySet<number>): void {
  for (const runIdx of runs) {
    held.clear();
    view.holdings(runIdx, held);
    for (let row = 0; row < held.length; row++) giveHolding(sketch, view.jobs, runIdx, held, row);
  }
}

/** Adds what these runs hold until their estimated ends to a profile of nodes, or with −1 takes it away again. O(their holdings × steps). */
function giveRuns(
  { view, state }: RunsDesk,
  profile: Profile,
  runs: ReadonlySet<number>,
  sign: 1 | -1,
): void {
  for (const runIdx of runs) {
    const endMs = state.endMsOf.get(runIdx) ?? view.nowMs;
    held.clear();
    view.holdings(runIdx, held);
    for (let row = 0; row < held.length; row++) {
      const steps = profile.ofNode[held.node[row]!];
      if (steps === undefined) continue;
      // Of a share of a device nothing is given: others may stay on it.
      const gpus = held.part[row] === 0 ? held.count[row]! : 0;
      const cpus = held.cpuMilli[row]!;
      const cpuWork = isCpuWork(held, row) ? profile.ofCpuWork?.[held.node[row]!] : undefined;
      if (cpuWork !== undefined) addOver(cpuWork, view.nowMs, endMs, sign * cpus, 0, 0);
      addOver(steps, view.nowMs, endMs, sign * gpus, sign * cpus, sign * held.memMiB[row]!);
    }
  }
}

/** Makes a sketch show what would stay free from now to a time by a profile of nodes if these runs had ended; the profile stays as it is. O(nodes × steps + their holdings × steps). */
export function sketchWithout(
  desk: RunsDesk,
  profile: Profile,
  sketch: Sketch,
  toMs: number,
  runs: ReadonlySet<number>,
): void {
  giveRuns(desk, profile, runs, 1);
  sketchOver(profile, sketch, desk.view.nowMs, toMs);
  giveRuns(desk, profile, runs, -1);
}

/** Per node, what runs give back at the start of the one reservation that would not have ended by then. */
let gpusLater = new Int32Array(0);
let cpuMilliLater = new Int32Array(0);
let memMiBLater = new Int32Array(0);

/**
 * Makes a sketch of now show what would be free both now and beside EASY's one reservation if these runs had ended: at its start those that end by then are counted as gone
 * anyhow. As by a profile, where what is free shrinks at that start alone. Runs past their estimate give nothing, as there. O(nodes + their holdings), whole devices only.
 */
export function lessenWithout(
  { view, state }: RunsDesk,
  sketch: Sketch,
  { startMs, gpusFree, cpuMilliFree, memMiBFree }: Reservation,
  runs: ReadonlySet<number>,
): void {
  if (gpusLater.length < gpusFree.length) {
    gpusLater = new Int32Array(gpusFree.length);
    cpuMilliLater = new Int32Array(gpusFree.length);
    memMiBLater = new Int32Array(gpusFree.length);
  }
  for (const runIdx of runs) {
    const endMs = state.endMsOf.get(runIdx) ?? view.nowMs;
    if (endMs <= view.nowMs) continue;
    held.clear();
    view.holdings(runIdx, held);
    for (let row = 0; row < held.length; row++) {
      giveHolding(sketch, view.jobs, runIdx, held, row);
      if (endMs > startMs) giveLater(held, row, 1);
    }
  }
  sketch.cpuMilliAtDevices = null;
  sketch.gpusFreeTotal = 0;
  for (let i = 0; i < sketch.nodes.length; i++) {
    const node = sketch.nodes[i]!;
    const gpus = Math.min(sketch.gpusFree[node]!, gpusFree[node]! + gpusLater[node]!);
    const cpuMilli = cpuMilliFree[node]! + cpuMilliLater[node]!;
    const memMiB = memMiBFree[node]! + memMiBLater[node]!;
    sketch.gpusFree[node] = Math.max(0, gpus);
    sketch.cpuMilliFree[node] = Math.min(sketch.cpuMilliFree[node]!, cpuMilli);
    sketch.memMiBFree[node] = Math.min(sketch.memMiBFree[node]!, memMiB);
    sketch.gpusFreeTotal += sketch.gpusFree[node]!;
  }
  for (const runIdx of runs) {
    const endMs = state.endMsOf.get(runIdx) ?? view.nowMs;
    if (endMs <= view.nowMs || endMs <= startMs) continue;
    held.clear();
    view.holdings(runIdx, held);
    for (let row = 0; row < held.length; row++) giveLater(held, row, -1);
  }
}

function giveLater({ node, count, cpuMilli, memMiB }: Grant, row: number, sign: 1 | -1): void {
  const at = node[row]!;
  gpusLater[at] = gpusLater[at]! + sign * count[row]!;
  cpuMilliLater[at] = cpuMilliLater[at]! + sign * cpuMilli[row]!;
  memMiBLater[at] = memMiBLater[at]! + sign * memMiB[row]!;
}
