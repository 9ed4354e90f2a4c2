/**
 * What the preset kube-scheduler can be told beside its YAML: how it scores, and how long each step takes. A KubeSchedulerConfiguration in the YAML goes before
 * a setting that says the same.
 */

import type { PresetSpec, SettingSpec } from "../settingSpec.ts";
import { AUTOSCALER_SETTINGS } from "./autoscalerSettings.ts";

/** What every preset whose pods kube-scheduler binds can be told. */
const KUBE_LATENCIES: readonly SettingSpec[] = [
  {
    key: "watchDelayMs",
    label: "Watch delay",
    sentence:
      "From a change of the API server until the scheduler sees it (informers; our figure for a quiet cluster).",
    kind: "duration",
    standard: 20,
    least: 0,
    most: 600_000,
    group: "Latency",
  },
  {
    key: "cycleMicros",
    label: "Scheduling cycle",
    sentence:
      "Time that the scheduler spends on one pod, found room or not (scheduler_perf: some 270 pods a second on 5,000 nodes).",
    kind: "integer",
    standard: 3_700,
    least: 0,
    most: 60_000_000,
    unit: "µs",
    group: "Latency",
  },
  {
    key: "bindsPerSecond",
    label: "Binds per second",
    sentence:
      "Pods bound a second once the burst is used; 0: no limit (clientConnection.qps of KubeSchedulerConfiguration).",
    kind: "number",
    standard: 50,
    least: 0.1,
    most: 100_000,
    orZero: true,
    unit: "pods",
    group: "Latency",
  },
  {
    key: "bindBurst",
    label: "Bind burst",
    sentence:
      "Pods bound at once after a pause (clientConnection.burst of KubeSchedulerConfiguration).",
    kind: "integer",
    standard: 100,
    least: 1,
    most: 1_000_000,
    unit: "pods",
    group: "Latency",
  },
  {
    key: "bindMs",
    label: "Binding",
    sentence:
      "One binding call until the kubelet knows of its pod (API write and watch; our figure).",
    kind: "duration",
    standard: 30,
    least: 0,
    most: 600_000,
    group: "Latency",
  },
  {
    key: "podStartMs",
    label: "Pod start",
    sentence:
      "Sandbox and containers of a pod whose image is there (Kubernetes' objective: 5 s for 99 of 100; our figure for an ordinary one).",
    kind: "duration",
    standard: 2_000,
    least: 0,
    most: 86_400_000,
    group: "Latency",
  },
  {
    key: "backoffMs",
    label: "First back-off",
    sentence:
      "A pod that found no node is not tried again before this; each failure doubles it (podInitialBackoffSeconds).",
    kind: "duration",
    standard: 1_000,
    least: 1,
    most: 86_400_000,
    group: "Latency",
  },
  {
    key: "backoffMostMs",
    label: "Longest back-off",
    sentence: "The back-off doubles up to this (podMaxBackoffSeconds).",
    kind: "duration",
    standard: 10_000,
    least: 1,
    most: 86_400_000,
    group: "Latency",
  },
];

export const KUBE_SCHEDULER: PresetSpec = {
  id: "kube-scheduler",
  label: "kube-scheduler",
  sentence:
    "The default scheduler of Kubernetes: pod by pod, without gangs, run times or reservations.",
  settings: [
    {
      key: "scoring",
      label: "Scoring",
      sentence: "Which of the nodes with room a pod gets, by CPUs and memory (NodeResourcesFit).",
      kind: "enum",
      standard: "LeastAllocated",
      options: [
        {
          value: "LeastAllocated",
          label: "LeastAllocated",
          sentence: "The emptiest node: spreads.",
        },
        { value: "MostAllocated", label: "MostAllocated", sentence: "The fullest node: packs." },
      ],
    },
    {
      key: "scoreGpus",
      label: "Devices count in the score",
      sentence:
        "Off as upstream: only CPUs and memory count, so devices neither draw nor repel pods. On: they count with weight 1.",
      kind: "boolean",
      standard: false,
      group: "Placement",
    },
    {
      key: "nodesScoredPercent",
      label: "Nodes scored",
      sentence:
        "Per cent of the nodes among which a pod's node is sought, 100 nodes at least; 0: 50 less one for each 125 nodes, 5 at least (percentageOfNodesToScore).",
      kind: "integer",
      standard: 0,
      least: 1,
      most: 100,
      orZero: true,
      unit: "per cent",
      group: "Placement",
    },
    {
      key: "preemption",
      label: "Preemption",
      sentence:
        "A pod that fits nowhere may evict pods of lower priority from one node (DefaultPreemption).",
      kind: "boolean",
      standard: true,
      group: "Preemption",
    },
    {
      key: "graceMs",
      label: "Grace period",
      sentence:
        "An evicted pod holds its node so long before it is gone (terminationGracePeriodSeconds).",
      kind: "duration",
      standard: 30_000,
      least: 0,
      most: 86_400_000,
      group: "Preemption",
    },
    {
      key: "deschedulingIntervalMs",
      label: "Descheduler, interval",
      sentence:
        "How often the descheduler of a DeschedulerPolicy in the YAML looks at the nodes (--descheduling-interval; 5m in its own manifests).",
      kind: "duration",
      standard: 300_000,
      least: 100,
      most: 86_400_000,
      group: "Preemption",
    },
    ...AUTOSCALER_SETTINGS,
    ...KUBE_LATENCIES,
  ],
};
