/** Whether the pods of a job start together or take GPUs one by one and hold them. */
import { MINUTE_MS } from "../../../model/units.ts";
import type { Row } from "../cell.ts";
import { CLUSTER, EASY, kueue, oneQueue, pods, preset, slurm } from "../policies.ts";

export const gangs: Row = {
  id: "gang",
  title: "Gang scheduling",
  question: "Does a job take GPUs only when all of its pods have a place?",
  openAt: { cursorMs: 12 * MINUTE_MS, select: "gang" },
  world: {
    cluster: CLUSTER,
    workload: {
      jobs: [pods("running", 0, 1, 4, 30), pods("gang", 5, 6, 1, 20), pods("small", 10, 2, 1, 10)],
    },
  },
  outcomes: {
    whole: {
      mark: "yes",
      word: "All or nothing",
      look: "gang holds nothing until six GPUs are free at 0:30; small runs beside it meanwhile.",
    },
    part: {
      mark: "no",
      word: "Pod by pod",
      look: "four of the six pods of gang hold GPUs from 0:05 to 0:30 without progress, and small waits for them.",
    },
  },
  cells: {
    easy: {
      outcome: "whole",
      how: "Jobs start whole; a setting shows what happens without.",
      policy: EASY,
    },
    slurm: { outcome: "whole", how: "An allocation is one thing.", policy: slurm() },
    "kube-scheduler": {
      outcome: "part",
      how: "One pod at a time; it knows no jobs (PodGroups are new and off in this preset).",
      policy: preset("kube-scheduler"),
    },
    kueue: {
      outcome: "whole",
      how: "Quota is given to whole workloads, here as much as the cluster has.",
      policy: oneQueue(),
    },
    volcano: {
      outcome: "whole",
      how: "minMember pods in one session, or none.",
      policy: preset("volcano"),
    },
    kai: {
      outcome: "whole",
      how: "PodGroups with minMember, placed in a simulation first.",
      policy: preset("kai"),
    },
    ray: {
      outcome: "whole",
      how: "A placement group reserves all bundles or none; plain tasks and actors start one by one.",
      policy: preset("ray"),
    },
  },
  claims: [
    {
      claim: "With Kueue above it, kube-scheduler schedules gangs.",
      truth:
        "Kueue counts quota and sees no nodes. Where the quota says more than the nodes have, a workload is admitted and its pods come one by one as before, until the timeout of waitForPodsReady.",
      column: "kueue",
      cell: {
        outcome: "part",
        how: "A quota of 16 GPUs on a cluster of 8.",
        policy: kueue([{ name: "default", gpus: 16 }]),
      },
      source: {
        name: "Kueue: all-or-nothing",
        link: "https://kueue.sigs.k8s.io/docs/tasks/manage/setup_wait_for_pods_ready/",
      },
    },
  ],
};
