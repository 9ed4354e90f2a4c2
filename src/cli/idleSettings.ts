/** Settings that have no effect beside the others of their policy: the page hides them, the program says so. */
import type { PolicyEntry } from "../scenario/schema.ts";
import { presetOf } from "../scenario/settings.ts";
import { settingValue, unmetBy } from "../scenario/settingsInEffect.ts";

/** A sentence for each setting that is not at its default and has no effect. O(settings²). */
export function idleSettings(policy: PolicyEntry): string[] {
  const specs = presetOf(policy.preset)?.settings ?? [];
  return specs.flatMap((spec) => {
    if (settingValue(policy, spec) === spec.standard) return [];
    const unmet = unmetBy(spec, policy, specs);
    if (unmet === null) return [];
    const { key, is } = unmet;
    return [`${spec.key} has no effect: it counts where ${key} is ${is.join(" or ")}`];
  });
}
