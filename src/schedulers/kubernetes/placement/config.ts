/**
 * How one pool's kube-scheduler is set: its settings, with a KubeSchedulerConfiguration of the YAML before them, and the priorities of tiers. A tier is a
 * PriorityClass: the one of its name in the YAML, else the one marked `globalDefault`, else 0. Without any PriorityClass the order of tiers counts, 1,000 a step.
 */
import type {
  PodDisruptionBudget,
  PreemptionPolicy,
  SchedulerConfiguration,
} from "../../../model/kubernetes/config.ts";
import { objectsOf } from "../../../model/kubernetes/config.ts";
import type { PoolSettings } from "../../../model/policy.ts";
import type { TierInfo } from "../../../model/world.ts";
import type {
  ScoredResource,
  ScoreStrategy,
} from "../../../scheduling/kubernetes/kubeScheduler/nodeScore.ts";
import { type AutoscalerConfig, autoscalerOf } from "./autoscaler.ts";
import { type DeschedulerConfig, deschedulerOf } from "./descheduler.ts";
import { type Amounts, CPU, GPU, MEMORY } from "./shapes.ts";

export interface PlacementConfig {
  readonly strategy: ScoreStrategy;
  readonly resources: readonly ScoredResource[];
  /** Of each of these, the index into `Amounts`; −1 = a resource that no node has. */
  readonly resourceAt: readonly number[];
  /** 0 = by the number of nodes. */
  readonly nodesScoredPercent: number;
  readonly preemption: boolean;
  /** Candidates that a preemption looks for: part of the nodes in per cent, and at least so many. */
  readonly candidatePercent: number;
  readonly candidatesLeast: number;
  readonly budgets: readonly PodDisruptionBudget[];
  readonly graceMs: number;
  readonly descheduler: DeschedulerConfig | null;
  readonly autoscaler: AutoscalerConfig | null;
  readonly watchUs: number;
  readonly cycleUs: number;
  /** Time between two binds once the burst is used; 0 = no limit. */
  readonly bindEveryUs: number;
  readonly bindBurst: number;
  /** From the binding call until the pod runs. */
  readonly afterBindUs: number;
  readonly backoffUs: number;
  readonly backoffMostUs: number;
  /** Failures after which the back-off is longest. */
  readonly backoffLevels: number;
  /** By tier. */
  readonly priority: readonly number[];
  readonly policy: readonly PreemptionPolicy[];
  /** Somebody above admits: who was admitted and finds no node holds quota meanwhile, and is told so. */
  readonly admits: boolean;
}

const STEP = 1_000;

/** Settings and YAML of a pool as numbers. O(settings + objects + tiers). */
export function placementConfig(pool: PoolSettings, tiers: readonly TierInfo[]): PlacementConfig {
  const number = (key: string): number => Number(pool.settings[key]);
  const own: Partial<SchedulerConfiguration> =
    objectsOf(pool.kubernetes, "KubeSchedulerConfiguration")[0] ?? {};
  const backoffUs = (own.podInitialBackoffMs ?? number("backoffMs")) * 1_000;
  const backoffMostUs = (own.podMaxBackoffMs ?? number("backoffMostMs")) * 1_000;
  const rate = own.qps ?? number("bindsPerSecond");
  return {
    ...scoringOf(pool, own),
    nodesScoredPercent: own.percentageOfNodesToScore ?? number("nodesScoredPercent"),
    preemption: pool.settings["preemption"] === true && own.noPreemption !== true,
    candidatePercent: own.minCandidateNodesPercentage ?? 10,
    candidatesLeast: own.minCandidateNodesAbsolute ?? 100,
    budgets: objectsOf(pool.kubernetes, "PodDisruptionBudget"),
    graceMs: number("graceMs"),
    descheduler: deschedulerOf(pool),
    autoscaler: autoscalerOf(pool),
    watchUs: number("watchDelayMs") * 1_000,
    cycleUs: number("cycleMicros"),
    bindEveryUs: rate > 0 ? Math.round(1_000_000 / rate) : 0,
    bindBurst: own.burst ?? number("bindBurst"),
    afterBindUs: (number("bindMs") + number("podStartMs")) * 1_000,
    backoffUs,
    backoffMostUs,
    backoffLevels: 1 + doublings(backoffMostUs / backoffUs),
    ...prioritiesOf(pool, tiers),
    admits: pool.preset === "kueue",
  };
}

/** Doublings that reach a factor. */
function doublings(factor: number): number {
  let count = 0;
  for (let reached = 1; reached < factor; reached *= 2) count++;
  return count;
}

function scoringOf(
  pool: PoolSettings,
  own: Partial<SchedulerConfiguration>,
): Pick<PlacementConfig, "strategy" | "resources" | "resourceAt"> {
  const gpus = pool.settings["scoreGpus"] === true ? [{ name: "nvidia.com/gpu", weight: 1 }] : [];
  const { type, resources, shape } = own.scoring ?? {
    type: pool.settings["scoring"] === "MostAllocated" ? "MostAllocated" : "LeastAllocated",
    resources: [{ name: "cpu", weight: 1 }, { name: "memory", weight: 1 }, ...gpus],
    shape: [],
  };
  return {
    strategy: type === "RequestedToCapacityRatio" ? { type, shape } : { type },
    resources: resources.map(({ name, weight }) => ({
      weight,
      extended: name !== "cpu" && name !== "memory",
    })),
    resourceAt: resources.map(({ name }) => INDEX_OF[name] ?? -1),
  };
}

const INDEX_OF: Readonly<Record<string, number>> = {
  cpu: CPU,
  memory: MEMORY,
  "nvidia.com/gpu": GPU,
} satisfies Record<string, keyof Amounts & number>;

function prioritiesOf(
  pool: PoolSettings,
  tiers: readonly TierInfo[],
): Pick<PlacementConfig, "priority" | "policy"> {
  const classes = objectsOf(pool.kubernetes, "PriorityClass");
  if (classes.length === 0)
    return {
      priority: tiers.map((_, tier) => (tiers.length - 1 - tier) * STEP),
      policy: tiers.map(() => "PreemptLowerPriority"),
    };
  const standard = classes.find((entry) => entry.globalDefault);
  const ofTier = tiers.map(({ id }) => classes.find(({ name }) => name === id) ?? standard);
  return {
    priority: ofTier.map((found) => found?.value ?? 0),
    policy: ofTier.map((found) => found?.preemptionPolicy ?? "PreemptLowerPriority"),
  };
}
