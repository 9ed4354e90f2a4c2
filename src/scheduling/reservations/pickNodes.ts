/**
 * Nodes for a reservation that asks for a number of them: idle ones first, the lowest numbered; with a tree of switches those of the
 * lowest and tightest switch that has enough, leaf by leaf. Nodes of jobs that last into the reservation are taken only where it
 * ignores jobs, one job's nodes after another. Rule and order are those of Slurm 22.05.
 */
import { countBits, countBoth } from "../../base/bitSets.ts";
import { nextSet } from "../../base/bits.ts";
import type { SwitchTree } from "../nodeChoice/switchTree.ts";

/** Level (0 = leaf) and nodes of each switch. */
export type Switches = Pick<SwitchTree, "count" | "level" | "nodes">;

export interface NodeWish {
  readonly count: number;
  readonly ignoreJobs: boolean;
  /** Nodes of each job that lasts into the reservation, in the order in which jobs were submitted. */
  readonly holders: readonly Int32Array[];
  readonly switches: Switches | null;
}

/**
 * Nodes from sets of decreasing quality (not reserved, reserved but free to overlap, …): each set serves as many as it can of what is
 * missing. The result may have fewer nodes than asked for, as Slurm's has; null where it has none. O(sets × (jobs + switches) × words).
 */
export function pickNodes(sets: readonly Int32Array[], wish: NodeWish): Int32Array | null {
  const picked = new Int32Array(sets[0]?.length ?? 0);
  let missing = wish.count;
  for (const set of sets) {
    if (missing === 0) break;
    const usable = set.map((word, at) => word & ~picked[at]!);
    const found = pickFrom(usable, Math.min(missing, countBits(usable)), wish);
    if (found === null) continue;
    missing -= countBits(found);
    for (let word = 0; word < picked.length; word++) picked[word] = picked[word]! | found[word]!;
  }
  return missing < wish.count ? picked : null;
}

function pickFrom(usable: Int32Array, wanted: number, wish: NodeWish): Int32Array | null {
  if (wanted === 0) return null;
  if (wish.ignoreJobs && countBits(usable) === wanted) return usable;
  const idle = usable.slice();
  for (const holder of wish.holders) {
    for (let word = 0; word < idle.length; word++) idle[word] = idle[word]! & ~holder[word]!;
  }
  const first = countBits(idle) >= wanted ? choose(idle, wanted, wish.switches) : null;
  if (first !== null || !wish.ignoreJobs) return first;
  for (const holder of wish.holders) {
    for (let word = 0; word < idle.length; word++) {
      idle[word] = idle[word]! | (usable[word]! & holder[word]!);
    }
    if (countBits(idle) < wanted) continue;
    const next = choose(idle, wanted, wish.switches);
    if (next !== null) return next;
  }
  return null;
}

function choose(nodes: Int32Array, wanted: number, switches: Switches | null): Int32Array | null {
  if (switches === null) return lowest(nodes, wanted);
  const best = tightest(nodes, wanted, switches);
  return best < 0 ? null : leafByLeaf(nodes, wanted, switches.nodes[best]!, switches);
}

/** The lowest switch with enough nodes; among those of a level the one with fewest. −1 = none. */
function tightest(nodes: Int32Array, wanted: number, switches: Switches): number {
  let best = -1;
  let bestHas = 0;
  for (let each = 0; each < switches.count; each++) {
    const has = countBoth(switches.nodes[each]!, nodes);
    if (has < wanted) continue;
    const lower = best < 0 ? -1 : switches.level[each]! - switches.level[best]!;
    if (lower > 0 || (lower === 0 && has >= bestHas)) continue;
    best = each;
    bestHas = has;
  }
  return best;
}

/** From the leaves: the tightest that has enough, else the largest, until nothing is missing. */
function leafByLeaf(
  nodes: Int32Array,
  wanted: number,
  below: Int32Array,
  switches: Switches,
): Int32Array {
  const left = nodes.map((word, at) => word & below[at]!);
  const chosen = new Int32Array(nodes.length);
  for (let missing = wanted; missing > 0; ) {
    const leaf = bestLeaf(left, missing, switches);
    if (leaf < 0) break;
    const inLeaf = left.map((word, at) => word & switches.nodes[leaf]![at]!);
    const some = lowest(inLeaf, missing);
    for (let word = 0; word < left.length; word++) {
      chosen[word] = chosen[word]! | some[word]!;
      left[word] = left[word]! & ~inLeaf[word]!;
    }
    missing -= countBits(some);
  }
  return chosen;
}

function bestLeaf(left: Int32Array, missing: number, switches: Switches): number {
  let best = -1;
  let bestHas = 0;
  for (let leaf = 0; leaf < switches.count; leaf++) {
    if (switches.level[leaf]! > 0) continue;
    const has = countBoth(switches.nodes[leaf]!, left);
    if (has === 0) continue;
    const enough = has >= missing && (bestHas < missing || has < bestHas);
    const larger = has < missing && has > bestHas;
    if (!enough && !larger) continue;
    best = leaf;
    bestHas = has;
  }
  return best;
}

function lowest(nodes: Int32Array, wanted: number): Int32Array {
  const chosen = new Int32Array(nodes.length);
  const end = nodes.length * 32;
  let node = nextSet(nodes, 0, end);
  for (let left = wanted; left > 0 && node < end; left--) {
    chosen[node >> 5] = chosen[node >> 5]! | (1 << (node & 31));
    node = nextSet(nodes, node + 1, end);
  }
  return chosen;
}
