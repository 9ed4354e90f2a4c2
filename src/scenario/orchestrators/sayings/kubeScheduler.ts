/** What is often said of kube-scheduler and of the descheduler beside it, and wrong. */
import { MINUTE_MS } from "../../../model/units.ts";
import type { Source } from "../cell.ts";
import { CLUSTER, pods, preset } from "../policies.ts";
import { openAtMin, type Saying } from "./saying.ts";

const POD_PRIORITY: Source = {
  name: "Kubernetes: pod priority and preemption",
  link: "https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/",
};

const BUDGET = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: none-may-go
spec:
  maxUnavailable: 0
  selector:
    matchLabels:
      app: guarded
`;

const TIDY = `apiVersion: descheduler/v1alpha2
kind: DeschedulerPolicy
profiles:
  - name: tidy
    pluginConfig:
      - name: HighNodeUtilization
        args:
          thresholds:
            nvidia.com/gpu: 30
    plugins:
      balance:
        enabled: [HighNodeUtilization]
`;

export const KUBE_SCHEDULER_SAYINGS: readonly Saying[] = [
  {
    id: "budget",
    claim: "kube-scheduler never breaks a PodDisruptionBudget.",
    truth:
      "For preemption a budget is a wish: nodes and victims are chosen so that few are broken, and where nothing else helps they are. It binds those who ask for an eviction, as a drain does.",
    look: "guarded may lose no pod, and loses two to urgent at 0:10.",
    world: {
      cluster: CLUSTER,
      workload: {
        jobs: [
          pods("guarded", 0, 8, 1, 40, {
            tier: "low",
            components: [{ members: 8, gpusPerMember: 1, minMembers: 4 }],
            kubernetes: { minMember: 4, labels: { app: "guarded" } },
          }),
          pods("urgent", 10, 2, 1, 20, { tier: "critical" }),
        ],
      },
    },
    policy: preset("kube-scheduler", {}, BUDGET),
    openAt: openAtMin(14, "guarded"),
    source: POD_PRIORITY,
  },
  {
    id: "lowest",
    claim: "kube-scheduler evicts the least important pod of the cluster.",
    truth:
      "It works node by node, for one pod on one node. A less important pod elsewhere is of no use if the rest of its node cannot be freed.",
    look: "urgent wants eight GPUs of one node: normal has to go, and least, beside a job as important as urgent, stays.",
    world: {
      cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 8, cpus: 64 }] },
      workload: {
        jobs: [
          pods("equal", 0, 1, 4, 60, { tier: "critical" }),
          pods("normal", 1, 1, 8, 60, { tier: "normal" }),
          pods("least", 2, 1, 4, 60, { tier: "low" }),
          pods("urgent", 10, 1, 8, 20, { tier: "critical" }),
        ],
      },
    },
    policy: preset("kube-scheduler"),
    openAt: openAtMin(14, "normal"),
    source: POD_PRIORITY,
  },
  {
    id: "never",
    claim: "preemptionPolicy: Never puts a pod further back in the queue.",
    truth:
      "It stands where its priority says and is bound first when there is room; it only evicts nobody.",
    look: "patient, which came last, starts before earlier at 0:20; nobody was stopped for it.",
    world: {
      cluster: CLUSTER,
      workload: {
        jobs: [
          pods("running", 0, 1, 8, 20, { tier: "low" }),
          pods("earlier", 2, 1, 8, 10, { tier: "low" }),
          pods("patient", 4, 1, 8, 10, {
            tier: "critical",
            kubernetes: { preemptionPolicy: "Never" },
          }),
        ],
      },
    },
    policy: preset("kube-scheduler"),
    openAt: openAtMin(10, "patient"),
    source: POD_PRIORITY,
  },
  {
    id: "nominated",
    claim: "The pod that had others evicted gets their place.",
    truth:
      "Its nominated node is a hint. The place comes free when the grace period of the others is over, and then whoever is more important may take it.",
    look: "first has running told to leave at 0:10; most, which comes at 0:12 and is more important, starts there at 0:15, and first waits for its end.",
    world: {
      cluster: CLUSTER,
      workload: {
        jobs: [
          pods("running", 0, 1, 8, 60, {
            tier: "low",
            kubernetes: { terminationGraceMs: 5 * MINUTE_MS },
          }),
          pods("first", 10, 1, 8, 20, { tier: "high" }),
          pods("most", 12, 1, 8, 20, { tier: "critical" }),
        ],
      },
    },
    policy: preset("kube-scheduler"),
    openAt: openAtMin(13, "first"),
    source: POD_PRIORITY,
  },
  {
    id: "descheduler",
    claim: "The descheduler moves pods to better nodes.",
    truth:
      "It evicts them, and that is all. Where their successors go is the scheduler’s affair, and one that spreads puts them back on the node that they had to leave, with their work lost.",
    look: "every ten minutes small is evicted from the second node, which it has for itself, and is bound to the same node again.",
    world: {
      cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 8, cpus: 64 }] },
      workload: {
        jobs: [
          pods("large", 0, 1, 4, 45, {
            components: [{ members: 1, gpusPerMember: 4, cpusPerMember: 32 }],
          }),
          pods("small", 0.5, 1, 1, 12, {
            components: [{ members: 1, gpusPerMember: 1, cpusPerMember: 8 }],
          }),
        ],
      },
    },
    policy: preset("kube-scheduler", { deschedulingIntervalMs: 10 * MINUTE_MS }, TIDY),
    openAt: openAtMin(15, "small"),
    source: {
      name: "Descheduler",
      link: "https://github.com/kubernetes-sigs/descheduler",
    },
  },
];
