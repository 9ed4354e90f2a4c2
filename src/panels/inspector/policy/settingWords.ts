/** Settings in words: what a value is called, and what changes between two policies, from the list that makes the forms. */
import { countText, durationText, numberText } from "../../../base/format.ts";
import type { SettingValue } from "../../../model/policy.ts";
import type { PolicyEntry } from "../../../scenario/schema.ts";
import type { SettingSpec } from "../../../scenario/settingSpec.ts";
import { presetOf } from "../../../scenario/settings.ts";
import { settingValue } from "../../../scenario/settingsInEffect.ts";
import { yamlChanges } from "./yamlChanges.ts";

/** A value as people call it: the label of an option, on or off, a number, a duration. */
export function valueWords(spec: SettingSpec, value: SettingValue): string {
  switch (spec.kind) {
    case "enum":
      return spec.options.find((option) => option.value === value)?.label ?? String(value);
    case "boolean":
      return value === true ? "on" : "off";
    case "integer":
    case "number":
      return numberText(Number(value));
    case "duration":
      return durationText(Number(value));
  }
}

export interface SettingChange {
  readonly label: string;
  readonly from: string;
  readonly to: string;
}

/** What `to` changes of `from`, setting by setting; another preset counts as one change. */
export function settingChanges(from: PolicyEntry, to: PolicyEntry): SettingChange[] {
  const preset = presetOf(to.preset);
  if (!preset) return [];
  const before = presetOf(from.preset);
  const changes: SettingChange[] =
    from.preset === to.preset
      ? []
      : [{ label: "Scheduler", from: before?.label ?? from.preset, to: preset.label }];
  const [was, now] = [from.yaml ?? "", to.yaml ?? ""];
  if (was.trim() !== now.trim()) {
    const fields = was.trim() === "" || now.trim() === "" ? [] : yamlChanges(was, now);
    changes.push(...(fields.length > 0 ? fields : [linesChange(was, now)]));
  }
  for (const spec of preset.settings) {
    const now = settingValue(to, spec);
    const was = from.preset === to.preset ? settingValue(from, spec) : spec.standard;
    if (was !== now)
      changes.push({ label: spec.label, from: valueWords(spec, was), to: valueWords(spec, now) });
  }
  return changes;
}

/** The policy with only those settings that differ from the preset's defaults, as documents keep it; texts as they are. */
export function leanPolicy(policy: PolicyEntry): PolicyEntry {
  const preset = presetOf(policy.preset);
  const settings = Object.fromEntries(
    (preset?.settings ?? [])
      .map((spec) => [spec.key, settingValue(policy, spec), spec.standard] as const)
      .filter(([, value, standard]) => value !== standard)
      .map(([key, value]) => [key, value]),
  );
  const { slurm, yaml = "" } = policy;
  return {
    preset: policy.preset,
    settings,
    ...(slurm ? { slurm } : {}),
    ...(yaml.trim() === "" ? {} : { yaml }),
  };
}

const LINE_MOST = 80;

/** Where no field is told: the lines in which two texts differ, one line as it is written, more by their number. O(texts), without splitting: there may be 100,000 lines, and this is asked at every key. */
function linesChange(was: string, now: string): SettingChange {
  if (was.trim() === "" || now.trim() === "")
    return { label: "YAML", from: linesWords(was), to: linesWords(now) };
  const shared = Math.min(was.length, now.length);
  let from = 0;
  while (from < shared && was[from] === now[from]) from++;
  from = was.lastIndexOf("\n", from - 1) + 1;
  let end = 0;
  while (end < shared - from && was.at(-1 - end) === now.at(-1 - end)) end++;
  const endsLine = (text: string) => {
    const close = text.length - end;
    return close === from || text[close - 1] === "\n";
  };
  const whole = endsLine(was) && endsLine(now);
  const part = (text: string): string => {
    const close = whole ? text.length - end : text.indexOf("\n", text.length - end);
    const lines = text.slice(from, close < 0 ? text.length : close).trim();
    if (lines.includes("\n")) return linesWords(lines);
    if (lines === "") return "no line";
    return lines.length > LINE_MOST ? `${lines.slice(0, LINE_MOST)}…` : lines;
  };
  const line = 1 + (was.slice(0, from).match(/\n/g)?.length ?? 0);
  return { label: `YAML, line ${numberText(line)}`, from: part(was), to: part(now) };
}

/** A text by its length. */
function linesWords(text: string): string {
  const lines = text.match(/\S[^\n]*/g)?.length ?? 0;
  return lines === 0 ? "none" : countText(lines, "line");
}
