/** The policy in one line, from the same list of settings that the forms are made of: "first come, first served · EASY"; and all that somebody chose, by name. */
import { valueWords } from "../panels/inspector/policy/settingWords.ts";
import { policyAt } from "../scenario/policyAt.ts";
import type { PolicyEntry, Scenario } from "../scenario/schema.ts";
import type { SettingSpec } from "../scenario/settingSpec.ts";
import { presetOf } from "../scenario/settings.ts";

/** The policy in force at `atMs`. One pool: its settings; several: the pools by name, each with its preset. */
export function policySentence(scenario: Scenario, atMs: number): string {
  return policyParts(scenario, atMs).join(" · ");
}

/** The parts of the sentence, most telling first. */
export function policyParts(scenario: Scenario, atMs: number): readonly string[] {
  const policies = scenario.pools.map((pool) => policyAt(scenario, pool.id, atMs));
  const [first] = policies;
  if (first === undefined) return [];
  if (policies.length === 1) return settingsParts(first);
  return scenario.pools.map((pool, i) => `${pool.id}: ${presetLabel(policies[i]!.preset)}`);
}

export interface ChosenSetting {
  readonly label: string;
  readonly value: string;
  /** What it would be. */
  readonly standard: string;
}

export interface PoolPolicy {
  readonly pool: string;
  readonly preset: string;
  /** Every setting that differs from its default, in the order of the form. */
  readonly chosen: readonly ChosenSetting[];
  readonly hasYaml: boolean;
}

/** All pools with all that was chosen for them. O(settings). */
export function poolPolicies(scenario: Scenario, atMs: number): readonly PoolPolicy[] {
  return scenario.pools.map(({ id }) => {
    const policy = policyAt(scenario, id, atMs);
    const chosen = (presetOf(policy.preset)?.settings ?? []).flatMap((spec) => {
      const value = policy.settings[spec.key];
      if (value === undefined || value === spec.standard) return [];
      return [
        {
          label: spec.label,
          value: valueWords(spec, value),
          standard: valueWords(spec, spec.standard),
        },
      ];
    });
    const hasYaml = (policy.yaml ?? "") !== "";
    return { pool: id, preset: presetLabel(policy.preset), chosen, hasYaml };
  });
}

/** How many chosen settings of a single pool the sentence has no words for: numbers and switches. */
export function untoldSettings(scenario: Scenario, atMs: number): number {
  const [pool, ...others] = scenario.pools;
  if (pool === undefined || others.length > 0) return 0;
  const { preset, settings } = policyAt(scenario, pool.id, atMs);
  return (presetOf(preset)?.settings ?? []).filter(
    ({ kind, key, standard }) => kind !== "enum" && (settings[key] ?? standard) !== standard,
  ).length;
}

function presetLabel(id: string): string {
  return presetOf(id)?.label ?? id;
}

/** What every policy of the lab has a word for; of the rest only what somebody chose is told. */
const ALWAYS: ReadonlySet<string> = new Set(["order", "backfill", "placement"]);

function settingsParts(policy: PolicyEntry): readonly string[] {
  const preset = presetOf(policy.preset);
  if (!preset) return [policy.preset];
  const parts = preset.settings
    .filter((setting) => setting.kind === "enum")
    .filter(
      ({ key, standard }) => ALWAYS.has(key) || (policy.settings[key] ?? standard) !== standard,
    )
    .map((setting) => optionText(setting, policy.settings[setting.key]));
  return preset.id === "lab" ? parts : [preset.label, ...parts];
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
