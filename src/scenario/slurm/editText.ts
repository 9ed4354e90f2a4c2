/**
 * Changes one value in a text of slurm.conf and leaves everything else as it was: comments, order,
 * blanks. A form and a text editor can then show the same configuration, because both edit the same text.
 */
import type { ConfLine, ConfPair } from "./lex.ts";
import { confLines, keyOf } from "./lex.ts";
import { nameList } from "./values.ts";

/** Which line a field stands in: `PartitionName=main`, `NodeName=n[1-4]`. Absent: a key of the whole cluster. */
export interface LineName {
  readonly key: "PartitionName" | "NodeName" | "NodeSet" | "SwitchName";
  readonly name: string;
}

/** Keys that begin a line about one thing; their fields are no keys of the cluster. */
const NAMING = new Set([
  "nodename",
  "partitionname",
  "nodeset",
  "downnodes",
  "frontendname",
  "switchname",
]);

interface Found {
  readonly line: ConfLine;
  readonly pair: ConfPair;
}

/** The pair that holds: the last one of its key. */
function find(text: string, key: string, of?: LineName): Found | null {
  let found: Found | null = null;
  for (const line of linesOf(text, of)) {
    for (const pair of line.pairs) {
      if (keyOf(pair.key) === keyOf(key)) found = { line, pair };
    }
  }
  return found;
}

function linesOf(text: string, of?: LineName): ConfLine[] {
  return confLines(text).filter((line) => {
    const [first] = line.pairs;
    if (first === undefined) return false;
    if (of === undefined) return !NAMING.has(keyOf(first.key));
    return keyOf(first.key) === keyOf(of.key) && first.value === of.name;
  });
}

/**
 * The value of a key, or of one option in its list (`SchedulerParameters`, `bf_interval`); a flag that is named has the value
 * `yes`. undefined: not in the text. O(text).
 */
export function valueIn(
  text: string,
  key: string,
  option?: string,
  of?: LineName,
): string | undefined {
  const value = find(text, key, of)?.pair.value;
  if (value === undefined || option === undefined) return value;
  const entry = nameList(value).find((each) => optionName(each) === keyOf(option));
  if (entry === undefined) return undefined;
  const at = entry.indexOf("=");
  return at < 0 ? "yes" : entry.slice(at + 1);
}

function optionName(entry: string): string {
  const at = entry.indexOf("=");
  return keyOf(at < 0 ? entry : entry.slice(0, at)).trim();
}

/**
 * The text with the value in place: changed where the key stands, otherwise added at the end of its line or of the text.
 * `option`: one entry of a list; the value `yes` names a flag and `no` takes it away. O(text).
 */
export function withValue(
  text: string,
  key: string,
  value: string,
  option?: string,
  of?: LineName,
): string {
  const found = find(text, key, of);
  const before = found?.pair.value ?? "";
  const next = option === undefined ? value : withOption(before, option, value);
  if (option !== undefined && next === "") return withoutPair(text, found);
  if (found !== null)
    return replaced(text, found.pair.valueFrom, found.pair.valueUntil, quoted(next));
  const line = of === undefined ? undefined : linesOf(text, of).at(-1);
  const last = line?.pairs.at(-1);
  if (last !== undefined) return replaced(text, last.until, last.until, ` ${key}=${quoted(next)}`);
  const head = of === undefined ? "" : `${of.key}=${of.name} `;
  return `${closed(text)}${head}${key}=${quoted(next)}\n`;
}

/** The text with its last line ended, also one that a backslash holds open. */
export function closed(text: string): string {
  if (/\\\s*$/.test(text)) return `${text}\n${text.endsWith("\n") ? "" : "\n"}`;
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

/** The text without a key, or without one option of its list. A line of which nothing is left goes too. O(text). */
export function withoutValue(text: string, key: string, option?: string, of?: LineName): string {
  if (option !== undefined) {
    const found = find(text, key, of);
    return found === null ? text : withValue(text, key, "no", option, of);
  }
  let result = text;
  // The last one holds; with it gone, one above it would.
  for (let found = find(result, key, of); found !== null; found = find(result, key, of)) {
    result = withoutPair(result, found);
  }
  return result;
}

function withOption(list: string, option: string, value: string): string {
  const entry = value === "yes" ? option : `${option}=${value}`;
  const entries = nameList(list);
  const at = entries.findLastIndex((each) => optionName(each) === keyOf(option));
  const others = entries.filter(
    (each, index) => index === at || optionName(each) !== keyOf(option),
  );
  const place = others.findIndex((each) => optionName(each) === keyOf(option));
  if (value === "no") return others.filter((_, index) => index !== place).join(",");
  if (place < 0) return [...others, entry].join(",");
  return others.map((each, index) => (index === place ? entry : each)).join(",");
}

function withoutPair(text: string, found: Found | null): string {
  if (found === null) return text;
  const { line, pair } = found;
  if (line.pairs.length === 1 && !/#/.test(text.slice(pair.until, line.until))) {
    return replaced(text, line.from, Math.min(text.length, line.until + 1), "");
  }
  let from = pair.from;
  while (from > line.from && /[ \t]/.test(text[from - 1]!)) from -= 1;
  return replaced(text, from, pair.until, "");
}

/** The text with one stretch replaced. */
export function replaced(text: string, from: number, until: number, by: string): string {
  return text.slice(0, from) + by + text.slice(until);
}

/** A value with blanks needs quotes. */
function quoted(value: string): string {
  return value === "" || /[\s#]/.test(value) ? `"${value}"` : value;
}
