/**
 * One cycle of Kueue: one head of each queue. Without fair sharing they are sorted by: holds quota already, smaller subtree needed to cover it, higher priority, earlier time, name; with it, who holds
 * quota already comes first and the tournament (`tournament.ts`) picks among the others. They are dealt with one after the other against books that fill up as they go. A head that needs others to leave but has no victims holds quota back from those behind it, unless its queue may take
 * it back at any time (reclaim Any); a head that can never fit holds back nothing. Two heads never share a victim: the later one waits a cycle. So there is no reservation beyond the
 * cycle. O(h·log h + h·depth·cells) for h heads. Source: kubernetes-sigs/kueue `pkg/scheduler/scheduler.go`.
 */
import {
  type CellAmount,
  chargeAll,
  fitsNow,
  type QuotaTree,
  type QuotaUsage,
  releaseAll,
} from "./quotaTree.ts";
import { nextHead } from "./tournament.ts";
import { compareQueued, type PreemptionRules, type Workload } from "./workloads.ts";

export interface Head<W extends Workload = Workload> {
  readonly workload: W;
  /** What its flavors came to: fits now, needs others to leave, can never be. */
  readonly mode: "Fit" | "Preempt" | "NoFit";
  /** 0 = within its queue's own; else the height of the smallest subtree that covers it. */
  readonly borrowLevel: number;
  /** It holds quota already and only its checks or its places are left. */
  readonly holdsQuota: boolean;
  /** Those who have to leave, where any help. */
  readonly victims: readonly W[];
  readonly rules: PreemptionRules;
}

/** What becomes of a head: why it waits is the last three. */
export type HeadOutcome =
  | "admitted"
  | "waitsForVictims"
  | "noCandidates"
  | "noLongerFits"
  | "victimsShared"
  | "exceedsMaximum";

/** What besides quota a head needs: places in a topology. */
export interface CyclePlaces<W extends Workload> {
  /** Are the places found for it still there? */
  fits(head: Head<W>): boolean;
  take(head: Head<W>): void;
}

/** Outcome of each head, in the order dealt with. `usage` is charged with what is admitted; what is only held back is given back at the end. */
export function runCycle<W extends Workload>(
  tree: QuotaTree,
  usage: QuotaUsage,
  heads: readonly Head<W>[],
  fairSharing = false,
  places: CyclePlaces<W> | null = null,
): { readonly workload: W; readonly outcome: HeadOutcome }[] {
  const held: { readonly queue: number; readonly amounts: readonly CellAmount[] }[] = [];
  const leaving = new Set<W>();
  const hold = (queue: number, amounts: readonly CellAmount[]): void => {
    chargeAll(tree, usage, queue, amounts);
    held.push({ queue, amounts });
  };
  const outcomes: { readonly workload: W; readonly outcome: HeadOutcome }[] = [];
  const order = fairSharing ? inTournament(tree, usage, heads) : [...heads].sort(compareHeads);
  for (const head of order) {
    const { workload, victims } = head;
    const outcome = outcomeOf(tree, usage, head, leaving, places);
    if (outcome === "admitted") {
      if (!head.holdsQuota) chargeAll(tree, usage, workload.queue, workload.amounts);
      places?.take(head);
    }
    if (outcome === "noCandidates" && head.rules.reclaim !== "Any")
      hold(workload.queue, heldBack(tree, usage, head));
    if (outcome === "waitsForVictims") {
      for (const victim of victims) leaving.add(victim);
      hold(workload.queue, workload.amounts);
    }
    outcomes.push({ workload, outcome });
  }
  for (const { queue, amounts } of held) releaseAll(tree, usage, queue, amounts);
  return outcomes;
}

/** Each is chosen when the one before it has been dealt with: shares have changed by then. */
function* inTournament<W extends Workload>(
  tree: QuotaTree,
  usage: QuotaUsage,
  heads: readonly Head<W>[],
): Iterable<Head<W>> {
  yield* heads.filter(({ holdsQuota }) => holdsQuota).sort(compareHeads);
  let left = heads.filter(({ holdsQuota }) => !holdsQuota);
  while (left.length > 0) {
    const next = nextHead(
      tree,
      usage,
      left.map(({ workload }) => workload),
    );
    const head = left.find(({ workload }) => workload === next)!;
    left = left.filter((one) => one !== head);
    yield head;
  }
}

function outcomeOf<W extends Workload>(
  tree: QuotaTree,
  usage: QuotaUsage,
  head: Head<W>,
  leaving: ReadonlySet<W>,
  places: CyclePlaces<W> | null,
): HeadOutcome {
  const { workload, mode, victims, holdsQuota } = head;
  if (mode === "NoFit") return "exceedsMaximum";
  if (mode === "Preempt" && victims.length === 0) return "noCandidates";
  if (victims.some((victim) => leaving.has(victim))) return "victimsShared";
  const gone = [...leaving, ...victims];
  for (const victim of gone) releaseAll(tree, usage, victim.queue, victim.amounts);
  const fits = holdsQuota || fitsNow(tree, usage, workload.queue, workload.amounts);
  for (const victim of gone) chargeAll(tree, usage, victim.queue, victim.amounts);
  if (!fits || (mode === "Fit" && places?.fits(head) === false)) return "noLongerFits";
  return mode === "Fit" ? "admitted" : "waitsForVictims";
}

/** Up to what is left of its queue's own quota; where it would borrow, all of it, as far as the queue may borrow. */
function heldBack(
  tree: QuotaTree,
  usage: QuotaUsage,
  { workload, borrowLevel }: Head,
): CellAmount[] {
  return workload.amounts.map(({ cell, amount }) => {
    const quota = tree.nodes[workload.queue]!.quotas[cell];
    const own = quota?.nominal ?? 0;
    const limit = borrowLevel > 0 ? own + (quota?.borrowingLimit ?? Number.POSITIVE_INFINITY) : own;
    const left = limit - usage[workload.queue * tree.cells + cell]!;
    return { cell, amount: Math.max(0, Math.min(amount, left)) };
  });
}

function compareHeads(left: Head, right: Head): number {
  if (left.holdsQuota !== right.holdsQuota) return left.holdsQuota ? -1 : 1;
  return left.borrowLevel - right.borrowLevel || compareQueued(left.workload, right.workload);
}
