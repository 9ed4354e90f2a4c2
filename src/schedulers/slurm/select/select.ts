/**
 * Nodes for one job, as select/cons_tres chooses them: usable nodes; lighter ones before heavier ones; runs, leaves or loads;
 * then the CPUs, GPUs and tasks of each node. A job that counts its GPUs first looks for one node that has them all. Nothing is
 * allocated, and a request that cannot fit is turned down by sums in O(1).
 */
import { countBits } from "../../../base/bitSets.ts";
import { hasBit, nextSet } from "../../../base/bits.ts";
import { pickFromEnd, pickLeastLoaded } from "../../../scheduling/nodeChoice/byLoad.ts";
import { pickByRuns } from "../../../scheduling/nodeChoice/byRuns.ts";
import { pickBySwitches } from "../../../scheduling/nodeChoice/bySwitches.ts";
import type { Trial } from "../../../scheduling/nodeChoice/trial.ts";
import { createTrial, pick, satisfied, startTrial } from "../../../scheduling/nodeChoice/trial.ts";
import type { Choice } from "./choice.ts";
import { fillChoice } from "./fillChoice.ts";
import type { SlurmNodes } from "./nodes.ts";
import type { SelectOptions } from "./options.ts";
import type { Resources } from "./resources.ts";
import { findUsable, mayFit } from "./usable.ts";
import { MANY, type Wanted } from "./wanted.ts";

/** One question; the object of a node table is used for every question about it. */
interface Search {
  readonly nodes: SlurmNodes;
  readonly trial: Trial;
  wanted: Wanted;
  options: SelectOptions;
  maxNodes: number;
  wishNodes: number;
}
const searches = new WeakMap<SlurmNodes, Search>();

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
  const { minNodes } = wanted;
  const tasks = wanted.ntasks > 1 ? Math.max(wanted.ntasks, minNodes) : MANY;
  const maxNodes = Math.min(wanted.maxNodes, options.maxNodes, tasks);
  if (minNodes > maxNodes) return false;
  const search = searchOf(nodes, wanted, options);
  const { trial } = search;
  search.maxNodes = maxNodes;
  search.wishNodes = wanted.maxNodes === MANY ? minNodes : maxNodes;
  if (findUsable(trial, nodes, wanted, candidates, free, options) < minNodes) return false;
  trial.saved.set(trial.map);
  const { sets, counts } = wanted.constraint;
  if (sets === null) {
    if (!trySet(search, null)) return false;
  } else if (counts.length > 0) {
    if (!tryCounts(search, sets[0]!)) return false;
  } else if (!sets.some((set) => trySet(search, set))) return false;
  fillChoice(trial, nodes, wanted, free, into);
  return true;
}

function searchOf(nodes: SlurmNodes, wanted: Wanted, options: SelectOptions): Search {
  let search = searches.get(nodes);
  if (search === undefined) {
    const trial = createTrial(nodes, wanted);
    search = { nodes, trial, wanted, options, maxNodes: 0, wishNodes: 0 };
    searches.set(nodes, search);
  }
  search.wanted = wanted;
  search.options = options;
  search.trial.unit = options.unit;
  return search;
}

/** Lighter nodes first: sets of nodes grow by weight until one of them will do. */
function trySet(search: Search, set: Int32Array | null): boolean {
  const { upToWeight } = search.nodes;
  if (upToWeight === null) return tryNodes(search, set, null);
  const { wanted, trial } = search;
  const wish = wanted.gpus > 0 ? wanted.minNodes : search.wishNodes;
  return upToWeight.some((light, index) => {
    narrow(trial, set, light);
    const last = index === upToWeight.length - 1;
    return (last || countBits(trial.map) >= wish) && tryNodes(search, set, light);
  });
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

/** First nodes that hold all GPUs of the job by themselves, then any, then without small ones. */
function tryNodes(search: Search, set: Int32Array | null, light: Int32Array | null): boolean {
  const { wanted, trial } = search;
  narrow(trial, set, light);
  if (wanted.gpus > 0 && wanted.minNodes === 1 && wanted.required.length === 0) {
    keepWholeFits(trial, wanted);
    if (attempt(search)) return true;
    narrow(trial, set, light);
  }
  return attempt(search) || tryWithoutSmall(search, set, light);
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
  search: Search,
  set: Int32Array | null,
  light: Int32Array | null,
): boolean {
  const { wanted, trial } = search;
  if (trial.alike || search.maxNodes >= trial.nodes.count) return false;
  for (let dropped = -1; ; ) {
    narrow(trial, set, light);
    dropped = nextSize(trial, dropped);
    if (dropped === Number.POSITIVE_INFINITY) return false;
    if (dropUpTo(trial, wanted, dropped) < wanted.minNodes) return false;
    if (attempt(search)) return true;
  }
}

const sizeOf = (trial: Trial, node: number): number => trial.cpus[node]! + trial.gpus[node]!;

/** The smallest size of a usable node above a size. */
function nextSize(trial: Trial, above: number): number {
  const { count } = trial.nodes;
  let next = Number.POSITIVE_INFINITY;
  for (let node = nextSet(trial.map, 0, count); node < count; ) {
    const size = sizeOf(trial, node);
    if (size > above && size < next) next = size;
    node = nextSet(trial.map, node + 1, count);
  }
  return next;
}

/** Leaves out nodes up to a size, required ones stay; returns how many nodes are left. */
function dropUpTo(trial: Trial, wanted: Wanted, most: number): number {
  const { count } = trial.nodes;
  let left = 0;
  for (let node = nextSet(trial.map, 0, count); node < count; ) {
    if (sizeOf(trial, node) > most || wanted.required.includes(node)) left++;
    else remove(trial, node);
    node = nextSet(trial.map, node + 1, count);
  }
  return left;
}

function attempt(search: Search): boolean {
  const { trial, wanted } = search;
  startTrial(trial, wanted, wanted.minNodes, search.maxNodes, search.wishNodes);
  for (const node of wanted.required) {
    if (!hasBit(trial.map, node) || trial.leftMaxNodes <= 0) return false;
    pick(trial, node);
  }
  return pickRest(search);
}

function pickRest({ trial, nodes, wanted, options }: Search): boolean {
  if (options.lln) return pickLeastLoaded(trial);
  if (options.packSerialAtEnd && wanted.minCpus === 1 && trial.wishNodes <= 1)
    return pickFromEnd(trial);
  const tree = nodes.switches;
  const asked = wanted.switches > 0;
  const byTree = options.topology === "all" || (options.topology === "asked" && asked);
  if (tree !== null && byTree && !wanted.contiguous)
    return pickBySwitches(trial, tree, options.maxSwitches);
  return pickByRuns(trial);
}

/** `a*2&b*1`: so many nodes of each feature first, then the rest from all of them. */
function tryCounts(search: Search, set: Int32Array): boolean {
  const { trial, wanted } = search;
  narrow(trial, set, null);
  startTrial(trial, wanted, wanted.minNodes, search.maxNodes, search.wishNodes);
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
  return satisfied(trial) || pickRest(search);
}
