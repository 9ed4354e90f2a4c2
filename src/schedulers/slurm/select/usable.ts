/**
 * Which nodes a job could use, and what each offers it: CPUs as far as memory, tasks and GPUs allow, and GPUs. A node that
 * cannot hold the job's share of a single node is out, whatever the other nodes hold.
 */
import { countBits } from "../../../base/bitSets.ts";
import { hasBit, nextSet } from "../../../base/bits.ts";
import type { Trial } from "../../../scheduling/nodeChoice/trial.ts";
import { unitOf } from "../../../scheduling/nodeChoice/trial.ts";
import type { SlurmNodes } from "./nodes.ts";
import { shardsPerGpu } from "./nodes.ts";
import type { SelectOptions } from "./options.ts";
import type { Resources } from "./resources.ts";
import { onlyUser } from "./resources.ts";

import type { Wanted } from "./wanted.ts";

/** Quick answer by sums: false where the job cannot fit now on any choice of nodes. O(1). */
export function mayFit(wanted: Wanted, free: Resources): boolean {
  const nodes = wanted.exclusive === "node" ? free.idleCount : free.openCount;
  if (nodes < wanted.minNodes || free.cpusFreeTotal < wanted.minCpus) return false;
  const perNode = Math.max(wanted.gpusPerNode, wanted.gpusPerTask);
  if (perNode === 0) return free.gpusFreeTotal >= wanted.gpus;
  if (free.gpusFreeTotal < Math.max(wanted.gpus, perNode * wanted.minNodes)) return false;
  let left = wanted.minNodes;
  for (let gpus = free.withGpus.length - 1; gpus >= perNode && left > 0; gpus--)
    left -= free.withGpus[gpus]!;
  return left <= 0;
}

/**
 * Fills `trial.map` with the usable nodes of `candidates` and what they offer; returns how many they are. O(words) where all
 * nodes have one CPU and nothing else, else O(candidates).
 */
export function findUsable(
  trial: Trial,
  nodes: SlurmNodes,
  wanted: Wanted,
  candidates: Int32Array,
  free: Resources,
  options: SelectOptions,
): number {
  const { map } = trial;
  const base = wanted.exclusive === "node" ? free.idle : free.open;
  const { excluded } = wanted;
  const least = leastGpus(wanted);
  const withGpus = (least - 1) * map.length;
  for (let word = 0; word < map.length; word++) {
    let bits = candidates[word]! & base[word]!;
    if (excluded !== null) bits &= ~excluded[word]!;
    if (least > 0) bits &= free.gpusAtLeast[withGpus + word] ?? 0;
    map[word] = bits;
  }
  trial.alike = isAlike(nodes, wanted, free, options);
  if (trial.alike) return countBits(map);
  let count = 0;
  for (let node = nextSet(map, 0, nodes.count); node < nodes.count; ) {
    if (offer(trial, nodes, wanted, free, options, node)) count++;
    else map[node >> 5] = map[node >> 5]! & ~(1 << (node & 31));
    node = nextSet(map, node + 1, nodes.count);
  }
  return count;
}

/** A flat machine: an open node is a free processor. */
function isAlike(
  nodes: SlurmNodes,
  wanted: Wanted,
  free: Resources,
  options: SelectOptions,
): boolean {
  const { largest } = nodes;
  return (
    nodes.flat &&
    largest.cpus === 1 &&
    wanted.cpusPerTask === 1 &&
    wanted.minCpusPerNode === 1 &&
    wanted.gpus + wanted.gpusPerNode === 0 &&
    !wanted.allMemory &&
    wanted.memPerNodeMiB + wanted.memPerCpuMiB === 0 &&
    wanted.exclusive !== "user" &&
    free.ownersTotal === 0 &&
    options.maxCpusPerNode >= 1
  );
}

/** What each node offers, as far as it was asked. */
type Offers = Pick<Trial, "cpus" | "gpus">;

/** Whether a job could use this node by itself, whatever the others hold. O(1). */
export function isUsable(
  nodes: SlurmNodes,
  wanted: Wanted,
  free: Resources,
  options: SelectOptions,
  node: number,
): boolean {
  const base = wanted.exclusive === "node" ? free.idle : free.open;
  if (!hasBit(base, node) || free.gpusFree[node]! < leastGpus(wanted)) return false;
  if (offers.cpus.length < nodes.count)
    offers = { cpus: new Int32Array(nodes.count), gpus: new Int32Array(nodes.count) };
  return offer(offers, nodes, wanted, free, options, node);
}

/** What a node is short of for one share of a job. */
export type Shortage = "exclusive" | "user" | "devices" | "together" | "cpuOrMemory";

/** Why a node is of no use to a job now, the first thing that is missing; null = it is of use. For answers, not for passes. O(1). */
export function shortOf(
  nodes: SlurmNodes,
  wanted: Wanted,
  free: Resources,
  options: SelectOptions,
  node: number,
): Shortage | null {
  if (isUsable(nodes, wanted, free, options, node)) return null;
  const least = leastGpus(wanted);
  const typed = wanted.gpuType >= 0 && nodes.gpuTypes.length > 1;
  const gpus = typed ? free.typeFree[wanted.gpuType * nodes.count + node]! : free.gpusFree[node]!;
  if (gpus < least) return gpus === 0 ? "devices" : "together";
  if (wanted.shardsPerNode > free.shardsFree[node]!) return "together";
  if (wanted.exclusive === "node" && !hasBit(free.idle, node)) return "exclusive";
  return keptByUser(wanted, free, options, node) ? "user" : "cpuOrMemory";
}

/** GPUs and CPUs that a usable node would give to a job. O(1). */
export function offerOf(
  nodes: SlurmNodes,
  wanted: Wanted,
  free: Resources,
  options: SelectOptions,
  node: number,
): { readonly gpus: number; readonly cpus: number } {
  const usable = isUsable(nodes, wanted, free, options, node);
  return usable ? { gpus: offers.gpus[node]!, cpus: offers.cpus[node]! } : { gpus: 0, cpus: 0 };
}

let offers: Offers = { cpus: new Int32Array(0), gpus: new Int32Array(0) };

/** What one node offers; false where that is too little. */
function offer(
  trial: Offers,
  nodes: SlurmNodes,
  wanted: Wanted,
  free: Resources,
  options: SelectOptions,
  node: number,
): boolean {
  if (keptByUser(wanted, free, options, node)) return false;
  let cpus = Math.min(free.cpusFree[node]!, options.maxCpusPerNode);
  cpus -= cpus % unitOf(nodes, options.unit, node);
  const memMiB = wanted.allMemory ? nodes.memMiB[node]! : wanted.memPerNodeMiB;
  if (memMiB > free.memFree[node]!) return false;
  if (wanted.memPerCpuMiB > 0)
    cpus = Math.min(cpus, Math.floor(free.memFree[node]! / wanted.memPerCpuMiB));
  const gpus = gpusOn(nodes, wanted, free, node, cpus);
  if (gpus < 0) return false;
  cpus = cpusForTasks(wanted, options, nodes.threads[node]!, cpus, gpus);
  if (cpus < Math.max(wanted.minCpusPerNode, wanted.gpusPerNode * wanted.cpusPerGpu)) return false;
  trial.cpus[node] = cpus;
  trial.gpus[node] = gpus;
  return true;
}

/** Kept for one user by a job that runs there; or others are there already. */
function keptByUser(
  wanted: Wanted,
  free: Resources,
  options: SelectOptions,
  node: number,
): boolean {
  if (wanted.exclusive !== "user" && (free.ownersTotal === 0 || free.owners[node] === 0))
    return false;
  return !onlyUser(free, node, options.user);
}

/** GPUs that the job can have here; −1 where they do not make up one node's share. */
function gpusOn(
  nodes: SlurmNodes,
  wanted: Wanted,
  free: Resources,
  node: number,
  cpus: number,
): number {
  if (wanted.shardsPerNode > 0 && free.shardsFree[node]! < wanted.shardsPerNode) return -1;
  if (wanted.gpus + wanted.gpusPerNode === 0) return 0;
  if (wanted.gpuType === -2) return -1;
  const typed = wanted.gpuType >= 0;
  const at = wanted.gpuType * nodes.count + node;
  let gpus = free.gpusFree[node]!;
  if (typed && nodes.gpuTypes.length > 1) gpus = free.typeFree[at]!;
  // A GPU can be had whole only with all its shards.
  const shards = shardsPerGpu(nodes, node);
  if (shards > 0) gpus = Math.min(gpus, Math.floor(free.shardsFree[node]! / shards));
  if (wanted.memPerGpuMiB > 0)
    gpus = Math.min(gpus, Math.floor(free.memFree[node]! / wanted.memPerGpuMiB));
  if (wanted.cpusPerGpu > 0) gpus = Math.min(gpus, Math.floor(cpus / wanted.cpusPerGpu));
  return gpus < leastGpus(wanted) ? -1 : gpus;
}

/** GPUs without which a node is of no use to the job. */
function leastGpus(wanted: Wanted): number {
  if (wanted.gpus + wanted.gpusPerNode === 0) return 0;
  const tasks = Math.max(1, wanted.ntasksPerNode);
  return Math.max(1, wanted.gpusPerNode, wanted.gpusPerTask * tasks);
}

function cpusForTasks(
  wanted: Wanted,
  options: SelectOptions,
  threads: number,
  cpus: number,
  gpus: number,
): number {
  const { cpusPerTask, gpusPerTask, ntasksPerNode } = wanted;
  const perTask = options.oneTaskPerCore ? Math.ceil(cpusPerTask / threads) * threads : cpusPerTask;
  let tasks = Math.floor(cpus / perTask);
  if (gpusPerTask > 0) tasks = Math.min(tasks, Math.floor(gpus / gpusPerTask));
  if (ntasksPerNode > 0) {
    if (tasks < ntasksPerNode) return 0;
    if (wanted.exclusive !== "node") tasks = ntasksPerNode;
  }
  if (gpusPerTask > 0 || ntasksPerNode > 0 || perTask !== cpusPerTask) return tasks * perTask;
  return cpus;
}
