/**
 * The order in which fair sharing considers the heads of the queues: from the root down each cohort offers the head of one child, first of those children that would not borrow in what
 * the head asks for, then the lowest share as if the head were admitted, then higher priority, then earlier time, then name. After each choice the shares are worked out anew, so the
 * caller admits or passes over before it asks again. Queues without a cohort come by name among the trees (upstream: by chance). O(heads × depth × cells) a choice. Source:
 * kubernetes-sigs/kueue `pkg/scheduler/fair_sharing_iterator.go`.
 */
import { chargeAll, type QuotaTree, type QuotaUsage, releaseAll, rootOf } from "./quotaTree.ts";
import { borrowsIn, compareShares, type Share, shareOf } from "./share.ts";
import { compareQueued, type Workload } from "./workloads.ts";

/** A head on its way up, as the child of the cohort that looks at it. */
interface Contender<W extends Workload> {
  readonly head: W;
  readonly borrows: boolean;
  readonly share: Share;
}

/** The head to consider next of those left, at most one a queue; null where none is left. */
export function nextHead<W extends Workload>(
  tree: QuotaTree,
  usage: QuotaUsage,
  heads: readonly W[],
): W | null {
  const first = heads.reduce<W | null>(
    (best, head) => (best && nameOf(tree, best) <= nameOf(tree, head) ? best : head),
    null,
  );
  if (!first) return null;
  const rootIdx = rootOf(tree, first.queue);
  const byQueue = new Map(heads.map((head) => [head.queue, head]));
  return winner(tree, usage, rootIdx, byQueue);
}

function winner<W extends Workload>(
  tree: QuotaTree,
  usage: QuotaUsage,
  node: number,
  heads: ReadonlyMap<number, W>,
): W | null {
  if (tree.nodes[node]!.isQueue) return heads.get(node) ?? null;
  let best: Contender<W> | null = null;
  for (const child of tree.children[node]!) {
    const head = winner(tree, usage, child, heads);
    if (!head) continue;
    const contender = asAdmitted(tree, usage, child, head);
    if (!best || compareContenders(contender, best) < 0) best = contender;
  }
  return best?.head ?? null;
}

function asAdmitted<W extends Workload>(
  tree: QuotaTree,
  usage: QuotaUsage,
  child: number,
  head: W,
): Contender<W> {
  chargeAll(tree, usage, head.queue, head.amounts);
  const share = shareOf(tree, usage, child);
  const borrows = borrowsIn(tree, usage, child, head.amounts);
  releaseAll(tree, usage, head.queue, head.amounts);
  return { head, borrows, share };
}

function compareContenders<W extends Workload>(left: Contender<W>, right: Contender<W>): number {
  if (left.borrows !== right.borrows) return left.borrows ? 1 : -1;
  return compareShares(left.share, right.share) || compareQueued(left.head, right.head);
}

function nameOf(tree: QuotaTree, { queue }: Workload): string {
  return tree.nodes[queue]!.name;
}
