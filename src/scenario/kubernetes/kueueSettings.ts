/**
 * What the preset kueue can be told beside its YAML: what stands in Kueue's own Configuration (fair sharing, waitForPodsReady, admission fair sharing), how long its steps
 * take, and what places the pods of an admitted workload. Sources: `apis/config/v1beta2` of kubernetes-sigs/kueue; docs "Installation: custom configuration".
 */
import type { PresetSpec, SettingSpec } from "../settingSpec.ts";
import { KUBE_SCHEDULER } from "./kubeSchedulerSettings.ts";
import { VOLCANO } from "./volcanoSettings.ts";

const DAY_MS = 86_400_000;
const READY = { key: "waitForPodsReady", is: [true] };

const ADMISSION: readonly SettingSpec[] = [
  {
    key: "placement",
    label: "Placement",
    sentence: "What places the pods of an admitted workload.",
    kind: "enum",
    standard: "kubeScheduler",
    options: [
      {
        value: "kubeScheduler",
        label: "kube-scheduler",
        sentence: "Pod by pod, with its scores, latencies and preemption.",
      },
      {
        value: "volcano",
        label: "Volcano",
        sentence: "Whole groups, a session a second; flavors are quota only, pods go to any node.",
      },
      {
        value: "quotaOnly",
        label: "Quota only",
        sentence: "Pods take the first nodes with room at once: what admission alone does.",
      },
    ],
  },
  {
    key: "fairSharing",
    label: "Fair sharing",
    sentence:
      "Borrowed quota is shared by weights: order of admission and preemption go by shares (fairSharing of Configuration).",
    kind: "boolean",
    standard: false,
    group: "Sharing",
  },
  {
    key: "shareRules",
    label: "Rules of shares",
    sentence: "When a workload of another queue may be evicted (preemptionStrategies).",
    kind: "enum",
    standard: "both",
    options: [
      {
        value: "both",
        label: "Final, then initial",
        sentence:
          "LessThanOrEqualToFinalShare, then LessThanInitialShare over those it refused: the default.",
      },
      {
        value: "final",
        label: "Final share",
        sentence: "The newcomer's share is at most the other's after the eviction.",
      },
      {
        value: "initial",
        label: "Initial share",
        sentence: "The newcomer's share is below the other's before the eviction.",
      },
    ],
    group: "Sharing",
    when: { key: "fairSharing", is: [true] },
  },
  {
    key: "usageHalfLifeMs",
    label: "Half-life of use",
    sentence:
      "Admission fair sharing: what a LocalQueue has used counts half after this; 0 remembers nothing (usageHalfLifeTime).",
    kind: "duration",
    standard: 3_600_000,
    least: 1,
    most: 366 * DAY_MS,
    orZero: true,
    group: "Sharing",
  },
  {
    key: "usageSamplingMs",
    label: "Sampling of use",
    sentence: "How often the use of LocalQueues is sampled (usageSamplingInterval).",
    kind: "duration",
    standard: 300_000,
    least: 1_000,
    most: DAY_MS,
    group: "Sharing",
  },
  {
    key: "waitForPodsReady",
    label: "Wait for pods",
    sentence:
      "A workload whose pods are not ready in time loses its quota and comes back later (waitForPodsReady; on since 0.19).",
    kind: "boolean",
    standard: true,
    group: "Pods ready",
  },
  {
    key: "podsReadyTimeoutMs",
    label: "Ready timeout",
    sentence: "Time from admission until its pods must be ready (timeout).",
    kind: "duration",
    standard: 1_800_000,
    least: 1_000,
    most: 366 * DAY_MS,
    group: "Pods ready",
    when: READY,
  },
  {
    key: "recoveryTimeoutMs",
    label: "Recovery timeout",
    sentence: "Time to be ready again after a pod was lost (recoveryTimeout).",
    kind: "duration",
    standard: 1_800_000,
    least: 1_000,
    most: 366 * DAY_MS,
    group: "Pods ready",
    when: READY,
  },
  {
    key: "blockAdmission",
    label: "Block admission",
    sentence:
      "Nothing is admitted while pods of an admitted workload are not ready: gangs start one after the other (blockAdmission).",
    kind: "boolean",
    standard: false,
    group: "Pods ready",
    when: READY,
  },
  {
    key: "requeueBaseMs",
    label: "First requeue delay",
    sentence:
      "After a ready timeout a workload comes back after this; each further one doubles it (backoffBaseSeconds).",
    kind: "duration",
    standard: 60_000,
    least: 0,
    most: 366 * DAY_MS,
    group: "Pods ready",
    when: READY,
  },
  {
    key: "requeueMostMs",
    label: "Longest requeue delay",
    sentence: "The delay doubles up to this (backoffMaxSeconds).",
    kind: "duration",
    standard: 3_600_000,
    least: 0,
    most: 366 * DAY_MS,
    group: "Pods ready",
    when: READY,
  },
  {
    key: "requeueLimit",
    label: "Requeues",
    sentence:
      "After so many requeues the next ready timeout deactivates the workload; −1: never (backoffLimitCount).",
    kind: "integer",
    standard: -1,
    least: -1,
    most: 1_000_000,
    group: "Pods ready",
    when: READY,
  },
  {
    key: "requeueOrder",
    label: "Place after a timeout",
    sentence: "Which time orders a workload that was requeued (requeuingStrategy.timestamp).",
    kind: "enum",
    standard: "Eviction",
    options: [
      {
        value: "Eviction",
        label: "Eviction",
        sentence: "When it was evicted: it stands behind those that came meanwhile.",
      },
      {
        value: "Creation",
        label: "Creation",
        sentence: "When it was created: it stands as before.",
      },
    ],
    group: "Pods ready",
    when: READY,
  },
  {
    key: "admissionCycleMs",
    label: "Admission cycle",
    sentence:
      "Time of one cycle over the heads of all queues (our figure; Kueue's own performance test admits some 43 workloads a second from 30 queues).",
    kind: "duration",
    standard: 10,
    least: 0,
    most: 600_000,
    group: "Latency",
  },
  {
    key: "roundTripMs",
    label: "Round trip",
    sentence: "A write to the API server and the watch event that others see of it (our figure).",
    kind: "duration",
    standard: 30,
    least: 0,
    most: 600_000,
    group: "Latency",
  },
  {
    key: "queueRoundTrips",
    label: "Trips to the queue",
    sentence: "From a created job until its Workload stands in a queue: the Workload is created.",
    kind: "integer",
    standard: 1,
    least: 0,
    most: 100,
    group: "Latency",
  },
  {
    key: "admitRoundTrips",
    label: "Trips to the pods",
    sentence:
      "From a decision until there are pods: quota is reserved, the job is unsuspended, its pods are created.",
    kind: "integer",
    standard: 3,
    least: 0,
    most: 100,
    group: "Latency",
  },
];

/** Settings of Volcano that kube-scheduler has none of that name for; shown where Volcano places. */
function ofVolcano(): SettingSpec[] {
  const taken = new Set([...ADMISSION, ...KUBE_SCHEDULER.settings].map(({ key }) => key));
  return VOLCANO.settings
    .filter(({ key }) => !taken.has(key))
    .map((spec) => ({ ...spec, when: { key: "placement", is: ["volcano"] } }));
}

export const KUEUE: PresetSpec = {
  id: "kueue",
  label: "Kueue",
  sentence:
    "Quota for whole workloads by ClusterQueues and cohorts; what it admits is placed by kube-scheduler, pod by pod.",
  settings: [...ADMISSION, ...KUBE_SCHEDULER.settings, ...ofVolcano()],
};
