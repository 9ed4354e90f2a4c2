/**
 * The availability profile of conservative backfill: what will be free from each moment on, for each node and in total, when
 * running jobs end by their estimates and planned jobs start and end as planned. It is kept between passes: a start changes
 * nothing, an early end gives back what the run still held. Mu'alem and Feitelson 2001.
 */

import type { LabPlacement } from "../../model/policy.ts";
import { NEVER_MS } from "../../model/units.ts";
import type { Sketch } from "../placement/capacity.ts";
import { buildIndex, hasDevices, membersOn, takenBy } from "../placement/capacity.ts";
import { placeFirst, takesFirst } from "../placement/placeFirst.ts";
import { placeShape } from "../placement/placeShape.ts";
import type { Placing } from "../placement/placing.ts";
import type { Shape } from "../placement/shapes.ts";
import { earliestOnNodes } from "./nodeWindows.ts";
import type { Steps } from "./steps.ts";
import { addOver, forgetBefore, noteEnd, stepAt } from "./steps.ts";

export interface Profile {
  total: Steps;
  /** By global node index; empty on a flat machine, where the total says all. */
  ofNode: Steps[];
  /**
   * By node, where some CPUs are kept from members without devices: CPUs (as the devices of these steps) that no such member holds. What is left for
   * one is the less of what is free and of these without those that are kept.
   */
  readonly ofCpuWork?: Steps[];
  /** What each running job is counted on to give back, by job; empty on a flat machine. */
  held: Map<number, Held>;
}

/** What a run holds on open nodes, row by row. */
export interface Held {
  readonly endMs: number;
  readonly node: number[];
  readonly gpus: number[];
  readonly cpuMilli: number[];
  readonly memMiB: number[];
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
  noteEnd(profile.total, toMs, sign);
  addOver(profile.total, fromMs, toMs, -sign * gpusTaken(shape, placing), 0, 0);
  if (profile.ofNode.length === 0) return;
  for (let row = 0; row < placing.length; row++) {
    const { gpus, cpuMilli, memMiB } = takenBy(shape.parts, placing, row);
    const node = placing.node[row]!;
    addOver(profile.ofNode[node]!, fromMs, toMs, -sign * gpus, -sign * cpuMilli, -sign * memMiB);
    if (profile.ofCpuWork !== undefined && !hasDevices(shape.parts[placing.part[row]!]!))
      addOver(profile.ofCpuWork[node]!, fromMs, toMs, -sign * cpuMilli, 0, 0);
  }
}

/** Devices that a placing takes: more than its members ask for where nodes are taken whole. */
function gpusTaken(shape: Shape, placing: Placing): number {
  if (shape.parts.every((part) => part.exclusive === null)) return shape.gpusWhole;
  let gpus = 0;
  for (let row = 0; row < placing.length; row++) gpus += takenBy(shape.parts, placing, row).gpus;
  return gpus;
}

export function noHeld(endMs: number): Held {
  return { endMs, node: [], gpus: [], cpuMilli: [], memMiB: [] };
}

/** Notes what a job holds that starts now on a placing whose time is taken already. */
export function holdPlacing(
  profile: Profile,
  jobIdx: number,
  shape: Shape,
  placing: Placing,
  nowMs: number,
  endMs: number,
): void {
  const held = noHeld(endMs);
  for (let row = 0; row < placing.length; row++) {
    const { gpus, cpuMilli, memMiB } = takenBy(shape.parts, placing, row);
    forgetBefore(profile.ofNode[placing.node[row]!]!, nowMs);
    held.node.push(placing.node[row]!);
    held.gpus.push(gpus);
    held.cpuMilli.push(cpuMilli);
    held.memMiB.push(memMiB);
  }
  profile.held.set(jobIdx, held);
}

/** A run ended before its estimate: what it held is free from now on. O(its nodes × steps). */
export function giveEarly(profile: Profile, held: Held, nowMs: number): void {
  const { node, gpus, cpuMilli, memMiB, endMs } = held;
  let total = 0;
  for (let row = 0; row < node.length; row++) {
    const steps = profile.ofNode[node[row]!]!;
    addOver(steps, nowMs, endMs, gpus[row]!, cpuMilli[row]!, memMiB[row]!);
    total += gpus[row]!;
  }
  giveEarlyTotal(profile, total, nowMs, endMs);
}

/** The same on a flat machine. */
export function giveEarlyTotal(profile: Profile, gpus: number, nowMs: number, endMs: number): void {
  noteEnd(profile.total, endMs, -1);
  addOver(profile.total, nowMs, endMs, gpus, 0, 0);
}

/** Makes the sketch show what stays free on each node all the time from `fromMs` to `toMs`. O(nodes × log steps + steps). */
export function sketchOver(profile: Profile, sketch: Sketch, fromMs: number, toMs: number): void {
  sketch.gpusFreeTotal = 0;
  sketch.cpuMilliAtDevices = null;
  for (let i = 0; i < sketch.nodes.length; i++) {
    const node = sketch.nodes[i]!;
    const { length, times, gpus, cpuMilli, memMiB, wide } = profile.ofNode[node]!;
    let at = stepAt(profile.ofNode[node]!, fromMs);
    let gpusLeast = gpus[at]!;
    if (!wide) {
      for (at++; at < length && times[at]! < toMs; at++) {
        if (gpus[at]! < gpusLeast) gpusLeast = gpus[at]!;
      }
      sketch.gpusFree[node] = Math.max(0, gpusLeast);
      sketch.gpusFreeTotal += Math.max(0, gpusLeast);
      continue;
    }
    let cpuLeast = cpuMilli[at]!;
    let memLeast = memMiB[at]!;
    for (at++; at < length && times[at]! < toMs; at++) {
      if (gpus[at]! < gpusLeast) gpusLeast = gpus[at]!;
      if (cpuMilli[at]! < cpuLeast) cpuLeast = cpuMilli[at]!;
      if (memMiB[at]! < memLeast) memLeast = memMiB[at]!;
    }
    sketch.gpusFree[node] = Math.max(0, gpusLeast);
    sketch.cpuMilliFree[node] = cpuLeast;
    sketch.memMiBFree[node] = memLeast;
    sketch.gpusFreeTotal += Math.max(0, gpusLeast);
  }
  if (profile.ofCpuWork !== undefined) cpuWorkOver(profile.ofCpuWork, sketch, fromMs, toMs);
}

/** What members without devices leave of the CPUs all the time, told as what those with devices hold. O(nodes × log steps + steps). */
function cpuWorkOver(
  ofCpuWork: readonly Steps[],
  sketch: Sketch,
  fromMs: number,
  toMs: number,
): void {
  sketch.cpuMilliAtDevices = sketch.ownAtDevices;
  for (let i = 0; i < sketch.nodes.length; i++) {
    const node = sketch.nodes[i]!;
    const { length, times, gpus: cpuMilli } = ofCpuWork[node]!;
    let at = stepAt(ofCpuWork[node]!, fromMs);
    let least = cpuMilli[at]!;
    for (at++; at < length && times[at]! < toMs; at++) least = Math.min(least, cpuMilli[at]!);
    sketch.ownAtDevices[node] = least - sketch.cpuMilliFree[node]!;
  }
}

/** The same for a sketch that shows what is free at `fromMs` already: nodes on which no device is need not be looked at where only devices count. */
export function lessenOver(profile: Profile, sketch: Sketch, fromMs: number, toMs: number): void {
  if (profile.ofNode[sketch.nodes[0]!]?.wide !== false) {
    sketchOver(profile, sketch, fromMs, toMs);
    return;
  }
  sketch.gpusFreeTotal = 0;
  for (let i = 0; i < sketch.nodes.length; i++) {
    const node = sketch.nodes[i]!;
    if (sketch.gpusFree[node]! <= 0) continue;
    const steps = profile.ofNode[node]!;
    const { length, times, gpus } = steps;
    let at = stepAt(steps, fromMs);
    let least = gpus[at]!;
    for (at++; at < length && times[at]! < toMs && least > 0; at++)
      if (gpus[at]! < least) least = gpus[at]!;
    sketch.gpusFree[node] = Math.max(0, least);
    sketch.gpusFreeTotal += Math.max(0, least);
  }
}

/**
 * The earliest time from `fromMs` on and before `beforeMs` at which the job fits for `durationMs`; `Infinity` if there is none.
 * With nodes, `into` then says where. O(steps) on a flat machine. A job of one part is found through the steps of the nodes,
 * O(their steps); for one of several parts each end is tried, O(ends × nodes) at worst.
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
  into.clear();
  if (profile.ofNode.length === 0) {
    return earliestFlat(profile.total, shape.gpusWhole, durationMs, fromMs, beforeMs, NEVER_MS);
  }
  const { length, times, gpus, ends } = profile.total;
  let startMs = Math.max(fromMs, times[stepAt(profile.total, fromMs)]!);
  if (shape.parts.length === 1) {
    const part = shape.parts[0]!;
    startMs = earliestOnNodes(profile.ofNode, sketch, part, durationMs, startMs, beforeMs);
  }
  let at = stepAt(profile.total, startMs);
  while (startMs < beforeMs) {
    const blocker = lastBlocker(profile.total, gpus, at, startMs + durationMs, shape.gpusWhole);
    if (blocker < 0) {
      sketchOver(profile, sketch, startMs, startMs + durationMs);
      if (mayFit(sketch, shape)) {
        if (takesFirst(shape, rule, sketch.withParts)) {
          if (placeFirst(sketch, shape, into)) return startMs;
        } else {
          buildIndex(sketch);
          if (placeShape(sketch, shape, null, rule, into)) return startMs;
        }
      }
      // Room grows only where something ends.
      at++;
      while (at < length && ends[at] === 0) at++;
    } else at = blocker + 1;
    if (at >= length) return NEVER_MS;
    startMs = times[at]!;
  }
  return NEVER_MS;
}

/**
 * On a flat machine: the earliest time before `beforeMs` from which on `need` is free for `durationMs`, or until `untilMs` if
 * that comes first. For a plan that may only move earlier `untilMs` is its start: from there on it has its own share already.
 */
export function earliestFlat(
  total: Steps,
  need: number,
  durationMs: number,
  fromMs: number,
  beforeMs: number,
  untilMs: number,
): number {
  const { length, times, gpus } = total;
  let at = stepAt(total, fromMs);
  let startMs = Math.max(fromMs, times[at]!);
  while (startMs < beforeMs) {
    const endMs = Math.min(startMs + durationMs, untilMs);
    const blocker = lastBlocker(total, gpus, at, endMs, need);
    if (blocker < 0) return startMs;
    at = blocker + 1;
    if (at >= length) return NEVER_MS;
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
  { length, times }: Steps,
  gpus: Int32Array,
  at: number,
  endMs: number,
  need: number,
): number {
  // The first blocker rules out all starts up to its end. Looking on for the last one saves trying again after each.
  let blocker = -1;
  for (let step = at; step < length && (step === at || times[step]! < endMs); step++) {
    if (gpus[step]! < need) blocker = step;
    else if (blocker >= 0) break;
  }
  return blocker;
}
