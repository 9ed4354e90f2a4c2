/** Whether nodes are rented for work that has no room. */
import { MINUTE_MS } from "../../../model/units.ts";
import type { Row } from "../cell.ts";
import { EASY, kueue, oneQueue, pods, preset, slurm } from "../policies.ts";

export const growing: Row = {
  id: "autoscaling",
  title: "Autoscaling",
  question: "Eight GPUs are taken and a second node can be rented: does the job get it?",
  openAt: { cursorMs: 8 * MINUTE_MS, select: "second" },
  world: {
    cluster: {
      nodeGroups: [
        { id: "n", count: 1, gpus: 8, cpus: 64 },
        {
          id: "cloud",
          count: 1,
          gpus: 8,
          cpus: 64,
          burst: {
            startupMs: 4 * MINUTE_MS,
            idleTimeoutMs: 10 * MINUTE_MS,
            afterWaitMs: MINUTE_MS,
          },
        },
      ],
    },
    workload: { jobs: [pods("first", 0, 1, 8, 60), pods("second", 2, 1, 8, 20)] },
  },
  outcomes: {
    rents: {
      mark: "yes",
      word: "Rents a node",
      look: "a node is ordered for second, which starts at 0:06 or 0:07.",
    },
    unmodelled: {
      word: "Not modelled",
      look: "second waits until first has ended at 1:00, which says nothing of the real system.",
      runsAs: "waits",
    },
    waits: {
      mark: "no",
      word: "Waits",
      look: "second waits until first has ended at 1:00.",
    },
  },
  cells: {
    easy: {
      outcome: "rents",
      how: "Rented nodes are part of the lab, whatever its order.",
      policy: EASY,
    },
    slurm: {
      outcome: "unmodelled",
      how: "It can boot nodes (ResumeProgram, State=CLOUD); the preset does not.",
      policy: slurm(["NodeName=cloud-000 CPUs=64 Gres=gpu:8 State=CLOUD"]),
    },
    "kube-scheduler": {
      outcome: "rents",
      how: "The Cluster Autoscaler, a program beside it, makes room for pods that fit nowhere.",
      policy: preset("kube-scheduler"),
    },
    kueue: {
      outcome: "rents",
      how: "As under kube-scheduler, once the workload is admitted: quota has to be there for nodes that are not.",
      policy: kueue([{ name: "default", gpus: 16 }]),
    },
    volcano: {
      outcome: "unmodelled",
      how: "It rents nothing itself. A Cluster Autoscaler can stand beside it; the preset has none.",
      policy: preset("volcano"),
    },
    kai: {
      outcome: "unmodelled",
      how: "It rents nothing itself. A Cluster Autoscaler can stand beside it; the preset has none.",
      policy: preset("kai"),
    },
    ray: {
      outcome: "rents",
      how: "Its own autoscaler launches node types for what is pending, as the cluster’s limits allow.",
      policy: preset("ray"),
    },
  },
  claims: [
    {
      claim: "The Cluster Autoscaler grows the cluster for whatever waits in Kueue.",
      truth:
        "It looks at pods. A workload that has no quota is suspended and has none: with quota for the nodes that are there, nothing is ever rented.",
      column: "kueue",
      cell: {
        outcome: "waits",
        how: "Quota for the eight GPUs that stand there.",
        policy: oneQueue(),
      },
      source: {
        name: "Kueue: concepts",
        link: "https://kueue.sigs.k8s.io/docs/concepts/",
      },
    },
  ],
};
