/**
 * What the form of a preset shows of its settings: the first choices, the rest in groups, nothing that has no effect under what is
 * chosen, and only what a search finds. Pure, so tests need no form.
 */
import type { PolicyEntry } from "../../../scenario/schema.ts";
import type { SettingSpec } from "../../../scenario/settingSpec.ts";
import { SETTING_GROUPS } from "../../../scenario/settingSpec.ts";
import { inEffect, settingValue } from "../../../scenario/settingsInEffect.ts";

/** What makes a policy: on top of the form, in this order. */
const FIRST_CHOICES: readonly string[] = ["order", "backfill", "placement", "preemption", "quota"];

export interface SettingsGroup {
  readonly name: string;
  readonly specs: readonly SettingSpec[];
  /** Of them, those that differ from their defaults. */
  readonly differing: number;
}

export interface FormLayout {
  readonly first: readonly SettingSpec[];
  readonly groups: readonly SettingsGroup[];
  /** Found by the search, but without effect under what is chosen. */
  readonly idle: readonly SettingSpec[];
}

/** Whether each word stands in the label, the sentence, the group or an option. Without words everything is found. */
export function isFound(spec: SettingSpec, words: string): boolean {
  const options =
    spec.kind === "enum" ? spec.options.map((each) => `${each.label} ${each.sentence}`) : [];
  const text = [spec.label, spec.sentence, spec.group ?? "", spec.key, ...options]
    .join(" ")
    .toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export function differs(spec: SettingSpec, policy: PolicyEntry): boolean {
  return settingValue(policy, spec) !== spec.standard;
}

/** The form of a preset under a policy, cut down to what `words` finds. O(settings²) at worst: some seventy. */
export function layoutOf(
  specs: readonly SettingSpec[],
  policy: PolicyEntry,
  words: string,
): FormLayout {
  const found = specs.filter((spec) => isFound(spec, words));
  const active = found.filter((spec) => inEffect(spec, policy, specs));
  const isFirst = (spec: SettingSpec) => FIRST_CHOICES.includes(spec.key);
  const place = (spec: SettingSpec) => FIRST_CHOICES.indexOf(spec.key);
  const names = ["General", ...SETTING_GROUPS];
  const groups = names.map((name): SettingsGroup => {
    const mine = active.filter((spec) => !isFirst(spec) && (spec.group ?? "General") === name);
    return {
      name,
      specs: mine,
      differing: mine.filter((spec) => differs(spec, policy)).length,
    };
  });
  return {
    first: active.filter(isFirst).sort((a, b) => place(a) - place(b)),
    groups: groups.filter((group) => group.specs.length > 0),
    idle: words.trim() === "" ? [] : found.filter((spec) => !active.includes(spec)),
  };
}

/** How many settings of its own group a first choice has; 0 for one without. */
export function settingsBehind(spec: SettingSpec, groups: readonly SettingsGroup[]): number {
  return groups.find((group) => group.name === groupBehind(spec))?.specs.length ?? 0;
}

/** The group that a first choice leads to. */
export function groupBehind(spec: SettingSpec): string {
  const own: Readonly<Record<string, string>> = {
    order: "Order",
    backfill: "Passing",
    placement: "Placement",
    quota: "Auction",
  };
  return own[spec.key] ?? spec.group ?? "";
}

/** "where Preemption is Cancel, Requeue or Suspend": what has to be chosen for a setting to have an effect. */
export function needsWords(spec: SettingSpec, specs: readonly SettingSpec[]): string {
  const { when } = spec;
  const above = specs.find((other) => other.key === when?.key);
  if (when === undefined || above === undefined) return "";
  const names = when.is.map((value) => {
    if (above.kind !== "enum") return value === true ? "on" : "off";
    return above.options.find((option) => option.value === value)?.label ?? String(value);
  });
  const last = names.at(-1) ?? "";
  const list = names.length > 1 ? `${names.slice(0, -1).join(", ")} or ${last}` : last;
  return `where ${above.label} is ${list}`;
}

/** The draft as it is applied: what has no effect under it stays as it was. */
export function settled(
  draft: PolicyEntry,
  before: PolicyEntry,
  specs: readonly SettingSpec[],
): PolicyEntry {
  const settings = { ...draft.settings };
  for (const spec of specs) {
    if (inEffect(spec, draft, specs)) continue;
    const was = before.preset === draft.preset ? before.settings[spec.key] : undefined;
    if (was === undefined) delete settings[spec.key];
    else settings[spec.key] = was;
  }
  return { ...draft, settings };
}
