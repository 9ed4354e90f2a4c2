/** Whether a setting has an effect in a policy: most hang on another one, and that may hang on a third. */
import type { SettingValue } from "../model/policy.ts";
import type { PolicyEntry } from "./schema.ts";
import type { SettingSpec } from "./settingSpec.ts";

export function settingValue(policy: PolicyEntry, spec: SettingSpec): SettingValue {
  return policy.settings[spec.key] ?? spec.standard;
}

/** What keeps a setting from having an effect: the nearest condition on its way that is not met; null: nothing. O(settings × its conditions). */
export function unmetBy(
  spec: SettingSpec,
  policy: PolicyEntry,
  specs: readonly SettingSpec[],
): NonNullable<SettingSpec["when"]> | null {
  const { when } = spec;
  const above = specs.find((other) => other.key === when?.key);
  if (when === undefined || above === undefined) return null;
  const isMet = when.is.some((value) => value === settingValue(policy, above));
  return isMet ? unmetBy(above, policy, specs) : when;
}

export function inEffect(
  spec: SettingSpec,
  policy: PolicyEntry,
  specs: readonly SettingSpec[],
): boolean {
  return unmetBy(spec, policy, specs) === null;
}
