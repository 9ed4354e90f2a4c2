/**
 * From picked nodes to what the job takes on each: tasks one a node, then round by round as far as the CPUs of a node allow
 * (tasks with GPUs: the roomiest node first); GPUs by node, by task, or filled up node by node with one kept for each node to
 * come; CPUs by task. Whole nodes are taken whole.
 */
import { nextSet } from "../../../base/bits.ts";
import { type Trial, unitOf } from "../../../scheduling/nodeChoice/trial.ts";
import type { Choice } from "./choice.ts";
import { type SlurmNodes, shardsPerGpu } from "./nodes.ts";
import type { Resources } from "./resources.ts";
import { MANY, type Wanted } from "./wanted.ts";

/** What each of the chosen nodes gives. */
export function fillChoice(
  trial: Trial,
  nodes: SlurmNodes,
  wanted: Wanted,
  free: Resources,
  into: Choice,
): void {
  const { picked } = trial;
  into.clear(nodes.gpuTypes.length > 1 ? nodes.gpuTypes.length : 0);
  into.exclusive = wanted.exclusive === "node";
  into.exclusiveUser = wanted.exclusive === "user";
  into.switchesUsed = trial.switchesUsed;
  for (let node = nextSet(picked, 0, nodes.count); node < nodes.count; ) {
    into.push(node, 0, 0, wanted.shardsPerNode, 0, 1);
    node = nextSet(picked, node + 1, nodes.count);
  }
  if (trial.alike) {
    into.cpus.fill(1, 0, into.length);
    return;
  }
  spreadTasks(trial, wanted, into);
  giveGpus(trial, wanted, into);
  for (let row = 0; row < into.length; row++) giveRest(trial, nodes, wanted, free, into, row);
}

function spreadTasks(trial: Trial, wanted: Wanted, into: Choice): void {
  if (wanted.ntasks === 0) {
    into.tasks.fill(Math.max(1, wanted.ntasksPerNode), 0, into.length);
    return;
  }
  const left = wanted.ntasks - into.length;
  if (wanted.gpusPerTask > 0) fillRoomiest(trial, wanted, into, left);
  else fillRounds(trial, wanted, into, left);
}

/** Tasks with GPUs: the node with room for most of them is filled first, the first of equals. */
function fillRoomiest(trial: Trial, wanted: Wanted, into: Choice, tasks: number): void {
  let left = tasks;
  while (left > 0) {
    let best = -1;
    let most = 0;
    for (let row = 0; row < into.length; row++) {
      const all = Math.floor(trial.cpus[into.node[row]!]! / wanted.cpusPerTask);
      if (into.tasks[row]! < all && all > most) {
        best = row;
        most = all;
      }
    }
    if (best < 0) return;
    const given = Math.min(left, most - into.tasks[best]!);
    into.tasks[best] = into.tasks[best]! + given;
    left -= given;
  }
}

function fillRounds(trial: Trial, wanted: Wanted, into: Choice, tasks: number): void {
  let left = tasks;
  for (let round = 2; left > 0; round++) {
    const before = left;
    for (let row = 0; row < into.length && left > 0; row++) {
      if (round * wanted.cpusPerTask > trial.cap[into.node[row]!]!) continue;
      into.tasks[row] = into.tasks[row]! + 1;
      left--;
    }
    if (left === before) break;
  }
}

function giveGpus(trial: Trial, wanted: Wanted, into: Choice): void {
  if (wanted.gpus + wanted.gpusPerNode === 0) return;
  let left = wanted.gpus;
  for (let row = 0; row < into.length; row++) {
    const room = trial.gpus[into.node[row]!]!;
    let gpus = wanted.gpusPerNode;
    if (gpus === 0 && wanted.gpusPerTask > 0) gpus = wanted.gpusPerTask * into.tasks[row]!;
    else if (gpus === 0) gpus = Math.min(room, left - (into.length - 1 - row));
    into.gpus[row] = Math.min(room, gpus);
    left -= gpus;
  }
}

/** CPUs and memory; on whole nodes everything; and the types of the GPUs. */
function giveRest(
  trial: Trial,
  nodes: SlurmNodes,
  wanted: Wanted,
  free: Resources,
  into: Choice,
  row: number,
): void {
  const node = into.node[row]!;
  const unit = unitOf(nodes, trial.unit, node);
  const whole = wanted.exclusive === "node";
  const asked = Math.max(
    into.tasks[row]! * wanted.cpusPerTask,
    into.gpus[row]! * wanted.cpusPerGpu,
    wanted.minCpusPerNode,
  );
  const cpus = whole ? nodes.cpus[node]! : Math.ceil(asked / unit) * unit;
  into.cpus[row] = Math.min(free.cpusFree[node]!, cpus);
  const memMiB =
    wanted.memPerNodeMiB +
    wanted.memPerCpuMiB * into.cpus[row]! +
    wanted.memPerGpuMiB * into.gpus[row]!;
  into.memMiB[row] = Math.min(free.memFree[node]!, wanted.allMemory ? MANY : memMiB);
  if (whole) into.gpus[row] = nodes.gpus[node]!;
  const shards = into.shards[row]! + into.gpus[row]! * shardsPerGpu(nodes, node);
  into.shards[row] = whole ? nodes.shards[node]! : shards;
  giveTypes(nodes, wanted, free, into, row, whole);
}

/** GPUs of any type come from the types in their order, as their devices lie. */
function giveTypes(
  nodes: SlurmNodes,
  wanted: Wanted,
  free: Resources,
  into: Choice,
  row: number,
  whole: boolean,
): void {
  const node = into.node[row]!;
  let left = into.gpus[row]!;
  for (let type = 0; type < into.types && left > 0; type++) {
    if (wanted.gpuType >= 0 && type !== wanted.gpuType && !whole) continue;
    const gpus = Math.min(left, free.typeFree[type * nodes.count + node]!);
    into.byType[row * into.types + type] = gpus;
    left -= gpus;
  }
}
