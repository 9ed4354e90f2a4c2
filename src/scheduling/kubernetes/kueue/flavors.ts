/**
 * Which flavor a workload gets, and whether it fits there. Flavors are tried in the queue's order; a flavor is as bad as its worst resource. The first good enough stops the
 * search: fit within own quota always; fit by borrowing, or after others have left, as the queue's fungibility says. Else the best of those seen: fit, take back what is lent, take
 * own workloads, nobody to take, no fit; then less borrowing; the first on a tie. With PreemptionOverBorrowing less borrowing comes first, but nobody to take stays below anything that can be.
 * O(flavors × resources × depth) without trials. Source: kubernetes-sigs/kueue `pkg/scheduler/flavorassigner/flavorassigner.go`; docs "Cluster Queue: FlavorFungibility".
 */
import {
  available,
  borrowLevel,
  type CellAmount,
  type QuotaTree,
  type QuotaUsage,
} from "./quotaTree.ts";
import type { PreemptionRules } from "./workloads.ts";

export interface Fungibility {
  readonly whenCanBorrow: "MayStopSearch" | "TryNextFlavor";
  readonly whenCanPreempt: "MayStopSearch" | "TryNextFlavor";
  /** Counts only where both of the above are TryNextFlavor. */
  readonly preference: "BorrowingOverPreemption" | "PreemptionOverBorrowing";
}

export const FUNGIBILITY: Fungibility = {
  whenCanBorrow: "MayStopSearch",
  whenCanPreempt: "TryNextFlavor",
  preference: "BorrowingOverPreemption",
};

/** What a trial preemption for one cell finds. `borrow`: the level at which the workload would still borrow. */
export interface Trial {
  readonly mode: "noCandidates" | "preempt" | "reclaim";
  readonly borrow: number;
}

export type TrialPreemption = (cell: number, amount: number) => Trial;

export interface FlavorQueue {
  readonly tree: QuotaTree;
  readonly usage: QuotaUsage;
  readonly queue: number;
  readonly rules: PreemptionRules;
  readonly fungibility: Fungibility;
  readonly fairSharing: boolean;
}

type GranularMode = "noFit" | "noCandidates" | "preempt" | "reclaim" | "fit";

/** From worst to best. */
const RANKS: readonly GranularMode[] = ["noFit", "noCandidates", "preempt", "reclaim", "fit"];

interface Standing {
  readonly mode: GranularMode;
  readonly borrow: number;
}

export interface FlavorChoice {
  /** Index of the flavor; −1 = none can be. */
  readonly flavorIdx: number;
  readonly mode: "Fit" | "Preempt" | "NoFit";
  readonly borrow: number;
}

/** `flavors`: what the workload would take of each flavor in order. */
export function chooseFlavor(
  asked: FlavorQueue,
  flavors: readonly (readonly CellAmount[])[],
  trial: TrialPreemption,
): FlavorChoice {
  let best: Standing = { mode: "noFit", borrow: Number.POSITIVE_INFINITY };
  let bestIdx = -1;
  for (const [flavorIdx, amounts] of flavors.entries()) {
    const standing = standingOf(asked, amounts, trial);
    const stops = stopsSearch(standing, asked.fungibility);
    if (!stops && !isBetter(standing, best, asked.fungibility)) continue;
    best = standing;
    bestIdx = flavorIdx;
    if (stops) break;
  }
  const { mode, borrow } = best;
  if (mode === "noFit") return { flavorIdx: -1, mode: "NoFit", borrow: 0 };
  return { flavorIdx: bestIdx, mode: mode === "fit" ? "Fit" : "Preempt", borrow };
}

function standingOf(
  asked: FlavorQueue,
  amounts: readonly CellAmount[],
  trial: TrialPreemption,
): Standing {
  let worst: Standing = { mode: "fit", borrow: 0 };
  for (const { cell, amount } of amounts) {
    const standing = standingIn(asked, cell, amount, trial);
    if (standing.mode === "noFit") return standing;
    if (isBetter(worst, standing, asked.fungibility)) worst = standing;
  }
  return worst;
}

function standingIn(
  { tree, usage, queue, rules, fairSharing }: FlavorQueue,
  cell: number,
  amount: number,
  trial: TrialPreemption,
): Standing {
  if (amount > tree.potential[queue * tree.cells + cell]!) return { mode: "noFit", borrow: 0 };
  const { height, belowRoot } = borrowLevel(tree, usage, queue, cell, amount);
  if (amount <= available(tree, usage, queue, cell)) return { mode: "fit", borrow: height };
  const ownsIt = amount <= (tree.nodes[queue]!.quotas[cell]?.nominal ?? 0);
  const mayBorrowAfter = rules.borrowUpTo !== null || (fairSharing && rules.reclaim !== "Never");
  if (!ownsIt && !belowRoot && !mayBorrowAfter) return { mode: "noFit", borrow: height };
  return trial(cell, amount);
}

function stopsSearch(
  { mode, borrow }: Standing,
  { whenCanBorrow, whenCanPreempt }: Fungibility,
): boolean {
  if (mode === "noFit" || mode === "noCandidates") return false;
  if (mode !== "fit" && whenCanPreempt === "TryNextFlavor") return false;
  return borrow === 0 || whenCanBorrow === "MayStopSearch";
}

function isBetter(left: Standing, right: Standing, fungibility: Fungibility): boolean {
  const [leftRank, rightRank] = [RANKS.indexOf(left.mode), RANKS.indexOf(right.mode)];
  const [leftViable, rightViable] = [viability(left.mode), viability(right.mode)];
  if (leftViable !== rightViable) return leftViable > rightViable;
  if (fungibility.preference === "PreemptionOverBorrowing" && left.borrow !== right.borrow)
    return left.borrow < right.borrow;
  return leftRank !== rightRank ? leftRank > rightRank : left.borrow < right.borrow;
}

/** 0: no fit; 1: nobody to take; 2: can be. */
function viability(mode: GranularMode): number {
  return Math.min(2, RANKS.indexOf(mode));
}
