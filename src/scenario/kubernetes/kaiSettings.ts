/** What the preset kai can be told beside its YAML, which describes the queues. */
import type { PresetSpec, SettingSpec } from "../settingSpec.ts";

const TIME_BASED: readonly SettingSpec[] = [
  {
    key: "timeBased",
    label: "Time-based fair share",
    sentence: "Past use moves the weights of queues; off unless a usage database is configured.",
    kind: "boolean",
    standard: false,
    group: "Sharing",
  },
  {
    key: "kValue",
    label: "Strength of past use",
    sentence: "How far past use moves a weight: the k of w + k × (w − use) (kValue).",
    kind: "number",
    standard: 1,
    least: 0,
    most: 1_000,
    group: "Sharing",
  },
  {
    key: "usageWindowMs",
    label: "Usage window",
    sentence: "Past use counts so far back (windowSize: a week).",
    kind: "duration",
    standard: 604_800_000,
    least: 1_000,
    most: 31_622_400_000,
    group: "Sharing",
  },
  {
    key: "usageHalfLifeMs",
    label: "Usage half-life",
    sentence: "Use counts half after so long; 0: all of the window alike (halfLifePeriod).",
    kind: "duration",
    standard: 0,
    least: 1_000,
    most: 31_622_400_000,
    orZero: true,
    group: "Sharing",
  },
];

const ACTIONS: readonly SettingSpec[] = [
  {
    key: "consolidate",
    label: "Consolidate",
    sentence:
      "Preemptible jobs are moved together, and restarted, where all of them find a new place and a waiting one then fits.",
    kind: "boolean",
    standard: true,
    group: "Preemption",
  },
  {
    key: "consolidateMost",
    label: "Jobs moved at most",
    sentence: "Jobs that one consolidation may move (--max-consolidation-preemptees).",
    kind: "integer",
    standard: 16,
    least: 1,
    most: 10_000,
    group: "Preemption",
  },
  {
    key: "reclaim",
    label: "Reclaim",
    sentence: "Queues take back from others what these hold above their quota or fair share.",
    kind: "boolean",
    standard: true,
    group: "Preemption",
  },
  {
    key: "reclaimerMultiplier",
    label: "Saturation of the reclaimer",
    sentence:
      "A queue above its share must still be this much less saturated than the one it takes from (reclaimerUtilizationMultiplier).",
    kind: "number",
    standard: 1,
    least: 1,
    most: 1_000,
    group: "Preemption",
  },
  {
    key: "preempt",
    label: "Preempt",
    sentence: "Inside a queue, jobs take the room of preemptible ones of lower priority.",
    kind: "boolean",
    standard: true,
    group: "Preemption",
  },
  {
    key: "preemptionDelayMs",
    label: "Preemption delay",
    sentence: "A job waits so long before it may take room from others (since 0.17).",
    kind: "duration",
    standard: 0,
    least: 0,
    most: 86_400_000,
    group: "Preemption",
  },
  {
    key: "staleGangMs",
    label: "Stale gang",
    sentence:
      "A gang below its least members is evicted after so long (--default-staleness-grace-period).",
    kind: "duration",
    standard: 60_000,
    least: 0,
    most: 86_400_000,
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
];

export const KAI: PresetSpec = {
  id: "kai",
  label: "KAI Scheduler",
  sentence:
    "KAI: fair shares in a tree of queues, gangs, fractions of GPUs, and room taken from others by simulation.",
  settings: [
    {
      key: "placement",
      label: "Placement",
      sentence: "Which of the nodes with room a pod gets.",
      kind: "enum",
      standard: "binpack",
      options: [
        { value: "binpack", label: "Bin packing", sentence: "The fullest node." },
        { value: "spread", label: "Spread", sentence: "The emptiest node." },
      ],
    },
    ...ACTIONS,
    ...TIME_BASED,
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
      key: "bindsPerSecond",
      label: "Binds per second",
      sentence:
        "Pods that a session binds start one after another at this rate; 0: at once (qps of the binder; our figure).",
      kind: "number",
      standard: 50,
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
