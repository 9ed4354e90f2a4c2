/**
 * What one workload would get now: a flavor for each kind of its pods and each group of resources, its places in a topology, and how it stands: it fits, others have to leave, or it can never
 * be. Kinds of pods are dealt with one after the other, each beside what those before it take. Partial admission looks for the largest size that fits or that evictions make fit. Topology comes
 * after flavors, as upstream: a flavor whose domains are too small is not passed over for the next one. O(kinds × flavors × resources) without trials. Rules:
 * `scheduling/kubernetes/kueue/flavors.ts`, `scheduling/kubernetes/kueue/partialAdmission.ts`, `scheduling/kubernetes/kueue/topology.ts`.
 */
import type { PoolView } from "../../../engine/view.ts";
import { chooseFlavor } from "../../../scheduling/kubernetes/kueue/flavors.ts";
import { largestSize } from "../../../scheduling/kubernetes/kueue/partialAdmission.ts";
import { available, type CellAmount } from "../../../scheduling/kubernetes/kueue/quotaTree.ts";
import { mayUse, type PodSetAsk } from "./asks.ts";
import { placesOf } from "./places.ts";
import { keptAssignment } from "./plainAsk.ts";
import type { GroupSetup } from "./setup.ts";
import type { AsideReason, Entry, KueueState, PodsPlan } from "./state.ts";
import { type LastTrial, trialOf, victimsFor } from "./victims.ts";

export interface Assignment {
  readonly mode: "Fit" | "Preempt" | "NoFit";
  readonly borrowLevel: number;
  readonly amounts: readonly CellAmount[];
  readonly plan: readonly PodsPlan[];
  readonly victims: readonly Entry[];
  /** Why it can never be as things are; `noCandidates`: it could be, but not beside what others hold. */
  readonly why: AsideReason | "noCandidates" | "none";
}

const NEVER: Assignment = {
  mode: "NoFit",
  borrowLevel: 0,
  amounts: [],
  plan: [],
  victims: [],
  why: "none",
};

/** As things are in the books; they come back as they were. */
export function assign(view: PoolView, state: KueueState, entry: Entry): Assignment {
  const plain = state.everySearch ? null : keptAssignment(state, entry);
  if (plain) return plain;
  const { sets } = entry.ask;
  const full = sizedAssignment(
    view,
    state,
    entry,
    sets.map(({ count }) => count),
  );
  if (!entry.ask.partial || state.setup.wholeGroups || goesOn(full)) return full;
  let best = full;
  const size = largestSize(sets, (counts) => {
    const assignment = sizedAssignment(view, state, entry, counts);
    if (goesOn(assignment)) best = assignment;
    return goesOn(assignment);
  });
  return size === null
    ? full
    : sizedOr(best, size, () => sizedAssignment(view, state, entry, size));
}

/** The assignment at hand where it has the size wanted, else another. */
function sizedOr(
  assignment: Assignment,
  size: readonly number[],
  other: () => Assignment,
): Assignment {
  return assignment.plan.every(({ count }, at) => count === size[at]) ? assignment : other();
}

function goesOn({ mode, victims }: Assignment): boolean {
  return mode === "Fit" || (mode === "Preempt" && victims.length > 0);
}

function sizedAssignment(
  view: PoolView,
  state: KueueState,
  entry: Entry,
  counts: readonly number[],
): Assignment {
  const taken = new Map<number, number>();
  const plan: PodsPlan[] = [];
  const last: LastTrial = { cell: -1, amount: 0, victims: [] };
  let borrowLevel = 0;
  let fits = true;
  for (const [at, set] of entry.ask.sets.entries()) {
    const found = flavorsOf(state, entry, set, counts[at]!, taken, last);
    if (found === null) return { ...NEVER, why: "noFlavor" };
    if (found.mode === "NoFit")
      return couldEver(state, entry, set, counts[at]!) ? { ...NEVER, why: "noCandidates" } : NEVER;
    if (found.mode === "Preempt") fits = false;
    borrowLevel = Math.max(borrowLevel, found.borrow);
    plan.push({ count: counts[at]!, flavors: found.flavors, domains: null, topologyIdx: -1 });
  }
  const amounts = [...taken].map(([cell, amount]): CellAmount => ({ cell, amount }));
  const base = { borrowLevel, amounts, plan, why: "none" } as const;
  const placed = withPlaces(view, state, entry, plan, fits);
  if (placed === "never") return { ...NEVER, why: "noTopology" };
  if (fits && placed !== "full") return { ...base, mode: "Fit", plan: placed, victims: [] };
  const contested = amounts
    .filter(
      ({ cell, amount }) =>
        placed === "full" || amount > available(state.setup.tree, state.usage, entry.queue, cell),
    )
    .map(({ cell }) => cell);
  const victims = victimsFor(view, state, entry, amounts, plan, contested, last);
  return { ...base, mode: "Preempt", victims: victims.map(({ workload }) => workload) };
}

/** Whether its queue could have so much in some flavor if nobody else had anything: what it owns and may borrow. */
function couldEver(
  { setup }: KueueState,
  { queue }: Entry,
  set: PodSetAsk,
  count: number,
): boolean {
  const { tree, queues, flavors } = setup;
  return queues[queue]!.groups.every(({ covers, flavors: listed }) => {
    const asked = set.asked.filter((resourceIdx) => covers[resourceIdx] === 1);
    if (asked.length === 0) return true;
    return listed.some(
      ({ flavorIdx, cellOf }) =>
        mayUse(set, flavors[flavorIdx]!.labels) &&
        asked.every((resourceIdx) => {
          const cell = cellOf[resourceIdx]!;
          const most = cell < 0 ? -1 : tree.potential[queue * tree.cells + cell]!;
          return count * set.perPod[resourceIdx]! <= most;
        }),
    );
  });
}

interface Chosen {
  readonly mode: Assignment["mode"];
  readonly borrow: number;
  readonly flavors: readonly number[];
}

/** A flavor for each group of resources that the pods ask for; null where a resource has no quota or no flavor is for them. What they take is added to `taken`. */
function flavorsOf(
  state: KueueState,
  entry: Entry,
  set: PodSetAsk,
  count: number,
  taken: Map<number, number>,
  last: LastTrial,
): Chosen | null {
  if (set.unknown !== null) return null;
  const { groups } = state.setup.queues[entry.queue]!;
  const flavors: number[] = [];
  let mode: Assignment["mode"] = "Fit";
  let borrow = 0;
  let covered = 0;
  for (const group of groups) {
    const asked = set.asked.filter((resourceIdx) => group.covers[resourceIdx] === 1);
    if (asked.length === 0) continue;
    covered += asked.length;
    const chosen = groupFlavor(state, entry, set, count, taken, last, group, asked);
    if (chosen === null) return null;
    if (chosen.mode === "NoFit") return chosen;
    if (chosen.mode === "Preempt") mode = "Preempt";
    borrow = Math.max(borrow, chosen.borrow);
    flavors.push(...chosen.flavors);
  }
  return covered < set.asked.length ? null : { mode, borrow, flavors };
}

function groupFlavor(
  state: KueueState,
  entry: Entry,
  set: PodSetAsk,
  count: number,
  taken: Map<number, number>,
  last: LastTrial,
  group: GroupSetup,
  asked: readonly number[],
): Chosen | null {
  const { setup, usage } = state;
  const { rules, fungibility } = setup.queues[entry.queue]!;
  const usable = group.flavors.filter(
    ({ flavorIdx, cellOf }) =>
      mayUse(set, setup.flavors[flavorIdx]!.labels) && asked.every((idx) => cellOf[idx]! >= 0),
  );
  if (usable.length === 0) return null;
  const lists = usable.map(({ cellOf }) =>
    asked.map((resourceIdx): CellAmount => {
      const cell = cellOf[resourceIdx]!;
      return { cell, amount: count * set.perPod[resourceIdx]! + (taken.get(cell) ?? 0) };
    }),
  );
  const { fairSharing, tree } = setup;
  const choice = chooseFlavor(
    { tree, usage, queue: entry.queue, rules, fungibility, fairSharing },
    lists,
    trialOf(state, entry, last),
  );
  if (choice.flavorIdx < 0) return { mode: "NoFit", borrow: 0, flavors: [] };
  for (const { cell, amount } of lists[choice.flavorIdx]!) taken.set(cell, amount);
  const { mode, borrow } = choice;
  return { mode, borrow, flavors: [usable[choice.flavorIdx]!.flavorIdx] };
}

/**
 * The plan with places where flavors have a topology. `full`: there are none while others have theirs; `never`: not even without anybody. Where quota is short anyway places are only
 * looked for in an empty cluster.
 */
function withPlaces(
  view: PoolView,
  state: KueueState,
  entry: Entry,
  plan: readonly PodsPlan[],
  fits: boolean,
): readonly PodsPlan[] | "full" | "never" {
  if (state.setup.topologies.length === 0) return plan;
  if (fits) {
    const placed = placesOf(view, state, entry, plan);
    if (placed) return placed;
  }
  if (placesOf(view, state, entry, plan, true) === null) return "never";
  return fits ? "full" : plan;
}
