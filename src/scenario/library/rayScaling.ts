/**
 * Ray's autoscaler: two workers of one's own and up to six rented ones. A sweep of 56 trials gets five of these; the group of 24 bundles that follows would need three more, so it is given none
 * and waits for the trials. A rented worker is given back after five idle minutes.
 */
import { MINUTE_MS, SECOND_MS } from "../../model/units.ts";
import type { LibraryEntry } from "./entry.ts";

const TITLE = "Workers on demand, under Ray";
const QUESTION =
  "One worker may still be rented, and the large group waits. Why is it not asked for?";
const CURSOR_MS = 16 * MINUTE_MS;
const TRIALS = 56;
const TRIAL_MIN = [24, 15, 33, 19, 28];

const clusterOf = (most: number) => `apiVersion: ray.io/v1
kind: RayCluster
metadata: { name: research }
spec:
  enableInTreeAutoscaling: true
  autoscalerOptions: { upscalingMode: Default, idleTimeoutSeconds: 300 }
  headGroupSpec: { rayStartParams: { num-cpus: "0" } }
  workerGroupSpecs:
    - groupName: own
      replicas: 2
      minReplicas: 2
      maxReplicas: 2
    - groupName: rented
      replicas: 0
      minReplicas: 0
      maxReplicas: ${most}
`;

export const rayScaling: LibraryEntry = {
  id: "ray-scaling",
  title: TITLE,
  question: QUESTION,
  openAt: { cursorMs: CURSOR_MS, select: "train" },
  suggest: {
    label: "Two more workers (maxReplicas: 8)",
    from: "ray",
    intervention: {
      kind: "policy",
      atMs: 0,
      policy: { preset: "ray", yaml: clusterOf(8) },
      note: "Up to eight rented workers",
    },
  },
  document: {
    version: 1,
    title: TITLE,
    question: QUESTION,
    calendarStart: "2026-03-02T08:00:00",
    cluster: {
      nodeGroups: [
        { id: "own", count: 2, gpus: 8, cpus: 64 },
        { id: "rented", count: 8, gpus: 8, cpus: 64, burst: { startupMs: 3 * MINUTE_MS } },
      ],
    },
    queues: ["research"],
    pools: [{ id: "all", policy: { preset: "ray", yaml: clusterOf(6) } }],
    workload: {
      jobs: [
        ...Array.from({ length: TRIALS }, (_, i) => trial(`trial-${i + 1}`, 5, i, 1)),
        {
          id: "train",
          queue: "research",
          submitMs: 11 * MINUTE_MS,
          workMs: 30 * MINUTE_MS,
          components: [{ members: 24, cpusPerMember: 4 }],
          ray: { kind: "placementGroup", strategy: "PACK" },
        },
        ...Array.from({ length: 12 }, (_, i) => trial(`late-${i + 1}`, 75, i, 0.6)),
      ],
    },
  },
};

function trial(id: string, atMin: number, index: number, part: number) {
  return {
    id,
    queue: "research",
    submitMs: atMin * MINUTE_MS + index * SECOND_MS,
    workMs: Math.round(part * TRIAL_MIN[index % TRIAL_MIN.length]! * MINUTE_MS),
    gpus: 1,
    ray: { kind: "tasks" as const },
  };
}
