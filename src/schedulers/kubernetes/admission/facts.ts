/** What admission shows of itself when asked: its ClusterQueues with their quotas, and one workload. Numbers and names; nothing here is on the path of a run. O(queues × cells), O(those that wait in a queue). */
import type { PoolView } from "../../../engine/view.ts";
import type {
  KueueJobFacts,
  QueueFacts,
  QuotaFacts,
  WorkloadStage,
} from "../../../model/kubernetes/queueFacts.ts";
import { plainAmount } from "../../../model/kubernetes/quotaCells.ts";
import { kubeReasonCode, WaitReasonCode } from "../../../model/reasons.ts";
import { JobStateCode } from "../../../model/states.ts";
import { borrowedOf, lentOf } from "../../../scheduling/kubernetes/kueue/lending.ts";
import { headOf } from "../../../scheduling/kubernetes/kueue/pendingQueue.ts";
import { shareOf, shareValue } from "../../../scheduling/kubernetes/kueue/share.ts";
import { usedByOf } from "./cycles.ts";
import { placeInQueue } from "./explain.ts";
import { wordOf } from "./reasons.ts";
import type { Entry, KueueState } from "./state.ts";

export function queueFacts(state: KueueState): QueueFacts[] {
  const { setup, usage } = state;
  const { tree } = setup;
  return setup.queues.map((queue, queueIdx) => {
    const pending = state.queues[queueIdx]!;
    const head = stickyOrHead(state, queueIdx);
    const { parentIdx } = tree.nodes[queueIdx]!;
    const word = head === null ? null : wordOf(head);
    return {
      name: queue.name,
      cohort: parentIdx < 0 ? null : tree.nodes[parentIdx]!.name,
      strategy: queue.strict ? "StrictFIFO" : "BestEffortFIFO",
      stop: queue.drained ? "HoldAndDrain" : queue.stopped ? "Hold" : "None",
      pending: pending.count,
      admitted: state.admitted[queueIdx]!.length,
      headJobIdx: head?.jobIdx ?? -1,
      headReason: word === null ? 0 : kubeReasonCode(word),
      share: setup.fairSharing ? shareValue(shareOf(tree, usage, queueIdx)) : Number.NaN,
      quotas: quotasOf(state, queueIdx),
    };
  });
}

function quotasOf({ setup, usage }: KueueState, queueIdx: number): QuotaFacts[] {
  const { tree, cells, resources, flavors, queues } = setup;
  const lent = lentOf(tree, usage, queues[queueIdx]!.rootIdx);
  return cells.flatMap(({ flavorIdx, resourceIdx }, cell) => {
    const quota = tree.nodes[queueIdx]!.quotas[cell];
    if (!quota) return [];
    const resource = resources[resourceIdx]!;
    const plain = (amount: number) => plainAmount(resource, amount);
    const at = queueIdx * cells.length + cell;
    return [
      {
        flavor: flavors[flavorIdx]!.name,
        resource,
        nominal: plain(quota.nominal),
        used: plain(usage[at]!),
        borrowed: plain(borrowedOf(tree, usage, queueIdx, cell)),
        lent: plain(lent[at]!),
        borrowingLimit: plain(quota.borrowingLimit),
        lendingLimit: plain(quota.lendingLimit),
      },
    ];
  });
}

/** Who waits for its victims; else whom a cycle would take; else the first of those that were all refused. */
function stickyOrHead(state: KueueState, queueIdx: number): Entry | null {
  const sticky = state.entries.get(state.sticky[queueIdx]!);
  if (sticky?.phase === "waiting") return sticky;
  const pending = state.queues[queueIdx]!;
  const head = headOf(pending, usedByOf(state, queueIdx));
  if (head !== null) return head;
  for (const { heap } of pending.lines.values()) {
    const { headJobIdx } = placeInQueue(state, heap[0]!);
    return headJobIdx < 0 ? heap[0]! : state.entries.get(headJobIdx)!;
  }
  return null;
}

/** Null for a job that Kueue does not know. */
export function workloadFacts(
  view: PoolView,
  state: KueueState,
  jobIdx: number,
): KueueJobFacts | null {
  const entry = state.entries.get(jobIdx);
  if (!entry) return null;
  const { setup } = state;
  const holds = entry.plan.length > 0;
  const flavors = new Set(entry.plan.flatMap((plan) => plan.flavors));
  const waits = entry.phase === "waiting";
  return {
    stage: stageOf(view, entry),
    sinceMs: entry.sinceMs,
    localQueue: setup.locals[entry.localIdx]?.name ?? "",
    clusterQueue: setup.queues[entry.queue]?.name ?? "",
    priority: entry.priority,
    flavors: [...flavors].map((flavorIdx) => setup.flavors[flavorIdx]!.name),
    pods: entry.plan.reduce((sum, { count }) => sum + count, 0),
    podsAsked: entry.ask.sets.reduce((sum, { count }) => sum + count, 0),
    admittedMs: holds ? entry.admittedMs : -1,
    position: waits ? placeInQueue(state, entry).position + 1 : 0,
    waitingCount: waits ? state.queues[entry.queue]!.count : 0,
    evictions: entry.evictions,
    timeouts: entry.timeouts,
    domains: entry.plan.reduce((sum, { domains }) => sum + (domains?.length ?? 0), 0),
  };
}

/** What placement says where its pods find no node. */
const NO_NODE: ReadonlySet<number> = new Set([
  kubeReasonCode("unplaceable"),
  kubeReasonCode("partBound"),
  kubeReasonCode("groupShort"),
  WaitReasonCode.resources,
  WaitReasonCode.fragmentation,
]);

function stageOf(view: PoolView, { phase, jobIdx }: Entry): WorkloadStage {
  if (phase !== "admitted") return phase;
  const now = view.jobState[jobIdx]!;
  if (now !== JobStateCode.admitted && now !== JobStateCode.placed) return "ready";
  return NO_NODE.has(view.waitReason(jobIdx)) ? "unplaceable" : "admitted";
}
