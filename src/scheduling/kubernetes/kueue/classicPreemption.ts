/**
 * Kueue's preemption without fair sharing. Workloads of other queues are candidates only where their queue, and every cohort up to the common one, uses more than its own of
 * something contested, looked at again before each removal; so nobody loses own quota. A candidate is hierarchical where some subtree on the way up owns enough for the incoming
 * workload (it takes back its own), else by priority; a candidate by priority may leave for a workload that ends up borrowing only where `borrowUpTo` says so. Order: those
 * leaving already, then the rest, in each part hierarchical, by priority, own queue; inside, the victims' order. One or two attempts, with and without borrowing. Known pathology: the
 * greedy order with its filling back is not the smallest set. O(queues + k·(queues + depth·cells)) for k candidates that are taken or passed over. Source: kubernetes-sigs/kueue
 * `pkg/scheduler/preemption/classical`; docs "Preemption".
 */

import { ascending } from "./ascending.ts";
import {
  greedyVictims,
  isSafe,
  keptOrders,
  lookedAt,
  type PreemptionCase,
  type Victim,
} from "./preemptionCase.ts";
import { type CellAmount, isBeyond, localFree } from "./quotaTree.ts";
import { advance, type Cursor, nextOf } from "./standing.ts";
import { compareVictims, type Workload } from "./workloads.ts";

/** A queue whose workloads may be candidates. */
interface Source {
  readonly queue: number;
  /** The cohort that both sides have in common; −1: the own queue. */
  readonly commonIdx: number;
  readonly hierarchical: boolean;
}

/** Who leaves, in the order taken; empty where nothing helps. */
export function classicVictims<W extends Workload>(asked: PreemptionCase<W>): Victim<W>[] {
  const lists = sourcesOf(asked);
  const has = ({ queue }: Source) => {
    const [cursor] = keptOrders(asked, [queue], "all") ?? [];
    return cursor ? nextOf(cursor) !== null : lookedAt(asked, queue).length > 0;
  };
  const hierarchical = lists[0].some(has);
  const foreign = hierarchical || lists[1].some(has);
  for (const borrowing of attempts(asked, foreign, hierarchical)) {
    const victims = greedyVictims(asked, inOrder(asked, lists, borrowing), borrowing);
    if (victims) return victims;
  }
  return [];
}

/** The attempts to make, each with borrowing allowed or not. */
function attempts(asked: PreemptionCase, foreign: boolean, hierarchical: boolean): boolean[] {
  const mayBorrow = asked.rules.borrowUpTo !== null;
  if (!foreign || (!mayBorrow && !isBelowOwn(asked))) return [true];
  return !mayBorrow && !hierarchical ? [false, true] : [true, false];
}

/** Does the queue use less than its own of everything contested? */
function isBelowOwn({ tree, usage, incoming, contested }: PreemptionCase): boolean {
  return contested.every((cell) => {
    const at = incoming.queue * tree.cells + cell;
    return usage[at]! < (tree.nodes[incoming.queue]!.quotas[cell]?.nominal ?? 0);
  });
}

/** Does the queue, or a cohort between it and the common one, stay within its own? */
function someSafe(asked: PreemptionCase, queue: number, commonIdx: number): boolean {
  for (let at = queue; at !== commonIdx; at = asked.tree.nodes[at]!.parentIdx)
    if (isSafe(asked, at)) return true;
  return false;
}

/** Queues in the order of their classes: hierarchical, by priority, the own one. Walks up from the incoming workload's queue; at each cohort the rest of its subtree is looked at. */
function sourcesOf(asked: PreemptionCase): readonly [Source[], Source[], Source[]] {
  const hierarchical: Source[] = [];
  const byPriority: Source[] = [];
  const { tree, incoming, rules } = asked;
  let from = incoming.queue;
  let { covered, rest } = ownCover(asked, from, incoming.amounts);
  for (
    let at = rules.reclaim === "Never" ? -1 : tree.nodes[from]!.parentIdx;
    at >= 0;
    at = tree.nodes[at]!.parentIdx
  ) {
    const list = covered ? hierarchical : byPriority;
    const source = { commonIdx: at, hierarchical: covered };
    collect(asked, at, from, (queue) => list.push({ ...source, queue }));
    const cover = ownCover(asked, at, rest);
    covered ||= cover.covered;
    rest = cover.rest;
    from = at;
  }
  const own = { queue: incoming.queue, commonIdx: -1, hierarchical: false };
  return [hierarchical, byPriority, [own]];
}

/** `onlyWithoutBorrowing`: it may leave only for a workload that does not borrow in the end. */
function classOf<W extends Workload>(
  { rules, incoming }: PreemptionCase<W>,
  workload: W,
  { commonIdx, hierarchical }: Source,
): { readonly victim: Victim<W>; readonly onlyWithoutBorrowing: boolean } {
  if (commonIdx < 0)
    return { victim: { workload, reason: "InClusterQueue" }, onlyWithoutBorrowing: false };
  const mayBorrow =
    rules.borrowUpTo !== null &&
    workload.priority < incoming.priority &&
    workload.priority <= rules.borrowUpTo;
  const reason =
    hierarchical || !mayBorrow ? "InCohortReclamation" : "InCohortReclaimWhileBorrowing";
  return { victim: { workload, reason }, onlyWithoutBorrowing: !hierarchical && !mayBorrow };
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

/** Every queue to look at below a cohort, without the part walked before and without subtrees that stay within their own. */
function collect(
  asked: PreemptionCase,
  cohort: number,
  beforeIdx: number,
  tell: (queue: number) => void,
): void {
  for (const child of asked.tree.children[cohort]!) {
    if (child === beforeIdx || isSafe(asked, child)) continue;
    if (asked.tree.nodes[child]!.isQueue) tell(child);
    else collect(asked, child, beforeIdx, tell);
  }
}

/** Those leaving already, then the rest, list by list, each in the victims' order. */
function* inOrder<W extends Workload>(
  asked: PreemptionCase<W>,
  lists: readonly (readonly Source[])[],
  borrowing: boolean,
): Iterable<Victim<W>> {
  for (const who of ["leaving", "staying"] as const)
    for (const list of lists) yield* merged(asked, list, who, borrowing);
}

function merged<W extends Workload>(
  asked: PreemptionCase<W>,
  list: readonly Source[],
  who: "leaving" | "staying",
  borrowing: boolean,
): Iterable<Victim<W>> {
  const queues = list.map(({ queue }) => queue);
  const cursors = keptOrders(asked, queues, who);
  return cursors
    ? firstOfEach(asked, list, cursors, borrowing)
    : gathered(asked, list, who, borrowing);
}

/** Where no order is kept: all of the list, as a heap. */
function* gathered<W extends Workload>(
  asked: PreemptionCase<W>,
  list: readonly Source[],
  who: "leaving" | "staying",
  borrowing: boolean,
): Iterable<Victim<W>> {
  const all = list
    .flatMap((source) =>
      lookedAt(asked, source.queue).map((workload) => ({
        source,
        ...classOf(asked, workload, source),
      })),
    )
    .filter(
      ({ victim, onlyWithoutBorrowing }) =>
        victim.workload.evicted === (who === "leaving") && !(borrowing && onlyWithoutBorrowing),
    );
  const compare = (left: { victim: Victim<W> }, right: { victim: Victim<W> }) =>
    compareVictims(left.victim.workload, right.victim.workload, asked.incoming.queue);
  for (const { victim, source } of ascending(all, compare)) if (!isOut(asked, source)) yield victim;
}

/** One by one the first of all queues. A queue that has given so much that it is safe gives no more: it stays so, for nobody comes while others leave. */
function* firstOfEach<W extends Workload>(
  asked: PreemptionCase<W>,
  list: readonly Source[],
  cursors: readonly Cursor<W>[],
  borrowing: boolean,
): Iterable<Victim<W>> {
  const { incoming } = asked;
  const left = list
    .map((source, at) => ({ source, cursor: cursors[at]! }))
    .filter(({ cursor }) => nextOf(cursor) !== null);
  while (left.length > 0) {
    let at = 0;
    for (let other = 1; other < left.length; other++) {
      const [one, best] = [nextOf(left[other]!.cursor)!, nextOf(left[at]!.cursor)!];
      if (compareVictims(one, best, incoming.queue) < 0) at = other;
    }
    const { source, cursor } = left[at]!;
    const { victim, onlyWithoutBorrowing } = classOf(asked, nextOf(cursor)!, source);
    const passes = borrowing && onlyWithoutBorrowing;
    // Those behind it are of no lower priority, so they are passed over as well.
    if (passes || isOut(asked, source)) {
      left.splice(at, 1);
      continue;
    }
    yield victim;
    advance(asked, cursor);
    if (nextOf(cursor) === null) left.splice(at, 1);
  }
}

function isOut(asked: PreemptionCase, { queue, commonIdx }: Source): boolean {
  return commonIdx >= 0 && someSafe(asked, queue, commonIdx);
}
