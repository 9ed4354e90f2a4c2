/**
 * Who would have to leave so that a workload gets its quota, and its places where it needs some: the rules of `scheduling/kubernetes/kueue` asked with the books of this pool.
 * A queue whose rules let it evict nobody is not asked. Cost: as the rules say, by how many are taken or passed over, not by how many hold quota.
 */
import type { PoolView } from "../../../engine/view.ts";
import { classicVictims } from "../../../scheduling/kubernetes/kueue/classicPreemption.ts";
import { fairVictims } from "../../../scheduling/kubernetes/kueue/fairPreemption.ts";
import type { Trial, TrialPreemption } from "../../../scheduling/kubernetes/kueue/flavors.ts";
import type {
  PreemptionCase,
  Victim,
} from "../../../scheduling/kubernetes/kueue/preemptionCase.ts";
import {
  available,
  borrowLevel,
  type CellAmount,
  chargeAll,
  isBeyond,
  releaseAll,
} from "../../../scheduling/kubernetes/kueue/quotaTree.ts";
import { compareShares, type Share, shareOf } from "../../../scheduling/kubernetes/kueue/share.ts";
import type { PreemptionRules } from "../../../scheduling/kubernetes/kueue/workloads.ts";
import { chargePlaces, placesOf } from "./places.ts";
import type { Entry, KueueState, PodsPlan } from "./state.ts";

/** Who leaves for a workload that asks for these amounts, and for places by this plan; empty where nothing helps. */
export function victimsFor(
  view: PoolView,
  state: KueueState,
  entry: Entry,
  amounts: readonly CellAmount[],
  plan: readonly PodsPlan[],
  contested: readonly number[],
  last: LastTrial,
): readonly Victim<Entry>[] {
  const needsPlaces = plan.some(({ flavors }) =>
    flavors.some((flavorIdx) => state.setup.flavors[flavorIdx]!.topologyIdx >= 0),
  );
  if (!needsPlaces) {
    const [only] = amounts;
    const known =
      amounts.length === 1 &&
      only?.cell === last.cell &&
      only.amount === last.amount &&
      contested.length === 1;
    return known ? last.victims : victimsOf(state, entry, amounts, contested);
  }
  return victimsOf(state, entry, amounts, contested, {
    take: (victim) => chargePlaces(state.places, victim, -1),
    putBack: (victim) => chargePlaces(state.places, victim, 1),
    fits: () => placesOf(view, state, entry, plan) !== null,
  });
}

function victimsOf(
  state: KueueState,
  entry: Entry,
  amounts: readonly CellAmount[],
  contested: readonly number[],
  places?: PreemptionCase<Entry>["places"],
): Victim<Entry>[] {
  const { rules } = state.setup.queues[entry.queue]!;
  if (rules.withinQueue === "Never" && rules.reclaim === "Never") return [];
  if (!state.everySearch && noVictims(state, entry, amounts, contested)) return [];
  return searchVictims(state, entry, amounts, contested, places);
}

function searchVictims(
  state: KueueState,
  entry: Entry,
  amounts: readonly CellAmount[],
  contested: readonly number[],
  places?: PreemptionCase<Entry>["places"],
): Victim<Entry>[] {
  const { setup, usage, admitted } = state;
  const { rules } = setup.queues[entry.queue]!;
  const asked: PreemptionCase<Entry> = {
    tree: setup.tree,
    usage,
    admitted,
    ...(state.everySearch ? {} : keptOf(state)),
    incoming: { ...entry, amounts },
    rules,
    contested,
    ...(places === undefined ? {} : { places }),
  };
  return setup.fairSharing ? fairVictims(asked, setup.shareRules) : classicVictims(asked);
}

function keptOf({ leaving, standing, heldLeast }: KueueState) {
  return { leaving, standing, least: heldLeast };
}

/** Whether it is plain that nobody would leave: rules or sums say so. False: it has to be looked for. */
export function noVictims(
  state: KueueState,
  entry: Entry,
  amounts: readonly CellAmount[],
  contested: readonly number[],
): boolean {
  const { withinQueue, reclaim } = state.setup.queues[entry.queue]!.rules;
  if (withinQueue === "Never" && reclaim === "Never") return true;
  return isHopeless(state, entry, amounts, contested);
}

/** What the last trial asked and found: where one cell is all that a workload takes, it is the answer already. */
export interface LastTrial {
  cell: number;
  amount: number;
  victims: readonly Victim<Entry>[];
}

/** What evictions for one cell alone would come to, for the choice of a flavor. */
export function trialOf(state: KueueState, entry: Entry, last: LastTrial): TrialPreemption {
  return (cell, amount): Trial => {
    const amounts = [{ cell, amount }];
    const victims = victimsOf(state, entry, amounts, [cell]);
    Object.assign(last, { cell, amount, victims });
    const borrow = borrowAfter(state, entry, cell, amount, victims);
    if (victims.length === 0) return { mode: "noCandidates", borrow };
    const own = victims.some(({ workload }) => workload.queue === entry.queue);
    return { mode: own ? "preempt" : "reclaim", borrow };
  };
}

/** Height of what covers it when the victims have gone. */
function borrowAfter(
  { setup: { tree }, usage }: KueueState,
  { queue }: Entry,
  cell: number,
  amount: number,
  victims: readonly Victim<Entry>[],
): number {
  for (const { workload } of victims) releaseAll(tree, usage, workload.queue, workload.amounts);
  const borrow = borrowLevel(tree, usage, queue, cell, amount).height;
  for (const { workload } of victims) chargeAll(tree, usage, workload.queue, workload.amounts);
  return borrow;
}

/** Victims for one cell and one flavor where there may be some (`noVictims`), and the height of what covers it without them. */
export function plainVictims(
  state: KueueState,
  entry: Entry,
  amounts: readonly [CellAmount],
): { readonly victims: readonly Entry[]; readonly borrowLevel: number } {
  const [{ cell, amount }] = amounts;
  const victims = searchVictims(state, entry, amounts, [cell]);
  return {
    victims: victims.map(({ workload }) => workload),
    borrowLevel: borrowAfter(state, entry, cell, amount, victims),
  };
}

/**
 * Would it not fit even if everybody left who might? An upper bound from sums, so what it rules out no search finds: of its own queue all of a priority that the rules
 * let go, of others in the tree all that may go, and only where they use more than their own. O(queues × priorities) a cell.
 */
function isHopeless(
  state: KueueState,
  incoming: Entry,
  amounts: readonly CellAmount[],
  contested: readonly number[],
): boolean {
  const { setup, usage, heldSums, heldMost } = state;
  const { tree } = setup;
  const { rules, rootIdx } = setup.queues[incoming.queue]!;
  // With several cells, or by shares over several, a queue may give in one because it borrows in another.
  const oneCell = contested.length === 1 && (!setup.fairSharing || tree.cells === 1);
  for (const cell of contested) {
    const asked = amounts.find((one) => one.cell === cell)?.amount ?? 0;
    let most = available(tree, usage, incoming.queue, cell);
    const upTo = othersUpTo(state, incoming, cell, asked);
    const least = leastShare(state, incoming, cell, asked);
    for (const [queueIdx, queue] of setup.queues.entries()) {
      if (most >= asked) break;
      if (queue.rootIdx !== rootIdx) continue;
      const own = queueIdx === incoming.queue;
      const policy = own ? rules.withinQueue : rules.reclaim;
      if (policy === "Never") continue;
      if (!own && contested.every((other) => !isBeyond(tree, usage, queueIdx, other, 0))) continue;
      // Its share only falls as it gives.
      if (!own && least && compareShares(least, shareOf(tree, usage, queueIdx)) > 0) continue;
      const may = mayGo(heldSums[queueIdx]!, policy, incoming.priority, cell, own ? ANY : upTo);
      // Others give only while they borrow: the last of them may go below what they own by less than itself.
      const at = queueIdx * tree.cells + cell;
      most += own || !oneCell ? may : Math.min(may, usage[at]! - tree.subtree[at]! + heldMost[at]!);
    }
    if (most < asked) return true;
  }
  return false;
}

type Policy = PreemptionRules["withinQueue"] | PreemptionRules["reclaim"];

const ANY = Number.POSITIVE_INFINITY;

/** What of a queue's workloads the policy lets go at most, of one cell; of no priority above `upTo`. O(priorities). */
function mayGo(
  sums: ReadonlyMap<number, Float64Array>,
  policy: Policy,
  priority: number,
  cell: number,
  upTo = ANY,
): number {
  let may = 0;
  for (const [theirs, held] of sums) {
    if (theirs > upTo) continue;
    const goes =
      policy === "Any" ||
      theirs < priority ||
      (policy === "LowerOrNewerEqualPriority" && theirs === priority);
    if (goes) may += held[cell]!;
  }
  return may;
}

/**
 * The highest priority of others that may help. Without fair sharing others leave for what ends within its queue's own quota, all of them; for what borrows in the end only those of lower priority that
 * borrowWithinCohort names, and nobody without it. So the latter bounds it where the queue would borrow even if all of its own went who may. Only where the queue hangs on the root: deeper trees have
 * cohorts that take back what is theirs.
 */
function othersUpTo(
  { setup, usage, heldSums }: KueueState,
  incoming: Entry,
  cell: number,
  asked: number,
): number {
  const { tree } = setup;
  const { rules } = setup.queues[incoming.queue]!;
  const { parentIdx } = tree.nodes[incoming.queue]!;
  const flat = parentIdx < 0 || tree.nodes[parentIdx]!.parentIdx < 0;
  if (setup.fairSharing || !flat) return ANY;
  const at = incoming.queue * tree.cells + cell;
  const own =
    rules.withinQueue === "Never"
      ? 0
      : mayGo(heldSums[incoming.queue]!, rules.withinQueue, incoming.priority, cell);
  if (usage[at]! - own + asked <= tree.subtree[at]!) return ANY;
  if (rules.borrowUpTo === null) return Number.NEGATIVE_INFINITY;
  // Priorities are whole numbers.
  return Math.min(rules.borrowUpTo, incoming.priority - 1);
}

/**
 * Under fair sharing the smallest share that the queue could have with the newcomer: when all of its own that may go have gone. Who has a smaller one gives nothing. Null where nothing is to be compared: it could
 * stay within its own then. Only where all there is one cell and the queue hangs on the root.
 */
function leastShare(
  { setup, usage, heldSums }: KueueState,
  incoming: Entry,
  cell: number,
  asked: number,
): Share | null {
  const { tree, queues, fairSharing } = setup;
  const { parentIdx, weight } = tree.nodes[incoming.queue]!;
  if (!fairSharing || tree.cells !== 1 || parentIdx < 0) return null;
  if (tree.nodes[parentIdx]!.parentIdx >= 0) return null;
  // Of a tree with cohorts below the root sides are compared, not queues.
  if (tree.children[parentIdx]!.some((child) => !tree.nodes[child]!.isQueue)) return null;
  const policy = queues[incoming.queue]!.rules.withinQueue;
  const own = mayGo(heldSums[incoming.queue]!, policy, incoming.priority, cell);
  const at = incoming.queue * tree.cells + cell;
  const borrowed = usage[at]! - (policy === "Never" ? 0 : own) + asked - tree.subtree[at]!;
  if (borrowed <= 0 || tree.declared[at] !== 1) return null;
  const resource = tree.resourceOfCell[cell]!;
  const lendable = tree.lendable[parentIdx * tree.resources + resource]!;
  return lendable <= 0 ? null : { borrowing: true, borrowed, lendable, weight, resource };
}
