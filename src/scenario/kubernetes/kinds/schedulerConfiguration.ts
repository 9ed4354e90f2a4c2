/**
 * KubeSchedulerConfiguration (kubescheduler.config.k8s.io): back-off, binding rate, nodes to score, and of the first profile the arguments of NodeResourcesFit and
 * DefaultPreemption. Source: kubernetes.io "kube-scheduler Configuration (v1)".
 */
import * as z from "zod/mini";
import { SCORING_TYPES } from "../../../model/kubernetes/config.ts";
import { ignored, kindReader } from "./kindReader.ts";

const seconds = z.number().check(z.gt(0), z.lte(86_400));
const plugin = z.strictObject({ name: z.string(), weight: ignored });
const plugins = z.looseObject({
  postFilter: z.optional(
    z.strictObject({ enabled: ignored, disabled: z._default(z.array(plugin), []) }),
  ),
});
const shape = z
  .array(
    z.strictObject({
      utilization: z.int().check(z.gte(0), z.lte(100)),
      score: z.int().check(z.gte(0), z.lte(10)),
    }),
  )
  .check(z.minLength(1), z.maxLength(101));

const scoringStrategy = z.strictObject({
  type: z._default(z.enum(SCORING_TYPES), "LeastAllocated"),
  resources: z._default(
    z
      .array(
        z.strictObject({
          name: z.string().check(z.minLength(1), z.maxLength(253)),
          weight: z._default(z.int().check(z.gte(1), z.lte(100)), 1),
        }),
      )
      .check(z.minLength(1), z.maxLength(32)),
    [
      { name: "cpu", weight: 1 },
      { name: "memory", weight: 1 },
    ],
  ),
  requestedToCapacityRatio: z.optional(z.strictObject({ shape })),
});

/** Arguments of plugins that are not modelled pass. */
const args = z.looseObject({
  scoringStrategy: z.optional(scoringStrategy),
  minCandidateNodesPercentage: z.optional(z.int().check(z.gte(0), z.lte(100))),
  minCandidateNodesAbsolute: z.optional(z.int().check(z.gte(0), z.lte(100_000))),
});

const profile = z.strictObject({
  schedulerName: ignored,
  percentageOfNodesToScore: z.optional(z.int().check(z.gte(0), z.lte(100))),
  plugins: z.optional(plugins),
  pluginConfig: z._default(z.array(z.strictObject({ name: z.string(), args })), []),
});

const schema = z.strictObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: ignored,
  parallelism: ignored,
  leaderElection: ignored,
  enableProfiling: ignored,
  enableContentionProfiling: ignored,
  extenders: ignored,
  delayCacheUntilActive: ignored,
  clientConnection: z.optional(
    z.looseObject({
      qps: z.optional(z.number().check(z.gt(0), z.lte(100_000))),
      burst: z.optional(z.int().check(z.gte(1), z.lte(1_000_000))),
    }),
  ),
  percentageOfNodesToScore: z.optional(z.int().check(z.gte(0), z.lte(100))),
  podInitialBackoffSeconds: z.optional(seconds),
  podMaxBackoffSeconds: z.optional(seconds),
  profiles: z._default(z.array(profile).check(z.maxLength(16)), []),
});

const toMs = (given: number | undefined): number | null =>
  given === undefined ? null : Math.round(given * 1_000);

export const schedulerConfiguration = kindReader(
  "KubeSchedulerConfiguration",
  "kubescheduler.config.k8s.io",
  schema,
  (value) => {
    const [first] = value.profiles;
    const argsOf = (name: string) => first?.pluginConfig.find((entry) => entry.name === name)?.args;
    const strategy = argsOf("NodeResourcesFit")?.scoringStrategy;
    const preemption = argsOf("DefaultPreemption");
    return {
      kind: "KubeSchedulerConfiguration",
      name: "",
      namespace: "",
      percentageOfNodesToScore:
        first?.percentageOfNodesToScore ?? value.percentageOfNodesToScore ?? null,
      podInitialBackoffMs: toMs(value.podInitialBackoffSeconds),
      podMaxBackoffMs: toMs(value.podMaxBackoffSeconds),
      qps: value.clientConnection?.qps ?? null,
      burst: value.clientConnection?.burst ?? null,
      scoring: strategy
        ? {
            type: strategy.type,
            resources: strategy.resources,
            shape: strategy.requestedToCapacityRatio?.shape ?? [],
          }
        : null,
      minCandidateNodesPercentage: preemption?.minCandidateNodesPercentage ?? null,
      minCandidateNodesAbsolute: preemption?.minCandidateNodesAbsolute ?? null,
      noPreemption:
        first?.plugins?.postFilter?.disabled.some(
          ({ name }) => name === "*" || name === "DefaultPreemption",
        ) ?? false,
    };
  },
);
