/** What the preset volcano can be told beside its YAML. A `volcano-scheduler.conf` in the YAML decides about actions and plugins, whatever stands here. */
import type { PresetSpec } from "../settingSpec.ts";

export const VOLCANO: PresetSpec = {
  id: "volcano",
  label: "Volcano",
  sentence: "Volcano: groups of pods, queues by weight, and sessions once a second.",
  settings: [
    {
      key: "enqueue",
      label: "Enqueue",
      sentence:
        "Groups are let in before their pods are made; off, every group is in at once (action enqueue).",
      kind: "boolean",
      standard: true,
    },
    {
      key: "queuePlugin",
      label: "Queues",
      sentence: "What a queue may have.",
      kind: "enum",
      standard: "proportion",
      options: [
        {
          value: "proportion",
          label: "Proportion",
          sentence: "By weight, among the queues that have something to run.",
        },
        {
          value: "capacity",
          label: "Capacity",
          sentence: "What each queue is said to deserve; more while there is room.",
        },
      ],
    },
    {
      key: "overcommitFactor",
      label: "Overcommit",
      sentence:
        "Groups are let in until they and what runs fill the cluster so many times; 0: no such limit (overcommit-factor).",
      kind: "number",
      standard: 1.2,
      least: 1,
      most: 1_000,
      orZero: true,
    },
    {
      key: "drf",
      label: "Dominant share",
      sentence:
        "Of jobs with equal priority, the one with the smaller part of the cluster comes first (drf).",
      kind: "boolean",
      standard: true,
    },
    {
      key: "preempt",
      label: "Preempt",
      sentence:
        "Starving jobs evict pods of lower priority in their own queue; off, as it is unless configured (action preempt).",
      kind: "boolean",
      standard: false,
      group: "Preemption",
    },
    {
      key: "reclaim",
      label: "Reclaim",
      sentence:
        "Queues below what they deserve take pods back from queues above; off, as it is unless configured (action reclaim).",
      kind: "boolean",
      standard: false,
      group: "Preemption",
    },
    {
      key: "gangSpares",
      label: "Gangs are spared by preempt",
      sentence:
        "A group gives pods only beyond its least members; off, as the Helm chart has it, any lower group can be evicted (enablePreemptable of gang).",
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
      key: "backfill",
      label: "Backfill",
      sentence:
        "Places pods that ask for nothing; it has nothing to do with backfilling round a reservation (action backfill).",
      kind: "boolean",
      standard: true,
      group: "Passing",
    },
    {
      key: "binpackWeight",
      label: "Bin packing",
      sentence:
        "Weight of fuller nodes; 0: off, as it is built in; the Helm chart switches it on (binpack.weight).",
      kind: "integer",
      standard: 0,
      least: 0,
      most: 1_000,
      group: "Placement",
    },
    {
      key: "binpackGpu",
      label: "Devices in bin packing",
      sentence:
        "Weight of devices beside CPUs and memory (1 each); 0: they do not count, as long as binpack.resources does not name them.",
      kind: "integer",
      standard: 0,
      least: 0,
      most: 1_000,
      group: "Placement",
    },
    {
      key: "topologyWeight",
      label: "Network topology",
      sentence:
        "Weight of nodes near the group’s others, for groups that prefer to be together (network-topology-aware).",
      kind: "integer",
      standard: 1,
      least: 0,
      most: 1_000,
      group: "Placement",
    },
    {
      key: "schedulePeriodMs",
      label: "Session period",
      sentence: "A session begins so often (--schedule-period).",
      kind: "duration",
      standard: 1_000,
      least: 1,
      most: 3_600_000,
      group: "Latency",
    },
    {
      key: "podCreateMs",
      label: "Pod creation",
      sentence:
        "From a group that is let in to pods that a session sees (controller and watch; our figure).",
      kind: "duration",
      standard: 100,
      least: 0,
      most: 86_400_000,
      group: "Latency",
    },
    {
      key: "bindsPerSecond",
      label: "Binds per second",
      sentence:
        "Pods that a session binds start one after another at this rate; 0: at once (--kube-api-qps).",
      kind: "number",
      standard: 2_000,
      least: 0.1,
      most: 1_000_000,
      orZero: true,
      unit: "pods",
      group: "Latency",
    },
    {
      key: "podStartMs",
      label: "Pod start",
      sentence:
        "Sandbox and containers of a pod whose image is there (our figure for an ordinary one).",
      kind: "duration",
      standard: 2_000,
      least: 0,
      most: 86_400_000,
      group: "Latency",
    },
  ],
};
