/** What is often said of Kueue, and wrong. What belongs to a row of the comparison stands there. */
import type { Source } from "../cell.ts";
import { CLUSTER, flavor, kueue, pods } from "../policies.ts";
import { openAtMin, type Saying } from "./saying.ts";

const FAIR_SHARING: Source = {
  name: "Kueue: fair sharing",
  link: "https://kueue.sigs.k8s.io/docs/concepts/fair_sharing/",
};

const LOW_IN_FRONT = `apiVersion: kueue.x-k8s.io/v1beta2
kind: WorkloadPriorityClass
metadata:
  name: low
value: 1000
`;

const TREE = `apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata:
  name: hosts
spec:
  levels:
    - nodeLabel: kubernetes.io/hostname
`;

const of = (queue: string, count: number) =>
  Array.from({ length: count }, (_, index) =>
    pods(`${queue}-${index + 1}`, index / 60, 1, 1, 60, { queue }),
  );

export const KUEUE_SAYINGS: readonly Saying[] = [
  {
    id: "workload-class",
    claim: "A WorkloadPriorityClass changes the priority of the pods.",
    truth:
      "It orders workloads in Kueue. The pods keep the priority of their PriorityClass, and kube-scheduler goes by that.",
    look: "boosted has a WorkloadPriorityClass that puts it before ordinary at 0:10; outside, a plain pod of ordinary priority that Kueue does not know, evicts it at 0:15 all the same.",
    world: {
      cluster: CLUSTER,
      queues: ["lab"],
      workload: {
        jobs: [
          pods("first", 0, 1, 8, 10, { queue: "lab", tier: "normal" }),
          pods("ordinary", 1, 1, 8, 20, { queue: "lab", tier: "normal" }),
          pods("boosted", 2, 1, 8, 20, { queue: "lab", tier: "low" }),
          pods("outside", 15, 1, 8, 10, { tier: "normal" }),
        ],
      },
    },
    policy: kueue([{ name: "lab", gpus: 8 }], {}, [flavor("gpus"), LOW_IN_FRONT]),
    openAt: openAtMin(16, "boosted"),
    source: {
      name: "Kueue: workload priority class",
      link: "https://kueue.sigs.k8s.io/docs/concepts/workload_priority_class/",
    },
  },
  {
    id: "share-of-weights",
    claim: "With fair sharing a queue gets its weight out of the sum of all weights.",
    truth:
      "Shares measure what is borrowed, as a part of all that could be lent, divided by the queue’s weight. What a queue owns is no part of it.",
    look: "red and blue weigh the same and want all eight GPUs. Red owns four and holds six: only the four that nobody owns who wants them are halved.",
    world: {
      cluster: CLUSTER,
      queues: ["red", "blue", "green"],
      workload: { jobs: [...of("red", 8), ...of("blue", 8)] },
    },
    policy: kueue(
      [
        { name: "red", gpus: 4, cohort: "all", preemption: ["reclaimWithinCohort: Any"] },
        { name: "blue", gpus: 0, cohort: "all", preemption: ["reclaimWithinCohort: Any"] },
        { name: "green", gpus: 4, cohort: "all" },
      ],
      { fairSharing: true },
    ),
    openAt: openAtMin(10, "red-6"),
    source: FAIR_SHARING,
  },
  {
    id: "always-compared",
    claim: "With fair sharing nobody is evicted for a queue that has the larger share.",
    truth:
      "A queue that stays within its own quota of the flavor in question takes it back without any comparison of shares.",
    look: "red borrows all eight GPUs of big, twice as much as blue has of small; and at 0:10 blue leaves, because small is red’s own.",
    world: {
      cluster: {
        nodeGroups: [
          { id: "small", count: 1, gpus: 4, cpus: 64, labels: { size: "small" } },
          { id: "big", count: 2, gpus: 4, cpus: 64, labels: { size: "big" } },
        ],
      },
      queues: ["red", "blue", "green"],
      workload: {
        jobs: [
          pods("red-borrows", 0, 2, 4, 60, { queue: "red" }),
          pods("blue-borrows", 2, 1, 4, 60, { queue: "blue" }),
          pods("red-own", 10, 1, 4, 20, { queue: "red" }),
        ],
      },
    },
    policy: kueue(
      [
        {
          name: "red",
          gpus: { small: 4, big: 0 },
          cohort: "all",
          preemption: ["reclaimWithinCohort: Any"],
        },
        { name: "blue", gpus: { small: 0, big: 0 }, cohort: "all" },
        { name: "green", gpus: { small: 0, big: 8 }, cohort: "all" },
      ],
      { fairSharing: true },
      [
        flavor("small", ["nodeLabels:", "  size: small"]),
        flavor("big", ["nodeLabels:", "  size: big"]),
      ],
    ),
    openAt: openAtMin(12, "blue-borrows"),
    source: FAIR_SHARING,
  },
  {
    id: "borrowing",
    claim: "Queues of a cohort can only borrow once they have weights.",
    truth:
      "A cohort is enough. Without fair sharing nobody compares anything: whoever comes first borrows what others do not use.",
    look: "red owns four GPUs and runs on eight from the start; blue, which owns the other four, waits for red’s end.",
    world: {
      cluster: CLUSTER,
      queues: ["red", "blue"],
      workload: {
        jobs: [
          pods("red-job", 0, 1, 8, 30, { queue: "red" }),
          pods("blue-job", 5, 1, 4, 20, { queue: "blue" }),
        ],
      },
    },
    policy: kueue([
      { name: "red", gpus: 4, cohort: "all" },
      { name: "blue", gpus: 4, cohort: "all" },
    ]),
    openAt: openAtMin(10, "blue-job"),
    source: {
      name: "Kueue: cohorts and borrowing",
      link: "https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/#cohort",
    },
  },
  {
    id: "unconstrained",
    claim: "Topology-aware scheduling spreads pods without a wish over the emptiest nodes.",
    truth:
      "By the profile that is the default they go to the tightest place that holds them, so that large holes stay whole.",
    look: "small joins first although the second node is empty; whole finds that one untouched and starts at 0:10.",
    world: {
      cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 8, cpus: 64 }] },
      queues: ["default"],
      workload: {
        jobs: [
          pods("first", 0, 1, 4, 60),
          pods("small", 5, 2, 1, 60, { kubernetes: { topology: { mode: "unconstrained" } } }),
          pods("whole", 10, 1, 8, 20),
        ],
      },
    },
    policy: kueue([{ name: "default", gpus: 16 }], {}, [
      flavor("gpus", ["topologyName: hosts"]),
      TREE,
    ]),
    openAt: openAtMin(12, "small"),
    source: {
      name: "Kueue: topology-aware scheduling",
      link: "https://kueue.sigs.k8s.io/docs/concepts/topology_aware_scheduling/",
    },
  },
];
