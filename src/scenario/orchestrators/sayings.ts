/** Sentences that are often repeated and wrong, and that belong to no row of the comparison; each has a small world of its own that shows what happens instead, judged by the suite like the cells. */
import { MINUTE_MS } from "../../model/units.ts";
import type { PolicyInput, Source, World } from "./cell.ts";
import { CLUSTER, pods, preset } from "./policies.ts";

export interface Saying {
  readonly id: string;
  readonly claim: string;
  readonly truth: string;
  /** What is seen, of the jobs of its world. */
  readonly look: string;
  readonly world: World;
  readonly policy: PolicyInput;
  readonly openAt: { readonly cursorMs: number; readonly select: string };
  readonly source: Source;
}

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

const kaiQueue = (name: string, priority: number, gpu: string): string =>
  `apiVersion: scheduling.run.ai/v2
kind: Queue
metadata:
  name: ${name}
spec:
  priority: ${priority}
  resources:
    gpu: ${gpu}
    cpu: { quota: -1, limit: -1, overQuotaWeight: 1 }
    memory: { quota: -1, limit: -1, overQuotaWeight: 1 }
`;

const KAI_QUEUES: Source = {
  name: "KAI Scheduler: queues and fairness",
  link: "https://github.com/kai-scheduler/KAI-Scheduler/tree/main/docs",
};

const elastic = (id: string, atMin: number, queue: string) =>
  pods(id, atMin, 8, 1, 60, {
    queue,
    components: [{ members: 8, gpusPerMember: 1, minMembers: 1 }],
    kubernetes: { minMember: 1 },
  });

export const SAYINGS: readonly Saying[] = [
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
    openAt: { cursorMs: 14 * MINUTE_MS, select: "guarded" },
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
    openAt: { cursorMs: 14 * MINUTE_MS, select: "normal" },
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
    openAt: { cursorMs: 10 * MINUTE_MS, select: "patient" },
    source: POD_PRIORITY,
  },
  {
    id: "deserved",
    claim: "In KAI the queue of higher priority gets everything first.",
    truth: "Quota is granted whatever the priority; priority only says who gets what is left over.",
    look: "blue has the higher priority and takes the surplus at 0:10; red keeps the two GPUs of its quota.",
    world: {
      cluster: CLUSTER,
      queues: ["red", "blue"],
      workload: { jobs: [elastic("red-job", 0, "red"), elastic("blue-job", 10, "blue")] },
    },
    policy: preset(
      "kai",
      {},
      [
        kaiQueue("red", 100, "{ quota: 2, limit: -1, overQuotaWeight: 9 }"),
        kaiQueue("blue", 200, "{ quota: 2, limit: -1, overQuotaWeight: 1 }"),
      ].join("---\n"),
    ),
    openAt: { cursorMs: 15 * MINUTE_MS, select: "red-job" },
    source: KAI_QUEUES,
  },
  {
    id: "no-limit",
    claim: "A KAI queue without a limit is unlimited.",
    truth: "A field that is missing is 0: such a queue may use nothing. Unlimited is −1.",
    look: "all eight GPUs are idle, and waiting never starts.",
    world: {
      cluster: CLUSTER,
      queues: ["bare"],
      horizonMs: 60 * MINUTE_MS,
      workload: { jobs: [pods("waiting", 0, 1, 2, 20, { queue: "bare" })] },
    },
    policy: preset("kai", {}, kaiQueue("bare", 100, "{ quota: 4 }")),
    openAt: { cursorMs: 10 * MINUTE_MS, select: "waiting" },
    source: KAI_QUEUES,
  },
];
