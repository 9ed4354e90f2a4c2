/**
 * One attempt to place one job: what each usable node offers, what is still missing, and what has been picked. Buffers belong
 * to a node table and are used again by every attempt.
 *
 *     map        usable nodes that are not picked      cpus, gpus   what a node offers
 *     picked     nodes picked, as a bit set            cap          CPUs that the job may use on a picked node
 */
import { wordsFor } from "../../base/bits.ts";

/** What the choice needs to know of a table of nodes. */
export interface NodeTable {
  readonly count: number;
  /** CPUs of a core. */
  readonly threads: Int32Array;
  /** CPUs of a socket. */
  readonly socketCpus: Int32Array;
  /** Lighter nodes first. */
  readonly weight: Float64Array;
  /** All weigh the same. */
  readonly oneWeight: boolean;
}

/** What the choice needs to know of a request. */
export interface Ask {
  /** CPUs in all, and on each node, at least. */
  readonly minCpus: number;
  readonly minCpusPerNode: number;
  /** GPUs in all, where they are not counted by node; 0. */
  readonly gpus: number;
  readonly wholeNodes: boolean;
  readonly contiguous: boolean;
  /** Nodes that must all be in. */
  readonly required: Int32Array;
}

/** CPUs that are given together. */
export type CpuUnit = "cpu" | "core" | "socket";

export interface Trial {
  readonly nodes: NodeTable;
  readonly map: Int32Array;
  readonly saved: Int32Array;
  readonly picked: Int32Array;
  readonly cpus: Int32Array;
  readonly gpus: Int32Array;
  readonly cap: Int32Array;
  wanted: Ask;
  /** All usable nodes offer the same: no node needs to be looked at by itself. */
  alike: boolean;
  unit: CpuUnit;
  leftCpus: number;
  leftNodes: number;
  leftMinNodes: number;
  leftMaxNodes: number;
  leftMaxCpus: number;
  leftGpus: number;
  /** Whether GPUs of the whole job are counted. */
  countsGpus: boolean;
  minNodes: number;
  wishNodes: number;
  pickedCount: number;
  switchesUsed: number;
}

/** A trial without nodes, to be filled again and again. */
export function createTrial(nodes: NodeTable, wanted: Ask): Trial {
  const words = wordsFor(nodes.count);
  return {
    nodes,
    wanted,
    map: new Int32Array(words),
    saved: new Int32Array(words),
    picked: new Int32Array(words),
    // On a flat machine every usable node offers its one CPU, and nothing is ever written here.
    cpus: new Int32Array(nodes.count).fill(1),
    gpus: new Int32Array(nodes.count),
    cap: new Int32Array(nodes.count),
    alike: false,
    unit: "cpu",
    leftCpus: 0,
    leftNodes: 0,
    leftMinNodes: 0,
    leftMaxNodes: 0,
    leftMaxCpus: 0,
    leftGpus: 0,
    countsGpus: false,
    minNodes: 0,
    wishNodes: 0,
    pickedCount: 0,
    switchesUsed: 0,
  };
}

/**
 * Nothing picked yet. A job with a range of node counts wants `wishNodes`, unless it counts GPUs: then what suffices, from
 * `minNodes` to `maxNodes`.
 */
export function startTrial(
  trial: Trial,
  wanted: Ask,
  minNodes: number,
  maxNodes: number,
  wishNodes: number,
): void {
  trial.wanted = wanted;
  trial.picked.fill(0);
  trial.pickedCount = 0;
  trial.switchesUsed = 0;
  trial.countsGpus = wanted.gpus > 0;
  trial.minNodes = minNodes;
  trial.wishNodes = wishNodes;
  trial.leftCpus = wanted.minCpus;
  trial.leftMaxCpus = wanted.minCpus;
  trial.leftNodes = trial.countsGpus ? minNodes : Math.max(minNodes, trial.wishNodes);
  trial.leftMinNodes = minNodes;
  trial.leftMaxNodes = maxNodes;
  trial.leftGpus = wanted.gpus;
}

/** Nothing is missing. */
export function satisfied(trial: Trial): boolean {
  return trial.leftNodes <= 0 && trial.leftCpus <= 0 && trial.leftGpus <= 0;
}

/** What is picked will do: fewer nodes than wished for, but not fewer than needed. */
export function suffices(trial: Trial): boolean {
  return trial.leftCpus <= 0 && trial.leftGpus <= 0 && enoughNodes(trial, 0);
}

/** Whether so many more nodes make up the least number. */
export function enoughNodes(trial: Trial, count: number): boolean {
  const spare = trial.countsGpus ? 0 : Math.max(0, trial.wishNodes - trial.minNodes);
  return count >= trial.leftNodes - spare;
}

/** CPUs that are given together on a node. */
export function unitOf(nodes: NodeTable, unit: CpuUnit, node: number): number {
  if (unit === "cpu") return 1;
  return unit === "core" ? nodes.threads[node]! : nodes.socketCpus[node]!;
}

/**
 * Picks a node. Of its CPUs the job may use what it still misses, but one is kept for each node still to come and the node's
 * own minimum is always granted.
 */
export function pick(trial: Trial, node: number): void {
  const { wanted } = trial;
  const kept = Math.max(0, trial.leftMinNodes - 1) * unitOf(trial.nodes, trial.unit, node);
  let cpus = trial.cpus[node]!;
  if (!wanted.wholeNodes) {
    const most = Math.max(trial.leftMaxCpus - kept, wanted.minCpusPerNode);
    if (cpus > most) cpus = most;
  }
  trial.cap[node] = cpus;
  trial.picked[node >> 5] = trial.picked[node >> 5]! | (1 << (node & 31));
  trial.map[node >> 5] = trial.map[node >> 5]! & ~(1 << (node & 31));
  trial.pickedCount++;
  trial.leftCpus -= cpus;
  trial.leftMaxCpus -= cpus;
  trial.leftNodes--;
  trial.leftMinNodes--;
  trial.leftMaxNodes--;
  if (trial.countsGpus) trial.leftGpus -= trial.gpus[node]!;
}
