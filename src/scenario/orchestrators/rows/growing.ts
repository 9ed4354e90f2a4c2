/** Whether nodes are rented for work that has no room. */
import { MINUTE_MS } from "../../../model/units.ts";
import type { Row, World } from "../cell.ts";
import { EASY, kueue, oneQueue, pods, preset, slurm } from "../policies.ts";

const FIRST = pods("first", 0, 1, 8, 60);
const SECOND = pods("second", 2, 1, 8, 20);
const BOOT_MS = 4 * MINUTE_MS;
const CLOUD = { id: "cloud", count: 1, gpus: 8, cpus: 64 };
const STANDS = { id: "n", count: 1, gpus: 8, cpus: 64 };

/** Slurm gives out a cloud node that is off, and boots it for the job: so the node stands here, and the boot is start-up of the job; its time limit counts from the end of the boot. */
const BOOTED_FOR_THE_JOB: World = {
  cluster: { nodeGroups: [STANDS, CLOUD] },
  workload: {
    jobs: [FIRST, { ...SECOND, startupMs: BOOT_MS, limitMs: SECOND.limitMs! + BOOT_MS }],
  },
};

/** A node that is closed until the time at which one that was ordered for `second` would be there. */
const NODE_BY_HAND: World = {
  cluster: { nodeGroups: [STANDS, CLOUD] },
  workload: { jobs: [FIRST, SECOND] },
  interventions: [
    { kind: "drain", atMs: 0, nodes: ["cloud-000"] },
    { kind: "resume", atMs: SECOND.submitMs + BOOT_MS, nodes: ["cloud-000"] },
  ],
};

export const growing: Row = {
  id: "autoscaling",
  title: "Autoscaling",
  question: "Eight GPUs are taken and a second node can be rented: does the job get it?",
  openAt: { cursorMs: 8 * MINUTE_MS, select: "second" },
  world: {
    cluster: {
      nodeGroups: [
        STANDS,
        {
          ...CLOUD,
          burst: {
            startupMs: BOOT_MS,
            idleTimeoutMs: 10 * MINUTE_MS,
            afterWaitMs: MINUTE_MS,
          },
        },
      ],
    },
    workload: { jobs: [FIRST, SECOND] },
  },
  outcomes: {
    rents: {
      mark: "yes",
      word: "Rents a node",
      look: "a node is ordered for second, which starts at 0:06 or 0:07.",
    },
    boots: {
      word: "Not modelled",
      look: "put in by hand: second is given cloud-000 at 0:02, and the start-up at its head stands for the boot of the node. That it is off, is paid for and goes off again is not shown.",
      runsAs: "rents",
    },
    byHand: {
      word: "Not modelled",
      look: "put in by hand: cloud-000 is closed until 0:06, when a node that a Cluster Autoscaler orders for second at 0:02 would be there; second starts on it. That it goes again is not shown.",
      runsAs: "rents",
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
      outcome: "boots",
      how: "It gives out cloud nodes that are off (State=CLOUD), boots them by ResumeProgram and lets idle ones go by SuspendProgram. The preset has no nodes that are off.",
      policy: slurm(["NodeName=cloud-000 CPUs=64 Gres=gpu:8 State=CLOUD"]),
      world: BOOTED_FOR_THE_JOB,
      source: {
        name: "Slurm Power Saving Guide",
        link: "https://slurm.schedmd.com/power_save.html",
      },
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
      outcome: "waits",
      how: "Its gate (enqueue) lets no group in that the cluster has no room for: the group has no pods, and a Cluster Autoscaler beside it sees none. Without that action it would; the preset has no autoscaler.",
      policy: preset("volcano"),
      source: {
        name: "Volcano: issue 3910",
        link: "https://github.com/volcano-sh/volcano/issues/3910",
      },
    },
    kai: {
      outcome: "byHand",
      how: "It marks what finds no room, and a Cluster Autoscaler beside it orders nodes. The preset has none: the product’s tries pods one by one as kube-scheduler would, without KAI’s groups and limits.",
      policy: preset("kai"),
      world: NODE_BY_HAND,
      source: {
        name: "KAI: Cluster Autoscaling",
        link: "https://github.com/kai-scheduler/KAI-Scheduler/tree/main/docs/gpu-sharing/autoscaling",
      },
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
