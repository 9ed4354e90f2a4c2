/**
 * The two plugins of the descheduler that balance nodes. LowNodeUtilization evicts from overused nodes, the fullest first, what underused ones could take up to their target;
 * HighNodeUtilization evicts from underused nodes, the emptiest first, what the others could take, so that nodes come free. From each node the least important pods go first. Nothing
 * happens where no node is underused, not more than `numberOfNodes`, or all of them, or where nobody could take anything. Only sums are compared: whether a pod fits on one node nobody
 * asks (unless the evictor does), and where it goes is the scheduler's affair: it may be the node that it left.
 *
 * Order of nodes: by the sum of what is asked for in plain units (millicores + bytes + pods + devices), so memory decides; ties by number, where upstream leaves it
 * open. Pathologies: a pod put back where it was is evicted again in the next round; a job longer than the interval may never end. O(nodes × resources + pods of the
 * nodes evicted from). Source: kubernetes-sigs/descheduler `pkg/framework/plugins/nodeutilization`.
 */
import {
  aroundAverage,
  cappedTo,
  isOverused,
  isUnderused,
  type Percents,
  type UsedNode,
  usedPercents,
} from "./utilization.ts";

export interface BalanceNode<P> extends UsedNode {
  /** Pods that may be evicted, in the order in which they would be. Asked at most once. */
  readonly pods: () => readonly P[];
}

export interface BalancePod {
  /** What it asks for, by resource. */
  readonly usage: readonly number[];
}

export interface BalanceArgs {
  readonly thresholds: Percents;
  /** Of LowNodeUtilization. */
  readonly targets: Percents;
  readonly deviation: boolean;
  readonly numberOfNodes: number;
  readonly nodeLimit: number | null;
}

/** What the evictor says to one pod: gone; not this one; no more from this node; no more at all. */
export type Eviction = "evicted" | "refused" | "nodeDone" | "done";
type Evict<P> = (pod: P) => Eviction;

interface Source<P> {
  readonly node: BalanceNode<P>;
  readonly usage: number[];
}

/** Evicts from overused nodes. */
export function lowNodeUtilization<P extends BalancePod>(
  nodes: readonly BalanceNode<P>[],
  args: BalanceArgs,
  evict: Evict<P>,
): void {
  const percents = nodes.map(usedPercents);
  const { deviation, thresholds, targets } = args;
  const low = deviation ? aroundAverage(percents, thresholds, -1) : thresholds;
  const high = deviation ? aroundAverage(percents, targets, 1) : targets;
  const isUnder = percents.map((percent, at) => nodes[at]!.isOpen && isUnderused(percent, low));
  const under = nodes.filter((_, at) => isUnder[at]);
  const over = nodes.filter((_, at) => !isUnder[at] && isOverused(percents[at]!, high));
  if (!isWorthIt(under.length, nodes.length, args) || over.length === 0) return;
  const left = roomOf(under, high);
  const stillOver = ({ node, usage }: Source<P>): boolean => {
    const most = cappedTo(node.capacity, high);
    return usage.some((used, at) => used > most[at]!);
  };
  evictFrom(inOrder(over, -1), left, args.nodeLimit, evict, stillOver);
}

/** Evicts from underused nodes. */
export function highNodeUtilization<P extends BalancePod>(
  nodes: readonly BalanceNode<P>[],
  args: BalanceArgs,
  evict: Evict<P>,
): void {
  const isUnder = nodes.map((node) => isUnderused(usedPercents(node), args.thresholds));
  const under = nodes.filter((_, at) => isUnder[at]);
  const others = nodes.filter((node, at) => !isUnder[at] && node.isOpen);
  if (!isWorthIt(under.length, nodes.length, args) || others.length === 0) return;
  const all = args.thresholds.map(() => null);
  evictFrom(inOrder(under, 1), roomOf(others, all), args.nodeLimit, evict, () => true);
}

function isWorthIt(under: number, nodes: number, { numberOfNodes }: BalanceArgs): boolean {
  return under > numberOfNodes && under < nodes;
}

/** By what is asked for; `sign` 1 = least first. */
function inOrder<P>(nodes: readonly BalanceNode<P>[], sign: 1 | -1): Source<P>[] {
  const sum = (usage: readonly number[]) => usage.reduce((total, amount) => total + amount, 0);
  return nodes
    .map((node) => ({ node, usage: [...node.usage] }))
    .sort((a, b) => sign * (sum(a.usage) - sum(b.usage)));
}

/** What nodes can take together; `Infinity` of what none of them counts. */
function roomOf(nodes: readonly UsedNode[], thresholds: Percents): number[] {
  return thresholds.map((_, at) => {
    if (nodes.every(({ capacity }) => capacity[at] === 0)) return Number.POSITIVE_INFINITY;
    return nodes.reduce(
      (sum, { capacity, usage }) => sum + cappedTo(capacity, thresholds)[at]! - usage[at]!,
      0,
    );
  });
}

/** Evicts node by node while the others could take more and `goOn` says so. */
function evictFrom<P extends BalancePod>(
  sources: readonly Source<P>[],
  left: number[],
  nodeLimit: number | null,
  evict: Evict<P>,
  goOn: (source: Source<P>) => boolean,
): void {
  const mayGo = (source: Source<P>) => left.every((amount) => amount > 0) && goOn(source);
  for (const source of sources) {
    if (!mayGo(source)) continue;
    let gone = 0;
    for (const pod of source.node.pods()) {
      if (nodeLimit !== null && gone >= nodeLimit) break;
      const said = evict(pod);
      if (said === "done") return;
      if (said === "nodeDone") break;
      if (said === "refused") continue;
      gone++;
      for (const [at, amount] of pod.usage.entries()) {
        source.usage[at] = source.usage[at]! - amount;
        left[at] = left[at]! - amount;
      }
      if (!mayGo(source)) break;
    }
  }
}
