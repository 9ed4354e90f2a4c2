/** kube-scheduler: scores of nodes and preemption, as the rules of its default profile give them. */

import {
  type CurvePoint,
  nodeScore,
  type ScoreStrategy,
} from "../../scheduling/kubernetes/kubeScheduler/nodeScore.ts";
import { choosePreemption, mayPreempt } from "../../scheduling/kubernetes/kubeScheduler/preempt.ts";
import type { VectorCheck } from "./schedVectors.ts";
import { listOf, type Named, resourcesOf } from "./vectorAmounts.ts";

interface Node {
  readonly name: string;
  readonly allocatable: Named;
}

interface Pod {
  readonly name: string;
  readonly node: string;
  readonly requests: Named;
}

interface ScoreInput {
  readonly strategy: {
    readonly type: ScoreStrategy["type"];
    readonly shape?: readonly CurvePoint[];
    readonly resources: readonly { readonly name: string; readonly weight: number }[];
  };
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
  readonly incoming: { readonly requests: Named };
}

/** Resources that every node knows; the others are extended. */
const NATIVE = new Set(["cpu", "memory", "ephemeral-storage"]);

export const kubeNodeScore: VectorCheck = (input) => {
  const { strategy, nodes, pods, incoming } = input as unknown as ScoreInput;
  const names = strategy.resources.map(({ name }) => name);
  const resources = strategy.resources.map(({ name, weight }) => ({
    weight,
    extended: !NATIVE.has(name),
  }));
  const { type, shape = [] } = strategy;
  const scoring: ScoreStrategy = type === "RequestedToCapacityRatio" ? { type, shape } : { type };
  const scores = nodes.map(({ name, allocatable }) => {
    const there = pods
      .filter(({ node }) => node === name)
      .map((pod) => listOf(names, pod.requests));
    const score = nodeScore(
      scoring,
      resources,
      listOf(names, allocatable),
      names.map((_, at) => there.reduce((sum, amounts) => sum + amounts[at]!, 0)),
      listOf(names, incoming.requests),
    );
    return [name, score] as const;
  });
  return { scores: Object.fromEntries(scores) };
};

interface PreemptInput {
  readonly nodes: readonly Node[];
  readonly pods: readonly (Pod & {
    readonly priority: number;
    readonly start: number;
    readonly terminatingByPreemption?: boolean;
  })[];
  readonly pdbs?: readonly {
    readonly disruptionsAllowed: number;
    readonly pods: readonly string[];
  }[];
  readonly incoming: {
    readonly priority: number;
    readonly requests: Named;
    readonly preemptionPolicy?: string;
    readonly nominatedNode?: string | null;
  };
}

export const kubePreempt: VectorCheck = (input) => {
  const { nodes, pods, pdbs = [], incoming } = input as unknown as PreemptInput;
  // Where upstream leaves it to chance the vectors go by name.
  const named = [...nodes].sort((left, right) => (left.name < right.name ? -1 : 1));
  const resources = resourcesOf(incoming.requests);
  const preemptor = {
    priority: incoming.priority,
    request: listOf(resources, incoming.requests),
    never: incoming.preemptionPolicy === "Never",
  };
  const leaving = pods.filter(
    (pod) => pod.terminatingByPreemption && pod.node === incoming.nominatedNode,
  );
  if (!mayPreempt(preemptor, leaving)) return { node: null, victims: [] };
  const candidates = named.map(({ name, allocatable }) => {
    const there = pods
      .filter(({ node }) => node === name)
      .map((pod) => ({
        name: pod.name,
        priority: pod.priority,
        startMs: pod.start,
        requests: listOf(resources, pod.requests),
        budgets: pdbs.flatMap((budget, idx) => (budget.pods.includes(pod.name) ? [idx] : [])),
      }));
    const free = listOf(resources, allocatable).map((amount, at) =>
      there.reduce((left, { requests }) => left - requests[at]!, amount),
    );
    return { free, pods: there };
  });
  const budgets = pdbs.map(({ disruptionsAllowed }) => disruptionsAllowed);
  const found = choosePreemption(preemptor, candidates, budgets);
  if (!found) return { node: null, victims: [] };
  return {
    node: named[found.nodeIdx]!.name,
    victims: found.victims.map(({ name }) => name),
    pdbViolations: found.violations,
  };
};
