/** Volcano: deserved amounts, gates, victims and scores, as the rules of its plugins and actions give them. */
import { binpackScore } from "../../scheduling/kubernetes/volcano/binpack.ts";
import { deservedAmounts } from "../../scheduling/kubernetes/volcano/deserved.ts";
import { evictableFor, type GangJob } from "../../scheduling/kubernetes/volcano/gang.ts";
import { hyperNodeScores } from "../../scheduling/kubernetes/volcano/hyperNodes.ts";
import { mayAllocate, mayEnqueue } from "../../scheduling/kubernetes/volcano/queueGate.ts";
import {
  type ReclaimQueue,
  type ReclaimTask,
  reclaimVictims,
} from "../../scheduling/kubernetes/volcano/reclaim.ts";
import type { VectorCheck } from "./schedVectors.ts";
import { listOf, type Named, namedOf, resourcesOf } from "./vectorAmounts.ts";

interface DeservedInput {
  readonly total: Named;
  readonly queues: readonly {
    readonly name: string;
    readonly weight: number;
    readonly request: Named;
    readonly capability?: Named;
    readonly guarantee?: Named;
  }[];
}

export const volcanoDeserved: VectorCheck = (input) => {
  const { total, queues } = input as unknown as DeservedInput;
  const resources = resourcesOf(
    total,
    ...queues.flatMap(({ request, guarantee }) => [request, guarantee]),
  );
  const amounts = deservedAmounts(
    listOf(resources, total),
    queues.map((queue) => ({
      name: queue.name,
      weight: queue.weight,
      priority: 0,
      request: listOf(resources, queue.request),
      capability: listOf(resources, queue.capability, Number.POSITIVE_INFINITY),
      guarantee: listOf(resources, queue.guarantee),
    })),
  );
  const named = queues.map(({ name }, idx) => [name, namedOf(resources, amounts[idx]!)] as const);
  return { deserved: Object.fromEntries(named) };
};

interface GateInput {
  readonly queue: {
    readonly state?: string;
    readonly capability: Named;
    readonly allocated: Named;
    readonly inqueue: Named;
  };
  readonly deserved: Named;
  readonly job: Named;
}

export const volcanoQueueGate: VectorCheck = (input) => {
  const { queue, deserved, job } = input as unknown as GateInput;
  const resources = resourcesOf(job, queue.capability, queue.allocated, queue.inqueue, deserved);
  const gated = {
    open: (queue.state ?? "Open") === "Open",
    capability: listOf(resources, queue.capability),
    allocated: listOf(resources, queue.allocated),
    inqueue: listOf(resources, queue.inqueue),
    elastic: listOf(resources, {}),
  };
  const request = listOf(resources, job);
  return {
    enqueue: mayEnqueue(gated, request),
    allocate: mayAllocate(gated, listOf(resources, deserved), request),
  };
};

interface GangInput {
  readonly jobs: readonly Omit<GangJob, "running">[];
  readonly running: readonly {
    readonly name: string;
    readonly job: string;
    readonly preemptable: boolean;
  }[];
  readonly preemptor: { readonly job: string };
}

export const volcanoGangEvictable: VectorCheck = (input) => {
  const { jobs, running, preemptor } = input as unknown as GangInput;
  const byName = new Map<string, GangJob>();
  for (const job of jobs) {
    const members = running.filter((task) => task.job === job.name).length;
    byName.set(job.name, { ...job, running: members });
  }
  const tasks = running.map((task) => ({ ...task, job: byName.get(task.job)! }));
  const evictable = evictableFor(byName.get(preemptor.job)!, tasks);
  return { evictable: evictable.map(({ name }) => name) };
};

interface ReclaimInput {
  readonly total: { readonly cpu: number };
  readonly queues: readonly {
    readonly name: string;
    readonly weight: number;
    readonly priority?: number;
    readonly reclaimable?: boolean;
  }[];
  readonly running: readonly {
    readonly name: string;
    readonly queue: string;
    readonly cpu: number;
    readonly preemptable: boolean;
  }[];
  readonly jobMinAvailable: Readonly<Record<string, number>>;
  readonly incoming: {
    readonly queue: string;
    readonly cpu: number;
    readonly preemptionPolicy?: string;
  };
}

export const volcanoReclaim: VectorCheck = (input) => {
  const { total, queues, running, jobMinAvailable, incoming } = input as unknown as ReclaimInput;
  const heldBy = (queue: string) =>
    running.reduce((sum, task) => sum + (task.queue === queue ? task.cpu : 0), 0);
  const deserved = deservedAmounts(
    [total.cpu],
    queues.map(({ name, weight, priority = 0 }) => ({
      name,
      weight,
      priority,
      request: [heldBy(name) + (name === incoming.queue ? incoming.cpu : 0)],
      capability: [Number.POSITIVE_INFINITY],
      guarantee: [0],
    })),
  );
  const queueOf = new Map<string, ReclaimQueue>();
  const jobOf = new Map<string, GangJob>();
  for (const [idx, { name, priority = 0, reclaimable = true }] of queues.entries()) {
    const allocated = [heldBy(name)];
    queueOf.set(name, { name, priority, reclaimable, deserved: deserved[idx]!, allocated });
    const members = running.filter(({ queue }) => queue === name).length;
    const minAvailable = jobMinAvailable[name] ?? 1;
    jobOf.set(name, { name, queue: name, priority: 0, minAvailable, running: members });
  }
  const tasks = running.map(
    ({ name, queue, cpu, preemptable }): ReclaimTask => ({
      name,
      queue: queueOf.get(queue)!,
      job: jobOf.get(queue)!,
      request: [cpu],
      preemptable,
    }),
  );
  const free = running.reduce((left, { cpu }) => left - cpu, total.cpu);
  const victims = reclaimVictims(
    {
      queue: queueOf.get(incoming.queue)!,
      request: [incoming.cpu],
      never: incoming.preemptionPolicy === "Never",
    },
    [{ free: [free], tasks }],
  );
  return { victims: victims.map(({ name }) => name) };
};

interface ScoreInput {
  readonly plugin: string;
  readonly weights: Named;
  readonly pluginWeight: number;
  readonly task: Named;
  readonly weight: number;
  readonly hyperNodes: readonly {
    readonly name: string;
    readonly tier: number;
    readonly parent?: string;
  }[];
  readonly allocatedHyperNode?: string;
  readonly nodes: readonly {
    readonly name: string;
    readonly allocatable: Named;
    readonly used: Named;
    readonly hyperNode: string;
  }[];
}

export const volcanoNodeScore: VectorCheck = (input) => {
  const asked = input as unknown as ScoreInput;
  const scores = asked.plugin === "binpack" ? binpackScores(asked) : topologyScores(asked);
  return { scores: Object.fromEntries(asked.nodes.map(({ name }, at) => [name, scores[at]!])) };
};

function binpackScores({ task, nodes, weights, pluginWeight }: ScoreInput): number[] {
  const resources = resourcesOf(task);
  return nodes.map(({ allocatable, used }) =>
    binpackScore(
      listOf(resources, task),
      { allocatable: listOf(resources, allocatable), used: listOf(resources, used) },
      listOf(resources, weights),
      pluginWeight,
    ),
  );
}

function topologyScores({ hyperNodes, nodes, weight, allocatedHyperNode }: ScoreInput): number[] {
  const idxOf = (name: string | undefined) => hyperNodes.findIndex((one) => one.name === name);
  return hyperNodeScores(
    hyperNodes.map(({ tier, parent }) => ({ tier, parentIdx: idxOf(parent) })),
    idxOf(allocatedHyperNode),
    nodes.map(({ hyperNode }) => idxOf(hyperNode)),
    hyperNodes.map(() => 0),
    weight,
  );
}
