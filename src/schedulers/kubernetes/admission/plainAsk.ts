/**
 * The short way through an assignment, for what most workloads are: pods of one kind that ask for one resource with quota, of one flavor that they may have, without topology and without a smaller size. Then
 * amounts and plan are always the same objects, and what is left is to compare: it fits, or who can be evicted for it. Anything else goes the long way (`assign.ts`), with the same result.
 * O(depth), and a preemption's bound where its queue may evict.
 */
import {
  available,
  borrowLevel,
  type CellAmount,
} from "../../../scheduling/kubernetes/kueue/quotaTree.ts";
import { type Ask, mayUse } from "./asks.ts";
import type { Assignment } from "./assign.ts";
import type { KueueSetup } from "./setup.ts";
import type { Entry, KueueState, PodsPlan } from "./state.ts";
import { noVictims, plainVictims } from "./victims.ts";

interface PlainAsk {
  readonly cell: number;
  readonly amount: number;
  readonly amounts: readonly [CellAmount];
  readonly plan: readonly PodsPlan[];
}

/** By setup and ask, by queue: null = it has to go the long way. */
const known = new WeakMap<KueueSetup, WeakMap<Ask, (PlainAsk | null)[]>>();

function plainAsk(setup: KueueSetup, { ask, queue }: Entry): PlainAsk | null {
  let asks = known.get(setup);
  if (!asks) {
    asks = new WeakMap();
    known.set(setup, asks);
  }
  let byQueue = asks.get(ask);
  if (!byQueue) {
    byQueue = [];
    asks.set(ask, byQueue);
  }
  const found = byQueue[queue];
  if (found !== undefined) return found;
  const made = makePlain(setup, ask, queue);
  byQueue[queue] = made;
  return made;
}

function makePlain(setup: KueueSetup, ask: Ask, queue: number): PlainAsk | null {
  const [set, ...others] = ask.sets;
  if (!set || others.length > 0 || ask.partial || ask.topology !== null) return null;
  if (set.unknown !== null || setup.topologies.length > 0 || set.asked.length !== 1) return null;
  const resourceIdx = set.asked[0]!;
  const groups = setup.queues[queue]!.groups.filter(({ covers }) => covers[resourceIdx] === 1);
  const usable = groups.flatMap(({ flavors }) =>
    flavors.filter(
      ({ flavorIdx, cellOf }) =>
        mayUse(set, setup.flavors[flavorIdx]!.labels) && cellOf[resourceIdx]! >= 0,
    ),
  );
  if (groups.length !== 1 || usable.length !== 1) return null;
  const { flavorIdx, cellOf } = usable[0]!;
  const cell = cellOf[resourceIdx]!;
  const amount = set.count * set.perPod[resourceIdx]!;
  if (amount > setup.tree.potential[queue * setup.tree.cells + cell]!) return null;
  const plan = { count: set.count, flavors: [flavorIdx], domains: null, topologyIdx: -1 };
  return { cell, amount, amounts: [{ cell, amount }], plan: [plan] };
}

/**
 * The same, remembered while nothing that a queue of the tree holds has changed: in a cycle that parks the head of one queue, the heads of the others, which mostly wait for victims to go, come to what they came to before.
 * Where use orders the work of a queue, time alone changes it, and nothing is remembered.
 */
export function keptAssignment(state: KueueState, entry: Entry): Assignment | null {
  const { setup, versions, assigned } = state;
  if (setup.anyUse) return plainAssignment(state, entry);
  const version = versions[setup.queues[entry.queue]!.rootIdx]!;
  const kept = assigned[entry.queue];
  if (kept?.version === version && isSame(kept.entry, entry)) return kept.assignment;
  const assignment = plainAssignment(state, entry);
  if (assignment !== null) assigned[entry.queue] = { version, entry, assignment };
  return assignment;
}

/** As far as an assignment asks. */
function isSame(one: Entry, other: Entry): boolean {
  if (one === other) return true;
  return (
    one.jobIdx === other.jobIdx &&
    one.ask === other.ask &&
    one.priority === other.priority &&
    one.queuedMs === other.queuedMs
  );
}

/** Null where it has to go the long way. */
function plainAssignment(state: KueueState, entry: Entry): Assignment | null {
  const { setup, usage } = state;
  const plain = plainAsk(setup, entry);
  if (plain === null) return null;
  const { tree } = setup;
  const { cell, amount, amounts, plan } = plain;
  const { height, belowRoot } = borrowLevel(tree, usage, entry.queue, cell, amount);
  const base = { borrowLevel: height, amounts, plan, victims: [], why: "none" } as const;
  if (amount <= available(tree, usage, entry.queue, cell)) return { mode: "Fit", ...base };
  const ownsIt = amount <= (tree.nodes[entry.queue]!.quotas[cell]?.nominal ?? 0);
  // Otherwise it may be no fit at all.
  if (!ownsIt && !belowRoot) return null;
  if (noVictims(state, entry, amounts, [cell])) return { mode: "Preempt", ...base };
  return { mode: "Preempt", ...base, ...plainVictims(state, entry, amounts) };
}
