/** The availability profile that running jobs leave: free now, and more as each of them ends by its estimate. */
import { Grant } from "../../engine/grant.ts";
import type { PoolView } from "../../engine/view.ts";
import { NodeStateCode } from "../../model/states.ts";
import { NEVER_MS } from "../../model/units.ts";
import type { Profile } from "../../scheduling/backfill/profile.ts";
import { noHeld } from "../../scheduling/backfill/profile.ts";
import { countedEndMs } from "../../scheduling/backfill/shadow.ts";
import {
  addOver,
  createSteps,
  noteEnd,
  resetSteps,
  type Steps,
} from "../../scheduling/backfill/steps.ts";
import type { SortedJobs } from "../../scheduling/ordering/sortedJobs.ts";
import { BLOCK } from "../../scheduling/ordering/sortedJobs.ts";
import type { Shape, Shapes } from "../../scheduling/placement/shapes.ts";

const held = new Grant();

/**
 * O(nodes + running jobs × their nodes). `plain`: no job asks for more than devices. `spare`: a profile that nobody needs any more, whose memory is used; then
 * what each run gives back is not noted (`Profile.held`). `keepsCpus`: some CPUs are kept from members without devices (`Profile.ofCpuWork`).
 */
export function profileOfRuns(
  view: PoolView,
  runs: SortedJobs,
  flat: boolean,
  plain: boolean,
  spare?: Profile,
  keepsCpus = false,
): Profile {
  const { nowMs } = view;
  const begun = beginProfile(view, flat, plain, spare);
  const profile = keepsCpus && !flat && !plain ? { ...begun, ofCpuWork: cpuWorkOf(view) } : begun;
  for (let position = 0; position < runs.blockCount; position++) {
    const base = runs.order[position]! * BLOCK;
    for (let row = 0; row < runs.used[runs.order[position]!]!; row++) {
      const endMs = countedEndMs(runs.key[base + row]!, nowMs);
      if (endMs === NEVER_MS) return profile;
      noteEnd(profile.total, endMs, 1);
      if (flat) addOver(profile.total, endMs, NEVER_MS, runs.need[base + row]!, 0, 0);
      else giveHoldings(view, profile, runs.jobIdx[base + row]!, endMs, spare === undefined);
    }
  }
  return profile;
}

/** Whether some CPUs are kept from members without devices, and somebody asks for CPUs. O(1). */
export function keepsCpusBack({ list, plainOnly }: Shapes): boolean {
  return !plainOnly && (list[0]?.parts[0]?.rules.cpuReserveMilli ?? 0) > 0;
}

/** What is free now. */
function beginProfile(view: PoolView, flat: boolean, plain: boolean, spare?: Profile): Profile {
  const { nowMs, gpusFree, cpuMilliFree, memMiBFree } = view;
  const total = spare?.total ?? createSteps(nowMs, 0);
  resetSteps(total, nowMs, view.gpusFreeTotal, 0, 0);
  if (flat) return { total, ofNode: [], held: new Map() };
  const ofNode = spare?.ofNode ?? [];
  if (ofNode.length !== view.cluster.nodeCount) ofNode.length = view.cluster.nodeCount;
  for (let i = 0; i < view.nodes.length; i++) {
    const node = view.nodes[i]!;
    const [gpus, cpus, memory] = [gpusFree[node]!, cpuMilliFree[node]!, memMiBFree[node]!];
    const old = ofNode[node];
    if (old !== undefined && old.wide !== plain) resetSteps(old, nowMs, gpus, cpus, memory);
    else ofNode[node] = plain ? createSteps(nowMs, gpus) : createSteps(nowMs, gpus, cpus, memory);
  }
  return { total, ofNode, held: new Map() };
}

/** CPUs of each node that no member without devices holds now. O(nodes). */
function cpuWorkOf({ cluster, nodes, nowMs, cpuMilliFree, cpuMilliAtDevices }: PoolView): Steps[] {
  const ofCpuWork: Steps[] = new Array<Steps>(cluster.nodeCount);
  for (const node of nodes)
    ofCpuWork[node] = createSteps(nowMs, cpuMilliFree[node]! + cpuMilliAtDevices[node]!);
  return ofCpuWork;
}

function giveHoldings(
  view: PoolView,
  profile: Profile,
  jobIdx: number,
  endMs: number,
  noted: boolean,
): void {
  held.clear();
  view.holdings(jobIdx, held);
  const given = noted ? noHeld(endMs) : null;
  let total = 0;
  for (let row = 0; row < held.length; row++) {
    const node = held.node[row]!;
    if (view.nodeState[node] !== NodeStateCode.open) continue;
    const gpus = held.part[row] === 0 ? held.count[row]! : aloneOn(view, held, row);
    const cpus = held.cpuMilli[row]!;
    const memory = held.memMiB[row]!;
    addOver(profile.ofNode[node]!, endMs, NEVER_MS, gpus, cpus, memory);
    if (profile.ofCpuWork !== undefined && isCpuWork(held, row))
      addOver(profile.ofCpuWork[node]!, endMs, NEVER_MS, cpus, 0, 0);
    if (given !== null) {
      given.node.push(node);
      given.gpus.push(gpus);
      given.cpuMilli.push(cpus);
      given.memMiB.push(memory);
    }
    total += gpus;
  }
  if (given !== null) profile.held.set(jobIdx, given);
  addOver(profile.total, endMs, NEVER_MS, total, 0, 0);
}

/** Whether the members of a row hold no device. */
export function isCpuWork({ count }: Grant, row: number): boolean {
  return count[row] === 0;
}

/** 1 if the share is all that is used of its device, which is then free when the job ends; else 0: others may stay. */
function aloneOn(view: PoolView, grant: Grant, row: number): number {
  const device = view.cluster.deviceBase[grant.node[row]!]! + grant.first[row]!;
  return view.deviceUsed[device] === grant.part[row] ? 1 : 0;
}

const wholes = new WeakMap<Shape, Shape>();

/** A shape for planning: a member that asks for part of a device is planned with a device of its own. */
export function wholeShape(shape: Shape): Shape {
  if (shape.parts.every((part) => part.shareMilli === 0 && part.mig === 0)) return shape;
  let whole = wholes.get(shape);
  if (whole === undefined) {
    const parts = shape.parts.map((part) => ({ ...part, shareMilli: 0, mig: 0, sliceTable: null }));
    const gpusWhole = parts.reduce((sum, part) => sum + part.members * part.gpus, 0);
    whole = { ...shape, parts, gpusWhole, faster: shape.faster.map(wholeShape) };
    wholes.set(shape, whole);
  }
  return whole;
}
