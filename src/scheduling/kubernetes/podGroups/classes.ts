/**
 * Jobs that ask for the same and start with equally few members, interned: what found no place for one of them finds none for the others. A class keeps its
 * number when jobs are injected, because these stand behind all others in the table. Derived from the job table alone. O(jobs) once.
 */
import type { Cluster } from "../../../model/cluster.ts";
import type { JobTable } from "../../../model/jobs.ts";
import { JobFlag } from "../../../model/jobs.ts";
import type { TopologyWish } from "../../../model/kubernetes/request.ts";
import { WHOLE_DEVICE } from "../../../model/units.ts";
import { type NodeRules, PLAIN_RULES } from "../../placement/nodeRules.ts";
import { type Part, type Shape, shapesOf } from "../../placement/shapes.ts";
import { milliOfSlices, slicesOn } from "../../placement/slices.ts";
import { type Amounts, addAmounts, isNothing, noAmounts } from "./amounts.ts";

/** Slices lie where they fit first; shares join devices in use. */
const GROUP_RULES: NodeRules = { ...PLAIN_RULES, slicePacking: "firstFit" };

export interface GroupClass {
  readonly shape: Shape;
  /** Members by component without which nothing starts. */
  readonly least: readonly number[];
  /** What one member asks for, by component. */
  readonly each: readonly Amounts[];
  readonly leastRequest: Amounts;
  readonly fullRequest: Amounts;
  readonly leastMembers: number;
  /** Asks for nothing: Volcano calls such pods best effort. */
  readonly bestEffort: boolean;
  readonly topology: TopologyWish | null;
}

export interface GroupClasses {
  readonly cluster: Cluster;
  readonly classOfJob: Uint32Array;
  readonly list: readonly GroupClass[];
  readonly hasParts: boolean;
}

/** Members that are placed together at first: pods that ask for nothing all, others as many as they need to start. */
export function membersTogether({ bestEffort, shape, leastMembers }: GroupClass): number {
  return bestEffort ? shape.members : leastMembers;
}

const known = new WeakMap<JobTable, GroupClasses>();

export function classesOf(jobs: JobTable, cluster: Cluster): GroupClasses {
  const found = known.get(jobs);
  if (found?.cluster === cluster && found.classOfJob.length === jobs.count) return found;
  const made = intern(jobs, cluster);
  known.set(jobs, made);
  return made;
}

function intern(jobs: JobTable, cluster: Cluster): GroupClasses {
  const shapes = shapesOf(jobs, cluster, GROUP_RULES);
  const classOfJob = new Uint32Array(jobs.count);
  const list: GroupClass[] = [];
  const numberOf = new Map<string, number>();
  const wishText = new Map<TopologyWish, string>();
  for (let jobIdx = 0; jobIdx < jobs.count; jobIdx++) {
    const least = leastMembers(jobs, jobIdx);
    const topology = jobs.kubernetes?.get(jobIdx)?.topology ?? null;
    if (topology !== null && !wishText.has(topology))
      wishText.set(topology, JSON.stringify(topology));
    const wish = topology === null ? "" : wishText.get(topology)!;
    const key = `${shapes.shapeOfJob[jobIdx]}|${least.join()}|${wish}`;
    let number = numberOf.get(key);
    if (number === undefined) {
      number = list.length;
      numberOf.set(key, number);
      const shape = shapes.list[shapes.shapeOfJob[jobIdx]!]!;
      list.push(classOf(shape, least, topology, cluster));
    }
    classOfJob[jobIdx] = number;
  }
  return { cluster, classOfJob, list, hasParts: shapes.hasParts };
}

/** The minimum of each component; a `minMember` of the job takes members in the order of the components, never fewer than the engine needs to start. */
function leastMembers(jobs: JobTable, jobIdx: number): number[] {
  const first = jobs.at.firstComponent[jobIdx]!;
  const end = jobs.at.firstComponent[jobIdx + 1]!;
  const { members, minMembers } = jobs.components;
  const gang = (jobs.at.flags[jobIdx]! & JobFlag.gang) !== 0;
  const asked = jobs.kubernetes?.get(jobIdx)?.minMember;
  const least: number[] = [];
  for (let row = first; row < end; row++) least.push(minMembers[row]!);
  if (asked === undefined && gang) return least;
  // Pods that are no gang are bound one by one: a group of one.
  const wanted = asked ?? 1;
  let left = gang ? wanted - least.reduce((sum, one) => sum + one, 0) : wanted;
  for (let row = first; row < end; row++) {
    const at = row - first;
    const from = gang ? least[at]! : 0;
    const more = Math.max(0, Math.min(left, members[row]! - from));
    least[at] = from + more;
    left -= more;
  }
  return least;
}

function classOf(
  shape: Shape,
  least: readonly number[],
  topology: TopologyWish | null,
  cluster: Cluster,
): GroupClass {
  const each = shape.parts.map((part) => memberAmounts(part, cluster));
  const leastRequest = noAmounts();
  const fullRequest = noAmounts();
  for (const [at, amounts] of each.entries()) {
    addAmounts(leastRequest, amounts, least[at]!);
    addAmounts(fullRequest, amounts, shape.parts[at]!.members);
  }
  return {
    shape,
    least,
    each,
    leastRequest,
    fullRequest,
    leastMembers: least.reduce((sum, one) => sum + one, 0),
    bestEffort: isNothing(fullRequest),
    topology,
  };
}

function memberAmounts(part: Part, cluster: Cluster): number[] {
  const gpus =
    part.shareMilli > 0
      ? part.shareMilli / WHOLE_DEVICE
      : part.mig > 0
        ? sliceAmount(part, cluster)
        : part.gpus;
  return [gpus, part.cpuMilli, part.memMiB];
}

/** A slice as its part of a device, on the first node group that has such slices. */
function sliceAmount(part: Part, cluster: Cluster): number {
  for (let node = 0; node < cluster.nodeCount; node++) {
    if (part.groupFits[cluster.nodeGroup[node]!] === 0) continue;
    const slices = slicesOn(part, cluster, node);
    if (slices > 0) return milliOfSlices(slices) / WHOLE_DEVICE;
  }
  return 1;
}
