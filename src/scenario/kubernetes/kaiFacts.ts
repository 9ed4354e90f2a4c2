/** What the preset kai models, word for word as in `docs/policies/kai.md`. */
import type { PresetFacts } from "./presetFacts.ts";

export const KAI_FACTS: PresetFacts = {
  version: "KAI Scheduler 0.17",
  modelled: [
    "Queues and limits",
    "Fair share",
    "Gangs",
    "Reclaim",
    "Work that is never a victim",
    "Preempt",
    "Consolidate",
    "Time-based fair share",
    "Fractions of GPUs",
  ],
  approximated: [
    "Victims are tried in sets that double, not one more at a time; those whose own place stays free are spared.",
    "A job that has to move is restarted and takes any place that is free when its turn comes.",
    "The job, or the member, for which others had to leave comes first in the next session: else they could take their places again, and be told to leave again, for ever.",
    "Past use is kept in 84 slices of the window.",
    "A session takes no time of its own; the next begins a period after it.",
    "Pods start in the order in which they are bound.",
    "A job whose members must be near each other sees room that evictions would make; versions differ (#1591).",
    "Room that a single leaving pod gives back is counted in whole devices, where it shared one.",
    "A queue that a job names and nobody describes stands at the top and is as KAI’s chart sets its default queue: quota 0, no limit, weight 1; upstream its jobs are not scheduled.",
  ],
  notModelled: [
    "Dynamic resource allocation, requests for GPU memory, MIG together with fractions",
    "Sub-groups of a pod group",
    "Cluster Autoscaler beside it, and the node-scale-adjuster that makes fractions visible to it: rented nodes never come",
    "Scheduling shards and node pools",
    "Reservation pods of shared GPUs",
    "Back-off of failed searches",
  ],
  sources: [
    {
      name: "KAI Scheduler: docs",
      link: "https://github.com/kai-scheduler/KAI-Scheduler/tree/main/docs",
    },
    {
      name: "pkg/scheduler",
      link: "https://github.com/kai-scheduler/KAI-Scheduler/tree/main/pkg/scheduler",
    },
  ],
};
