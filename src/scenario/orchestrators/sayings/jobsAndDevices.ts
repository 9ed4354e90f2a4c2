/** What is often said of elastic training and of parts of GPUs, and wrong. */
import { MINUTE_MS } from "../../../model/units.ts";
import type { Source } from "../cell.ts";
import { EASY, pods, preset } from "../policies.ts";
import { openAtMin, type Saying } from "./saying.ts";

const MIG: Source = {
  name: "NVIDIA: MIG user guide",
  link: "https://docs.nvidia.com/datacenter/tesla/mig-user-guide/",
};

const slice = (id: string, atMin: number, migProfile: string, workMin: number) =>
  pods(id, atMin, 1, 1, workMin, { components: [{ members: 1, migProfile }] });

const replica = (index: number) =>
  pods(`replica-${index}`, index / 60, 1, 1, 30, {
    components: [{ members: 1, gpuShareMilli: 250 }],
  });

export const JOB_SAYINGS: readonly Saying[] = [
  {
    id: "max-restarts",
    claim: "torchrun’s --max-restarts limits every restart of a job.",
    truth:
      "A restart because nodes join spends none, whatever the help text says. What is counted are failures, by each agent for itself.",
    look: "training may restart once. The loss at 0:10 spends that; the node that is back at 0:20 restarts all workers again, and training goes on with three nodes to its end.",
    world: {
      cluster: { nodeGroups: [{ id: "n", count: 3, gpus: 8, cpus: 64 }] },
      interventions: [
        { kind: "fail", atMs: 10 * MINUTE_MS, nodes: ["n-002"], noticed: true },
        { kind: "resume", atMs: 20 * MINUTE_MS, nodes: ["n-002"] },
      ],
      workload: {
        jobs: [
          pods("training", 0, 3, 8, 60, {
            limitMs: 240 * MINUTE_MS,
            checkpoint: { every: 5 * MINUTE_MS },
            elastic: {
              minMembers: 2,
              maxMembers: 3,
              restart: "torchrun",
              rendezvousMs: MINUTE_MS,
              maxRestarts: 1,
            },
          }),
        ],
      },
    },
    policy: EASY,
    openAt: openAtMin(22, "training"),
    source: {
      name: "torchrun",
      link: "https://docs.pytorch.org/docs/stable/elastic/run.html",
    },
  },
  {
    id: "any-count",
    claim: "DeepSpeed’s elasticity takes any number of GPUs.",
    truth:
      "Only those on a list that it computes from the batch; any other is an error. (It was removed from DeepSpeed’s main branch in September 2026; the rule is that of the versions before.)",
    look: "five GPUs are free, and training takes four: with micro-batches of 2 and 4 and at most 24 samples there is a batch for 2, 3, 4 and 6 GPUs, and none for 5. At 0:30 it grows to six.",
    world: {
      cluster: { nodeGroups: [{ id: "n", count: 1, gpus: 8, cpus: 64 }] },
      workload: {
        jobs: [
          pods("other", 0, 1, 3, 30),
          pods("training", 1, 6, 1, 60, {
            limitMs: 240 * MINUTE_MS,
            elastic: {
              minMembers: 2,
              maxMembers: 6,
              restart: "horovod",
              rendezvousMs: MINUTE_MS,
              deepspeed: { microBatches: [2, 4], maxBatch: 24 },
            },
          }),
        ],
      },
    },
    policy: EASY,
    openAt: openAtMin(15, "training"),
    source: {
      name: "DeepSpeed: removal of elasticity",
      link: "https://github.com/deepspeedai/DeepSpeed/issues/8489",
    },
  },
  {
    id: "seven-slices",
    claim: "An A100 has seven slices, so 3g, 3g and 1g fit on one.",
    truth:
      "A 3g takes four of the eight places of memory. Two of them take all, and the seventh part of the compute is lost.",
    look: "last asks for 1g.5gb and waits until one of the two 3g.20gb ends at 0:30, though only six of seven compute slices are in use.",
    world: {
      cluster: {
        nodeGroups: [{ id: "n", count: 1, gpus: 1, gpuModel: "A100", gpuMemGiB: 40, cpus: 64 }],
      },
      workload: {
        jobs: [
          slice("left", 0, "3g.20gb", 30),
          slice("right", 1, "3g.20gb", 60),
          slice("last", 5, "1g.5gb", 10),
        ],
      },
    },
    policy: preset("kube-scheduler"),
    openAt: openAtMin(10, "last"),
    source: MIG,
  },
  {
    id: "same-thing",
    claim: "MIG, MPS and time-slicing are one thing under three names.",
    truth:
      "MIG cuts memory and compute in hardware, at places that the geometry allows. MPS caps memory in software, time-slicing nothing at all: there a replica is a number that somebody configured. (Isolation itself is nothing that a schedule shows.)",
    look: "four replicas of a quarter fill the first GPU. Of four instances with a quarter of the memory, 2g.20gb, the second GPU holds three: instance-4 waits.",
    world: {
      cluster: {
        nodeGroups: [{ id: "n", count: 1, gpus: 2, gpuModel: "A100", gpuMemGiB: 80, cpus: 64 }],
      },
      workload: {
        jobs: [
          ...[1, 2, 3, 4].map(replica),
          ...[1, 2, 3, 4].map((index) => slice(`instance-${index}`, 1 + index / 60, "2g.20gb", 30)),
        ],
      },
    },
    policy: preset("kube-scheduler"),
    openAt: openAtMin(10, "instance-4"),
    source: {
      name: "NVIDIA device plugin for Kubernetes",
      link: "https://github.com/NVIDIA/k8s-device-plugin#shared-access-to-gpus",
    },
  },
];
