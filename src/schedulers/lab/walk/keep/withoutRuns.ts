/** What would be free if some runs had ended: on a flat machine, in a sketch of now, and in a profile until the ends that were estimated. */
import { Grant } from "../../../../engine/grant.ts";
import type { PoolView } from "../../../../engine/view.ts";
import type { Profile } from "../../../../scheduling/backfill/profile.ts";
import { addOver, type Steps, stepAt } from "../../../../scheduling/backfill/steps.ts";
import { giveHolding, type Sketch } from "../../../../scheduling/placement/capacity.ts";
import type { Shapes } from "../../../../scheduling/placement/shapes.ts";
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
export function giveRuns(
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
      addOver(steps, view.nowMs, endMs, sign * gpus, sign * cpus, sign * held.memMiB[row]!);
    }
  }
}
