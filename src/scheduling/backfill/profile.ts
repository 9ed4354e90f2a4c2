/**
 * The availability profile of conservative backfill: what will be free from each moment on, for each node and in total, when
 * running jobs end by their estimates and planned jobs start and end as planned.
 *
 *     free ▲        ┌────────
 *          │   ┌────┘                  times  0   40  90        a step holds until the next time
 *          │───┘                       gpus   2    5   8
 *          └───────────────▶ time
 *
 * The earliest start of a job is found on the total first; nodes are looked at only at times at which the total has room.
 * Finding costs O(steps × nodes) at worst, changing O(log steps + steps moved). Mu'alem and Feitelson 2001.
 */

import type { LabPlacement } from "../../model/policy.ts";
import { NEVER_MS } from "../../model/units.ts";
import type { Sketch } from "../placement/capacity.ts";
import { buildIndex, membersOn } from "../placement/capacity.ts";
import { placeShape } from "../placement/placeShape.ts";
import type { Placing } from "../placement/placing.ts";
import type { Shape } from "../placement/shapes.ts";

/** One step function. */
export interface Steps {
  times: number[];
  gpus: number[];
  cpuMilli: number[];
  memMiB: number[];
  /** How many jobs end where a step begins. */
  ends: number[];
}

export interface Profile {
  total: Steps;
  /** By global node index; empty on a flat machine, where the total says all. */
  ofNode: Steps[];
}

/** One step from `fromMs` on without end. */
export function createSteps(fromMs: number, gpus: number, cpuMilli: number, memMiB: number): Steps {
  return { times: [fromMs], gpus: [gpus], cpuMilli: [cpuMilli], memMiB: [memMiB], ends: [0] };
}

/** Adds amounts from one time to another (which may be `Infinity`); negative amounts take away. */
export function addOver(
  steps: Steps,
  fromMs: number,
  toMs: number,
  gpus: number,
  cpuMilli: number,
  memMiB: number,
): void {
  if (fromMs >= toMs) return;
  const first = cutAt(steps, fromMs);
  const end = toMs === NEVER_MS ? steps.times.length : cutAt(steps, toMs);
  for (let at = first; at < end; at++) {
    steps.gpus[at] = steps.gpus[at]! + gpus;
    steps.cpuMilli[at] = steps.cpuMilli[at]! + cpuMilli;
    steps.memMiB[at] = steps.memMiB[at]! + memMiB;
  }
}

/** Notes that a job ends at a time (or, with −1, that it does not after all). The step must begin there. */
export function noteEnd(steps: Steps, endMs: number, sign: 1 | -1): void {
  if (endMs === NEVER_MS) return;
  const at = stepAt(steps, endMs);
  steps.ends[at] = steps.ends[at]! + sign;
}

/** Index of the last step that starts at or before a time; 0 before the first. O(log steps). */
export function stepAt(steps: Steps, atMs: number): number {
  let low = 0;
  let high = steps.times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (steps.times[middle]! <= atMs) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Makes a step begin at a time and returns its index; times before the first step count as its start. */
function cutAt(steps: Steps, atMs: number): number {
  const at = stepAt(steps, atMs);
  if (steps.times[at]! >= atMs) return at;
  steps.times.splice(at + 1, 0, atMs);
  steps.gpus.splice(at + 1, 0, steps.gpus[at]!);
  steps.cpuMilli.splice(at + 1, 0, steps.cpuMilli[at]!);
  steps.memMiB.splice(at + 1, 0, steps.memMiB[at]!);
  steps.ends.splice(at + 1, 0, 0);
  return at + 1;
}

/** Takes a placing out of the profile over a time (or, with −1, gives it back). */
export function takeOver(
  profile: Profile,
  shape: Shape,
  placing: Placing,
  fromMs: number,
  toMs: number,
  sign: 1 | -1,
): void {
  if (fromMs === NEVER_MS) return;
  addOver(profile.total, fromMs, toMs, -sign * shape.gpusWhole, 0, 0);
  noteEnd(profile.total, toMs, sign);
  if (profile.ofNode.length === 0) return;
  for (let row = 0; row < placing.length; row++) {
    const part = shape.parts[placing.part[row]!]!;
    const count = -sign * placing.members[row]!;
    const steps = profile.ofNode[placing.node[row]!]!;
    addOver(steps, fromMs, toMs, count * part.gpus, count * part.cpuMilli, count * part.memMiB);
  }
}

/** Makes the sketch show what stays free on each node all the time from `fromMs` to `toMs`. O(nodes × log steps + steps). */
export function sketchOver(profile: Profile, sketch: Sketch, fromMs: number, toMs: number): void {
  sketch.gpusFreeTotal = 0;
  for (let i = 0; i < sketch.nodes.length; i++) {
    const node = sketch.nodes[i]!;
    const { times, gpus, cpuMilli, memMiB } = profile.ofNode[node]!;
    let at = stepAt(profile.ofNode[node]!, fromMs);
    let gpusLeast = gpus[at]!;
    let cpuLeast = cpuMilli[at]!;
    let memLeast = memMiB[at]!;
    for (at++; at < times.length && times[at]! < toMs; at++) {
      if (gpus[at]! < gpusLeast) gpusLeast = gpus[at]!;
      if (cpuMilli[at]! < cpuLeast) cpuLeast = cpuMilli[at]!;
      if (memMiB[at]! < memLeast) memLeast = memMiB[at]!;
    }
    sketch.gpusFree[node] = Math.max(0, gpusLeast);
    sketch.cpuMilliFree[node] = cpuLeast;
    sketch.memMiBFree[node] = memLeast;
    sketch.gpusFreeTotal += Math.max(0, gpusLeast);
  }
}

/**
 * The earliest time from `fromMs` on and before `beforeMs` at which the job fits for `durationMs`; `Infinity` if there is none.
 * With nodes, `into` then says where.
 */
export function earliestFit(
  profile: Profile,
  sketch: Sketch,
  shape: Shape,
  durationMs: number,
  fromMs: number,
  beforeMs: number,
  rule: LabPlacement,
  into: Placing,
): number {
  const { times, gpus } = profile.total;
  const need = shape.gpusWhole;
  into.clear();
  let at = stepAt(profile.total, fromMs);
  let startMs = Math.max(fromMs, times[at]!);
  while (startMs < beforeMs) {
    const blocker = lastBlocker(times, gpus, at, startMs + durationMs, need);
    if (blocker < 0) {
      if (profile.ofNode.length === 0) return startMs;
      sketchOver(profile, sketch, startMs, startMs + durationMs);
      if (mayFit(sketch, shape)) {
        buildIndex(sketch);
        if (placeShape(sketch, shape, null, rule, into)) return startMs;
      }
      // Room grows only where something ends.
      at++;
      while (at < times.length && profile.total.ends[at] === 0) at++;
    } else at = blocker + 1;
    if (at >= times.length) return NEVER_MS;
    startMs = times[at]!;
  }
  return NEVER_MS;
}

/** False if the nodes together cannot hold the members. O(nodes). */
function mayFit(sketch: Sketch, shape: Shape): boolean {
  if (sketch.gpusFreeTotal < shape.gpusWhole) return false;
  if (shape.parts.length > 1) return true;
  const part = shape.parts[0]!;
  let members = 0;
  for (let i = 0; i < sketch.nodes.length && members < part.members; i++) {
    members += membersOn(sketch, sketch.nodes[i]!, part, part.members);
  }
  return members >= part.members;
}

/** The last of the steps from `at` on that begin before `endMs` and have too little; −1 if none. */
function lastBlocker(
  times: readonly number[],
  gpus: readonly number[],
  at: number,
  endMs: number,
  need: number,
): number {
  // The first blocker rules out all starts up to its end. Looking on for the last one saves trying again after each.
  let blocker = -1;
  for (let step = at; step < times.length && (step === at || times[step]! < endMs); step++) {
    if (gpus[step]! < need) blocker = step;
    else if (blocker >= 0) break;
  }
  return blocker;
}
