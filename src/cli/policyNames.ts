/** `--policy NAME`: a common name (`easy`) a preset with its defaults, or `scenario` for what the pools of the scenario have. A name that stands for nothing lists those that do. */

import type { PolicyEntry } from "../scenario/schema.ts";
import type { NamedPolicy } from "../scenario/settings.ts";
import { POLICY_NAMES, PRESETS, resolveSettings } from "../scenario/settings.ts";
import { wrongCall } from "./fail.ts";

/** The policies that the scenario has itself. */
const AS_IT_IS = "scenario";

/** All names, for messages. */
export function knownPolicies(): readonly string[] {
  const presets = PRESETS.map((preset) => preset.id);
  return [...new Set([...Object.keys(POLICY_NAMES), ...presets, AS_IT_IS])];
}

/** The policy of a name; null for `scenario`, whose pools keep theirs. Throws, with all names, where nobody has it. */
export function policyNamed(name: string): PolicyEntry | null {
  if (name === AS_IT_IS) return null;
  const named = Object.hasOwn(POLICY_NAMES, name) ? POLICY_NAMES[name] : undefined;
  if (named !== undefined) return policyOf(named);
  if (PRESETS.some((preset) => preset.id === name)) return { preset: name, settings: {} };
  throw wrongCall(`There is no policy "${name}"; there are: ${knownPolicies().join(", ")}`);
}

function policyOf({ preset, settings, slurm }: NamedPolicy): PolicyEntry {
  const policy = { preset, settings: { ...settings } };
  return slurm === undefined ? policy : { ...policy, slurm: { ...slurm } };
}

/** The common name of a policy, where it has one; else the preset and the settings that differ from its defaults. */
export function policyNameOf({ preset, settings }: PolicyEntry): string {
  const resolved = resolveSettings(preset, settings, "");
  if (!resolved.ok) return preset;
  for (const [name, named] of Object.entries(POLICY_NAMES)) {
    const other = resolveSettings(named.preset, named.settings, "");
    if (!other.ok || named.preset !== preset) continue;
    const same = Object.entries(other.value.settings).every(
      ([key, value]) => resolved.value.settings[key] === value,
    );
    if (same) return name;
  }
  const changed = Object.entries(settings).map(([key, value]) => `${key}=${String(value)}`);
  return changed.length === 0 ? preset : `${preset}(${changed.join(",")})`;
}
