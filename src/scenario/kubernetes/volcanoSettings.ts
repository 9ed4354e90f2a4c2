/** What the preset volcano can be told beside its YAML. A `volcano-scheduler.conf` in the YAML decides about actions and plugins, whatever stands here. */

import type { PresetSpec } from "../settingSpec.ts";
import {
  bindsPerSecond,
  GRACE_PERIOD,
  POD_START,
  SESSION_PERIOD,
  time,
  toggle,
} from "./familySettings.ts";

export const VOLCANO: PresetSpec = {
  id: "volcano",
  label: "Volcano",
  sentence: "Volcano: groups of pods, queues by weight, and sessions once a second.",
  settings: [
    toggle(
      "enqueue",
      "Enqueue",
      "Groups are let in before their pods are made; off, every group is in at once (action enqueue).",
      true,
    ),
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
    toggle(
      "drf",
      "Dominant share",
      "Of jobs with equal priority, the one with the smaller part of the cluster comes first (drf).",
      true,
    ),
    toggle(
      "preempt",
      "Preempt",
      "Starving jobs evict pods of lower priority in their own queue; off, as it is unless configured (action preempt).",
      false,
      "Preemption",
    ),
    toggle(
      "reclaim",
      "Reclaim",
      "Queues below what they deserve take pods back from queues above; off, as it is unless configured (action reclaim).",
      false,
      "Preemption",
    ),
    toggle(
      "gangSpares",
      "Gangs are spared by preempt",
      "A group gives pods only beyond its least members; off, as the Helm chart has it, any lower group can be evicted (enablePreemptable of gang).",
      true,
      "Preemption",
    ),
    GRACE_PERIOD,
    toggle(
      "backfill",
      "Backfill",
      "Places pods that ask for nothing; it has nothing to do with backfilling round a reservation (action backfill).",
      true,
      "Passing",
    ),
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
    SESSION_PERIOD,
    time(
      "podCreateMs",
      "Pod creation",
      "From a group that is let in to pods that a session sees (controller and watch; our figure).",
      100,
      "Latency",
    ),
    bindsPerSecond(2_000, "--kube-api-qps"),
    POD_START,
  ],
};
