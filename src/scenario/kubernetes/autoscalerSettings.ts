/**
 * The flags of Cluster Autoscaler that are modelled, with its defaults. It works on node groups with `burst`; their `startupMs` is the time that the cloud takes, the times of spot nodes hold,
 * and the other two are the lab's. Source: kubernetes/autoscaler FAQ, "What are the parameters to CA?".
 */
import { EXPANDERS, type Expander } from "../../model/kubernetes/expanders.ts";
import { optionsOf, type SettingSpec } from "../settingSpec.ts";

const group = "Cluster Autoscaler";
const DAY_MS = 86_400_000;
const on = { key: "clusterAutoscaler", is: [true] };
const down = { key: "scaleDownEnabled", is: [true] };

const EXPANDER_WORDS: Readonly<Record<Expander, readonly [string, string]>> = {
  random: ["random", "Any of them; the seed decides."],
  "most-pods": ["most-pods", "The group that would hold most of the waiting pods."],
  "least-waste": ["least-waste", "The group that would leave least of CPUs and memory idle."],
  "least-nodes": ["least-nodes", "The group that needs fewest nodes."],
};

function time(
  key: string,
  label: string,
  sentence: string,
  standard: number,
  least: number,
  when: SettingSpec["when"],
): SettingSpec {
  const more = when === undefined ? {} : { when };
  return { key, label, sentence, kind: "duration", standard, least, most: DAY_MS, group, ...more };
}

function count(key: string, label: string, sentence: string, standard: number): SettingSpec {
  const limits = { least: 1, most: 100_000, unit: "nodes" };
  return { key, label, sentence, kind: "integer", standard, ...limits, group, when: down };
}

function part(key: string, label: string, sentence: string): SettingSpec {
  const limits = { standard: 0.5, least: 0, most: 1 };
  return { key, label, sentence, kind: "number", ...limits, group, when: down };
}

export const AUTOSCALER_SETTINGS: readonly SettingSpec[] = [
  {
    key: "clusterAutoscaler",
    label: "Cluster Autoscaler",
    sentence:
      "Nodes of groups that can be rented come and go with the pods; without it they never come.",
    kind: "boolean",
    standard: true,
    group,
  },
  time(
    "scanIntervalMs",
    "Scan interval",
    "How often it looks for pods without a node and for nodes without need (--scan-interval).",
    10_000,
    100,
    on,
  ),
  {
    key: "expander",
    label: "Expander",
    sentence: "Which node group grows where several could (--expander).",
    kind: "enum",
    standard: "random",
    options: optionsOf(EXPANDERS, EXPANDER_WORDS),
    group,
    when: on,
  },
  time(
    "maxNodeProvisionMs",
    "Provision time, most",
    "A node that is not there by then is given up, and its group backs off for 5 to 30 minutes (--max-node-provision-time).",
    900_000,
    1_000,
    on,
  ),
  {
    key: "expendablePodsPriorityCutoff",
    label: "Expendable below",
    sentence: "Pods of lower priority bring no node (--expendable-pods-priority-cutoff).",
    kind: "integer",
    standard: -10,
    least: -2_147_483_648,
    most: 1_000_000_000,
    group,
    when: on,
  },
  {
    key: "scaleDownEnabled",
    label: "Scale-down",
    sentence: "Whether nodes go again (--scale-down-enabled).",
    kind: "boolean",
    standard: true,
    group,
    when: on,
  },
  part(
    "scaleDownUtilizationThreshold",
    "Threshold",
    "A node without devices of which less is asked for, in CPUs and in memory, may be unneeded (--scale-down-utilization-threshold).",
  ),
  part(
    "scaleDownGpuUtilizationThreshold",
    "Threshold, nodes with devices",
    "A node of whose devices less is asked for may be unneeded (the flag of its own for such nodes).",
  ),
  time(
    "scaleDownUnneededMs",
    "Unneeded time",
    "A node goes when it has been unneeded for longer (--scale-down-unneeded-time).",
    600_000,
    0,
    down,
  ),
  time(
    "scaleDownDelayAfterAddMs",
    "Delay after growing",
    "No node goes for so long after one was asked for (--scale-down-delay-after-add).",
    600_000,
    0,
    down,
  ),
  time(
    "scaleDownDelayAfterDeleteMs",
    "Delay after shrinking",
    "No node goes for so long after another; 0: until the next scan (--scale-down-delay-after-delete).",
    0,
    0,
    down,
  ),
  count(
    "maxScaleDownParallelism",
    "Nodes at once",
    "Nodes that go at the same time, at most (--max-scale-down-parallelism).",
    10,
  ),
  count(
    "maxDrainParallelism",
    "Nodes with pods at once",
    "Of these, nodes with pods (--max-drain-parallelism).",
    1,
  ),
  time(
    "maxGracefulTerminationMs",
    "Grace, most",
    "Pods of a node that goes have at most so long to end (--max-graceful-termination-sec).",
    600_000,
    0,
    down,
  ),
];
