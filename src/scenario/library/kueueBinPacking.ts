/**
 * Kueue with bin packing on 64 GPUs: two teams own half of eight nodes each and lend it; pods go to the fullest node. A job of whole nodes waits behind small ones that pass it: quota is free again and
 * again, and its queue keeps nothing for it.
 */
import { MINUTE_MS } from "../../model/units.ts";
import type { LibraryEntry } from "./entry.ts";

const TITLE = "Kueue with bin packing on 64 GPUs";
const QUESTION = "Does Kueue backfill? When does the large job start, and what starts before it?";
const CURSOR_MS = 150 * MINUTE_MS;

const queue = (name: string, strategy: string) => `apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata:
  name: ${name}
spec:
  cohortName: all
  queueingStrategy: ${strategy}
  resourceGroups:
    - coveredResources: [nvidia.com/gpu]
      flavors:
        - name: h100
          resources:
            - name: nvidia.com/gpu
              nominalQuota: 32
  preemption:
    reclaimWithinCohort: Any
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata:
  name: ${name}
spec:
  clusterQueue: ${name}
`;
const FLAVOR = `apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata:
  name: h100
`;
const yaml = (strategy: string) =>
  [FLAVOR, queue("product", strategy), queue("research", strategy)].join("---\n");
const SETTINGS = { scoring: "MostAllocated", scoreGpus: true };

export const kueueBinPacking: LibraryEntry = {
  id: "kueue-bin-packing",
  title: TITLE,
  question: QUESTION,
  openAt: { cursorMs: CURSOR_MS, select: "large" },
  suggest: {
    label: "Nobody passes the head",
    intervention: {
      kind: "policy",
      atMs: 40 * MINUTE_MS,
      policy: { preset: "kueue", settings: SETTINGS, yaml: yaml("StrictFIFO") },
      note: "StrictFIFO",
    },
  },
  document: {
    version: 1,
    title: TITLE,
    question: QUESTION,
    calendarStart: "2026-03-02T08:00:00",
    cluster: { nodeGroups: [{ id: "h100", count: 8, gpus: 8 }], fabric: { nodesPerLeaf: 4 } },
    queues: ["product", "research"],
    pools: [
      {
        id: "all",
        policy: { preset: "kueue", settings: SETTINGS, yaml: yaml("BestEffortFIFO") },
      },
    ],
    workload: {
      jobs: [
        ...row("p", "product", 0, 7, [2, 4, 8, 1, 8, 4, 2, 8, 4, 1, 8, 2, 4, 8]),
        ...row("r", "research", 2, 9, [8, 2, 4, 8, 1, 4, 8, 2, 4, 8, 1, 4]),
        {
          id: "large",
          queue: "research",
          submitMs: 45 * MINUTE_MS,
          workMs: 60 * MINUTE_MS,
          limitMs: 90 * MINUTE_MS,
          components: [{ members: 6, gpusPerMember: 8 }],
        },
      ],
    },
  },
};

/** Jobs of one pod each, so many minutes apart. */
function row(
  prefix: string,
  queueName: string,
  from: number,
  apart: number,
  gpus: readonly number[],
) {
  return gpus.map((gpusPerMember, index) => ({
    id: `${prefix}-${index + 1}`,
    queue: queueName,
    submitMs: (from + apart * index) * MINUTE_MS,
    workMs: (50 + ((index * 37) % 90)) * MINUTE_MS,
    limitMs: 180 * MINUTE_MS,
    components: [{ gpusPerMember }],
  }));
}
