/**
 * Kueue's preemption with fair sharing. Queues give in the order of `victimQueues`; the books count the incoming workload as if it were there. Own workloads need no
 * comparison, and neither does anybody if the incoming queue stays within its own of everything contested. Else a candidate leaves where a rule of shares allows it, compared between the two children of the
 * lowest common cohort: "final" (the newcomer's share is at most the other's after the removal), then "initial" (less than the other's before it) over those refused, at most one
 * a queue. `borrowUpTo` means nothing here. What was taken is then filled back, also against the rules of shares: a known defect of the real system (kueue #14543) that can make two queues preempt
 * each other for ever. O(k·nodes·cells) for k candidates that are taken or refused. Source: kubernetes-sigs/kueue `pkg/scheduler/preemption/fair_strategy.go`; KEP-1714.
 */
import {
  fillBack,
  fits,
  giveBack,
  isSafe,
  keptOrders,
  lookedAt,
  type PreemptionCase,
  take,
  type Victim,
} from "./preemptionCase.ts";
import { available, chargeAll, releaseAll, rootOf } from "./quotaTree.ts";
import { compareShares, shareOf } from "./share.ts";
import { advance, type Cursor, nextOf, throughList } from "./standing.ts";
import { nextQueue, noteMoved, shareIn, type VictimQueues, victimQueues } from "./victimQueues.ts";
import { compareVictims, type Workload } from "./workloads.ts";

export type ShareRule = "LessThanOrEqualToFinalShare" | "LessThanInitialShare";

/** Kueue's default. */
export const SHARE_RULES: readonly ShareRule[] = [
  "LessThanOrEqualToFinalShare",
  "LessThanInitialShare",
];

/** What the two passes share: victims so far, and of each queue the first that was refused. */
interface Search<W extends Workload> {
  readonly asked: PreemptionCase<W>;
  readonly taken: Victim<W>[];
  readonly refused: Map<number, W>;
}

/** Who leaves, in the order taken; empty where nothing helps. `rules`: one or both, in order. */
export function fairVictims<W extends Workload>(
  asked: PreemptionCase<W>,
  rules: readonly ShareRule[] = SHARE_RULES,
): Victim<W>[] {
  const candidates = fairCandidates(asked);
  const search: Search<W> = { asked, taken: [], refused: new Map() };
  arrive(asked);
  const done = firstPass(search, candidates, rules[0]!) || (rules.length > 1 && secondPass(search));
  leave(asked);
  const victims = done ? fillBack(asked, search.taken, true) : search.taken;
  giveBack(asked, victims);
  return done ? victims : [];
}

/** Own workloads, and those of queues of the whole tree that use more than their own of something contested; by queue. */
function fairCandidates<W extends Workload>(asked: PreemptionCase<W>): Map<number, Cursor<W>> {
  const { tree, incoming } = asked;
  const queues: number[] = [];
  const gather = (node: number): void => {
    if (!tree.nodes[node]!.isQueue) tree.children[node]!.forEach(gather);
    else if (node === incoming.queue || !isSafe(asked, node)) queues.push(node);
  };
  gather(rootOf(tree, incoming.queue));
  const cursors = keptOrders(asked, queues, "all");
  if (cursors) return new Map(cursors.map((cursor) => [cursor.queue, cursor] as const));
  const all = queues.flatMap((queue) => lookedAt(asked, queue));
  all.sort((left, right) => compareVictims(left, right, incoming.queue));
  return new Map(
    queues.map((queue) => {
      const own = all.filter((workload) => workload.queue === queue);
      return [queue, throughList(asked, queue, own)] as const;
    }),
  );
}

/** True as soon as the workload fits. */
function firstPass<W extends Workload>(
  search: Search<W>,
  candidates: Map<number, Cursor<W>>,
  rule: ShareRule,
): boolean {
  const { asked } = search;
  const queues = victimQueues(asked, candidates);
  const entitled = isSafe(asked, asked.incoming.queue);
  for (let queue = nextQueue(queues); queue >= 0; queue = nextQueue(queues)) {
    const left = queues.left.get(queue)!;
    if (queue === asked.incoming.queue || entitled) {
      const reason = queue === asked.incoming.queue ? "InClusterQueue" : "InCohortReclamation";
      if (remove(search, queues, { workload: takeNext(asked, left), reason })) return true;
    } else if (visit(search, queues, queue, rule)) return true;
  }
  return false;
}

/** Tries the candidates of a queue until one may go. True where the workload fits then. */
function visit<W extends Workload>(
  search: Search<W>,
  queues: VictimQueues<W>,
  queue: number,
  rule: ShareRule,
): boolean {
  const { asked } = search;
  const { mine, theirs } = sides(queues, queue);
  const newShare = shareIn(queues, mine);
  const initial = shareIn(queues, theirs);
  const left = queues.left.get(queue)!;
  // Their share only falls by a removal: where it is below the newcomer's already, no candidate passes.
  const hopeless = compareShares(newShare, initial) > 0;
  // Of one cell: who takes more with it leaves a smaller share, so it is refused as well.
  let refusedFrom = Number.POSITIVE_INFINITY;
  const least = asked.tree.cells === 1 ? (asked.least?.[queue] ?? 0) : 0;
  while (nextOf(left) !== null) {
    const workload = takeNext(asked, left);
    const [only] = asked.tree.cells === 1 ? workload.amounts : [];
    const allowed =
      !hopeless &&
      !(only !== undefined && only.amount >= refusedFrom) &&
      (rule === "LessThanInitialShare"
        ? compareShares(newShare, initial) < 0
        : compareShares(newShare, shareWithout(asked, theirs, workload)) <= 0);
    if (allowed) return remove(search, queues, { workload, reason: "InCohortFairSharing" });
    if (!search.refused.has(queue)) search.refused.set(queue, workload);
    if (only !== undefined) refusedFrom = Math.min(refusedFrom, only.amount);
    // Only the first of those refused is tried again.
    if (hopeless || refusedFrom <= least) break;
  }
  queues.left.delete(queue);
  return false;
}

/** The rule of initial shares over those refused, at most one a queue. */
function secondPass<W extends Workload>(search: Search<W>): boolean {
  const { asked } = search;
  const queues = victimQueues(
    asked,
    new Map(
      [...search.refused].map(([queue, workload]) => [
        queue,
        throughList(asked, queue, [workload]),
      ]),
    ),
  );
  for (let queue = nextQueue(queues); queue >= 0; queue = nextQueue(queues)) {
    const { mine, theirs } = sides(queues, queue);
    const allowed = compareShares(shareIn(queues, mine), shareIn(queues, theirs)) < 0;
    const workload = takeNext(asked, queues.left.get(queue)!);
    if (allowed && remove(search, queues, { workload, reason: "InCohortFairSharing" })) return true;
    queues.closed.add(queue);
  }
  return false;
}

function takeNext<W extends Workload>(asked: PreemptionCase<W>, cursor: Cursor<W>): W {
  const workload = nextOf(cursor)!;
  advance(asked, cursor);
  return workload;
}

/** Takes a victim. True where the workload fits now. */
function remove<W extends Workload>(
  { asked, taken }: Search<W>,
  queues: VictimQueues<W>,
  victim: Victim<W>,
): boolean {
  take(asked, victim);
  noteMoved(queues, victim.workload.queue);
  taken.push(victim);
  const { tree, usage, incoming } = asked;
  // The newcomer is in the books: it fits only where nothing is short with it.
  if (incoming.amounts.some(({ cell }) => available(tree, usage, incoming.queue, cell) < 0))
    return false;
  leave(asked);
  const done = fits(asked, true);
  arrive(asked);
  return done;
}

function shareWithout(asked: PreemptionCase, node: number, workload: Workload) {
  const { tree, usage } = asked;
  releaseAll(tree, usage, workload.queue, workload.amounts);
  const share = shareOf(tree, usage, node);
  chargeAll(tree, usage, workload.queue, workload.amounts);
  return share;
}

/** The children of the lowest common cohort through which the two queues hang on it. */
function sides({ asked, path }: VictimQueues, queue: number) {
  const { nodes } = asked.tree;
  let theirs = queue;
  while (!path.has(nodes[theirs]!.parentIdx)) theirs = nodes[theirs]!.parentIdx;
  return { mine: path.get(nodes[theirs]!.parentIdx)!, theirs };
}

/** The books with the incoming workload, and without it again. */
function arrive({ tree, usage, incoming }: PreemptionCase): void {
  chargeAll(tree, usage, incoming.queue, incoming.amounts);
}

function leave({ tree, usage, incoming }: PreemptionCase): void {
  releaseAll(tree, usage, incoming.queue, incoming.amounts);
}
