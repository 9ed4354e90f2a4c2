/** Whether a priority counts in the whole cluster or only inside a queue whose share is looked at first. */
import { MINUTE_MS } from "../../../model/units.ts";
import type { Row } from "../cell.ts";
import { kueue, pods, preset, SLURM_PREEMPT, slurm } from "../policies.ts";

const BLUE = { team: "blue", queue: "blue" };
const RED = { team: "red", queue: "red" };

export const priorities: Row = {
  id: "priority",
  title: "Priority classes",
  question: "Does a high priority count everywhere, or only after the share of its team?",
  openAt: { cursorMs: 8 * MINUTE_MS, select: "blue-high" },
  world: {
    cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 8, cpus: 64 }] },
    teams: [{ id: "red" }, { id: "blue" }],
    queues: ["red", "blue"],
    workload: {
      jobs: [
        pods("blue-runs", 0, 1, 8, 90, { ...BLUE, tier: "high" }),
        pods("red-runs", 0, 1, 8, 10, { ...RED, tier: "high" }),
        pods("blue-low", 2, 1, 8, 10, { ...BLUE, tier: "low" }),
        pods("blue-high", 3, 1, 8, 10, { ...BLUE, tier: "high" }),
        pods("red-low", 4, 1, 8, 10, { ...RED, tier: "low" }),
      ],
    },
  },
  outcomes: {
    flat: {
      word: "Flat",
      look: "blue-high goes first at 0:10 although blue holds the other half of the cluster.",
    },
    inside: {
      word: "Inside a queue",
      look: "red-low goes first at 0:10, because red holds nothing; blue-high is ahead of blue-low only.",
    },
    none: {
      word: "None",
      look: "blue-low goes first at 0:10, because it came first.",
    },
  },
  cells: {
    easy: {
      outcome: "flat",
      how: "Order by tiers: one list for all. Other orders put shares first.",
      policy: preset("lab", { order: "tiers", backfill: "easy" }),
      configured: true,
    },
    slurm: {
      outcome: "flat",
      how: "One number a job, a weighted sum of QOS, share, age and more.",
      policy: slurm(SLURM_PREEMPT.slice(0, 2)),
      configured: true,
    },
    "kube-scheduler": {
      outcome: "flat",
      how: "PriorityClass is one integer for the whole cluster.",
      policy: preset("kube-scheduler"),
    },
    kueue: {
      outcome: "inside",
      how: "WorkloadPriorityClass orders a ClusterQueue. Between the heads of queues who need not borrow goes first, then priority.",
      policy: kueue([
        { name: "red", gpus: 8, cohort: "all" },
        { name: "blue", gpus: 8, cohort: "all" },
      ]),
    },
    volcano: {
      outcome: "inside",
      how: "The queue of higher priority, then of smaller share; inside it the priority of its jobs.",
      policy: preset("volcano"),
    },
    kai: {
      outcome: "inside",
      how: "Queues by their own priority and share, level by level of the tree; that of jobs counts inside the leaf.",
      policy: preset("kai"),
    },
    ray: { outcome: "none", how: "There are no priorities between jobs.", policy: preset("ray") },
  },
  claims: [],
};
