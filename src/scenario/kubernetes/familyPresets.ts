/** The presets of the Kubernetes family, one line each; their policies have a YAML text. */
import type { PresetSpec } from "../settingSpec.ts";
import { KAI } from "./kaiSettings.ts";
import { KUBE_SCHEDULER } from "./kubeSchedulerSettings.ts";
import { KUEUE } from "./kueueSettings.ts";
import { RAY } from "./raySettings.ts";
import { VOLCANO } from "./volcanoSettings.ts";

export const FAMILY_PRESETS: readonly PresetSpec[] = [KUBE_SCHEDULER, KUEUE, VOLCANO, KAI, RAY];

/** Presets whose policies have a YAML text. */
export const YAML_PRESETS: ReadonlySet<string> = new Set(FAMILY_PRESETS.map(({ id }) => id));
