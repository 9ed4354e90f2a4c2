/**
 * Choice by a tree of switches (topology/tree): the lowest switch that suffices, of those the one with fewest usable nodes;
 * below it the leaf with fewest usable nodes that suffices, else the leaf with most, all of it, and again for the rest. Nodes
 * count, not how full they are. Leaves of required nodes come first.
 */
import { countBoth } from "../../base/bitSets.ts";
import { hasBit, nextSet } from "../../base/bits.ts";
import type { SwitchTree } from "./switchTree.ts";
import type { Trial } from "./trial.ts";
import { enoughNodes, pick, satisfied, suffices } from "./trial.ts";

/** What is usable below each switch. */
const below = {
  nodes: new Int32Array(64),
  cpus: new Float64Array(64),
  gpus: new Float64Array(64),
  /** Leaves that may still be used. */
  leaf: new Uint8Array(64),
  used: new Uint8Array(64),
};

/** Picks nodes until the job is satisfied; false if it cannot be, or not below `maxSwitches` leaves (0 = any). O(nodes × levels). */
export function pickBySwitches(trial: Trial, tree: SwitchTree, maxSwitches: number): boolean {
  makeRoom(tree.count);
  countBelow(trial, tree);
  below.used.fill(0, 0, tree.count);
  markRequired(trial, tree);
  const fits = satisfied(trial) || fill(trial, tree);
  trial.switchesUsed = 0;
  for (const leaf of tree.leaves) trial.switchesUsed += below.used[leaf]!;
  return fits && (maxSwitches === 0 || trial.switchesUsed <= maxSwitches);
}

function fill(trial: Trial, tree: SwitchTree): boolean {
  const top = trial.pickedCount > 0 ? topOfRequired(trial, tree) : lowestFit(trial, tree);
  if (top < 0) return false;
  for (const leaf of tree.leaves) below.leaf[leaf] = isBelow(tree, leaf, top) ? 1 : 0;
  while (trial.leftMaxNodes > 0 && !satisfied(trial)) {
    const leaf = bestLeaf(trial, tree);
    if (leaf < 0) break;
    takeLeaf(trial, tree, leaf);
    below.leaf[leaf] = 0;
  }
  return satisfied(trial) || suffices(trial);
}

function makeRoom(count: number): void {
  if (below.nodes.length >= count) return;
  below.nodes = new Int32Array(count);
  below.cpus = new Float64Array(count);
  below.gpus = new Float64Array(count);
  below.leaf = new Uint8Array(count);
  below.used = new Uint8Array(count);
}

function countBelow(trial: Trial, tree: SwitchTree): void {
  const { map, nodes } = trial;
  for (let at = 0; at < tree.count; at++) {
    const set = tree.nodes[at]!;
    let count = 0;
    let cpus = 0;
    let gpus = 0;
    if (trial.alike) {
      count = countBoth(map, set);
      const first = nextSet(map, 0, nodes.count);
      cpus = first < nodes.count ? count * trial.cpus[first]! : 0;
    } else {
      for (let node = nextIn(map, set, -1); node >= 0; node = nextIn(map, set, node)) {
        count++;
        cpus += trial.cpus[node]!;
        gpus += trial.gpus[node]!;
      }
    }
    below.nodes[at] = count;
    below.cpus[at] = cpus;
    below.gpus[at] = gpus;
  }
}

/** The next node after `after` that is in both sets; −1 if none. */
function nextIn(one: Int32Array, other: Int32Array, after: number): number {
  const from = after + 1;
  let word = from >> 5;
  if (word >= one.length) return -1;
  let bits = one[word]! & other[word]! & (-1 << (from & 31));
  while (bits === 0) {
    if (++word >= one.length) return -1;
    bits = one[word]! & other[word]!;
  }
  return (word << 5) + 31 - Math.clz32(bits & -bits);
}

function sufficientBelow(trial: Trial, at: number): boolean {
  return (
    below.cpus[at]! >= trial.leftCpus &&
    enoughNodes(trial, below.nodes[at]!) &&
    below.gpus[at]! >= trial.leftGpus
  );
}

function lowestFit(trial: Trial, tree: SwitchTree): number {
  let best = -1;
  for (let at = 0; at < tree.count; at++) {
    if (!sufficientBelow(trial, at)) continue;
    const better =
      best < 0 ||
      tree.level[at]! < tree.level[best]! ||
      (tree.level[at] === tree.level[best] && below.nodes[at]! < below.nodes[best]!);
    if (better) best = at;
  }
  return best;
}

/** The lowest switch above all required nodes that holds enough beside them. */
function topOfRequired(trial: Trial, tree: SwitchTree): number {
  let best = -1;
  for (let at = 0; at < tree.count; at++) {
    const set = tree.nodes[at]!;
    if (trial.picked.some((word, index) => (word & ~set[index]!) !== 0)) continue;
    if (!sufficientBelow(trial, at)) continue;
    if (best < 0 || tree.level[at]! < tree.level[best]!) best = at;
  }
  return best;
}

function markRequired(trial: Trial, tree: SwitchTree): void {
  if (trial.pickedCount === 0) return;
  for (const leaf of tree.leaves) {
    const set = tree.nodes[leaf]!;
    if (trial.picked.some((word, index) => (word & set[index]!) !== 0)) below.used[leaf] = 1;
  }
}

function isBelow(tree: SwitchTree, leaf: number, top: number): boolean {
  let at = leaf;
  for (let step = 0; step <= tree.count && at >= 0; step++) {
    if (at === top) return true;
    at = tree.parent[at]!;
  }
  return false;
}

/** Leaves in use go first; then as for runs: tightest that suffices, else the roomiest, by usable nodes; first of equals. */
function bestLeaf(trial: Trial, tree: SwitchTree): number {
  let best = -1;
  let bestFits = false;
  for (const leaf of tree.leaves) {
    if (below.leaf[leaf] === 0 || below.nodes[leaf] === 0) continue;
    const fits = sufficientBelow(trial, leaf);
    if (best >= 0 && !isBetter(leaf, fits, best, bestFits)) continue;
    best = leaf;
    bestFits = fits;
  }
  return best;
}

function isBetter(leaf: number, fits: boolean, best: number, bestFits: boolean): boolean {
  if (below.used[leaf] !== below.used[best]) return below.used[leaf] === 1;
  if (fits) return !bestFits || below.nodes[leaf]! < below.nodes[best]!;
  return !bestFits && below.nodes[leaf]! > below.nodes[best]!;
}

function takeLeaf(trial: Trial, tree: SwitchTree, leaf: number): void {
  const set = tree.nodes[leaf]!;
  for (let node = nextIn(trial.map, set, -1); node >= 0; node = nextIn(trial.map, set, node)) {
    if (trial.leftMaxNodes <= 0 || satisfied(trial)) return;
    if (hasBit(trial.picked, node)) continue;
    pick(trial, node);
    below.used[leaf] = 1;
  }
}
