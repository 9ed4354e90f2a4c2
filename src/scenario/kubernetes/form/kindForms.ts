/** The fields of each kind that the form has: those that change what a preset decides. What is not here stays in the text, which the form does not touch. */
import type { FieldForm, KindForm, Path } from "./formSpec.ts";

const GPU = "nvidia.com/gpu";

const field = (
  path: Path,
  label: string,
  kind: FieldForm["kind"],
  sentence: string,
  more: Partial<FieldForm> = {},
): FieldForm => ({ path, label, kind, sentence, ...more });

const choice = (
  path: Path,
  label: string,
  options: readonly string[],
  sentence: string,
): FieldForm => field(path, label, "enum", sentence, { options, absent: options[0]! });

const NAME = field(["metadata", "name"], "Name", "text", "What others refer to.", { needed: true });

const weight = (sentence: string) =>
  field(["spec", "fairSharing", "weight"], "Weight", "amount", sentence, { absent: "1" });

const QUOTAS = {
  path: ["spec", "resourceGroups", "*", "flavors", "*", "resources", "*"],
  names: ["flavor", "resource"],
  fields: [
    field(["nominalQuota"], "Nominal quota", "amount", "Its own.", { needed: true }),
    field(["borrowingLimit"], "Borrowing limit", "amount", "Beyond its own, of what others lend.", {
      absent: "no limit",
    }),
    field(["lendingLimit"], "Lending limit", "amount", "Of its own, to others of its cohort.", {
      absent: "all",
    }),
  ],
} as const;

const CLUSTER_QUEUE: KindForm = {
  kind: "ClusterQueue",
  group: "kueue.x-k8s.io",
  fields: [
    NAME,
    field(["spec", "cohortName"], "Cohort", "text", "With whom it lends and borrows.", {
      absent: "none",
    }),
    choice(
      ["spec", "queueingStrategy"],
      "Strategy",
      ["BestEffortFIFO", "StrictFIFO"],
      "Whether later workloads pass a head that does not fit.",
    ),
    choice(
      ["spec", "preemption", "withinClusterQueue"],
      "Preempts in its own queue",
      ["Never", "LowerPriority", "LowerOrNewerEqualPriority"],
      "Whose workloads of the same queue may be evicted.",
    ),
    choice(
      ["spec", "preemption", "reclaimWithinCohort"],
      "Takes back what it lent",
      ["Never", "LowerPriority", "Any"],
      "From queues that borrow, up to its own quota.",
    ),
    choice(
      ["spec", "preemption", "borrowWithinCohort", "policy"],
      "Preempts while it borrows",
      ["Never", "LowerPriority"],
      "Also beyond its own quota.",
    ),
    field(
      ["spec", "preemption", "borrowWithinCohort", "maxPriorityThreshold"],
      "Up to priority",
      "integer",
      "Workloads above it are safe from that.",
      { absent: "no threshold" },
    ),
    choice(
      ["spec", "flavorFungibility", "whenCanBorrow"],
      "Flavor that means borrowing",
      ["MayStopSearch", "TryNextFlavor"],
      "Taken, or the next one tried first.",
    ),
    choice(
      ["spec", "flavorFungibility", "whenCanPreempt"],
      "Flavor that means preempting",
      ["TryNextFlavor", "MayStopSearch"],
      "Taken, or the next one tried first.",
    ),
    weight("Under fair sharing, among queues that borrow."),
  ],
  rows: [QUOTAS],
};

const KUEUE: readonly KindForm[] = [
  CLUSTER_QUEUE,
  {
    kind: "Cohort",
    group: "kueue.x-k8s.io",
    fields: [
      NAME,
      field(["spec", "parentName"], "Parent", "text", "The cohort above.", { absent: "none" }),
      weight("Under fair sharing, among cohorts that borrow."),
    ],
    rows: [QUOTAS],
  },
  {
    kind: "LocalQueue",
    group: "kueue.x-k8s.io",
    fields: [
      NAME,
      field(["metadata", "namespace"], "Namespace", "text", "Whose jobs it takes: a team.", {
        absent: "every one",
      }),
      field(["spec", "clusterQueue"], "ClusterQueue", "text", "Where its workloads queue.", {
        needed: true,
      }),
      weight("Under admission fair sharing."),
    ],
  },
  {
    kind: "ResourceFlavor",
    group: "kueue.x-k8s.io",
    fields: [
      NAME,
      field(["spec", "topologyName"], "Topology", "text", "Levels that workloads may ask for.", {
        absent: "none",
      }),
    ],
  },
  {
    kind: "WorkloadPriorityClass",
    group: "kueue.x-k8s.io",
    fields: [
      NAME,
      field(["value"], "Value", "integer", "Larger goes first in Kueue; pods keep their own.", {
        needed: true,
      }),
    ],
  },
];

const NODE_FIT: Path = ["profiles", 0, "pluginConfig", { named: "NodeResourcesFit" }, "args"];

const LOW_USE: Path = ["profiles", 0, "pluginConfig", { named: "LowNodeUtilization" }, "args"];

const perCent = (path: Path, label: string, sentence: string): FieldForm =>
  field(path, label, "number", sentence, { absent: "not said" });
const most = (key: string, label: string): FieldForm =>
  field([key], label, "integer", "Evictions in one round.", { absent: "no limit" });

const DESCHEDULER: KindForm = {
  kind: "DeschedulerPolicy",
  group: "descheduler",
  fields: [
    perCent(
      [...LOW_USE, "thresholds", GPU],
      "Underused up to",
      "LowNodeUtilization: per cent of a node's devices that are asked for.",
    ),
    perCent(
      [...LOW_USE, "targetThresholds", GPU],
      "Overused above",
      "LowNodeUtilization: per cent of a node's devices down to which pods are evicted.",
    ),
    most("maxNoOfPodsToEvictPerNode", "From one node, most"),
    most("maxNoOfPodsToEvictPerNamespace", "From one namespace, most"),
    most("maxNoOfPodsToEvictTotal", "In all, most"),
    field(["gracePeriodSeconds"], "Grace", "number", "In seconds.", { absent: "the pod's own" }),
  ],
};

const KUBERNETES: readonly KindForm[] = [
  DESCHEDULER,
  {
    kind: "KubeSchedulerConfiguration",
    group: "kubescheduler.config.k8s.io",
    fields: [
      choice(
        [...NODE_FIT, "scoringStrategy", "type"],
        "Scoring",
        ["LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"],
        "Which nodes score high: empty ones, full ones, or as a curve says.",
      ),
      field(["podInitialBackoffSeconds"], "First back-off", "number", "In seconds.", {
        absent: "1",
      }),
      field(["podMaxBackoffSeconds"], "Longest back-off", "number", "In seconds.", {
        absent: "10",
      }),
      field(
        ["percentageOfNodesToScore"],
        "Nodes to score",
        "integer",
        "Per cent of the nodes, where many fit; 0: by their number.",
        { absent: "0" },
      ),
      field(["clientConnection", "qps"], "Binds per second", "number", "Once the burst is used.", {
        absent: "50",
      }),
      field(["clientConnection", "burst"], "Bind burst", "integer", "Bound at once.", {
        absent: "100",
      }),
    ],
    rows: [
      {
        path: ["profiles", "*", "pluginConfig", "*", "args", "scoringStrategy", "resources", "*"],
        names: ["", "", "resource"],
        fields: [
          field(["weight"], "Weight", "integer", "In the score of a node.", { absent: "1" }),
        ],
      },
    ],
  },
  {
    kind: "PriorityClass",
    group: "scheduling.k8s.io",
    fields: [
      NAME,
      field(["value"], "Value", "integer", "Larger goes first.", { needed: true }),
      choice(
        ["preemptionPolicy"],
        "Evicts",
        ["PreemptLowerPriority", "Never"],
        "Never: it keeps its place in the queue and waits.",
      ),
      field(["globalDefault"], "Default", "boolean", "For pods that name no class.", {
        absent: "false",
      }),
    ],
  },
  {
    kind: "PodDisruptionBudget",
    group: "policy",
    fields: [
      NAME,
      field(["spec", "minAvailable"], "Available at least", "share", "Pods, or per cent of them.", {
        absent: "not said",
      }),
      field(["spec", "maxUnavailable"], "Gone at most", "share", "Pods, or per cent of them.", {
        absent: "not said",
      }),
    ],
  },
];

const gpusOf = (path: readonly string[], label: string, sentence: string) =>
  field([...path, GPU], label, "amount", sentence, { absent: "not said" });

const VOLCANO: readonly KindForm[] = [
  {
    kind: "Queue",
    group: "scheduling.volcano.sh",
    fields: [
      NAME,
      field(["spec", "weight"], "Weight", "integer", "Plugin proportion: its part among queues.", {
        absent: "1",
      }),
      field(["spec", "priority"], "Priority", "integer", "Before shares are compared.", {
        absent: "0",
      }),
      field(["spec", "parent"], "Parent", "text", "Plugin capacity: the queue above.", {
        absent: "root",
      }),
      gpusOf(["spec", "capability"], "GPUs at most", "Never more."),
      gpusOf(["spec", "guarantee", "resource"], "GPUs kept", "Kept for it, used or not."),
      gpusOf(["spec", "deserved"], "GPUs deserved", "Plugin capacity: taken back up to that."),
      field(["spec", "reclaimable"], "Reclaimable", "boolean", "Others may take from it.", {
        absent: "true",
      }),
    ],
  },
  {
    kind: "HyperNode",
    group: "topology.volcano.sh",
    fields: [
      NAME,
      field(["spec", "tier"], "Tier", "integer", "Lower is closer together.", { needed: true }),
    ],
  },
];

const shareOf = (resource: "gpu" | "cpu" | "memory", unit: string): FieldForm[] => [
  field(["spec", "resources", resource, "quota"], `${unit}: quota`, "number", "−1: unlimited.", {
    absent: "0",
  }),
  field(
    ["spec", "resources", resource, "limit"],
    `${unit}: limit`,
    "number",
    "−1: none. Without the field it may use nothing.",
    { absent: "0" },
  ),
  field(
    ["spec", "resources", resource, "overQuotaWeight"],
    `${unit}: over-quota weight`,
    "number",
    "Its part of what is left over.",
    { absent: "0" },
  ),
];

const KAI: readonly KindForm[] = [
  {
    kind: "Queue",
    group: "scheduling.run.ai",
    fields: [
      NAME,
      field(["spec", "parentQueue"], "Parent", "text", "The queue above.", { absent: "none" }),
      field(["spec", "priority"], "Priority", "integer", "Orders who gets what is left over.", {
        absent: "100",
      }),
      ...shareOf("gpu", "GPUs"),
      ...shareOf("cpu", "CPUs (1/1,000)"),
      ...shareOf("memory", "Memory (MB)"),
      field(
        ["spec", "preemptMinRuntime"],
        "Safe from preemption for",
        "text",
        "Such as 10m or 1h30m.",
        { absent: "not said" },
      ),
      field(
        ["spec", "reclaimMinRuntime"],
        "Safe from reclaim for",
        "text",
        "Such as 10m or 1h30m.",
        {
          absent: "not said",
        },
      ),
    ],
  },
];

const RAY: readonly KindForm[] = [
  {
    kind: "RayCluster",
    group: "ray.io",
    fields: [
      NAME,
      field(["spec", "enableInTreeAutoscaling"], "Autoscaling", "boolean", "Workers by demand.", {
        absent: "false",
      }),
      choice(
        ["spec", "autoscalerOptions", "upscalingMode"],
        "Upscaling",
        ["Default", "Aggressive", "Conservative"],
        "How many workers are launched at a time.",
      ),
      field(
        ["spec", "autoscalerOptions", "idleTimeoutSeconds"],
        "Idle timeout",
        "integer",
        "Seconds until an idle worker goes.",
        { absent: "60" },
      ),
    ],
    rows: [
      {
        path: ["spec", "workerGroupSpecs", "*"],
        names: ["worker group"],
        fields: [
          field(["replicas"], "Workers", "integer", "To begin with.", { absent: "the least" }),
          field(["minReplicas"], "At least", "integer", "Workers kept.", { absent: "0" }),
          field(["maxReplicas"], "At most", "integer", "Workers.", { absent: "no limit" }),
          field(["idleTimeoutSeconds"], "Idle timeout", "integer", "In seconds.", {
            absent: "the cluster’s",
          }),
        ],
      },
    ],
  },
];

export const KIND_FORMS: readonly KindForm[] = [
  ...KUEUE,
  ...KUBERNETES,
  ...VOLCANO,
  ...KAI,
  ...RAY,
];

/** The form of an object; undefined for a kind that is in the text only. */
export function formOf(kind: unknown, apiVersion: unknown): KindForm | undefined {
  const group = String(apiVersion ?? "").split("/")[0];
  return KIND_FORMS.find((form) => form.kind === kind && form.group === group);
}
