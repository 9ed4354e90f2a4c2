/**
 * `--set NAME=VALUE`: a setting of the policy's preset by its name, or with Slurm a parameter by the name of its manual
 * (`bf_interval=60`, `PriorityWeightAge=1000`, `partition.main.MaxTime=60`, `qos.high.Priority=10`), which changes the text of
 * the configuration. An empty value takes a parameter away.
 */
import type { SettingValue } from "../model/policy.ts";
import type { PolicyEntry } from "../scenario/schema.ts";
import type { SettingSpec } from "../scenario/settingSpec.ts";
import { presetOf } from "../scenario/settings.ts";
import { withParameter } from "../scenario/slurm/setParameter.ts";
import { wrongCall } from "./fail.ts";

const NO_FILES = { conf: "", gres: "", topology: "", accounting: "" };

/** The policy with everything that was set, in the order given. A name that is not known is a wrong call. */
export function withSettings(policy: PolicyEntry, given: readonly string[]): PolicyEntry {
  return given.reduce(withSetting, policy);
}

function withSetting(policy: PolicyEntry, given: string): PolicyEntry {
  const at = given.indexOf("=");
  if (at <= 0)
    throw wrongCall(`--set is "${given}"; it must be NAME=VALUE, such as bf_interval=60`);
  const [name, text] = [given.slice(0, at).trim(), given.slice(at + 1).trim()];
  const preset = presetOf(policy.preset);
  const spec = preset?.settings.find((each) => each.key === name);
  if (spec !== undefined) {
    return { ...policy, settings: { ...policy.settings, [name]: settingValue(spec, text) } };
  }
  if (policy.preset !== "slurm") {
    const known = preset?.settings.map((each) => each.key).join(", ");
    throw wrongCall(
      `--set: the preset "${policy.preset}" has no setting "${name}"; it has: ${known}`,
    );
  }
  const slurm = withParameter(policy.slurm ?? NO_FILES, name, text);
  if (!slurm.ok) throw wrongCall(`--set: ${slurm.error}`);
  return { ...policy, slurm: slurm.value };
}

/** The text in the form of the setting; one that does not fit is kept, and refused by the document's own check. */
function settingValue(spec: SettingSpec, text: string): SettingValue {
  if (spec.kind === "enum") return text;
  if (spec.kind === "boolean") return text === "true" ? true : text === "false" ? false : text;
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
