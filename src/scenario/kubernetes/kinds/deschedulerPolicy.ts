/**
 * DeschedulerPolicy (descheduler): of its profiles the plugins LowNodeUtilization, HighNodeUtilization and DefaultEvictor. Arguments of other plugins pass; enabling one of
 * them does nothing here. Source: kubernetes-sigs/descheduler `pkg/api/v1alpha2`, `pkg/framework/plugins/{nodeutilization,defaultevictor}`.
 */
import * as z from "zod/mini";
import {
  type BalanceConfig,
  type EvictorConfig,
  type Thresholds,
  UTILIZATION_RESOURCES,
} from "../../../model/kubernetes/deschedulerConfig.ts";
import { ignored, kindReader, labels, objectName } from "./kindReader.ts";

const COUNT_MOST = 1_000_000;
const count = z.int().check(z.gte(0), z.lte(COUNT_MOST));
const percent = z.optional(z.number().check(z.gte(0), z.lte(100)));
const [cpu, memory, gpus, pods] = UTILIZATION_RESOURCES;
const thresholds = z.strictObject({
  [cpu]: percent,
  [memory]: percent,
  [gpus]: percent,
  [pods]: percent,
});
const MS_OF: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };
const duration = z.string().check(
  z.regex(/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|h|m|s))+$/, {
    error: "A duration is written like 5m, 90s or 1h30m.",
  }),
);
const namespaces = z.optional(
  z.strictObject({ exclude: z._default(z.array(objectName).check(z.maxLength(256)), []) }),
);

const utilization = {
  thresholds: z.optional(thresholds),
  targetThresholds: z.optional(thresholds),
  useDeviationThresholds: z._default(z.boolean(), false),
  numberOfNodes: z._default(count, 0),
  evictableNamespaces: namespaces,
  evictionLimits: z.optional(z.strictObject({ node: z.optional(count) })),
};
const evictor = {
  nodeFit: z._default(z.boolean(), false),
  minReplicas: z._default(count, 0),
  minPodAge: z.optional(duration),
  priorityThreshold: z.optional(
    z.strictObject({
      value: z.optional(z.int().check(z.gte(-2_147_483_648), z.lte(2_147_483_647))),
      name: z.optional(objectName),
    }),
  ),
  labelSelector: z.optional(z.strictObject({ matchLabels: z._default(labels, {}) })),
};
/** Arguments of plugins that are not modelled pass. */
const args = z.looseObject({ ...utilization, ...evictor });
const names = z._default(z.array(z.string().check(z.maxLength(253))).check(z.maxLength(64)), []);

const profile = z.strictObject({
  name: ignored,
  pluginConfig: z._default(
    z.array(z.strictObject({ name: z.string(), args })).check(z.maxLength(64)),
    [],
  ),
  plugins: z.optional(
    z.looseObject({ balance: z.optional(z.strictObject({ enabled: names, disabled: names })) }),
  ),
});
type Profile = z.output<typeof profile>;

const schema = z.strictObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: ignored,
  nodeSelector: ignored,
  evictionFailureEventNotification: ignored,
  metricsCollector: ignored,
  metricsProviders: ignored,
  maxNoOfPodsToEvictPerNode: z.optional(count),
  maxNoOfPodsToEvictPerNamespace: z.optional(count),
  maxNoOfPodsToEvictTotal: z.optional(count),
  gracePeriodSeconds: z.optional(z.int().check(z.gte(0), z.lte(86_400))),
  profiles: z._default(z.array(profile).check(z.maxLength(16)), []),
});

const argsOf = ({ pluginConfig }: Profile, name: string) =>
  pluginConfig.find((entry) => entry.name === name)?.args;

function msOf(given: string | undefined): number {
  let ms = 0;
  for (const [, amount, unit] of (given ?? "").matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g))
    ms += Number(amount) * MS_OF[unit!]!;
  return Math.round(ms);
}

function evictorOf(profile: Profile): EvictorConfig {
  const given = argsOf(profile, "DefaultEvictor");
  return {
    nodeFit: given?.nodeFit ?? false,
    minReplicas: given?.minReplicas ?? 0,
    minPodAgeMs: msOf(given?.minPodAge),
    priorityThreshold: given?.priorityThreshold?.value ?? given?.priorityThreshold?.name ?? null,
    matchLabels: given?.labelSelector?.matchLabels ?? null,
  };
}

const thresholdsOf = (given: z.output<typeof thresholds> | undefined): Thresholds => [
  given?.[cpu] ?? null,
  given?.[memory] ?? null,
  given?.[gpus] ?? null,
  given?.[pods] ?? null,
];

function balanceOf(profile: Profile): BalanceConfig[] {
  return (profile.plugins?.balance?.enabled ?? []).flatMap((plugin) => {
    if (plugin !== "LowNodeUtilization" && plugin !== "HighNodeUtilization") return [];
    const given = argsOf(profile, plugin);
    return [
      {
        plugin,
        thresholds: thresholdsOf(given?.thresholds),
        targets: thresholdsOf(given?.targetThresholds),
        deviation: plugin === "LowNodeUtilization" && (given?.useDeviationThresholds ?? false),
        numberOfNodes: given?.numberOfNodes ?? 0,
        nodeLimit: given?.evictionLimits?.node ?? null,
        excluded: given?.evictableNamespaces?.exclude ?? [],
      },
    ];
  });
}

export const deschedulerPolicy = kindReader(
  "DeschedulerPolicy",
  "descheduler",
  schema,
  (value) => ({
    kind: "DeschedulerPolicy",
    name: "",
    namespace: "",
    mostPerNode: value.maxNoOfPodsToEvictPerNode ?? null,
    mostPerNamespace: value.maxNoOfPodsToEvictPerNamespace ?? null,
    mostTotal: value.maxNoOfPodsToEvictTotal ?? null,
    graceMs: value.gracePeriodSeconds === undefined ? null : value.gracePeriodSeconds * 1_000,
    profiles: value.profiles.map((profile) => ({
      evictor: evictorOf(profile),
      balance: balanceOf(profile),
    })),
  }),
);
