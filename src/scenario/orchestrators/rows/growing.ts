/** Whether nodes are rented for work that has no room. */
import { MINUTE_MS } from "../../../model/units.ts";
import type { Row } from "../cell.ts";
import { EASY, oneQueue, pods, preset, slurm } from "../policies.ts";

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
      look: "a node is ordered for second and it starts at about 0:07.",
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
      outcome: "waits",
      how: "It can boot nodes (ResumeProgram, State=CLOUD); the preset does not model it.",
      policy: slurm(["NodeName=cloud-000 CPUs=64 Gres=gpu:8 State=CLOUD"]),
    },
    "kube-scheduler": {
      outcome: "waits",
      how: "It marks the pod unschedulable; nodes are a matter of another program, the Cluster Autoscaler.",
      policy: preset("kube-scheduler"),
    },
    kueue: {
      outcome: "waits",
      how: "Quota counts nodes that are described, not those that are there; ProvisioningRequests are not modelled.",
      policy: oneQueue(),
    },
    volcano: {
      outcome: "waits",
      how: "As under kube-scheduler: the Cluster Autoscaler would have to see its pods.",
      policy: preset("volcano"),
    },
    kai: {
      outcome: "waits",
      how: "As under kube-scheduler: the Cluster Autoscaler would have to see its pods.",
      policy: preset("kai"),
    },
    ray: {
      outcome: "rents",
      how: "Its own autoscaler launches node types for what is pending, as the cluster’s limits allow.",
      policy: preset("ray"),
    },
  },
  claims: [],
};
