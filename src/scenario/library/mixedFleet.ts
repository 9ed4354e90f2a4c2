/**
 * One fleet, two control planes: a chat service as a Deployment with an autoscaler under kube-scheduler, training under Slurm. Twice the same day: once each has its nodes for good, so that the service misses its
 * target at the peak while at night its nodes stand idle and training waits; once a controller drains nodes and hands them over, which costs the time of the job that runs there and of the hand-over.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../model/units.ts";
import type { ScenarioInput } from "../schema.ts";
import type { LibraryEntry } from "./entry.ts";

const CURSOR_MS = 14 * HOUR_MS;

/** Slurm knows the nodes that it may get: they are down until they come over. */
const CONF = `ClusterName=fleet
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=30,bf_window=1440
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
NodeName=train-[000-007] CPUs=64 Gres=gpu:8
NodeName=serve-[000-003] CPUs=64 Gres=gpu:8
PartitionName=main Nodes=ALL Default=YES MaxTime=UNLIMITED State=UP
`;

function day(title: string, question: string): ScenarioInput {
  return {
    version: 1,
    title,
    question,
    seed: 5,
    horizonMs: DAY_MS,
    calendarStart: "2026-03-02T00:00:00",
    cluster: {
      nodeGroups: [
        { id: "serve", count: 4, gpus: 8, cpus: 64 },
        { id: "train", count: 8, gpus: 8, cpus: 64 },
      ],
      fabric: { nodesPerLeaf: 4 },
    },
    services: [
      {
        id: "chat",
        gpusPerReplica: 2,
        minReplicas: 2,
        maxReplicas: 24,
        coldStartMs: 2 * MINUTE_MS,
        concurrency: 8,
        requestMs: 2_000,
        autoscale: { everyMs: MINUTE_MS },
        target: { latencyMs: 8_000 },
        demand: {
          shape: "diurnal",
          perSec: 36,
          swing: 0.9,
          peakMs: CURSOR_MS,
          stepMs: 5 * MINUTE_MS,
        },
      },
    ],
    pools: [
      {
        id: "kubernetes",
        nodeGroups: ["serve"],
        route: { kinds: ["inference"] },
        policy: {
          preset: "kube-scheduler",
          settings: { scoring: "MostAllocated", scoreGpus: true },
        },
      },
      {
        id: "slurm",
        nodeGroups: ["train"],
        policy: { preset: "slurm", slurm: { conf: CONF, gres: "", topology: "", accounting: "" } },
      },
    ],
    workload: {
      synthetic: [
        {
          id: "train",
          tier: "low",
          arrivals: { perHour: 2.8 },
          gpus: [8, 16, 32].map((value) => ({ value, weight: 1 })),
          wholeNodesFrom: 8,
          work: {
            medianMs: 80 * MINUTE_MS,
            spread: 1.8,
            leastMs: 20 * MINUTE_MS,
            mostMs: 5 * HOUR_MS,
          },
          names: ["finetune", "ablation", "sweep"],
        },
      ],
    },
  };
}

const STATIC_TITLE = "Kubernetes serves, Slurm trains: fixed pools";
const STATIC_QUESTION =
  "The chat service misses its target at 14:00. Were its nodes too few, or only at the wrong time?";

export const mixedFleetStatic: LibraryEntry = {
  id: "mixed-fleet-static",
  title: STATIC_TITLE,
  question: STATIC_QUESTION,
  openAt: { cursorMs: CURSOR_MS, select: "chat/0" },
  document: day(STATIC_TITLE, STATIC_QUESTION),
};

const SHARED_TITLE = "Kubernetes serves, Slurm trains: nodes change sides";
const SHARED_QUESTION =
  "A controller hands nodes from Slurm to Kubernetes and back. How late does the service get them at the peak?";

export const mixedFleetShared: LibraryEntry = {
  id: "mixed-fleet-shared",
  title: SHARED_TITLE,
  question: SHARED_QUESTION,
  openAt: { cursorMs: CURSOR_MS, select: "chat/0" },
  suggest: {
    label: "Let two serving nodes fail",
    intervention: {
      kind: "fail",
      atMs: CURSOR_MS,
      nodes: ["serve-000", "serve-001"],
      note: "Two serving nodes fail",
    },
  },
  document: {
    ...day(SHARED_TITLE, SHARED_QUESTION),
    fleet: { serving: "kubernetes", batch: "slurm" },
  },
};
