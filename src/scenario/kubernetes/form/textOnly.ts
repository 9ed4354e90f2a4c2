/** What is read of a kind and has no field of its own, with the reason: the only list of these. The form shows it, and a test holds it against the schemas. */
import type { TextOnly } from "./formSpec.ts";

const STRUCTURE = "Which resources and flavors there are must agree in three places.";
const QUOTAS: readonly TextOnly[] = [
  { path: "spec.resourceGroups[].coveredResources", reason: STRUCTURE },
  { path: "spec.resourceGroups[].flavors[].name", reason: STRUCTURE },
  { path: "spec.resourceGroups[].flavors[].resources[].name", reason: STRUCTURE },
];
const PLUGIN: TextOnly = {
  path: "profiles[].pluginConfig[].name",
  reason: "The form names the plugin when it writes its first argument.",
};
const OTHER = "GPUs, CPUs and memory have fields; other resources are added here.";
const HEAD = "The head stands beside the nodes and takes nothing of them.";
const CONTAINERS = "template.spec.containers[].resources";

const TEXT_ONLY: Readonly<Record<string, readonly TextOnly[]>> = {
  "kueue.x-k8s.io ClusterQueue": [
    { path: "spec.cohort", reason: "The older name of cohortName." },
    ...QUOTAS,
  ],
  "kueue.x-k8s.io Cohort": [
    { path: "spec.parent", reason: "The older name of parentName." },
    ...QUOTAS,
  ],
  "kubescheduler.config.k8s.io KubeSchedulerConfiguration": [PLUGIN],
  "descheduler DeschedulerPolicy": [
    PLUGIN,
    { path: "profiles[].plugins.balance.disabled", reason: "What is not enabled does not run." },
  ],
  "scheduling.volcano.sh Queue": [
    { path: "spec.capability", reason: OTHER },
    { path: "spec.guarantee.resource", reason: OTHER },
    { path: "spec.deserved", reason: OTHER },
  ],
  " ConfigMap": [
    {
      path: "data.volcano-scheduler.conf",
      reason:
        "A text in the text: actions, tiers and plugins as the scheduler’s own file has them.",
    },
  ],
  "ray.io RayCluster": [
    { path: "spec.headGroupSpec.rayStartParams", reason: HEAD },
    { path: "spec.headGroupSpec.template.spec.nodeSelector", reason: HEAD },
    { path: `spec.headGroupSpec.${CONTAINERS}.limits`, reason: HEAD },
    { path: `spec.headGroupSpec.${CONTAINERS}.requests`, reason: HEAD },
    {
      path: "spec.workerGroupSpecs[].rayStartParams",
      reason: "num-gpus and num-cpus have fields; the others mean nothing here.",
    },
    {
      path: `spec.workerGroupSpecs[].${CONTAINERS}.limits`,
      reason: "GPUs and CPUs of the first container have fields; the others mean nothing here.",
    },
    {
      path: `spec.workerGroupSpecs[].${CONTAINERS}.requests`,
      reason: "Limits go before them and have fields.",
    },
  ],
};

export function textOnlyOf({
  kind,
  group,
}: {
  readonly kind: string;
  readonly group: string;
}): readonly TextOnly[] {
  return TEXT_ONLY[`${group} ${kind}`] ?? [];
}
