/**
 * Which queue gives next under fair sharing: a walk from the root, at each cohort into the child with the highest share, a child cohort before a queue of the same share, until a
 * queue is reached. Queues and cohorts that do not borrow are left out for good, except the incoming workload's own queue while it has candidates and the cohorts above it.
 * Two queues of one share: the one whose next candidate comes first in the victims' order; two cohorts: the smaller name. A share is kept until the books of its node move, which a removal does to
 * the way from its queue to the root. O(children looked at + depth × cells) a step. Source: kubernetes-sigs/kueue `pkg/scheduler/preemption/fairsharing/ordering.go`.
 */
import type { PreemptionCase } from "./preemptionCase.ts";
import { rootOf } from "./quotaTree.ts";
import { compareShares, type Share, shareOf } from "./share.ts";
import { type Cursor, nextOf } from "./standing.ts";
import { compareVictims, type Workload } from "./workloads.ts";

export interface VictimQueues<W extends Workload = Workload> {
  readonly asked: PreemptionCase<W>;
  /** Candidates left of each queue. */
  readonly left: Map<number, Cursor<W>>;
  readonly closed: Set<number>;
  /** Cohorts above the incoming workload, each with its child on the way there. */
  readonly path: ReadonlyMap<number, number>;
  /** By node: its share as the books are; null = to be worked out. */
  readonly shares: (Share | null)[];
}

/** `left`: candidates by queue. */
export function victimQueues<W extends Workload>(
  asked: PreemptionCase<W>,
  left: Map<number, Cursor<W>>,
): VictimQueues<W> {
  const { tree, incoming } = asked;
  const path = new Map<number, number>();
  for (let at = incoming.queue; at >= 0; at = tree.nodes[at]!.parentIdx)
    path.set(tree.nodes[at]!.parentIdx, at);
  return { asked, left, closed: new Set(), path, shares: tree.nodes.map(() => null) };
}

/** Share of a node as the books are. O(1) while they have not moved there. */
export function shareIn({ asked, shares }: VictimQueues, node: number): Share {
  const kept = shares[node] ?? shareOf(asked.tree, asked.usage, node);
  shares[node] = kept;
  return kept;
}

/** The books of a queue have moved, and so may have those of all above it. O(depth). */
export function noteMoved({ asked, shares }: VictimQueues, queue: number): void {
  for (let at = queue; at >= 0; at = asked.tree.nodes[at]!.parentIdx) shares[at] = null;
}

/** The queue that gives next; −1 = none is left. Until the next call one of its candidates has to be taken, or the queue closed. */
export function nextQueue(queues: VictimQueues): number {
  const { asked, closed } = queues;
  const { queue } = asked.incoming;
  const rootIdx = rootOf(asked.tree, queue);
  if (rootIdx === queue) return hasCandidates(queues, queue) ? queue : -1;
  while (!closed.has(rootIdx)) {
    const found = walk(queues, rootIdx);
    if (found >= 0) return found;
  }
  return -1;
}

/** −1 where this walk only closed nodes. */
function walk(queues: VictimQueues, cohort: number): number {
  const best = bestQueue(queues, cohort);
  const inner = bestCohort(queues, cohort);
  if (!best && !inner) {
    queues.closed.add(cohort);
    return -1;
  }
  if (inner && (!best || compareShares(inner.share, best.share) >= 0))
    return walk(queues, inner.node);
  return best!.node;
}

interface Ranked {
  readonly node: number;
  readonly share: Share;
}

function bestQueue(queues: VictimQueues, cohort: number): Ranked | null {
  const { asked, closed } = queues;
  const { tree, incoming } = asked;
  let best: Ranked | null = null;
  for (const node of tree.children[cohort]!) {
    if (!tree.nodes[node]!.isQueue || closed.has(node)) continue;
    const share = shareIn(queues, node);
    if ((isZero(share) && node !== incoming.queue) || !hasCandidates(queues, node)) {
      closed.add(node);
      continue;
    }
    const against = best ? compareShares(share, best.share) : 1;
    if (against > 0 || (against === 0 && comesFirst(queues, node, best!.node)))
      best = { node, share };
  }
  return best;
}

function bestCohort(queues: VictimQueues, cohort: number): Ranked | null {
  const { closed, path } = queues;
  const { tree } = queues.asked;
  let best: Ranked | null = null;
  for (const node of tree.children[cohort]!) {
    if (tree.nodes[node]!.isQueue || closed.has(node)) continue;
    const share = shareIn(queues, node);
    if (isZero(share) && !path.has(node)) closed.add(node);
    else if (!best || compareShares(share, best.share) > 0) best = { node, share };
  }
  return best;
}

function comesFirst({ asked, left }: VictimQueues, node: number, other: number): boolean {
  const [here, there] = [nextOf(left.get(node)!)!, nextOf(left.get(other)!)!];
  return compareVictims(here, there, asked.incoming.queue) < 0;
}

function isZero({ borrowing }: Share): boolean {
  return !borrowing;
}

function hasCandidates({ left }: VictimQueues, queue: number): boolean {
  const cursor = left.get(queue);
  return cursor !== undefined && nextOf(cursor) !== null;
}
