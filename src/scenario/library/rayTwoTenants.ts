/**
 * Ray: two teams on one cluster of 32 GPUs. Tuning calls 90 tasks of one GPU at once; training wants placement groups of 16 bundles. Nothing divides the cluster between them: tasks take what
 * comes free, in order of submission, and a group that does not fit whole holds nothing. The second group starts when no task waits any more.
 */
import { MINUTE_MS, SECOND_MS } from "../../model/units.ts";
import type { LibraryEntry } from "./entry.ts";

const TITLE = "Two teams on one Ray cluster";
const QUESTION = "Tasks of one team and placement groups of another: who gets what comes free?";
const CURSOR_MS = 75 * MINUTE_MS;
const TRIALS = 90;
const TRIAL_MIN = [34, 21, 47, 28, 39, 25, 52, 31];

const queueOf = (team: string) => `apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: { name: ${team} }
spec:
  cohortName: all
  preemption: { reclaimWithinCohort: Any }
  resourceGroups:
    - coveredResources: [cpu, nvidia.com/gpu]
      flavors:
        - name: h100
          resources:
            - { name: cpu, nominalQuota: 128 }
            - { name: nvidia.com/gpu, nominalQuota: 16 }
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: { name: ${team} }
spec: { clusterQueue: ${team} }
---
`;
const QUOTAS = `${queueOf("training")}${queueOf("tuning")}apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: { name: h100 }
`;

export const rayTwoTenants: LibraryEntry = {
  id: "ray-two-tenants",
  title: TITLE,
  question: QUESTION,
  openAt: { cursorMs: CURSOR_MS, select: "train-2" },
  suggest: {
    label: "Kueue: half of the cluster for each team",
    from: "ray",
    intervention: {
      kind: "policy",
      atMs: 20 * MINUTE_MS,
      policy: { preset: "kueue", yaml: QUOTAS },
      note: "A quota for each team",
    },
  },
  document: {
    version: 1,
    title: TITLE,
    question: QUESTION,
    calendarStart: "2026-03-02T08:00:00",
    cluster: { nodeGroups: [{ id: "h100", count: 4, gpus: 8, cpus: 64 }] },
    // Priorities mean nothing to Ray: the tiers are there to be told apart.
    tiers: [
      { id: "training", name: "Training", letter: "T" },
      { id: "tuning", name: "Tuning", letter: "U" },
    ],
    queues: ["training", "tuning"],
    pools: [{ id: "all", policy: { preset: "ray" } }],
    workload: {
      jobs: [
        group("train-1", 0, 16, 50),
        ...Array.from({ length: TRIALS }, (_, i) => trial(i)),
        group("train-2", 40, 16, 60),
        group("train-3", 55, 8, 45),
      ],
    },
  },
};

function group(id: string, atMin: number, bundles: number, workMin: number) {
  return {
    id,
    queue: "training",
    tier: "training",
    submitMs: atMin * MINUTE_MS,
    workMs: workMin * MINUTE_MS,
    components: [{ members: bundles, cpusPerMember: 4 }],
    ray: { kind: "placementGroup" as const, strategy: "PACK" as const },
  };
}

function trial(index: number) {
  return {
    id: `trial-${index + 1}`,
    queue: "tuning",
    tier: "tuning",
    submitMs: 10 * MINUTE_MS + index * SECOND_MS,
    workMs: TRIAL_MIN[index % TRIAL_MIN.length]! * MINUTE_MS,
    gpus: 1,
    ray: { kind: "tasks" as const },
  };
}
