/** Sentences that are often repeated and wrong, and that belong to no row of the comparison, in the order of the page; the suite judges the world of each like the cells. */
import { JOB_SAYINGS } from "./sayings/jobsAndDevices.ts";
import { KAI_SAYINGS } from "./sayings/kai.ts";
import { KUBE_SCHEDULER_SAYINGS } from "./sayings/kubeScheduler.ts";
import { KUEUE_SAYINGS } from "./sayings/kueue.ts";
import { RAY_SAYINGS } from "./sayings/ray.ts";
import type { Saying } from "./sayings/saying.ts";

export const SAYING_GROUPS: readonly {
  readonly of: string;
  readonly sayings: readonly Saying[];
}[] = [
  { of: "kube-scheduler", sayings: KUBE_SCHEDULER_SAYINGS },
  { of: "Kueue", sayings: KUEUE_SAYINGS },
  { of: "KAI", sayings: KAI_SAYINGS },
  { of: "Ray", sayings: RAY_SAYINGS },
  { of: "Training and parts of GPUs", sayings: JOB_SAYINGS },
];
