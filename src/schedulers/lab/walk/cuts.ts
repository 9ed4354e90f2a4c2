/**
 * MIG devices that are cut anew. The first slice on an idle device needs another layout: the device is out of use for the setting's time
 * (`Actions.repartition`), and the job for which it is cut waits with its whole place kept. Slices of other jobs may be planned onto a device under way;
 * they wait for it too. When it is ready, those planned onto it start in the order in which they asked, before the queue is gone through. A job that cannot start
 * then (a ceiling was reached, its node closed, somebody took devices that it shares) is a job like others again, and the layout lies ready
 * for whoever has the next slice there, as long as nobody has used the device otherwise.
 *
 * Jobs of whole devices look beside what is planned, by count. A layout never changes under instances that are in use. O(rows of the planned
 * jobs + devices) a test while something is cut, nothing else. Pathology: a device that falls idle between two slices is cut each time.
 * Source: NVIDIA MIG user guide ("MIG device creation"); GPU operator, MIG manager.
 */
import { Grant } from "../../../engine/grant.ts";
import type { Actions, PoolView } from "../../../engine/view.ts";
import { nodeOfDevice } from "../../../model/cluster.ts";
import { sliceMask } from "../../../model/mig.ts";
import { NodeStateCode } from "../../../model/states.ts";
import { NEVER_MS, WHOLE_DEVICE } from "../../../model/units.ts";
import type { Profile } from "../../../scheduling/backfill/profile.ts";
import { addOver, noteEnd } from "../../../scheduling/backfill/steps.ts";
import type { Sketch } from "../../../scheduling/placement/capacity.ts";
import type { Shape, Shapes } from "../../../scheduling/placement/shapes.ts";
import { FIRST_SLICE, milliOfSlices, slicesOn } from "../../../scheduling/placement/slices.ts";

/** One row of a grant that is kept for later. */
interface CutRow {
  readonly component: number;
  readonly node: number;
  readonly first: number;
  readonly count: number;
  readonly part: number;
  readonly members: number;
  readonly cpuMilli: number;
  readonly memMiB: number;
}

/** A job that waits for devices to be cut. */
export interface CutJob {
  readonly readyMs: number;
  readonly startReason: number;
  readonly rows: readonly CutRow[];
}

export interface Cuts {
  /** In the order in which they asked. */
  readonly jobs: Map<number, CutJob>;
  /** Devices (global) under way, and until when. */
  readonly untilMs: Map<number, number>;
  /** Devices that were cut and that nobody has used since. */
  readonly ready: Set<number>;
}

export const noCuts = (): Cuts => ({ jobs: new Map(), untilMs: new Map(), ready: new Set() });

/** Whether anything is under way, or planned. */
export const isCutting = ({ jobs, untilMs }: Cuts): boolean => jobs.size > 0 || untilMs.size > 0;

/** The rows of a job that waits never change. */
export const copyCuts = ({ jobs, untilMs, ready }: Cuts): Cuts => ({
  jobs: new Map(jobs),
  untilMs: new Map(untilMs),
  ready: new Set(ready),
});

/** How long devices may have to be cut for a job of this shape, ms. O(parts). */
export function cutMsOf({ parts }: Shape): number {
  const { cutMs } = parts[0]!.rules;
  return cutMs > 0 && parts.some((part) => part.mig > 0) ? cutMs : 0;
}

/** Devices whose time is over lie ready; those used since do not. At the begin of a pass and at its end. O(devices that are or were cut). */
export function settleCuts({ untilMs, ready }: Cuts, view: PoolView): void {
  if (untilMs.size + ready.size === 0) return;
  for (const [device, atMs] of untilMs) {
    if (atMs > view.nowMs) continue;
    untilMs.delete(device);
    ready.add(device);
  }
  for (const device of ready) if (view.deviceUsed[device] !== 0) ready.delete(device);
}

/**
 * Begins to cut what a grant needs cut, and notes that the job waits for that and for devices under way. When it is ready; −1 where nothing
 * is in its way: the grant can be given now. O(rows).
 */
export function beginCuts(
  cuts: Cuts,
  view: PoolView,
  act: Actions,
  shape: Shape,
  jobIdx: number,
  grant: Grant,
  startReason: number,
): number {
  const { cutMs } = shape.parts[0]!.rules;
  let readyMs = -1;
  for (let row = 0; row < grant.length; row++) {
    if (shape.parts[grant.component[row]!]!.mig === 0) continue;
    const node = grant.node[row]!;
    const device = view.cluster.deviceBase[node]! + grant.first[row]!;
    if (view.deviceUsed[device] === 0 && cutMs > 0 && !cuts.ready.has(device)) {
      cuts.untilMs.set(device, view.nowMs + cutMs);
      act.repartition(node, grant.first[row]!, cutMs);
    }
    readyMs = Math.max(readyMs, cuts.untilMs.get(device) ?? -1);
  }
  if (readyMs < 0) return readyMs;
  // Members of a job that takes devices as they come are planned one by one.
  const before = cuts.jobs.get(jobIdx);
  const rows = [...(before?.rows ?? []), ...rowsOf(grant)];
  const allMs = Math.max(readyMs, before?.readyMs ?? -1);
  cuts.jobs.set(jobIdx, { readyMs: allMs, startReason, rows });
  return allMs;
}

/** Members of each part that are neither placed nor planned. `wanted`: those not placed, null = all. O(rows). */
export function unplanned(
  { jobs }: Cuts,
  shape: Shape,
  jobIdx: number,
  wanted: Int32Array | null,
): Int32Array | null {
  const job = jobs.get(jobIdx);
  if (job === undefined) return wanted;
  const left = wanted ?? Int32Array.from(shape.parts, (part) => part.members);
  for (const { component, members } of job.rows) left[component]! -= members;
  return left;
}

function rowsOf(grant: Grant): CutRow[] {
  return Array.from({ length: grant.length }, (_, row) => ({
    component: grant.component[row]!,
    node: grant.node[row]!,
    first: grant.first[row]!,
    count: grant.count[row]!,
    part: grant.part[row]!,
    members: grant.members[row]!,
    cpuMilli: grant.cpuMilli[row]!,
    memMiB: grant.memMiB[row]!,
  }));
}

const planned = new Grant();

/** What was planned for a job, as a grant that can be given now; null where it cannot. Valid until the next call. O(rows). */
export function plannedGrant(view: PoolView, shape: Shape, { rows }: CutJob): Grant | null {
  planned.clear();
  const taken = new Map<number, { cpuMilli: number; memMiB: number }>();
  for (const row of rows) {
    if (!isFree(view, shape, row)) return null;
    const needs = taken.get(row.node) ?? { cpuMilli: 0, memMiB: 0 };
    needs.cpuMilli += cpusOf(shape, row);
    needs.memMiB += memoryOf(shape, row);
    taken.set(row.node, needs);
    const { component, node, first, count, part, members, cpuMilli, memMiB } = row;
    planned.push(component, node, first, count, part, members, cpuMilli, memMiB);
  }
  for (const [node, { cpuMilli, memMiB }] of taken)
    if (cpuMilli > view.cpuMilliFree[node]! || memMiB > view.memMiBFree[node]!) return null;
  return planned;
}

function isFree(view: PoolView, shape: Shape, row: CutRow): boolean {
  if (view.nodeState[row.node] !== NodeStateCode.open) return false;
  const base = view.cluster.deviceBase[row.node]!;
  for (let device = base + row.first; row.first >= 0 && device < base + row.first + row.count; ) {
    const used = view.deviceUsed[device]!;
    const sliced = view.sliceUsed[device]!;
    if (row.part === 0 ? used > 0 : used + milliOf(view, shape, row) > WHOLE_DEVICE) return false;
    if (row.part >= FIRST_SLICE && used > 0 && sliced === 0) return false;
    if (row.part > 0 && row.part < FIRST_SLICE && sliced !== 0) return false;
    if ((sliced & bitsOf(view, shape, row)) !== 0) return false;
    device++;
  }
  return true;
}

const cpusOf = ({ parts }: Shape, { component, members, cpuMilli }: CutRow): number =>
  cpuMilli >= 0 ? cpuMilli : members * parts[component]!.cpuMilli;
const memoryOf = ({ parts }: Shape, { component, members, memMiB }: CutRow): number =>
  memMiB >= 0 ? memMiB : members * parts[component]!.memMiB;

function milliOf({ cluster }: Pick<PoolView, "cluster">, shape: Shape, row: CutRow): number {
  if (row.part < FIRST_SLICE) return row.part;
  const part = shape.parts[row.component]!;
  return part.sliceTable === null ? WHOLE_DEVICE : milliOfSlices(slicesOn(part, cluster, row.node));
}

/** Places that a slice takes of its device; none for whole devices and shares. */
function bitsOf({ cluster }: Pick<PoolView, "cluster">, shape: Shape, row: CutRow): number {
  const part = shape.parts[row.component]!;
  if (row.part < FIRST_SLICE) return 0;
  if (part.sliceTable === null) return ALL_PLACES;
  return sliceMask(slicesOn(part, cluster, row.node), row.part - FIRST_SLICE);
}
const ALL_PLACES = 0xff;

/** Takes what is planned out of a sketch of now that knows devices; devices under way show the slices planned onto them. O(rows). */
export function takeCuts({ jobs, untilMs }: Cuts, shapes: Shapes, sketch: Sketch): void {
  for (const device of untilMs.keys()) sketch.sliceUsed[device] = 0;
  for (const [jobIdx, { rows }] of jobs) {
    const shape = shapes.list[shapes.shapeOfJob[jobIdx]!]!;
    for (const row of rows) {
      sketch.cpuMilliFree[row.node]! -= cpusOf(shape, row);
      sketch.memMiBFree[row.node]! -= memoryOf(shape, row);
      const first = sketch.cluster.deviceBase[row.node]! + row.first;
      for (let device = first; row.first >= 0 && device < first + row.count; device++)
        takeDevice(sketch, shape, row, device);
    }
  }
}

function takeDevice(sketch: Sketch, shape: Shape, row: CutRow, device: number): void {
  const free = sketch.deviceUsed[device] === 0;
  const milli = row.part === 0 ? WHOLE_DEVICE : milliOf(sketch, shape, row);
  sketch.deviceUsed[device] = Math.min(WHOLE_DEVICE, sketch.deviceUsed[device]! + milli);
  sketch.sliceUsed[device] = sketch.sliceUsed[device]! | bitsOf(sketch, shape, row);
  if (!free) return;
  sketch.gpusFree[row.node]! -= 1;
  sketch.gpusFreeTotal -= 1;
}

/** The same for a profile of what runs: who is planned holds its place until its end, and a device under way comes back after the last of them. O(rows × log steps). */
export function takeCutsOver(
  { jobs, untilMs }: Cuts,
  view: PoolView,
  shapes: Shapes,
  profile: Profile,
  lengthMs: (jobIdx: number) => number,
): void {
  const backMs = new Map(untilMs);
  for (const [jobIdx, { readyMs, rows }] of jobs) {
    const shape = shapes.list[shapes.shapeOfJob[jobIdx]!]!;
    const endMs = readyMs + lengthMs(jobIdx);
    noteEnd(profile.total, endMs, 1);
    for (const row of rows) {
      const device = view.cluster.deviceBase[row.node]! + row.first;
      const cut = row.first >= 0 && backMs.has(device);
      if (cut) backMs.set(device, Math.max(backMs.get(device)!, endMs));
      const whole = row.part === 0 || (!cut && view.deviceUsed[device] === 0);
      const gpus = row.first >= 0 && whole ? row.count : 0;
      const [cpus, memory] = [cpusOf(shape, row), memoryOf(shape, row)];
      addOver(profile.ofNode[row.node]!, view.nowMs, endMs, -gpus, -cpus, -memory);
      addOver(profile.total, view.nowMs, endMs, -gpus, 0, 0);
    }
  }
  for (const [device, endMs] of backMs) {
    if (endMs === NEVER_MS) continue;
    const node = nodeOfDevice(view.cluster, device);
    noteEnd(profile.total, endMs, 1);
    addOver(profile.total, endMs, NEVER_MS, 1, 0, 0);
    addOver(profile.ofNode[node]!, endMs, NEVER_MS, 1, 0, 0);
  }
}
