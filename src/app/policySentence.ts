/** The policy in one line, from the same list of settings that the forms are made of: "first come, first served · EASY". */

import { policyAt } from "../scenario/policyAt.ts";
import type { PolicyEntry, Scenario } from "../scenario/schema.ts";
import type { SettingSpec } from "../scenario/settingSpec.ts";
import { presetOf } from "../scenario/settings.ts";

/** The policy in force at `atMs`. One pool: its settings; several: the pools by name, each with its preset. */
export function policySentence(scenario: Scenario, atMs: number): string {
  const policies = scenario.pools.map((pool) => policyAt(scenario, pool.id, atMs));
  const [first] = policies;
  if (first === undefined) return "";
  if (policies.length === 1) return settingsSentence(first);
  return scenario.pools
    .map((pool, i) => `${pool.id}: ${presetLabel(policies[i]!.preset)}`)
    .join(" · ");
}

function presetLabel(id: string): string {
  return presetOf(id)?.label ?? id;
}

/** What every policy of the lab has a word for; of the rest only what somebody chose is told. */
const ALWAYS: ReadonlySet<string> = new Set(["order", "backfill", "placement"]);

function settingsSentence(policy: PolicyEntry): string {
  const preset = presetOf(policy.preset);
  if (!preset) return policy.preset;
  const parts = preset.settings
    .filter((setting) => setting.kind === "enum")
    .filter(
      ({ key, standard }) => ALWAYS.has(key) || (policy.settings[key] ?? standard) !== standard,
    )
    .map((setting) => optionText(setting, policy.settings[setting.key]));
  const named = preset.id === "lab" ? parts : [preset.label, ...parts];
  return named.join(" · ");
}

function optionText(setting: Extract<SettingSpec, { kind: "enum" }>, given: unknown): string {
  const value = given ?? setting.standard;
  const label = setting.options.find((option) => option.value === value)?.label ?? String(value);
  if (label === "None") return `no ${setting.label.toLowerCase()}`;
  if (setting.key === "backfill") return `${label} backfill`;
  // Names of a scheduler's own, such as MostAllocated, stay as they are.
  const word = /[a-z][A-Z]/.test(label) ? label : label.toLowerCase();
  return ALWAYS.has(setting.key) ? label : `${setting.label.toLowerCase()}: ${word}`;
}
