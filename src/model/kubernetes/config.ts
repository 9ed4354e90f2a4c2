/**
 * The objects that the YAML of a policy describes, under the names of Kubernetes, cut down to what the presets read. Amounts of resources are numbers: CPUs in
 * 1/1,000, memory in MiB, everything else as it is counted. A kind more is a type here (or in a file of its own beside) and a reader in
 * `scenario/kubernetes/kinds/`.
 */

import type { DeschedulerPolicy } from "./deschedulerConfig.ts";
import type { KaiQueue } from "./kaiConfig.ts";
import type { KueueObject } from "./kueueConfig.ts";
import type { RayCluster } from "./rayConfig.ts";
import type { VolcanoObject } from "./volcanoConfig.ts";

export interface KubernetesConfig {
  /** In the order of the text. Two objects of one kind, namespace and name are a problem at the door. */
  readonly objects: readonly KubernetesObject[];
}

export type KubernetesObject =
  | SchedulerConfiguration
  | PriorityClass
  | PodDisruptionBudget
  | DeschedulerPolicy
  | KueueObject
  | VolcanoObject
  | KaiQueue
  | RayCluster;

export interface ObjectName {
  readonly name: string;
  /** "" for kinds without namespace, and where none is given. */
  readonly namespace: string;
}

export interface PriorityClass extends ObjectName {
  readonly kind: "PriorityClass";
  readonly value: number;
  readonly preemptionPolicy: PreemptionPolicy;
  readonly globalDefault: boolean;
}
export type PreemptionPolicy = "PreemptLowerPriority" | "Never";

/** Selects pods by their labels (`request.ts` says which they have). */
export interface PodDisruptionBudget extends ObjectName {
  readonly kind: "PodDisruptionBudget";
  /** One of the two is given; a text ending in % is a part of the pods selected. */
  readonly minAvailable: IntOrPercent | null;
  readonly maxUnavailable: IntOrPercent | null;
  /** None of its own selects every pod; no selector (null) selects none, as `policy/v1` has it. */
  readonly matchLabels: Readonly<Record<string, string>> | null;
}
export interface IntOrPercent {
  readonly amount: number;
  readonly percent: boolean;
}

/** KubeSchedulerConfiguration: what its first profile says. null = the default holds. */
export interface SchedulerConfiguration extends ObjectName {
  readonly kind: "KubeSchedulerConfiguration";
  readonly percentageOfNodesToScore: number | null;
  readonly podInitialBackoffMs: number | null;
  readonly podMaxBackoffMs: number | null;
  readonly qps: number | null;
  readonly burst: number | null;
  readonly scoring: ScoringConfig | null;
  readonly minCandidateNodesPercentage: number | null;
  readonly minCandidateNodesAbsolute: number | null;
  /** DefaultPreemption is switched off. */
  readonly noPreemption: boolean;
}

/** `scoringStrategy` of NodeResourcesFit. */
export interface ScoringConfig {
  readonly type: ScoringType;
  readonly resources: readonly { readonly name: string; readonly weight: number }[];
  /** Of RequestedToCapacityRatio; else empty. */
  readonly shape: readonly { readonly utilization: number; readonly score: number }[];
}
export const SCORING_TYPES = [
  "LeastAllocated",
  "MostAllocated",
  "RequestedToCapacityRatio",
] as const;
export type ScoringType = (typeof SCORING_TYPES)[number];

/** The objects of one kind, in the order of the text. O(objects). */
export function objectsOf<K extends KubernetesObject["kind"]>(
  config: KubernetesConfig | undefined,
  kind: K,
): Extract<KubernetesObject, { kind: K }>[] {
  const found: Extract<KubernetesObject, { kind: K }>[] = [];
  for (const object of config?.objects ?? []) {
    if (object.kind === kind) found.push(object as Extract<KubernetesObject, { kind: K }>);
  }
  return found;
}
