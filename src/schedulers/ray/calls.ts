/**
 * What the calls of a job ask for, interned: jobs of one class wait behind each other, and what one of them is refused the others are refused too. A class is what Ray calls a scheduling
 * class (resources, strategy, function); the function is told apart by queue, since each tenant runs programs of its own. Derived from the job table alone and kept beside it. O(jobs) once.
 * Source: ray-project/ray `src/ray/common/scheduling/scheduling_class_util`, docs.ray.io "Resources", "Fault tolerance".
 */
import type { Cluster } from "../../model/cluster.ts";
import { JOB_KINDS, JobFlag, type JobTable } from "../../model/jobs.ts";
import type { RayKind, RayRequest, RayStrategy } from "../../model/kubernetes/rayRequest.ts";
import { type NodeRules, PLAIN_RULES } from "../../scheduling/placement/nodeRules.ts";
import { type Part, type Shape, shapesOf } from "../../scheduling/placement/shapes.ts";
import { CPU, GPU, MEMORY, sumOf } from "../../scheduling/ray/resources.ts";

/** A fraction of a GPU goes where least is left that holds it. */
const RULES: NodeRules = { ...PLAIN_RULES, sharePacking: "tightest", slicePacking: "firstFit" };

/** GPUs and CPUs in 1/1,000, MiB. */
export const WIDTH = 3;
const MILLI = 1_000;
const TASK_RETRIES = 3;
const SERVES = JOB_KINDS.indexOf("inference");

export interface CallClass {
  readonly kind: RayKind;
  readonly shape: Shape;
  readonly strategy: RayStrategy;
  readonly spreads: boolean;
  /** Node affinity; "" = none. */
  readonly node: string;
  readonly soft: boolean;
  /** Failures that it survives; `Infinity` = all. */
  readonly retries: number;
  /** What one member has to find free, by component. */
  readonly requests: readonly Float64Array[];
  /** CPUs (1/1,000) that a member takes while it runs, by component; −1 = what it asks for. */
  readonly runCpuMilli: readonly number[];
  /** By component and node group of the cluster: 1 where model and labels fit and Ray knows what is asked for. */
  readonly fits: readonly Uint8Array[];
  /** All members, component by component. */
  readonly bundles: readonly Float64Array[];
  readonly componentOf: readonly number[];
  /** Indexes of all of them. */
  readonly allBundles: readonly number[];
  readonly members: number;
  /** Equal for groups whose bundles are all alike and ask for the same; "" where they are not. */
  readonly bundleKey: string;
  /** What all members ask for together. */
  readonly sum: Float64Array;
  /** All components fit the same groups. */
  readonly alike: boolean;
}

export interface CallClasses {
  readonly cluster: Cluster;
  readonly ofJob: Uint32Array;
  readonly list: readonly CallClass[];
  /** Some job asks for a part of a device. */
  readonly hasParts: boolean;
}

const known = new WeakMap<JobTable, CallClasses>();

export function callsOf(jobs: JobTable, cluster: Cluster): CallClasses {
  const found = known.get(jobs);
  if (found?.cluster === cluster && found.ofJob.length === jobs.count) return found;
  const made = intern(jobs, cluster);
  known.set(jobs, made);
  return made;
}

function intern(jobs: JobTable, cluster: Cluster): CallClasses {
  const shapes = shapesOf(jobs, cluster, RULES);
  const ofJob = new Uint32Array(jobs.count);
  const list: CallClass[] = [];
  const numberOf = new Map<string, number>();
  const texts = new Map<RayRequest, string>();
  const fitsOf = new Map<string, Uint8Array>();
  const { flags, kind, queue } = jobs.at;
  for (let jobIdx = 0; jobIdx < jobs.count; jobIdx++) {
    const asked = jobs.kubernetes?.get(jobIdx)?.ray ?? NOTHING;
    let text = texts.get(asked);
    if (text === undefined) {
      text = JSON.stringify(asked);
      texts.set(asked, text);
    }
    const gang = (flags[jobIdx]! & JobFlag.gang) !== 0;
    const serves = kind[jobIdx] === SERVES || (flags[jobIdx]! & JobFlag.service) !== 0;
    const key = `${shapes.shapeOfJob[jobIdx]}|${queue[jobIdx]}|${gang}|${serves}|${text}`;
    let number = numberOf.get(key);
    if (number === undefined) {
      number = list.length;
      numberOf.set(key, number);
      const shape = shapes.list[shapes.shapeOfJob[jobIdx]!]!;
      list.push(classOf(shape, cluster, fitsOf, asked, gang, serves));
    }
    ofJob[jobIdx] = number;
  }
  return { cluster, ofJob, list, hasParts: shapes.hasParts };
}

const NOTHING: RayRequest = {};

function classOf(
  shape: Shape,
  cluster: Cluster,
  fitsOf: Map<string, Uint8Array>,
  asked: RayRequest,
  gang: boolean,
  serves: boolean,
): CallClass {
  const { parts } = shape;
  const kind =
    asked.kind ?? (serves ? "actors" : gang && shape.members > 1 ? "placementGroup" : "tasks");
  // A task counts for one CPU unless it says otherwise; an actor has to find one and then takes none.
  const impliesCpu = (part: Part) => part.cpuMilli === 0 && kind !== "placementGroup";
  const requests = parts.map((part) => requestOf(part, impliesCpu(part) ? MILLI : part.cpuMilli));
  // One array for all that fit the same groups, so that what a pass finds out of one holds for all.
  const fits = parts.map((part) => {
    const made = groupsFor(part, cluster);
    const known = fitsOf.get(made.join()) ?? made;
    fitsOf.set(made.join(), known);
    return known;
  });
  const componentOf = parts.flatMap(({ members }, at) => Array<number>(members).fill(at));
  const bundles = componentOf.map((at) => requests[at]!);
  const apart = parts.every(({ ownNode }) => ownNode);
  const tries = kind === "tasks" ? (asked.maxRetries ?? TASK_RETRIES) : (asked.maxRestarts ?? 0);
  return {
    kind,
    shape,
    strategy: asked.strategy ?? (apart && shape.members > 1 ? "STRICT_SPREAD" : "PACK"),
    spreads: asked.scheduling === "SPREAD",
    node: asked.node ?? "",
    soft: asked.soft === true,
    retries: tries < 0 ? Number.POSITIVE_INFINITY : tries,
    requests,
    runCpuMilli: parts.map((part) => (impliesCpu(part) && kind === "tasks" ? MILLI : -1)),
    fits,
    bundles,
    componentOf,
    allBundles: [...componentOf.keys()],
    members: shape.members,
    bundleKey: parts.length === 1 ? requests[0]!.join() : "",
    sum: sumOf(bundles, WIDTH),
    alike: fits.every((one) => one === fits[0]),
  };
}

function requestOf(part: Part, cpuMilli: number): Float64Array {
  const request = new Float64Array(WIDTH);
  request[GPU] = part.shareMilli > 0 ? part.shareMilli : part.gpus * MILLI;
  request[CPU] = cpuMilli;
  request[MEMORY] = part.memMiB;
  return request;
}

/** Ray has no name for a MIG slice; CPUs and memory that nobody has counted cannot be asked for. */
function groupsFor(part: Part, cluster: Cluster): Uint8Array {
  return Uint8Array.from(cluster.groups, (group, at) => {
    const counted =
      (part.cpuMilli === 0 || group.cpusPerNode > 0) &&
      (part.memMiB === 0 || group.memMiBPerNode > 0);
    return part.mig === 0 && counted ? part.groupFits[at]! : 0;
  });
}
