/**
 * What a parameter of Slurm is to this program: its name as in the manual, the form of its value, its default, what it does, and
 * whether a run heeds it. One list of these (`parameters.ts`) feeds the reader of configurations, the form, the notes and the
 * documents, so that they cannot drift apart.
 */
import type { Value } from "./values.ts";
import {
  decimal,
  isEndless,
  memoryMiB,
  nameList,
  timeInMinutesMs,
  timeMs,
  tresAmounts,
  wholeNumber,
  yesNo,
} from "./values.ts";

export type ParameterScope = "global" | "scheduler" | "partition" | "node" | "qos" | "association";

export type ParameterKind =
  /** Whole number; `endless`: UNLIMITED is a value too. */
  | {
      readonly is: "integer";
      readonly least: number;
      readonly most: number;
      readonly endless: boolean;
    }
  | { readonly is: "decimal"; readonly least: number }
  /** A number of this unit, kept in milliseconds. */
  | {
      readonly is: "duration";
      readonly unitMs: number;
      readonly least: number;
      readonly endless: boolean;
    }
  /** A time in Slurm's notation; `minutes`: rounded up to whole minutes. */
  | { readonly is: "time"; readonly minutes: boolean; readonly endless: boolean }
  | { readonly is: "boolean" }
  /** An option that holds when it is named. */
  | { readonly is: "flag" }
  /** One of these words (written in any case), each with the value kept for it. */
  | { readonly is: "choice"; readonly values: Readonly<Record<string, string | number | boolean>> }
  | { readonly is: "tres"; readonly weights: boolean }
  | { readonly is: "memory" }
  | { readonly is: "names" }
  | { readonly is: "text" }
  /** Read by a function of its own: `help` says what is right, `offers` what is usual and offered for choice. */
  | { readonly is: "special"; readonly help: string; readonly offers?: readonly string[] };

export type Standing = "modelled" | "approximated" | "notModelled" | "ignored";

export interface Parameter {
  /** As in the manual. */
  readonly name: string;
  /** Older or shorter spellings. */
  readonly aliases: readonly string[];
  readonly scope: ParameterScope;
  readonly kind: ParameterKind;
  /** The default of Slurm 22.05 as one would write it; "" = not set. */
  readonly standard: string;
  /** What it does. */
  readonly sentence: string;
  readonly link: string;
  readonly standing: Standing;
  /** `approximated`: what differs; `ignored`: why it does not matter. */
  readonly differs?: string;
  /** Where the default differs in other versions. */
  readonly sinceNote?: string;
  /** The fields of the configuration that it sets, below the record of its scope (`life.killWaitMs`, `maxTimeMs`). */
  readonly fields: readonly string[];
}

/** In units of a duration: far past any horizon, and exact in milliseconds. */
const LONGEST = 2 ** 36;

/** The value that a text says for a parameter, in the form in which a configuration keeps it. */
export function parameterValue(kind: ParameterKind, text: string): Value<unknown> {
  switch (kind.is) {
    case "integer":
      if (kind.endless && isEndless(text)) return { ok: true, value: Number.POSITIVE_INFINITY };
      return wholeNumber(text, kind.least, kind.most);
    case "decimal":
      return decimal(text, kind.least);
    case "duration": {
      if (kind.endless && isEndless(text)) return { ok: true, value: Number.POSITIVE_INFINITY };
      const read = wholeNumber(text, kind.least, LONGEST);
      return read.ok ? { ok: true, value: read.value * kind.unitMs } : read;
    }
    case "time": {
      const read = kind.minutes ? timeInMinutesMs(text) : timeMs(text);
      if (read.ok && read.value === Number.POSITIVE_INFINITY && !kind.endless) {
        return { ok: false, error: "Use a time that ends." };
      }
      return read;
    }
    case "boolean":
    case "flag":
      return yesNo(text);
    case "choice":
      return choiceOf(kind.values, text);
    case "tres":
      return tresAmounts(text, kind.weights);
    case "memory":
      return memoryMiB(text);
    case "names":
      return { ok: true, value: nameList(text) };
    case "text":
      return { ok: true, value: text };
    case "special":
      return { ok: false, error: kind.help };
  }
}

function choiceOf(
  values: Readonly<Record<string, string | number | boolean>>,
  text: string,
): Value<string | number | boolean> {
  const word = text.toLowerCase();
  const found = Object.keys(values).find((name) => name.toLowerCase() === word);
  if (found !== undefined) return { ok: true, value: values[found]! };
  return { ok: false, error: `Use one of: ${Object.keys(values).join(", ")}.` };
}

/** Sets the field at a dotted path of a record that is being built. */
export function setField(target: object, path: string, value: unknown): void {
  const parts = path.split(".");
  let record = target as Record<string, unknown>;
  for (const part of parts.slice(0, -1)) record = record[part] as Record<string, unknown>;
  record[parts.at(-1)!] = value;
}

const MOST = 2 ** 53 - 1;

export const KIND = {
  count: { is: "integer", least: 0, most: MOST, endless: false },
  atLeastOne: { is: "integer", least: 1, most: MOST, endless: false },
  countOrEndless: { is: "integer", least: 0, most: MOST, endless: true },
  decimal: { is: "decimal", least: 0 },
  seconds: { is: "duration", unitMs: 1_000, least: 0, endless: false },
  secondsFromOne: { is: "duration", unitMs: 1_000, least: 1, endless: false },
  minutes: { is: "duration", unitMs: 60_000, least: 0, endless: false },
  minutesFromOne: { is: "duration", unitMs: 60_000, least: 1, endless: false },
  minutesOrEndless: { is: "duration", unitMs: 60_000, least: 0, endless: true },
  microseconds: { is: "duration", unitMs: 0.001, least: 0, endless: false },
  timeInMinutes: { is: "time", minutes: true, endless: true },
  timeInMinutesEnding: { is: "time", minutes: true, endless: false },
  time: { is: "time", minutes: false, endless: true },
  boolean: { is: "boolean" },
  flag: { is: "flag" },
  tresAmounts: { is: "tres", weights: false },
  tresWeights: { is: "tres", weights: true },
  memory: { is: "memory" },
  names: { is: "names" },
  text: { is: "text" },
} as const satisfies Readonly<Record<string, ParameterKind>>;

const MANUAL = "https://slurm.schedmd.com/";

/** Fields of partitions whose names stand in slurm.conf(5) before, for the cluster or for nodes: their anchors are numbered. */
const SECOND_OF_ITS_NAME = new Set([
  "PreemptMode",
  "OverTimeLimit",
  "DisableRootJobs",
  "DefMemPerCPU",
  "DefMemPerNode",
  "JobDefaults",
  "SelectTypeParameters",
  "State",
]);

/** The anchor of a parameter in its manual page; an option with a value has `=#` in it, as the page writes it. */
export function manualLink(scope: ParameterScope, name: string, isFlag = true): string {
  if (scope === "qos" || scope === "association") return `${MANUAL}sacctmgr.html#OPT_${name}`;
  const option = scope === "scheduler" && !isFlag ? "=#" : "";
  const again = scope === "partition" && SECOND_OF_ITS_NAME.has(name) ? "_1" : "";
  return `${MANUAL}slurm.conf.html#OPT_${name}${option}${again}`;
}

type Extras = Partial<Pick<Parameter, "aliases" | "standing" | "differs" | "sinceNote" | "link">>;

/** A parameter of a scope; `fields` is one path or several. */
export function parameterOf(
  scope: ParameterScope,
  [name, kind, standard, fields, sentence, extras = {}]: readonly [
    name: string,
    kind: ParameterKind,
    standard: string,
    fields: string | readonly string[],
    sentence: string,
    extras?: Extras,
  ],
): Parameter {
  return {
    name,
    aliases: [],
    scope,
    kind,
    standard,
    sentence,
    link: manualLink(scope, name, kind.is === "flag"),
    standing: "modelled",
    fields: typeof fields === "string" ? [fields] : fields,
    ...extras,
  };
}

export type ParameterRow = Parameters<typeof parameterOf>[1];
