/** What the preset kai can be told beside its YAML, which describes the queues. */

import type { PresetSpec, SettingSpec } from "../settingSpec.ts";
import {
  bindsPerSecond,
  GRACE_PERIOD,
  POD_START,
  SESSION_PERIOD,
  time,
  toggle,
} from "./familySettings.ts";

const TIME_BASED: readonly SettingSpec[] = [
  toggle(
    "timeBased",
    "Time-based fair share",
    "Past use moves the weights of queues; off unless a usage database is configured.",
    false,
    "Sharing",
  ),
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
  time(
    "usageWindowMs",
    "Usage window",
    "Past use counts so far back (windowSize: a week).",
    604_800_000,
    "Sharing",
    { least: 1_000, most: 31_622_400_000 },
  ),
  time(
    "usageHalfLifeMs",
    "Usage half-life",
    "Use counts half after so long; 0: all of the window alike (halfLifePeriod).",
    0,
    "Sharing",
    { least: 1_000, most: 31_622_400_000, orZero: true },
  ),
];

const ACTIONS: readonly SettingSpec[] = [
  toggle(
    "consolidate",
    "Consolidate",
    "Preemptible jobs are moved together, and restarted, where all of them find a new place and a waiting one then fits.",
    true,
    "Preemption",
  ),
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
  toggle(
    "reclaim",
    "Reclaim",
    "Queues take back from others what these hold above their quota or fair share.",
    true,
    "Preemption",
  ),
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
  toggle(
    "preempt",
    "Preempt",
    "Inside a queue, jobs take the room of preemptible ones of lower priority.",
    true,
    "Preemption",
  ),
  time(
    "preemptionDelayMs",
    "Preemption delay",
    "A job waits so long before it may take room from others (since 0.17).",
    0,
    "Preemption",
  ),
  time(
    "staleGangMs",
    "Stale gang",
    "A gang below its least members is evicted after so long (--default-staleness-grace-period).",
    60_000,
    "Preemption",
  ),
  GRACE_PERIOD,
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
    SESSION_PERIOD,
    bindsPerSecond(50, "qps of the binder; our figure"),
    POD_START,
  ],
};
