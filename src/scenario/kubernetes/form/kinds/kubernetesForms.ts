/** Fields of the kinds of Kubernetes itself: PriorityClass, PodDisruptionBudget, KubeSchedulerConfiguration. */
import {
  choice,
  flag,
  integer,
  labels,
  NAME,
  NOT_SAID,
  namespace,
  needed,
  number,
  rows,
  share,
  text,
} from "../fields.ts";
import type { KindForm, Path } from "../formSpec.ts";

const plugin = (named: string): Path => ["profiles", 0, "pluginConfig", { named }, "args"];
const STRATEGY: Path = [...plugin("NodeResourcesFit"), "scoringStrategy"];
const PREEMPTION = plugin("DefaultPreemption");

const SCHEDULER: KindForm = {
  kind: "KubeSchedulerConfiguration",
  group: "kubescheduler.config.k8s.io",
  fields: [
    choice(
      [...STRATEGY, "type"],
      "Scoring",
      ["LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"],
      "Which nodes score high: empty ones, full ones, or as a curve says.",
    ),
    number("podInitialBackoffSeconds", "First back-off", "In seconds.", "1"),
    number("podMaxBackoffSeconds", "Longest back-off", "In seconds.", "10"),
    integer(
      "percentageOfNodesToScore",
      "Nodes to score",
      "Per cent of the nodes, where many fit; 0: by their number.",
      "0",
    ),
    integer(
      ["profiles", 0, "percentageOfNodesToScore"],
      "Nodes to score (profile)",
      "The same; goes before it.",
      NOT_SAID,
    ),
    number("clientConnection.qps", "Binds per second", "Once the burst is used.", "50"),
    integer("clientConnection.burst", "Bind burst", "Bound at once.", "100"),
    integer(
      [...PREEMPTION, "minCandidateNodesPercentage"],
      "Preemption: nodes, per cent",
      "How many nodes are looked at for victims, at least.",
      "10",
    ),
    integer(
      [...PREEMPTION, "minCandidateNodesAbsolute"],
      "Preemption: nodes, number",
      "The same as a number; the larger holds.",
      "100",
    ),
  ],
  rows: [
    rows(
      [...STRATEGY, "resources"],
      "resource",
      [
        needed(text("name", "Resource", "Such as cpu, memory or nvidia.com/gpu.")),
        integer("weight", "Weight", "In the score of a node.", "1"),
      ],
      { value: { name: "cpu", weight: 1 }, unique: "name" },
    ),
    rows(
      [...STRATEGY, "requestedToCapacityRatio", "shape"],
      "point of the curve",
      [
        needed(integer("utilization", "Utilization", "Per cent of a node, rising.")),
        needed(integer("score", "Score", "From 0 to 10.")),
      ],
      { value: { utilization: 100, score: 10 } },
    ),
    rows(
      ["profiles", 0, "plugins", "postFilter", "disabled"],
      "plugin switched off",
      [needed(text("name", "Plugin", "DefaultPreemption or *: nobody is evicted."))],
      { value: { name: "DefaultPreemption" }, unique: "name" },
    ),
  ],
};

export const KUBERNETES_FORMS: readonly KindForm[] = [
  SCHEDULER,
  {
    kind: "PriorityClass",
    group: "scheduling.k8s.io",
    fields: [
      NAME,
      needed(integer("value", "Value", "Larger goes first.")),
      choice(
        "preemptionPolicy",
        "Evicts",
        ["PreemptLowerPriority", "Never"],
        "Never: it keeps its place in the queue and waits.",
      ),
      flag("globalDefault", "Default", "For pods that name no class.", "false"),
    ],
  },
  {
    kind: "PodDisruptionBudget",
    group: "policy",
    fields: [
      NAME,
      namespace("Whose pods it selects: a team.", "every one"),
      {
        ...labels("spec.selector.matchLabels", "Pods with labels", "All of them.", "every pod"),
        staysEmpty: true,
      },
      share("spec.minAvailable", "Available at least", "Pods, or per cent of them.", NOT_SAID),
      share("spec.maxUnavailable", "Gone at most", "Pods, or per cent of them.", NOT_SAID),
    ],
  },
];
