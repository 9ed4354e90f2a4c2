/**
 * Kueue's preemption without fair sharing. Workloads of other queues are candidates only where their queue, and every cohort up to the common one, uses more than its own of
 * something contested, looked at again before each removal; so nobody loses own quota. A candidate is hierarchical where some subtree on the way up owns enough for the incoming
 * workload (it takes back its own), else by priority; a candidate by priority may leave for a workload that ends up borrowing only where `borrowUpTo` says so. Order: those
 * leaving already, then the rest, in each part hierarchical, by priority, own queue; inside, the victims' order. One or two attempts, with and without borrowing. Known pathology: the
 * greedy order with its filling back is not the smallest set. O(n + k·(log n + depth·cells)) for n admitted workloads of which k are looked at closely. Source: kubernetes-sigs/kueue
 * `pkg/scheduler/preemption/classical`; docs "Preemption".
 */

import { ascending } from "./ascending.ts";
import {
  greedyVictims,
  isSafe,
  lookedAt,
  type PreemptionCase,
  type Victim,
} from "./preemptionCase.ts";
import { type CellAmount, isBeyond, localFree } from "./quotaTree.ts";
import { compareVictims, mayLookAt, usesAny, type Workload } from "./workloads.ts";

interface Candidate<W extends Workload> {
  readonly victim: Victim<W>;
  /** The cohort that both sides have in common; −1: the own queue. */
  readonly commonIdx: number;
  /** It may leave only for a workload that does not borrow in the end. */
  readonly onlyWithoutBorrowing: boolean;
}

/** Who leaves, in the order taken; empty where nothing helps. */
export function classicVictims<W extends Workload>(asked: PreemptionCase<W>): Victim<W>[] {
  return (asked.leaving && leavingAlone(asked, asked.leaving)) ?? searched(asked);
}

/**
 * Where those who are leaving already are enough in the first attempt, they are what the whole search would find, for it begins with them. Null where they are not, or where
 * only a look at everybody tells which attempt is the first.
 */
function leavingAlone<W extends Workload>(
  asked: PreemptionCase<W>,
  leaving: readonly (readonly W[])[],
): Victim<W>[] | null {
  if (leaving.every((list) => list.length === 0)) return null;
  const borrowing = firstAttempt(asked);
  if (borrowing === null) return null;
  const few = { ...asked, admitted: leaving };
  const { hierarchical, byPriority } = foreignCandidates(few);
  const lists = [hierarchical, byPriority, ownCandidates(few)];
  return greedyVictims(few, valid(few, inOrder(few, lists, borrowing)), borrowing);
}

/** Whether the first of `attempts` allows borrowing, told without gathering all candidates; null where that takes a look at all of them. */
function firstAttempt<W extends Workload>(asked: PreemptionCase<W>): boolean | null {
  const { tree, incoming, rules } = asked;
  if (rules.borrowUpTo !== null || !isBelowOwn(asked)) return true;
  if (ownCover(asked, incoming.queue, incoming.amounts).covered) return true;
  const { parentIdx } = tree.nodes[incoming.queue]!;
  if (rules.reclaim === "Never" || parentIdx < 0) return true;
  if (tree.nodes[parentIdx]!.parentIdx >= 0) return null;
  // Right below the root nobody is hierarchical here: without others there is one attempt, else the first is without borrowing.
  return !tree.children[parentIdx]!.some(
    (child) => child !== incoming.queue && !isSafe(asked, child) && hasCandidate(asked, child),
  );
}

function hasCandidate<W extends Workload>(asked: PreemptionCase<W>, node: number): boolean {
  const { tree, admitted, rules, incoming, contested } = asked;
  if (!tree.nodes[node]!.isQueue)
    return tree.children[node]!.some(
      (child) => !isSafe(asked, child) && hasCandidate(asked, child),
    );
  return (admitted[node] ?? []).some(
    (other) => mayLookAt(rules, incoming, other) && usesAny(other, contested),
  );
}

function searched<W extends Workload>(asked: PreemptionCase<W>): Victim<W>[] {
  const own = ownCandidates(asked);
  const { hierarchical, byPriority } = foreignCandidates(asked);
  const lists = [hierarchical, byPriority, own];
  const foreign = hierarchical.length + byPriority.length;
  for (const borrowing of attempts(asked, foreign, hierarchical.length)) {
    const victims = greedyVictims(asked, valid(asked, inOrder(asked, lists, borrowing)), borrowing);
    if (victims) return victims;
  }
  return [];
}

/** The attempts to make, each with borrowing allowed or not. */
function attempts(asked: PreemptionCase, foreign: number, hierarchical: number): boolean[] {
  const mayBorrow = asked.rules.borrowUpTo !== null;
  if (foreign === 0 || (!mayBorrow && !isBelowOwn(asked))) return [true];
  return !mayBorrow && hierarchical === 0 ? [false, true] : [true, false];
}

/** Does the queue use less than its own of everything contested? */
function isBelowOwn({ tree, usage, incoming, contested }: PreemptionCase): boolean {
  return contested.every((cell) => {
    const at = incoming.queue * tree.cells + cell;
    return usage[at]! < (tree.nodes[incoming.queue]!.quotas[cell]?.nominal ?? 0);
  });
}

/** Candidates of which each still holds when its turn comes. */
function* valid<W extends Workload>(
  asked: PreemptionCase<W>,
  candidates: Iterable<Candidate<W>>,
): Iterable<Victim<W>> {
  for (const { victim, commonIdx } of candidates) {
    if (commonIdx >= 0 && someSafe(asked, victim.workload.queue, commonIdx)) continue;
    yield victim;
  }
}

/** Does the queue, or a cohort between it and the common one, stay within its own? */
function someSafe(asked: PreemptionCase, queue: number, commonIdx: number): boolean {
  for (let at = queue; at !== commonIdx; at = asked.tree.nodes[at]!.parentIdx)
    if (isSafe(asked, at)) return true;
  return false;
}

function ownCandidates<W extends Workload>(asked: PreemptionCase<W>): Candidate<W>[] {
  return lookedAt(asked, asked.incoming.queue).map((workload): Candidate<W> => {
    return {
      victim: { workload, reason: "InClusterQueue" },
      commonIdx: -1,
      onlyWithoutBorrowing: false,
    };
  });
}

/** Walks up from the incoming workload's queue; at each cohort the rest of its subtree is looked at. */
function foreignCandidates<W extends Workload>(asked: PreemptionCase<W>) {
  const hierarchical: Candidate<W>[] = [];
  const byPriority: Candidate<W>[] = [];
  const { tree, incoming, rules } = asked;
  let from = incoming.queue;
  let { covered, rest } = ownCover(asked, from, incoming.amounts);
  for (
    let at = rules.reclaim === "Never" ? -1 : tree.nodes[from]!.parentIdx;
    at >= 0;
    at = tree.nodes[at]!.parentIdx
  ) {
    const list = covered ? hierarchical : byPriority;
    collect(asked, at, from, (workload) => {
      list.push({ ...classOf(asked, workload, covered), commonIdx: at });
    });
    const cover = ownCover(asked, at, rest);
    covered ||= cover.covered;
    rest = cover.rest;
    from = at;
  }
  return { hierarchical, byPriority };
}

function classOf<W extends Workload>(
  { rules, incoming }: PreemptionCase<W>,
  workload: W,
  hierarchical: boolean,
): Omit<Candidate<W>, "commonIdx"> {
  const mayBorrow =
    rules.borrowUpTo !== null &&
    workload.priority < incoming.priority &&
    workload.priority <= rules.borrowUpTo;
  const reason =
    hierarchical || !mayBorrow ? "InCohortReclamation" : "InCohortReclaimWhileBorrowing";
  return {
    victim: { workload, reason },
    onlyWithoutBorrowing: !hierarchical && !mayBorrow,
  };
}

/** Is the request within what a node owns, beside what is used? And what of it its parent has to cover. */
function ownCover({ tree, usage }: PreemptionCase, node: number, amounts: readonly CellAmount[]) {
  return {
    covered: amounts.every(({ cell, amount }) => !isBeyond(tree, usage, node, cell, amount)),
    rest: amounts.map(({ cell, amount }) => ({
      cell,
      amount: Math.max(0, amount - localFree(tree, usage, node, cell)),
    })),
  };
}

/** Every workload to look at below a cohort, without the part walked before and without subtrees that stay within their own. */
function collect<W extends Workload>(
  asked: PreemptionCase<W>,
  cohort: number,
  beforeIdx: number,
  tell: (workload: W) => void,
): void {
  for (const child of asked.tree.children[cohort]!) {
    if (child === beforeIdx || isSafe(asked, child)) continue;
    if (asked.tree.nodes[child]!.isQueue) lookedAt(asked, child).forEach(tell);
    else collect(asked, child, beforeIdx, tell);
  }
}

/** Those leaving already, then the rest, list by list, each in the victims' order. Few are taken of many as a rule, so a heap gives them out one by one. */
function* inOrder<W extends Workload>(
  { incoming }: PreemptionCase<W>,
  lists: readonly (readonly Candidate<W>[])[],
  borrowing: boolean,
): Iterable<Candidate<W>> {
  for (const leaving of [true, false])
    for (const list of lists)
      yield* ascending(
        list.filter(
          ({ victim, onlyWithoutBorrowing }) =>
            victim.workload.evicted === leaving && !(borrowing && onlyWithoutBorrowing),
        ),
        (left, right) =>
          compareVictims(left.victim.workload, right.victim.workload, incoming.queue),
      );
}
