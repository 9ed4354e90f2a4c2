/**
 * What is free on each Slurm node, at the present or at a moment of a plan: the same columns serve both. Jobs take and give
 * their `Choice`; sums and bit sets are kept in step, so that a request that cannot fit is turned down without a look at a node.
 * Who is on a node is kept as sums of users (n jobs, Σu, Σu²), which tell "all of one user" whatever the order of coming and going.
 */
import { setBits } from "../../../base/bits.ts";
import type { Choice } from "./choice.ts";
import type { SlurmNodes } from "./nodes.ts";

export interface Resources {
  readonly cpusFree: Int32Array;
  readonly gpusFree: Int32Array;
  /** Nodes by free GPUs: how many have exactly so many. */
  readonly withGpus: Int32Array;
  /** Bit sets one behind the other: nodes with at least 1, 2, … free GPUs. */
  readonly gpusAtLeast: Int32Array;
  /** Type × node, as `SlurmNodes.typeCount`; empty where all GPUs are of one type. */
  readonly typeFree: Int32Array;
  readonly shardsFree: Int32Array;
  readonly memFree: Int32Array;
  /** Jobs on each node. */
  readonly jobs: Int32Array;
  /** Jobs on each node that keep other users off it. */
  readonly owners: Int32Array;
  readonly userSum: Float64Array;
  readonly userSquares: Float64Array;
  /** Bit sets: nodes without a job; nodes with a free CPU. */
  readonly idle: Int32Array;
  readonly open: Int32Array;
  cpusFreeTotal: number;
  gpusFreeTotal: number;
  idleCount: number;
  openCount: number;
  ownersTotal: number;
}

/** Everything free. O(nodes). */
export function freeResources(nodes: SlurmNodes): Resources {
  const idle = new Int32Array(nodes.words);
  setBits(idle, 0, nodes.count);
  const open = new Int32Array(nodes.words);
  let openCount = 0;
  for (let node = 0; node < nodes.count; node++) {
    if (nodes.cpus[node] === 0) continue;
    setBits(open, node, node + 1);
    openCount++;
  }
  const withGpus = new Int32Array(nodes.largest.gpus + 1);
  const gpusAtLeast = new Int32Array(nodes.largest.gpus * nodes.words);
  nodes.gpus.forEach((gpus, node) => {
    withGpus[gpus] = withGpus[gpus]! + 1;
    for (let least = 1; least <= gpus; least++) flip(gpusAtLeast, least, nodes.words, node);
  });
  return {
    withGpus,
    gpusAtLeast,
    cpusFree: nodes.cpus.slice(),
    gpusFree: nodes.gpus.slice(),
    typeFree: nodes.gpuTypes.length > 1 ? nodes.typeCount.slice() : new Int32Array(0),
    shardsFree: nodes.shards.slice(),
    memFree: nodes.memMiB.slice(),
    jobs: new Int32Array(nodes.count),
    owners: new Int32Array(nodes.count),
    userSum: new Float64Array(nodes.count),
    userSquares: new Float64Array(nodes.count),
    idle,
    open,
    cpusFreeTotal: nodes.totals.cpus,
    gpusFreeTotal: nodes.totals.gpus,
    idleCount: nodes.count,
    openCount,
    ownersTotal: 0,
  };
}

/** A copy that shares nothing. O(nodes). */
export function copyResources(from: Resources): Resources {
  return {
    cpusFree: from.cpusFree.slice(),
    gpusFree: from.gpusFree.slice(),
    withGpus: from.withGpus.slice(),
    gpusAtLeast: from.gpusAtLeast.slice(),
    typeFree: from.typeFree.slice(),
    shardsFree: from.shardsFree.slice(),
    memFree: from.memFree.slice(),
    jobs: from.jobs.slice(),
    owners: from.owners.slice(),
    userSum: from.userSum.slice(),
    userSquares: from.userSquares.slice(),
    idle: from.idle.slice(),
    open: from.open.slice(),
    cpusFreeTotal: from.cpusFreeTotal,
    gpusFreeTotal: from.gpusFreeTotal,
    idleCount: from.idleCount,
    openCount: from.openCount,
    ownersTotal: from.ownersTotal,
  };
}

const COLUMNS = [
  "cpusFree",
  "gpusFree",
  "withGpus",
  "gpusAtLeast",
  "typeFree",
  "shardsFree",
  "memFree",
  "jobs",
  "owners",
  "userSum",
  "userSquares",
  "idle",
  "open",
] as const;

/** Makes `into` equal to `from`, without a new array. O(nodes). */
export function loadResources(into: Resources, from: Resources): void {
  for (const name of COLUMNS) into[name].set(from[name]);
  into.cpusFreeTotal = from.cpusFreeTotal;
  into.gpusFreeTotal = from.gpusFreeTotal;
  into.idleCount = from.idleCount;
  into.openCount = from.openCount;
  into.ownersTotal = from.ownersTotal;
}

/** A job of `user` takes what was chosen for it. O(nodes of the job). */
export function takeChoice(free: Resources, nodes: SlurmNodes, choice: Choice, user: number): void {
  change(free, nodes, choice, user, -1);
}

/** The reverse. O(nodes of the job). */
export function giveChoice(free: Resources, nodes: SlurmNodes, choice: Choice, user: number): void {
  change(free, nodes, choice, user, 1);
}

/** A suspended job frees its CPUs and keeps its devices and memory (`gres` is not released by a suspend); and back again. */
export function changeCpus(free: Resources, choice: Choice, sign: 1 | -1): void {
  for (let row = 0; row < choice.length; row++) {
    addCpus(free, choice.node[row]!, sign * choice.cpus[row]!);
  }
}

function change(
  free: Resources,
  nodes: SlurmNodes,
  choice: Choice,
  user: number,
  sign: 1 | -1,
): void {
  const mark = user + 1;
  for (let row = 0; row < choice.length; row++) {
    const node = choice.node[row]!;
    addCpus(free, node, sign * choice.cpus[row]!);
    const gpus = sign * choice.gpus[row]!;
    if (gpus !== 0) {
      addGpus(free, nodes.words, node, gpus);
      for (let type = 0; type < choice.types; type++) {
        const at = type * nodes.count + node;
        free.typeFree[at] = free.typeFree[at]! + sign * choice.byType[row * choice.types + type]!;
      }
    }
    const shards = sign * choice.shards[row]!;
    if (shards !== 0) free.shardsFree[node] = free.shardsFree[node]! + shards;
    const memMiB = sign * choice.memMiB[row]!;
    if (memMiB !== 0) free.memFree[node] = free.memFree[node]! + memMiB;
    addJob(free, node, -sign, mark, choice.exclusiveUser);
  }
}

/** Jobs that take turns may hold more than there is: a node's CPUs may be less than none, which takes nothing from others. */
function addCpus(free: Resources, node: number, cpus: number): void {
  const after = free.cpusFree[node]! + cpus;
  const before = free.cpusFree[node]!;
  free.cpusFree[node] = after;
  free.cpusFreeTotal += Math.max(0, after) - Math.max(0, before);
  if (before > 0 === after > 0) return;
  const bit = 1 << (node & 31);
  free.open[node >> 5] = free.open[node >> 5]! ^ bit;
  free.openCount += after > 0 ? 1 : -1;
}

function flip(sets: Int32Array, least: number, words: number, node: number): void {
  const at = (least - 1) * words + (node >> 5);
  sets[at] = sets[at]! ^ (1 << (node & 31));
}

function addGpus(free: Resources, words: number, node: number, gpus: number): void {
  const before = free.gpusFree[node]!;
  free.gpusFree[node] = before + gpus;
  free.gpusFreeTotal += gpus;
  free.withGpus[before] = free.withGpus[before]! - 1;
  free.withGpus[before + gpus] = free.withGpus[before + gpus]! + 1;
  const low = Math.min(before, before + gpus);
  const high = Math.max(before, before + gpus);
  for (let least = low + 1; least <= high; least++) flip(free.gpusAtLeast, least, words, node);
}

function addJob(
  free: Resources,
  node: number,
  jobs: number,
  mark: number,
  exclusiveUser: boolean,
): void {
  const before = free.jobs[node]!;
  free.jobs[node] = before + jobs;
  free.userSum[node] = free.userSum[node]! + jobs * mark;
  free.userSquares[node] = free.userSquares[node]! + jobs * mark * mark;
  if (exclusiveUser) {
    free.owners[node] = free.owners[node]! + jobs;
    free.ownersTotal += jobs;
  }
  if (before > 0 === before + jobs > 0) return;
  free.idle[node >> 5] = free.idle[node >> 5]! ^ (1 << (node & 31));
  free.idleCount -= jobs;
}

/** Whether all jobs on a node are of this user (or there are none). */
export function onlyUser(free: Resources, node: number, user: number): boolean {
  const mark = user + 1;
  const jobs = free.jobs[node]!;
  return free.userSum[node] === jobs * mark && free.userSquares[node] === jobs * mark * mark;
}
