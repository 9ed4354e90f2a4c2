/** What is often said of KAI, and wrong. */
import { MINUTE_MS } from "../../../model/units.ts";
import type { Source } from "../cell.ts";
import { CLUSTER, pods, preset } from "../policies.ts";
import { openAtMin, type Saying } from "./saying.ts";

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

export const KAI_SAYINGS: readonly Saying[] = [
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
    openAt: openAtMin(15, "red-job"),
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
    openAt: openAtMin(10, "waiting"),
    source: KAI_QUEUES,
  },
];
