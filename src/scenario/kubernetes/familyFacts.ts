/** What each preset of the family models, by its id. */
import { KAI_FACTS } from "./kaiFacts.ts";
import { KUBE_SCHEDULER_FACTS } from "./kubeSchedulerFacts.ts";
import { KUEUE_FACTS } from "./kueueFacts.ts";
import type { PresetFacts } from "./presetFacts.ts";
import { RAY_FACTS } from "./rayFacts.ts";
import { VOLCANO_FACTS } from "./volcanoFacts.ts";

export const FAMILY_FACTS: Readonly<Record<string, PresetFacts>> = {
  "kube-scheduler": KUBE_SCHEDULER_FACTS,
  kueue: KUEUE_FACTS,
  volcano: VOLCANO_FACTS,
  kai: KAI_FACTS,
  ray: RAY_FACTS,
};
