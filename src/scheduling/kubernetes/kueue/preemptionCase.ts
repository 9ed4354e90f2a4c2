/**
 * One question to Kueue's preemption, "who has to leave so that this workload gets its quota?", and what both answers to it share: victims are taken one by one in
 * thought until it fits; then, from the last but one backwards, each is put back if it still fits without, its place taken by the last of the list, as upstream's code does. If it never
 * fits nobody leaves. Books are the caller's and come back as they were. Source: kubernetes-sigs/kueue `pkg/scheduler/preemption/preemption.go`.
 */
import {
  chargeAll,
  fitsNow,
  isWithinOwn,
  type QuotaTree,
  type QuotaUsage,
  releaseAll,
} from "./quotaTree.ts";
import { type Cursor, type Standing, throughStanding } from "./standing.ts";
import { mayLookAt, type PreemptionRules, usesAny, type Workload } from "./workloads.ts";

export type VictimReason =
  | "InClusterQueue"
  | "InCohortReclamation"
  | "InCohortReclaimWhileBorrowing"
  | "InCohortFairSharing";

export interface Victim<W extends Workload = Workload> {
  readonly workload: W;
  readonly reason: VictimReason;
}

export interface PreemptionCase<W extends Workload = Workload> {
  readonly tree: QuotaTree;
  /** Used on during the search; the same afterwards. */
  readonly usage: QuotaUsage;
  /** Workloads that hold quota, by node. */
  readonly admitted: readonly (readonly W[])[];
  /** Those of them that are leaving already, and the others in the victims' order, where the caller keeps them so; null for a queue that has no such order. Both or none. */
  readonly leaving?: readonly (readonly W[])[];
  readonly standing?: readonly (Standing<W> | null)[];
  /** By node × cell: nobody of that queue holds less of the cell, where the caller knows. */
  readonly least?: Float64Array;
  readonly incoming: W;
  readonly rules: PreemptionRules;
  /** Cells in which it does not fit as things are. */
  readonly contested: readonly number[];
  /** Where it needs places in a topology as well: victims give theirs up in thought. */
  readonly places?: VictimPlaces<W>;
}

/** The places of victims in thought, and whether there is room for the incoming workload beside those that stay. */
export interface VictimPlaces<W extends Workload> {
  take(victim: W): void;
  putBack(victim: W): void;
  fits(): boolean;
}

/** Takes candidates in the order given until the workload fits. Null and everything back in place where it never does. */
export function greedyVictims<W extends Workload>(
  asked: PreemptionCase<W>,
  candidates: Iterable<Victim<W>>,
  borrowing: boolean,
): Victim<W>[] | null {
  const taken: Victim<W>[] = [];
  for (const victim of candidates) {
    take(asked, victim);
    taken.push(victim);
    if (!fits(asked, borrowing)) continue;
    const victims = fillBack(asked, taken, borrowing);
    giveBack(asked, victims);
    return victims;
  }
  giveBack(asked, taken);
  return null;
}

export function fits<W extends Workload>(asked: PreemptionCase<W>, borrowing: boolean): boolean {
  const { tree, usage, incoming, places } = asked;
  if (!fitsNow(tree, usage, incoming.queue, incoming.amounts, borrowing)) return false;
  return places === undefined || places.fits();
}

export function take<W extends Workload>(asked: PreemptionCase<W>, { workload }: Victim<W>): void {
  releaseAll(asked.tree, asked.usage, workload.queue, workload.amounts);
  asked.places?.take(workload);
}

function putBack<W extends Workload>(asked: PreemptionCase<W>, { workload }: Victim<W>): void {
  chargeAll(asked.tree, asked.usage, workload.queue, workload.amounts);
  asked.places?.putBack(workload);
}

export function giveBack<W extends Workload>(
  asked: PreemptionCase<W>,
  victims: readonly Victim<W>[],
): void {
  for (const victim of victims) putBack(asked, victim);
}

/** Spares whom it can of the victims taken. */
export function fillBack<W extends Workload>(
  asked: PreemptionCase<W>,
  taken: readonly Victim<W>[],
  borrowing: boolean,
): Victim<W>[] {
  const victims = [...taken];
  for (let at = victims.length - 2; at >= 0; at--) {
    const victim = victims[at]!;
    putBack(asked, victim);
    if (fits(asked, borrowing)) {
      victims[at] = victims.at(-1)!;
      victims.pop();
    } else take(asked, victim);
  }
  return victims;
}

/** Workloads of one queue that the incoming one may look at: they use something contested, and the rules allow it. */
export function lookedAt<W extends Workload>(asked: PreemptionCase<W>, queue: number): W[] {
  const { admitted, rules, incoming, contested } = asked;
  return (admitted[queue] ?? []).filter(
    (other) => mayLookAt(rules, incoming, other) && usesAny(other, contested),
  );
}

/** A way through the candidates of each of these queues, one by one; null where one of them keeps no order. */
export function keptOrders<W extends Workload>(
  { leaving, standing, ...asked }: PreemptionCase<W>,
  queues: readonly number[],
  who: "leaving" | "staying" | "all",
): Cursor<W>[] | null {
  if (!leaving || !standing || queues.some((queue) => !standing[queue])) return null;
  return queues.map((queue) =>
    throughStanding(
      asked,
      queue,
      who === "staying" ? [] : leaving[queue]!,
      who === "leaving" ? NOBODY : standing[queue]!,
    ),
  );
}

const NOBODY: Standing<never> = new Map();

/** Does a node stay within its own in everything contested? */
export function isSafe({ tree, usage, contested }: PreemptionCase, node: number): boolean {
  return isWithinOwn(tree, usage, node, contested);
}
