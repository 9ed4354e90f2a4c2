/** Settings that several presets of the Kubernetes family have, and short forms of the kinds they use most. */
import type { SettingGroup, SettingSpec } from "../settingSpec.ts";

export const DAY_MS = 86_400_000;

/** On or off. */
export function toggle(
  key: string,
  label: string,
  sentence: string,
  standard: boolean,
  group?: SettingGroup,
): SettingSpec {
  return { key, label, sentence, kind: "boolean", standard, ...(group ? { group } : {}) };
}

/** A time in ms, 0 to a day unless said otherwise. */
export function time(
  key: string,
  label: string,
  sentence: string,
  standard: number,
  group: SettingGroup,
  bounds: { readonly least?: number; readonly most?: number; readonly orZero?: true } = {},
): SettingSpec {
  return {
    key,
    label,
    sentence,
    kind: "duration",
    standard,
    least: 0,
    most: DAY_MS,
    ...bounds,
    group,
  };
}

export const GRACE_PERIOD = time(
  "graceMs",
  "Grace period",
  "An evicted pod holds its node so long before it is gone (terminationGracePeriodSeconds).",
  30_000,
  "Preemption",
);

/** Of schedulers that look at everything anew once in a while. */
export const SESSION_PERIOD = time(
  "schedulePeriodMs",
  "Session period",
  "A session begins so often (--schedule-period).",
  1_000,
  "Latency",
  { least: 1, most: 3_600_000 },
);

/** `named`: where upstream says so. */
export function bindsPerSecond(standard: number, named: string): SettingSpec {
  return {
    key: "bindsPerSecond",
    label: "Binds per second",
    sentence: `Pods that a session binds start one after another at this rate; 0: at once (${named}).`,
    kind: "number",
    standard,
    least: 0.1,
    most: 1_000_000,
    orZero: true,
    unit: "pods",
    group: "Latency",
  };
}

export const POD_START = time(
  "podStartMs",
  "Pod start",
  "Sandbox and containers of a pod whose image is there (our figure for an ordinary one).",
  2_000,
  "Latency",
);
