/** Objects to begin with, for each preset in the order in which one needs them, and how one is put at the end of a text or taken out of it. */
import { documentParts } from "./documentParts.ts";
import type { FormObject } from "./formSpec.ts";

export interface NewObject {
  readonly kind: string;
  readonly yaml: string;
}

const object = (kind: string, apiVersion: string, body: string): NewObject => ({
  kind,
  yaml: `apiVersion: ${apiVersion}\nkind: ${kind}\n${body}`,
});

const named = (name: string): string => `metadata:\n  name: ${name}\n`;

const PRIORITY = object("PriorityClass", "scheduling.k8s.io/v1", `${named("high")}value: 1000\n`);
const BUDGET = object(
  "PodDisruptionBudget",
  "policy/v1",
  `${named("budget")}spec:\n  maxUnavailable: 1\n  selector:\n    matchLabels: {}\n`,
);
const SCHEDULER: NewObject = object(
  "KubeSchedulerConfiguration",
  "kubescheduler.config.k8s.io/v1",
  "profiles:\n  - pluginConfig:\n      - name: NodeResourcesFit\n        args:\n          scoringStrategy:\n            type: MostAllocated\n            resources:\n              - name: nvidia.com/gpu\n                weight: 1\n",
);
const DESCHEDULER = object(
  "DeschedulerPolicy",
  "descheduler/v1alpha2",
  "profiles:\n  - name: even\n    pluginConfig:\n      - name: LowNodeUtilization\n        args:\n          thresholds: { nvidia.com/gpu: 20 }\n          targetThresholds: { nvidia.com/gpu: 80 }\n    plugins:\n      balance:\n        enabled: [LowNodeUtilization]\n",
);
const KUEUE_API = "kueue.x-k8s.io/v1beta2";
const KUEUE: readonly NewObject[] = [
  object(
    "ClusterQueue",
    KUEUE_API,
    `${named("queue")}spec:\n  cohortName: all\n  resourceGroups:\n    - coveredResources: [nvidia.com/gpu]\n      flavors:\n        - name: default\n          resources:\n            - name: nvidia.com/gpu\n              nominalQuota: 8\n`,
  ),
  object("LocalQueue", KUEUE_API, `${named("queue")}spec:\n  clusterQueue: queue\n`),
  object("ResourceFlavor", KUEUE_API, named("default")),
  object("Cohort", KUEUE_API, named("all")),
  object(
    "Topology",
    KUEUE_API,
    `${named("racks")}spec:\n  levels:\n    - nodeLabel: topology.kubernetes.io/rack\n    - nodeLabel: kubernetes.io/hostname\n`,
  ),
  object("WorkloadPriorityClass", KUEUE_API, `${named("high")}value: 1000\n`),
];

const VOLCANO: readonly NewObject[] = [
  object("Queue", "scheduling.volcano.sh/v1beta1", `${named("queue")}spec:\n  weight: 1\n`),
  object(
    "HyperNode",
    "topology.volcano.sh/v1alpha1",
    `${named("rack")}spec:\n  tier: 1\n  members:\n    - type: Node\n      selector:\n        exactMatch:\n          name: node-1\n`,
  ),
  object(
    "ConfigMap",
    "v1",
    `${named("volcano-scheduler-configmap")}data:\n  volcano-scheduler.conf: |\n    actions: "enqueue, allocate, backfill"\n    tiers:\n    - plugins:\n      - name: priority\n      - name: gang\n    - plugins:\n      - name: proportion\n`,
  ),
];

const NEW_OBJECTS: Readonly<Record<string, readonly NewObject[]>> = {
  "kube-scheduler": [SCHEDULER, PRIORITY, BUDGET, DESCHEDULER],
  kueue: [...KUEUE, SCHEDULER, PRIORITY, BUDGET, DESCHEDULER, ...VOLCANO],
  volcano: [...VOLCANO, PRIORITY],
  kai: [
    object(
      "Queue",
      "scheduling.run.ai/v2",
      `${named("queue")}spec:\n  resources:\n    gpu: { quota: 8, limit: -1, overQuotaWeight: 1 }\n    cpu: { quota: -1, limit: -1, overQuotaWeight: 1 }\n    memory: { quota: -1, limit: -1, overQuotaWeight: 1 }\n`,
    ),
    PRIORITY,
  ],
  ray: [
    object(
      "RayCluster",
      "ray.io/v1",
      `${named("cluster")}spec:\n  enableInTreeAutoscaling: true\n  workerGroupSpecs:\n    - groupName: gpus\n      replicas: 1\n      minReplicas: 0\n      maxReplicas: 8\n`,
    ),
  ],
};

/** What can be added under a preset. */
export function newObjects(preset: string): readonly NewObject[] {
  return NEW_OBJECTS[preset] ?? [];
}

/** The text with one object more at its end, under a name that none of its kind has. O(text). */
export function withObject(
  text: string,
  { kind, yaml }: NewObject,
  objects: readonly Pick<FormObject, "kind" | "name">[],
): string {
  const taken = new Set(objects.filter((one) => one.kind === kind).map((one) => one.name));
  const [, name = ""] = /^ {2}name: (\S+)$/m.exec(yaml) ?? [];
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name}-${count}`;
  const fresh = yaml.replace(/^ {2}name: \S+$/m, `  name: ${free}`);
  if (text.trim() === "") return fresh;
  return `${text.trimEnd()}\n---\n${fresh}`;
}

/** The text without a document: from its separator to the next one. Comments within go along. O(text). */
export function withoutObject(text: string, document: number): string {
  const kept = documentParts(text).filter((_, index) => index !== document);
  return kept
    .map(({ from, to }) => text.slice(from, to))
    .join("")
    .replace(/^---[ \t]*\n/, "");
}
