/**
 * What a job asks of the nodes, interned: jobs that ask for the same get the same shape number, so that a pass which found no
 * room for one of them need not look for the others. Shapes are derived from the job table alone and kept beside it; they are
 * no part of a scheduler's state.
 */
import type { Cluster } from "../../model/cluster.ts";
import type { JobTable } from "../../model/jobs.ts";
import { JobFlag } from "../../model/jobs.ts";
import type { NodeWish } from "../../model/lab/jobLife.ts";
import { SPEED_ONE } from "../../model/units.ts";
import type { NodeRules } from "./nodeRules.ts";
import { PLAIN_RULES } from "./nodeRules.ts";
import type { SliceTable } from "./slices.ts";
import { sliceTable } from "./slices.ts";

export interface Shape {
  readonly parts: readonly Part[];
  /** Devices asked for as people count them: fractions count up. */
  readonly gpuTotal: number;
  /** Wholly free devices that all members need together; shares and slices may find room on devices in use. */
  readonly gpusWhole: number;
  readonly members: number;
  /** Members must be under one leaf / in one NVSwitch domain. */
  readonly wish: "none" | "leaf" | "nvswitch";
  /** The same on fewer node groups, the fastest first, to be tried before it; empty where GPU models do not differ in speed. */
  readonly faster: readonly Shape[];
  /** How often each kind of job occurs among those of the workload: for rules that weigh what is left for others. */
  readonly mix: ClassMix;
}

/** One component of a shape. */
export interface Part {
  readonly members: number;
  readonly gpus: number;
  readonly shareMilli: number;
  readonly mig: number;
  readonly ownNode: boolean;
  readonly cpuMilli: number;
  readonly memMiB: number;
  /** Per node group of the cluster: 1 where labels and GPU model are what is asked for. */
  readonly groupFits: Uint8Array;
  /** Shares and slices cannot be on one device. Where both occur, a share takes only devices that nobody uses. */
  readonly freeDevicesOnly: boolean;
  /** True if any node with enough free devices will do: no CPUs, memory, model or part of a device asked for. */
  readonly devicesOnly: boolean;
  /** Nobody else on its nodes: the cluster that these are of. Null where nodes are shared. */
  readonly exclusive: Cluster | null;
  /** The rules of the pool that concern it. */
  readonly rules: NodeRules;
  /** Places of MIG profiles; null where each slice takes a device of its own. */
  readonly sliceTable: SliceTable | null;
}

/** Jobs of the workload that ask for the same of a node; members of a job count one by one. */
export interface JobClass {
  readonly part: Part;
  /** Members in the workload. */
  readonly weight: number;
}

/** The classes of a workload; made when a rule first asks for them. */
export interface ClassMix {
  readonly classes: () => readonly JobClass[];
}

export interface Shapes {
  readonly cluster: Cluster;
  readonly shapeOfJob: Uint32Array;
  readonly list: readonly Shape[];
  /** Some job asks for a part of a device. */
  readonly hasParts: boolean;
  /** Some job needs no wholly free device. */
  readonly zeroNeeds: boolean;
  /** Every job asks for devices and nothing else. */
  readonly plainOnly: boolean;
}

const known = new WeakMap<JobTable, Map<string, Shapes>>();
/** The answer given last, by rules as they were handed in: asked for several times for each job. */
const answers = new WeakMap<NodeRules, { readonly jobs: JobTable; readonly shapes: Shapes }>();

/** The shapes of all jobs of a table under the rules of a pool. O(jobs) the first time, then O(1). */
export function shapesOf(jobs: JobTable, cluster: Cluster, rules: NodeRules = PLAIN_RULES): Shapes {
  const answer = answers.get(rules);
  if (
    answer?.jobs === jobs &&
    answer.shapes.cluster === cluster &&
    answer.shapes.shapeOfJob.length === jobs.count
  )
    return answer.shapes;
  const shapes = findShapes(jobs, cluster, rules);
  answers.set(rules, { jobs, shapes });
  return shapes;
}

function findShapes(jobs: JobTable, cluster: Cluster, rules: NodeRules): Shapes {
  let byRules = known.get(jobs);
  if (byRules === undefined) {
    byRules = new Map();
    known.set(jobs, byRules);
  }
  const key = keyOfRules(rules);
  const found = byRules.get(key);
  if (found?.cluster === cluster && found.shapeOfJob.length === jobs.count) return found;
  const made = internShapes(jobs, cluster, rules, begunBy(jobs, cluster, key));
  byRules.set(key, made.shapes);
  // Of each origin the table without injected jobs is remembered: those with some begin with it.
  if (jobs.origin?.rows === jobs.count) remember(jobs.origin.of, key, made);
  return made.shapes;
}

/** Shapes with what they were told apart by. */
interface Interned {
  readonly shapes: Shapes;
  readonly numberOf: ReadonlyMap<string, number>;
  readonly plain: ReadonlyMap<number, ReadonlyMap<number, number>>;
}

const begun = new WeakMap<object, Map<string, Interned>>();

function remember(origin: object, key: string, made: Interned): void {
  const byRules = begun.get(origin);
  if (byRules) byRules.set(key, made);
  else begun.set(origin, new Map([[key, made]]));
}

/** The shapes of the jobs that were not injected, where they are known; null too where profiles of MIG, of which every part tells something, may have come with an injected job. */
function begunBy(
  { origin, migProfiles }: JobTable,
  cluster: Cluster,
  key: string,
): Interned | null {
  if (origin === undefined || migProfiles.length > 0) return null;
  const known = begun.get(origin.of)?.get(key);
  const isOfThese =
    known?.shapes.cluster === cluster && known.shapes.shapeOfJob.length === origin.rows;
  return isOfThese ? known : null;
}

/** `from`: those of the first jobs of the table. O(jobs behind these), and a copy of numbers. */
function internShapes(
  jobs: JobTable,
  cluster: Cluster,
  rules: NodeRules,
  from: Interned | null,
): Interned {
  const shapeOfJob = new Uint32Array(jobs.count);
  const list: Shape[] = [];
  const numberOf = new Map<string, number>();
  const wishText = new Map<NodeWish, string>();
  // Most jobs have one component of whole devices of any model: those are found by arithmetic, without building a text.
  const plain = new Map<number, Map<number, number>>();
  const mix = mixOf(shapeOfJob, list);
  if (from !== null) {
    shapeOfJob.set(from.shapes.shapeOfJob);
    for (const shape of from.shapes.list) list.push(withMix(shape, mix));
  }
  const first = from?.shapes.shapeOfJob.length ?? 0;
  for (let jobIdx = first; jobIdx < jobs.count; jobIdx++) {
    const wish = wishOf(jobs, jobIdx);
    const quick = wish === null ? plainKey(jobs, jobIdx) : -1;
    const besides = quick < 0 ? -1 : besidesKey(jobs, jobIdx);
    const isPlain = besides >= 0;
    let shape = isPlain
      ? (from?.plain.get(quick)?.get(besides) ?? plain.get(quick)?.get(besides))
      : undefined;
    if (shape === undefined) {
      if (wish !== null && !wishText.has(wish)) wishText.set(wish, textOfWish(wish));
      const key = textKey(jobs, jobIdx) + (wish === null ? "" : wishText.get(wish)!);
      shape = from?.numberOf.get(key) ?? numberOf.get(key);
      if (shape === undefined) {
        shape = list.length;
        list.push(readShape(jobs, cluster, jobIdx, wish, rules, mix));
        numberOf.set(key, shape);
      }
      if (isPlain) {
        const ofQuick = plain.get(quick);
        if (ofQuick) ofQuick.set(besides, shape);
        else plain.set(quick, new Map([[besides, shape]]));
      }
    }
    shapeOfJob[jobIdx] = shape;
  }
  const hasParts = list.some((shape) => shape.parts.some(isOfParts));
  const plainOnly = list.every((shape) => shape.parts.every((part) => part.devicesOnly));
  const zeroNeeds = list.some((shape) => shape.gpusWhole === 0);
  return {
    shapes: { cluster, shapeOfJob, list, hasParts, zeroNeeds, plainOnly },
    numberOf,
    plain,
  };
}

function isOfParts({ shareMilli, mig, rules }: Part): boolean {
  return shareMilli > 0 || mig > 0 || rules.numa === "single";
}

function withMix(shape: Shape, mix: ClassMix): Shape {
  return { ...shape, mix, faster: shape.faster.map((other) => withMix(other, mix)) };
}

/** What a job asks of its nodes; null where any will do. */
function wishOf(jobs: JobTable, jobIdx: number): NodeWish | null {
  const wish = jobs.lab.size === 0 ? null : (jobs.lab.get(jobIdx)?.nodes ?? null);
  if (wish === null || wish.exclusive || wish.models.length > 0) return wish;
  return Object.keys(wish.labels).length > 0 ? wish : null;
}

function textOfWish({ exclusive, labels, models }: NodeWish): string {
  const labelled = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([exclusive, labelled, models]);
}

/** How often each shape occurs, counted when first asked. O(jobs) once. */
function mixOf(shapeOfJob: Uint32Array, list: readonly Shape[]): ClassMix {
  let classes: JobClass[] | null = null;
  return {
    classes: () => {
      if (classes !== null) return classes;
      const jobsOf = new Float64Array(list.length);
      for (let jobIdx = 0; jobIdx < shapeOfJob.length; jobIdx++)
        jobsOf[shapeOfJob[jobIdx]!] = jobsOf[shapeOfJob[jobIdx]!]! + 1;
      classes = list.flatMap((shape, i) =>
        shape.parts.map((part) => ({ part, weight: jobsOf[i]! * part.members })),
      );
      return classes;
    },
  };
}

function keyOfRules(rules: NodeRules): string {
  return Object.values(rules).join("|");
}

/** A number for the devices of a job of one component that has no parts of devices and no wish for a model; −1 for any other. */
function plainKey(jobs: JobTable, jobIdx: number): number {
  const first = jobs.at.firstComponent[jobIdx]!;
  if (jobs.at.firstComponent[jobIdx + 1]! - first !== 1) return -1;
  const { members, gpus, shareMilli, mig, ownNode, gpuModel } = jobs.components;
  if (shareMilli[first] || mig[first] || gpuModel[first]) return -1;
  const wish = jobs.at.flags[jobIdx]! & (JobFlag.sameLeaf | JobFlag.sameNvswitch);
  return ((members[first]! * 65_536 + gpus[first]!) * 2 + ownNode[first]!) * 16 + wish;
}

/** A number for CPUs and memory of such a job; −1 where they are too many for one. */
function besidesKey(jobs: JobTable, jobIdx: number): number {
  const first = jobs.at.firstComponent[jobIdx]!;
  const cpuMilli = jobs.components.cpuMilli[first]!;
  const memMiB = jobs.components.memMiB[first]!;
  return cpuMilli < 2 ** 28 && memMiB < 2 ** 25 ? cpuMilli * 2 ** 25 + memMiB : -1;
}

function textKey(jobs: JobTable, jobIdx: number): string {
  const { members, gpus, shareMilli, mig, ownNode, cpuMilli, memMiB, gpuModel } = jobs.components;
  let key = String(jobs.at.flags[jobIdx]! & (JobFlag.sameLeaf | JobFlag.sameNvswitch));
  for (
    let row = jobs.at.firstComponent[jobIdx]!;
    row < jobs.at.firstComponent[jobIdx + 1]!;
    row++
  ) {
    key += `|${members[row]},${gpus[row]},${shareMilli[row]},${mig[row]},${ownNode[row]},${cpuMilli[row]},${memMiB[row]},${gpuModel[row]}`;
  }
  return key;
}

function readShape(
  jobs: JobTable,
  cluster: Cluster,
  jobIdx: number,
  wish: NodeWish | null,
  rules: NodeRules,
  mix: ClassMix,
): Shape {
  const first = jobs.at.firstComponent[jobIdx]!;
  const end = jobs.at.firstComponent[jobIdx + 1]!;
  const flags = jobs.at.flags[jobIdx]!;
  const speeds = groupSpeeds(cluster, wish);
  const shapeFrom = (leastQ16: number, faster: readonly Shape[]): Shape => {
    const parts: Part[] = [];
    let members = 0;
    let gpusWhole = 0;
    for (let row = first; row < end; row++) {
      const part = readPart(jobs, cluster, row, wish, rules, (g) => speeds[g]! >= leastQ16);
      members += part.members;
      if (part.shareMilli === 0 && part.mig === 0) gpusWhole += part.members * part.gpus;
      parts.push(part);
    }
    const wished =
      flags & JobFlag.sameNvswitch ? "nvswitch" : flags & JobFlag.sameLeaf ? "leaf" : "none";
    return {
      parts,
      members,
      gpuTotal: jobs.at.gpuTotal[jobIdx]!,
      gpusWhole,
      wish: wished === "none" && rules.within !== "asWished" ? rules.within : wished,
      faster,
      mix,
    };
  };
  const levels = [...new Set(speeds)].filter((speed) => speed > 0).sort((a, b) => b - a);
  return shapeFrom(
    1,
    levels.slice(0, -1).map((level) => shapeFrom(level, [])),
  );
}

/** Speed of each node group for a job in 1/65,536; 0 where its labels or models rule the group out. */
function groupSpeeds(cluster: Cluster, wish: NodeWish | null): number[] {
  return cluster.groups.map((group) => {
    if (wish === null) return SPEED_ONE;
    for (const [label, value] of Object.entries(wish.labels))
      if (group.labels[label] !== value) return 0;
    if (wish.models.length === 0) return SPEED_ONE;
    return wish.models.find(({ model }) => model === group.gpuModel)?.speedQ16 ?? 0;
  });
}

function readPart(
  jobs: JobTable,
  cluster: Cluster,
  row: number,
  wish: NodeWish | null,
  rules: NodeRules,
  allows: (group: number) => boolean,
): Part {
  const at = jobs.components;
  const model = at.gpuModel[row]! === 0 ? undefined : jobs.gpuModels[at.gpuModel[row]! - 1];
  const groupFits = Uint8Array.from(cluster.groups, (group, g) =>
    allows(g) && (model === undefined || group.gpuModel === model) ? 1 : 0,
  );
  const exclusive = wish?.exclusive === true ? cluster : null;
  const gpus = at.gpus[row]!;
  const whole = at.shareMilli[row] === 0 && at.mig[row] === 0;
  const numa = rules.numa === "single" && whole && gpus > 0;
  return {
    members: at.members[row]!,
    gpus,
    shareMilli: at.shareMilli[row]!,
    mig: at.mig[row]!,
    ownNode: at.ownNode[row] === 1,
    cpuMilli: at.cpuMilli[row]!,
    memMiB: at.memMiB[row]!,
    groupFits,
    freeDevicesOnly: jobs.migProfiles.length > 0 && rules.slicePacking === "ownDevice",
    devicesOnly:
      gpus > 0 &&
      whole &&
      !numa &&
      exclusive === null &&
      at.cpuMilli[row] === 0 &&
      at.memMiB[row] === 0 &&
      !groupFits.includes(0),
    exclusive,
    rules,
    sliceTable:
      at.mig[row] === 0 || rules.slicePacking === "ownDevice" ? null : sliceTable(jobs, cluster),
  };
}
