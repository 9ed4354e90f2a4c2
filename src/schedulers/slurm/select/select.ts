/**
 * Nodes for one job, as select/cons_tres chooses them: usable nodes; lighter ones before heavier ones; runs, leaves or loads;
 * then the CPUs, GPUs and tasks of each node. A job that counts its GPUs first looks for one node that has them all. Nothing is
 * allocated, and a request that cannot fit is turned down by sums in O(1).
 */
import { hasBit, nextSet } from "../../../base/bits.ts";
import { pickFromEnd, pickLeastLoaded } from "./byLoad.ts";
import { pickByRuns } from "./byRuns.ts";
import { pickBySwitches } from "./bySwitches.ts";
import type { Choice } from "./choice.ts";
import { fillChoice } from "./fillChoice.ts";
import type { SlurmNodes } from "./nodes.ts";
import type { SelectOptions } from "./options.ts";
import type { Resources } from "./resources.ts";
import type { Trial } from "./trial.ts";
import { createTrial, pick, satisfied, startTrial } from "./trial.ts";
import { findUsable, mayFit } from "./usable.ts";
import { MANY, type Wanted } from "./wanted.ts";

const trials = new WeakMap<SlurmNodes, Trial>();

/**
 * Fills `into` with a place on the nodes of `candidates` (a bit set) and returns true; or returns false. O(1) where sums rule it
 * out; O(words + runs) on a flat machine; else O(candidates + runs × runs taken).
 */
export function selectNodes(
  nodes: SlurmNodes,
  wanted: Wanted,
  candidates: Int32Array,
  free: Resources,
  options: SelectOptions,
  into: Choice,
): boolean {
  if (wanted.unknownNode || wanted.constraint.invalid || !mayFit(wanted, free)) return false;
  const minNodes = wanted.minNodes;
  const tasks = wanted.ntasks > 1 ? Math.max(wanted.ntasks, minNodes) : MANY;
  const maxNodes = Math.min(wanted.maxNodes, options.maxNodes, tasks);
  if (minNodes > maxNodes) return false;
  let trial = trials.get(nodes);
  if (trial === undefined) {
    trial = createTrial(nodes, wanted);
    trials.set(nodes, trial);
  }
  trial.wholeCores = options.wholeCores;
  if (findUsable(trial, wanted, candidates, free, options) < minNodes) return false;
  trial.saved.set(trial.map);
  const { sets, counts } = wanted.constraint;
  if (sets === null) {
    if (!trySet(trial, wanted, null, options, maxNodes)) return false;
  } else if (counts.length > 0) {
    if (!tryCounts(trial, wanted, sets[0]!, options, maxNodes)) return false;
  } else if (!sets.some((set) => trySet(trial, wanted, set, options, maxNodes))) return false;
  fillChoice(trial, wanted, free, into);
  return true;
}

/** Lighter nodes first: sets of nodes grow by weight until one of them will do. */
function trySet(
  trial: Trial,
  wanted: Wanted,
  set: Int32Array | null,
  options: SelectOptions,
  maxNodes: number,
): boolean {
  const { upToWeight } = trial.nodes;
  if (upToWeight === null) return tryNodes(trial, wanted, set, null, options, maxNodes);
  return upToWeight.some((light, index) => {
    const last = index === upToWeight.length - 1;
    const wish = wanted.gpus > 0 ? wanted.minNodes : Math.min(maxNodes, wishOf(wanted));
    if (!last && usableIn(trial, set, light) < wish) return false;
    return tryNodes(trial, wanted, set, light, options, maxNodes);
  });
}

function wishOf(wanted: Wanted): number {
  return wanted.maxNodes === MANY ? wanted.minNodes : wanted.maxNodes;
}

function usableIn(trial: Trial, set: Int32Array | null, light: Int32Array): number {
  narrow(trial, set, light);
  const { count } = trial.nodes;
  let usable = 0;
  for (let node = nextSet(trial.map, 0, count); node < count; ) {
    usable++;
    node = nextSet(trial.map, node + 1, count);
  }
  return usable;
}

/** The usable nodes, as far as they lie in both sets. */
function narrow(trial: Trial, set: Int32Array | null, light: Int32Array | null): void {
  const { map, saved } = trial;
  for (let word = 0; word < map.length; word++) {
    let bits = saved[word]!;
    if (set !== null) bits &= set[word]!;
    if (light !== null) bits &= light[word]!;
    map[word] = bits;
  }
}

/** First nodes that hold all GPUs of the job by themselves, then any. */
function tryNodes(
  trial: Trial,
  wanted: Wanted,
  set: Int32Array | null,
  light: Int32Array | null,
  options: SelectOptions,
  maxNodes: number,
): boolean {
  narrow(trial, set, light);
  if (wanted.gpus > 0 && wanted.minNodes === 1 && wanted.required.length === 0) {
    keepWholeFits(trial, wanted);
    if (attempt(trial, wanted, options, maxNodes)) return true;
    narrow(trial, set, light);
  }
  if (attempt(trial, wanted, options, maxNodes)) return true;
  return tryWithoutSmall(trial, wanted, set, light, options, maxNodes);
}

function keepWholeFits(trial: Trial, wanted: Wanted): void {
  const { count } = trial.nodes;
  for (let node = nextSet(trial.map, 0, count); node < count; ) {
    if (trial.gpus[node]! < wanted.gpus) remove(trial, node);
    node = nextSet(trial.map, node + 1, count);
  }
}

function remove(trial: Trial, node: number): void {
  trial.map[node >> 5] = trial.map[node >> 5]! & ~(1 << (node & 31));
}

/**
 * A job whose nodes are limited may have been given small ones: nodes with few CPUs and GPUs are left out, more and more of
 * them, until the rest will do.
 */
function tryWithoutSmall(
  trial: Trial,
  wanted: Wanted,
  set: Int32Array | null,
  light: Int32Array | null,
  options: SelectOptions,
  maxNodes: number,
): boolean {
  const { count } = trial.nodes;
  if (trial.alike || maxNodes >= count) return false;
  for (let dropped = -1; ; ) {
    narrow(trial, set, light);
    let next = Number.POSITIVE_INFINITY;
    for (let node = nextSet(trial.map, 0, count); node < count; ) {
      const size = trial.cpus[node]! + trial.gpus[node]!;
      if (size > dropped) next = Math.min(next, size);
      node = nextSet(trial.map, node + 1, count);
    }
    if (next === Number.POSITIVE_INFINITY) return false;
    dropped = next;
    let left = 0;
    for (let node = nextSet(trial.map, 0, count); node < count; ) {
      if (trial.cpus[node]! + trial.gpus[node]! > dropped) left++;
      else if (!wanted.required.includes(node)) remove(trial, node);
      node = nextSet(trial.map, node + 1, count);
    }
    if (left + wanted.required.length < wanted.minNodes) return false;
    if (attempt(trial, wanted, options, maxNodes)) return true;
  }
}

function attempt(trial: Trial, wanted: Wanted, options: SelectOptions, maxNodes: number): boolean {
  startTrial(trial, wanted, wanted.minNodes, maxNodes);
  for (const node of wanted.required) {
    if (!hasBit(trial.map, node) || trial.leftMaxNodes <= 0) return false;
    pick(trial, node);
  }
  return pickRest(trial, wanted, options);
}

function pickRest(trial: Trial, wanted: Wanted, options: SelectOptions): boolean {
  if (options.lln) return pickLeastLoaded(trial);
  if (options.packSerialAtEnd && wanted.minCpus === 1 && trial.wishNodes <= 1)
    return pickFromEnd(trial);
  const tree = trial.nodes.switches;
  const byTree =
    options.topology === "all" || (options.topology === "asked" && wanted.switches > 0);
  if (tree !== null && byTree && !wanted.contiguous)
    return pickBySwitches(trial, tree, options.maxSwitches);
  return pickByRuns(trial);
}

/** `a*2&b*1`: so many nodes of each feature first, then the rest from all of them. */
function tryCounts(
  trial: Trial,
  wanted: Wanted,
  set: Int32Array,
  options: SelectOptions,
  maxNodes: number,
): boolean {
  narrow(trial, set, null);
  startTrial(trial, wanted, wanted.minNodes, maxNodes);
  for (const { nodes, count } of wanted.constraint.counts) {
    let have = 0;
    for (let node = 0; node < trial.nodes.count && have < count; node++) {
      if (!hasBit(nodes, node) || !hasBit(trial.map, node)) continue;
      if (trial.leftMaxNodes <= 0) return false;
      pick(trial, node);
      have++;
    }
    if (have < count) return false;
  }
  return satisfied(trial) || pickRest(trial, wanted, options);
}
