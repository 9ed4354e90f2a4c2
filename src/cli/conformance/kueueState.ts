/** Queues, cohorts and workloads of Kueue's vectors as the rules take them. */

import {
  type CellAmount,
  type CellQuota,
  chargeAll,
  noUsage,
  type QuotaNode,
  type QuotaTree,
  type QuotaUsage,
  quotaTree,
} from "../../scheduling/kubernetes/kueue/quotaTree.ts";
import type { PreemptionRules, Workload } from "../../scheduling/kubernetes/kueue/workloads.ts";

interface FlavorAmount {
  readonly flavor: string;
  readonly resource: string;
  readonly amount: number;
}

interface GroupInput {
  readonly name: string;
  readonly parent?: string;
  readonly weight?: number;
  readonly quotas?: readonly {
    readonly flavor: string;
    readonly resource: string;
    readonly nominal: number;
    readonly borrowingLimit?: number | null;
    readonly lendingLimit?: number | null;
  }[];
}

export interface QueueInput extends GroupInput {
  readonly preemption?: {
    readonly withinClusterQueue?: PreemptionRules["withinQueue"];
    readonly reclaimWithinCohort?: PreemptionRules["reclaim"];
    readonly borrowWithinCohort?: {
      readonly policy?: string;
      readonly maxPriorityThreshold?: number | null;
    };
  };
}

export interface WorkloadInput {
  readonly name: string;
  readonly queue: string;
  readonly priority: number;
  readonly admittedAt?: number;
  readonly created?: number;
  readonly evicted?: boolean;
  readonly usage: readonly FlavorAmount[];
}

export interface StateInput {
  readonly clusterQueues: readonly QueueInput[];
  readonly cohorts?: readonly GroupInput[];
  readonly admitted?: readonly WorkloadInput[];
}

export interface KueueState {
  readonly tree: QuotaTree;
  readonly usage: QuotaUsage;
  /** Resources by number. */
  readonly resources: readonly string[];
  readonly admitted: readonly (readonly Workload[])[];
  /** Node by name; queues before cohorts of the same name. */
  nodeOf(name: string): number;
  /** −1 where no quota and no workload names it. */
  cellOf(flavor: string, resource: string): number;
  workloadOf(input: WorkloadInput): Workload;
  rulesOf(queue: string): PreemptionRules;
}

/** `more`: other amounts whose cells have to be known. */
export function kueueState(input: StateInput, more: readonly FlavorAmount[]): KueueState {
  const { clusterQueues, cohorts = [], admitted = [] } = input;
  const groups = [...clusterQueues, ...cohortsOf(clusterQueues, cohorts)];
  const named = [
    ...groups.flatMap(({ quotas = [] }) => quotas),
    ...admitted.flatMap(({ usage }) => usage),
    ...more,
  ];
  const resources = [...new Set(named.map(({ resource }) => resource))].sort();
  const keys = [...new Set(named.map(({ flavor, resource }) => keyOf(flavor, resource)))].sort();
  const cellByKey = new Map(keys.map((key, cell) => [key, cell]));
  const cellOf = (flavor: string, resource: string) => cellByKey.get(keyOf(flavor, resource)) ?? -1;
  const nodeOf = (name: string) => groups.findIndex((group) => group.name === name);
  const cohortIdx = (name: string | undefined) =>
    groups.findIndex((group, idx) => idx >= clusterQueues.length && group.name === name);
  const nodes = groups.map((group, idx): QuotaNode => {
    const quotas = new Array<CellQuota | null>(keys.length).fill(null);
    for (const { flavor, resource, nominal, borrowingLimit, lendingLimit } of group.quotas ?? [])
      quotas[cellOf(flavor, resource)] = {
        nominal,
        borrowingLimit: borrowingLimit ?? Number.POSITIVE_INFINITY,
        lendingLimit: lendingLimit ?? Number.POSITIVE_INFINITY,
      };
    const parentIdx = cohortIdx(group.parent);
    const { name, weight = 1 } = group;
    return { name, parentIdx, weight, isQueue: idx < clusterQueues.length, quotas };
  });
  const tree = quotaTree(
    nodes,
    keys.map((key) => resources.indexOf((JSON.parse(key) as [string, string])[1])),
  );
  const workloadOf = (one: WorkloadInput): Workload => ({
    name: one.name,
    queue: nodeOf(one.queue),
    priority: one.priority,
    queuedMs: one.created ?? 0,
    admittedMs: one.admittedAt ?? 0,
    evicted: one.evicted ?? false,
    amounts: summed(one.usage, cellOf),
  });
  const usage = noUsage(tree);
  const held: Workload[][] = nodes.map(() => []);
  for (const workload of admitted.map(workloadOf)) {
    held[workload.queue]!.push(workload);
    chargeAll(tree, usage, workload.queue, workload.amounts);
  }
  const rulesOf = (queue: string) => preemptionRules(clusterQueues[nodeOf(queue)]!);
  return { tree, usage, resources, admitted: held, nodeOf, cellOf, workloadOf, rulesOf };
}

/** Those listed, and those only named as a parent. */
function cohortsOf(queues: readonly GroupInput[], cohorts: readonly GroupInput[]): GroupInput[] {
  const listed = new Set(cohorts.map(({ name }) => name));
  const parents = new Set(
    [...queues, ...cohorts].flatMap(({ parent }) => (parent ? [parent] : [])),
  );
  const implied = [...parents].filter((name) => !listed.has(name));
  return [...cohorts, ...implied.map((name) => ({ name }))];
}

function preemptionRules({ preemption }: QueueInput): PreemptionRules {
  const borrow = preemption?.borrowWithinCohort;
  const mayBorrow = borrow !== undefined && borrow.policy !== "Never";
  return {
    withinQueue: preemption?.withinClusterQueue ?? "Never",
    reclaim: preemption?.reclaimWithinCohort ?? "Never",
    borrowUpTo: mayBorrow ? (borrow.maxPriorityThreshold ?? Number.POSITIVE_INFINITY) : null,
  };
}

function summed(
  amounts: readonly FlavorAmount[],
  cellOf: (flavor: string, resource: string) => number,
): CellAmount[] {
  const byCell = new Map<number, number>();
  for (const { flavor, resource, amount } of amounts) {
    const cell = cellOf(flavor, resource);
    byCell.set(cell, (byCell.get(cell) ?? 0) + amount);
  }
  return [...byCell]
    .filter(([, amount]) => amount !== 0)
    .map(([cell, amount]) => ({ cell, amount }));
}

function keyOf(flavor: string, resource: string): string {
  return JSON.stringify([flavor, resource]);
}
