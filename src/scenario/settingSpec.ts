/** How one setting of a preset is described: the form, the check at the door and the default all come from it. */
export interface SettingOption {
  readonly value: string;
  readonly label: string;
  /** What it does, one sentence. */
  readonly sentence: string;
}

/** Under which heading of the form a setting stands. The first choices of a policy stand above all headings. Absent: under "General". */
export const SETTING_GROUPS = [
  "Order",
  "Sharing",
  "Auction",
  "Passing",
  "Run times",
  "Preemption",
  "Placement",
  "Cluster Autoscaler",
  "Elastic jobs",
  "Workers",
  "Pods ready",
  "Latency",
] as const;
export type SettingGroup = (typeof SETTING_GROUPS)[number];

interface SettingBase {
  readonly key: string;
  readonly label: string;
  /** What it is for, one sentence. */
  readonly sentence: string;
  readonly group?: SettingGroup;
  /** Shown where another setting has one of these values: elsewhere it has no effect. */
  readonly when?: { readonly key: string; readonly is: readonly (string | boolean)[] };
}

export type SettingSpec =
  | (SettingBase & {
      readonly kind: "enum";
      readonly standard: string;
      readonly options: readonly SettingOption[];
    })
  | (SettingBase & { readonly kind: "boolean"; readonly standard: boolean })
  /** `duration` is an integer of milliseconds; `number` need not be whole. */
  | (SettingBase & {
      readonly kind: "integer" | "duration" | "number";
      readonly standard: number;
      readonly least: number;
      readonly most: number;
      /** 0 is allowed as well: `least` is the least beside it. */
      readonly orZero?: true;
      /** Of a number: "GPUs", "jobs", "credits". */
      readonly unit?: string;
    });

/** Options in the order of `values`, with the label and sentence of each. */
export function optionsOf<V extends string>(
  values: readonly V[],
  sentences: { readonly [K in V]: readonly [string, string] },
): readonly SettingOption[] {
  return values.map((value) => ({
    value,
    label: sentences[value][0],
    sentence: sentences[value][1],
  }));
}

/** What a preset is called, what it is, and what it can be told. */
export interface PresetSpec {
  readonly id: string;
  readonly label: string;
  readonly sentence: string;
  readonly settings: readonly SettingSpec[];
}
