/** Kueue around admission: order in a queue, partial admission, topology, remembered use and requeueing, as its rules give them. */
import { largestSize } from "../../scheduling/kubernetes/kueue/partialAdmission.ts";
import {
  addPending,
  headOf,
  type Pending,
  pendingQueue,
  refuseHead,
  takeHead,
} from "../../scheduling/kubernetes/kueue/pendingQueue.ts";
import { requeueDelayMs } from "../../scheduling/kubernetes/kueue/requeueBackoff.ts";
import { assignTopology } from "../../scheduling/kubernetes/kueue/topology.ts";
import { freeStart, topologyTree } from "../../scheduling/kubernetes/kueue/topologyDomains.ts";
import { decayed, entryPenalty, usageValue } from "../../scheduling/kubernetes/kueue/usageDecay.ts";
import type { VectorCheck } from "./schedVectors.ts";
import { listOf, type Named, resourcesOf } from "./vectorAmounts.ts";

interface OrderInput {
  readonly strategy: "StrictFIFO" | "BestEffortFIFO";
  readonly freeQuota: number;
  readonly pending: readonly {
    readonly name: string;
    readonly amount: number;
    readonly priority: number;
    readonly created: number;
  }[];
}

export const kueueQueueOrder: VectorCheck = (input) => {
  const { strategy, freeQuota, pending } = input as unknown as OrderInput;
  const queue = pendingQueue<Pending>(strategy === "StrictFIFO");
  for (const { name, amount, priority, created } of pending)
    addPending(queue, {
      name,
      queue: 0,
      priority,
      queuedMs: created,
      admittedMs: 0,
      evicted: false,
      amounts: [{ cell: 0, amount }],
      shape: JSON.stringify([amount, priority]),
    });
  const admitted: string[] = [];
  let free = freeQuota;
  for (let head = headOf(queue); head; head = headOf(queue)) {
    const { amount } = head.amounts[0]!;
    if (amount <= free) {
      free -= amount;
      admitted.push(takeHead(queue).name);
    } else {
      refuseHead(queue);
      if (headOf(queue) === head) break;
    }
  }
  const left = pending.map(({ name }) => name).filter((name) => !admitted.includes(name));
  return { admitted, pending: left };
};

interface PartialInput {
  readonly podSets: readonly {
    readonly count: number;
    readonly minCount?: number;
    readonly perPod: number;
  }[];
  readonly availableQuota: number;
}

export const kueuePartialAdmission: VectorCheck = (input) => {
  const { podSets, availableQuota } = input as unknown as PartialInput;
  const sets = podSets.map(({ count, minCount = count }) => ({ count, minCount }));
  const needed = (counts: readonly number[]) =>
    podSets.reduce((sum, { perPod }, at) => sum + perPod * counts[at]!, 0);
  return { counts: largestSize(sets, (counts) => needed(counts) <= availableQuota) };
};

interface TopologyInput {
  readonly levels: readonly string[];
  readonly nodes: readonly { readonly path: readonly string[]; readonly free: Named }[];
  readonly request: {
    readonly mode: "required" | "preferred" | "unconstrained";
    readonly level?: string;
    readonly count: number;
    readonly perPod: Named;
    readonly sliceSize?: number;
    readonly sliceLevel?: string;
  };
}

export const kueueTopology: VectorCheck = (input) => {
  const { levels, nodes, request } = input as unknown as TopologyInput;
  const { mode, count, level = "", sliceSize = 1, sliceLevel = levels.at(-1)! } = request;
  const slices = sliceSize > 1 || request.sliceLevel !== undefined;
  // Every pod takes one of the node's places for pods.
  const perPod = { pods: 1, ...request.perPod };
  const resources = resourcesOf(perPod);
  const paths = nodes.map(({ path }) => path);
  const { tree, leafOfNode } = topologyTree(levels.length, paths);
  const free = new Float64Array(nodes.length * resources.length);
  for (const [idx, node] of nodes.entries())
    for (const [at, amount] of listOf(resources, node.free).entries())
      free[leafOfNode[idx]! * resources.length + at]! += amount;
  const assignment = assignTopology(tree, free, {
    mode,
    level: mode === "unconstrained" ? freeStart(levels.length, slices) : levels.indexOf(level),
    count,
    perPod: listOf(resources, perPod),
    sliceSize,
    sliceLevel: levels.indexOf(sliceLevel),
  });
  return { assignment: assignment?.map(({ path, pods }) => ({ domain: path, pods })) ?? null };
};

type DecayInput =
  | {
      readonly op: "decay";
      readonly start: number;
      readonly halfLifeSeconds: number;
      readonly samples: readonly { readonly elapsed: number; readonly running: number }[];
    }
  | {
      readonly op: "penalty";
      readonly requests: Named;
      readonly samplingSeconds: number;
      readonly halfLifeSeconds: number;
    }
  | {
      readonly op: "usage";
      readonly consumed: Named;
      readonly penalty: Named;
      readonly resourceWeights: Named;
      readonly queueWeight: number;
    };

const SECOND_MS = 1000;

export const kueueUsageDecay: VectorCheck = (input) => {
  const asked = input as unknown as DecayInput;
  if (asked.op === "usage") {
    const { consumed, penalty, resourceWeights, queueWeight } = asked;
    const resources = resourcesOf(consumed, penalty);
    const usage = usageValue(
      listOf(resources, consumed),
      listOf(resources, penalty),
      listOf(resources, resourceWeights, 1),
      queueWeight,
    );
    return { usage: usage === Number.POSITIVE_INFINITY ? "inf" : usage };
  }
  const halfLifeMs = asked.halfLifeSeconds * SECOND_MS;
  if (asked.op === "decay") {
    const consumed = asked.samples.reduce(
      (kept, { elapsed, running }) => decayed(kept, running, elapsed * SECOND_MS, halfLifeMs),
      asked.start,
    );
    return { consumed };
  }
  const samplingMs = asked.samplingSeconds * SECOND_MS;
  const penalty = Object.entries(asked.requests).map(
    ([name, request]) => [name, entryPenalty(request, samplingMs, halfLifeMs)] as const,
  );
  return { penalty: Object.fromEntries(penalty) };
};

interface BackoffInput {
  readonly baseSeconds: number;
  readonly maxSeconds: number;
  readonly limitCount: number | null;
  readonly evictions: number;
}

export const kueueRequeueBackoff: VectorCheck = (input) => {
  const { baseSeconds, maxSeconds, limitCount, evictions } = input as unknown as BackoffInput;
  const rule = {
    baseMs: baseSeconds * SECOND_MS,
    maxMs: maxSeconds * SECOND_MS,
    limit: limitCount ?? Number.POSITIVE_INFINITY,
  };
  const delays: number[] = [];
  for (let nth = 1; nth <= evictions; nth++) {
    const delayMs = requeueDelayMs(rule, nth);
    if (delayMs === null) return { delays, deactivated: true };
    delays.push(delayMs / SECOND_MS);
  }
  return { delays, deactivated: false };
};
