/** The queue that is there where the YAML describes none: one ClusterQueue with all that the pool has, and one LocalQueue for everybody, as in Kueue's first tutorial. */
import type { PoolView } from "../../../engine/view.ts";
import type { ClusterQueue, LocalQueue } from "../../../model/kubernetes/kueueConfig.ts";
import { WHOLE_FLAVOR, WHOLE_QUEUE } from "../../../model/kubernetes/quotaCells.ts";
import { CPU, GPU, GPU_SHARED, MEMORY, migResource, SHARES_PER_GPU } from "./asks.ts";

export const ALL_QUEUE: LocalQueue = {
  kind: "LocalQueue",
  name: "default",
  namespace: "",
  clusterQueue: WHOLE_QUEUE,
  weight: 1,
  stop: "None",
};

/** Nominal quota of everything that nodes of the pool have; what nobody counts is unlimited. O(nodes). */
export function everythingQueue(view: PoolView): ClusterQueue {
  let [gpus, cpuMilli, memMiB] = [0, 0, 0];
  for (const node of view.nodes) {
    const { gpusPerNode, cpusPerNode, memMiBPerNode } =
      view.cluster.groups[view.cluster.nodeGroup[node]!]!;
    gpus += gpusPerNode;
    cpuMilli += cpusPerNode * 1000;
    memMiB += memMiBPerNode;
  }
  const unlimited = Number.MAX_SAFE_INTEGER;
  const amounts: [string, number][] = [
    [CPU, cpuMilli || unlimited],
    [MEMORY, memMiB || unlimited],
    [GPU, gpus],
    [GPU_SHARED, gpus * SHARES_PER_GPU],
    ...view.jobs.migProfiles.map((profile): [string, number] => [migResource(profile), unlimited]),
  ];
  return {
    kind: "ClusterQueue",
    name: WHOLE_QUEUE,
    namespace: "",
    cohort: null,
    strategy: "BestEffortFIFO",
    groups: [
      {
        resources: amounts.map(([name]) => name),
        flavors: [
          {
            flavor: WHOLE_FLAVOR,
            resources: amounts.map(([resource, nominal]) => ({
              resource,
              nominal,
              borrowingLimit: Number.POSITIVE_INFINITY,
              lendingLimit: Number.POSITIVE_INFINITY,
            })),
          },
        ],
      },
    ],
    preemption: { withinClusterQueue: "Never", reclaimWithinCohort: "Never", borrowUpTo: null },
    fungibility: {
      whenCanBorrow: "MayStopSearch",
      whenCanPreempt: "TryNextFlavor",
      preference: "BorrowingOverPreemption",
    },
    weight: 1,
    sharesByUse: false,
    stop: "None",
  };
}
