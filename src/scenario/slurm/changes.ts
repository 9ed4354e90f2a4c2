/** What differs between two configurations, parameter by parameter in Slurm's names: what a person is told before it is applied. */
import { keyOf } from "./lex.ts";
import type { ParameterScope } from "./parameterKinds.ts";
import { parameterNamed } from "./parameters.ts";
import type { SlurmFiles } from "./report.ts";
import type { SetOwner, SetValue, SetValues } from "./setValues.ts";
import { setValues } from "./setValues.ts";

export interface ParameterChange {
  /** `bf_interval`, `partition main MaxTime`, `QOS high`. */
  readonly label: string;
  readonly from: string;
  readonly to: string;
}

const NOT_THERE = "not there";
const LISTS = [
  ["partitions", "partition", "partition"],
  ["nodes", "node", "nodes"],
  ["qos", "qos", "QOS"],
  ["accounts", "association", "account"],
  ["users", "association", "user"],
] as const;

/** The parameters that differ, defaults filled in where one text is silent; an edit of comments alone is told as one. O(texts). */
export function parameterChanges(before: SlurmFiles, after: SlurmFiles): ParameterChange[] {
  const [was, now] = [setValues(before), setValues(after)];
  const changes = [
    ...between("global", "", was.global, now.global),
    ...between("scheduler", "", was.scheduler, now.scheduler),
    ...LISTS.flatMap(([list, scope, word]) => ownersBetween(scope, word, was[list], now[list])),
  ];
  for (const [file, key] of [
    ["gres.conf", "gres"],
    ["topology.conf", "topology"],
  ] as const) {
    if (plain(before[key]) !== plain(after[key]))
      changes.push({ label: file, from: linesOf(before[key]), to: linesOf(after[key]) });
  }
  const isOther = Object.keys(before).some(
    (key) => before[key as keyof SlurmFiles] !== after[key as keyof SlurmFiles],
  );
  if (changes.length === 0 && isOther)
    changes.push({ label: "Texts", from: "as they were", to: "other comments or order" });
  return changes;
}

function ownersBetween(
  scope: ParameterScope,
  word: string,
  was: readonly SetOwner[],
  now: readonly SetOwner[],
): ParameterChange[] {
  const before = new Map(was.map((owner) => [keyOf(owner.name), owner]));
  const after = new Map(now.map((owner) => [keyOf(owner.name), owner]));
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].flatMap((name): ParameterChange[] => {
    const [one, other] = [before.get(name), after.get(name)];
    const label = `${word} ${(other ?? one)!.name}`;
    if (one === undefined) return [{ label, from: NOT_THERE, to: wordsOf(other!) }];
    if (other === undefined) return [{ label, from: wordsOf(one), to: NOT_THERE }];
    return between(scope, `${label} `, one.values, other.values);
  });
}

function between(
  scope: ParameterScope,
  prefix: string,
  was: SetValues["global"],
  now: SetValues["global"],
): ParameterChange[] {
  const keys = new Set([...was.keys(), ...now.keys()]);
  return [...keys].flatMap((key) => {
    const [one, other] = [was.get(key), now.get(key)];
    const standard = standardOf(scope, key);
    const [from, to] = [one?.value ?? standard, other?.value ?? standard];
    if (sameWords(from, to)) return [];
    const { name } = (other ?? one) as SetValue;
    const label = `${prefix}${name}${isHeeded(scope, key) ? "" : " (not heeded)"}`;
    return [{ label, from: from || "not set", to: to || "not set" }];
  });
}

/** What holds where nothing is set, as written; a flag is off. */
function standardOf(scope: ParameterScope, key: string): string {
  const parameter = parameterNamed(scope, key);
  return parameter?.kind.is === "flag" ? "no" : (parameter?.standard ?? "");
}

function isHeeded(scope: ParameterScope, key: string): boolean {
  const standing = parameterNamed(scope, key)?.standing;
  return standing === "modelled" || standing === "approximated";
}

function sameWords(one: string, other: string): boolean {
  return keyOf(one.trim()) === keyOf(other.trim());
}

function wordsOf(owner: SetOwner): string {
  const words = [...owner.values.values()].map(({ name, value }) => `${name}=${value}`);
  return words.length === 0 ? "with its defaults" : words.join(" ");
}

/** Without comments and blanks. */
function plain(text: string): string {
  return text
    .replace(/#.*$/gm, "")
    .split(/\s+/)
    .filter((word) => word !== "")
    .join(" ");
}

function linesOf(text: string): string {
  const lines = text.split("\n").filter((line) => plain(line) !== "").length;
  return lines === 0 ? "empty" : lines === 1 ? "1 line" : `${lines} lines`;
}
