/** What each preset of the family models, by its id. */
import { KUBE_SCHEDULER_FACTS } from "./kubeSchedulerFacts.ts";
import type { PresetFacts } from "./presetFacts.ts";

export const FAMILY_FACTS: Readonly<Record<string, PresetFacts>> = {
  "kube-scheduler": KUBE_SCHEDULER_FACTS,
};
