/** Fields of DeschedulerPolicy: its limits, and of each profile the plugins that are modelled. */
import { flag, GPU, integer, labels, list, NOT_SAID, number, text } from "../fields.ts";
import type { FieldForm, KindForm, Path, RowsForm } from "../formSpec.ts";

const argsOf = (named: string): Path => ["pluginConfig", { named }, "args"];
const EVICTOR = argsOf("DefaultEvictor");

const most = (key: string, label: string): FieldForm =>
  integer(key, label, "Evictions in one round.", "no limit");

const RESOURCES = [
  [GPU, "devices"],
  ["cpu", "CPUs"],
  ["memory", "memory"],
  ["pods", "pods"],
] as const;

const perCent = (path: Path, label: string, rest: string): FieldForm[] =>
  RESOURCES.map(([resource, words]) =>
    number(
      [...path, resource],
      `${label}, ${words}`,
      `What pods ask for, in per cent of the node’s ${words}${rest}.`,
      "not looked at",
    ),
  );

const profiles = (fields: readonly FieldForm[], title: string): RowsForm => ({
  path: ["profiles", "*"],
  names: ["profile"],
  title,
  fields,
});

/** What both plugins of utilization take. */
function common(args: Path): FieldForm[] {
  return [
    integer([...args, "numberOfNodes"], "Only with underused nodes", "More than so many.", "0"),
    list(
      [...args, "evictableNamespaces", "exclude"],
      "Namespaces left alone",
      "Names, with commas.",
      "none",
    ),
    integer([...args, "evictionLimits", "node"], "From one node, most", "By this plugin.", "none"),
  ];
}

const LOW = argsOf("LowNodeUtilization");
const HIGH = argsOf("HighNodeUtilization");

export const DESCHEDULER_FORM: KindForm = {
  kind: "DeschedulerPolicy",
  group: "descheduler",
  fields: [
    most("maxNoOfPodsToEvictPerNode", "From one node, most"),
    most("maxNoOfPodsToEvictPerNamespace", "From one namespace, most"),
    most("maxNoOfPodsToEvictTotal", "In all, most"),
    integer("gracePeriodSeconds", "Grace", "In seconds.", "the pod’s own"),
  ],
  rows: [
    {
      ...profiles(
        [
          list(
            "plugins.balance.enabled",
            "Runs",
            "LowNodeUtilization, HighNodeUtilization; with commas.",
            "nothing",
          ),
        ],
        "",
      ),
      item: {
        words: "profile",
        value: { name: "profile", pluginConfig: [{ name: "DefaultEvictor", args: {} }] },
        unique: "name",
      },
    },
    profiles(
      [
        ...perCent([...LOW, "thresholds"], "Underused up to", ""),
        ...perCent([...LOW, "targetThresholds"], "Overused above", "; pods leave down to that"),
        flag(
          [...LOW, "useDeviationThresholds"],
          "From the mean",
          "Per cent below and above the mean of the nodes.",
          "false",
        ),
        ...common(LOW),
      ],
      "LowNodeUtilization",
    ),
    profiles(
      [...perCent([...HIGH, "thresholds"], "Underused up to", ""), ...common(HIGH)],
      "HighNodeUtilization",
    ),
    profiles(
      [
        flag(
          [...EVICTOR, "nodeFit"],
          "Only with room",
          "A pod leaves only where another node has room for it.",
          "false",
        ),
        integer(
          [...EVICTOR, "minReplicas"],
          "Replicas at least",
          "Of a job of fewer pods none leaves.",
          "0",
        ),
        text([...EVICTOR, "minPodAge"], "Age at least", "Younger pods stay: 5m, 1h30m.", "none"),
        integer(
          [...EVICTOR, "priorityThreshold", "value"],
          "Below priority",
          "Pods of this value and above stay.",
          "all",
        ),
        text(
          [...EVICTOR, "priorityThreshold", "name"],
          "Below class",
          "The same by a PriorityClass, where no value is given.",
          NOT_SAID,
        ),
        labels(
          [...EVICTOR, "labelSelector", "matchLabels"],
          "Pods with labels",
          "Only pods that have all of these leave.",
          "every pod",
        ),
      ],
      "DefaultEvictor",
    ),
  ],
};
