/**
 * Host lists, the short form in which Slurm writes names of nodes: `dgx[001-003,7],login1` (slurm.conf(5), scontrol(1) `show
 * hostnames`). Numbers keep the width of the lower end; several brackets in one name multiply, the last one fastest. What a list
 * expands to is bounded before anything is made, because a list comes from outside.
 */
import type { Result } from "../../base/result.ts";
import { err, ok } from "../../base/result.ts";
import { LIMITS } from "../../model/limits.ts";

/**
 * The names of a host list in the order written; blanks around commas are left out, a name given twice stays twice. The error is one sentence that says
 * what is wrong. O(text + names), of which at most `most`.
 */
export function expandHostlist(
  text: string,
  most: number = LIMITS.nodes,
): Result<string[], string> {
  const names: string[] = [];
  for (const entry of splitOutside(text)) {
    const expanded = expandEntry(entry, most - names.length);
    if (!expanded.ok) return expanded;
    for (const name of expanded.value) names.push(name);
  }
  return ok(names);
}

/** The entries of a list: cut at the commas that stand outside brackets. */
function splitOutside(text: string): string[] {
  const entries: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    const letter = text[i];
    if (letter === "[") depth++;
    if (letter === "]") depth--;
    if (i < text.length && (letter !== "," || depth > 0)) continue;
    const entry = text.slice(start, i).trim();
    if (entry !== "") entries.push(entry);
    start = i + 1;
  }
  return entries;
}

function expandEntry(entry: string, most: number): Result<string[], string> {
  let names = [""];
  let at = 0;
  while (at < entry.length) {
    const open = entry.indexOf("[", at);
    const plain = entry.slice(at, open < 0 ? entry.length : open);
    if (plain.includes("]") || /\s/.test(plain)) return err(`"${entry}" is not a host list.`);
    names = names.map((name) => name + plain);
    if (open < 0) break;
    const close = entry.indexOf("]", open);
    if (close < 0) return err(`"${entry}" opens a bracket and does not close it.`);
    const numbers = expandRanges(entry.slice(open + 1, close), Math.floor(most / names.length));
    if (!numbers.ok) return err(`"${entry}": ${numbers.error}`);
    names = names.flatMap((name) => numbers.value.map((number) => name + number));
    at = close + 1;
  }
  return names.length > most ? tooMany() : ok(names);
}

function expandRanges(text: string, most: number): Result<string[], string> {
  const numbers: string[] = [];
  for (const part of text.split(",")) {
    const range = /^\s*(\d{1,9})(?:-(\d{1,9}))?\s*$/.exec(part);
    if (!range) return err(`"${part.trim()}" is no number and no range of numbers.`);
    const low = range[1]!;
    const from = Number(low);
    const to = range[2] === undefined ? from : Number(range[2]);
    if (to < from) return err(`the range "${part.trim()}" ends before it begins.`);
    if (numbers.length + to - from + 1 > most) return tooMany();
    for (let number = from; number <= to; number++)
      numbers.push(String(number).padStart(low.length, "0"));
  }
  return ok(numbers);
}

function tooMany() {
  return err(`the list names too many nodes; at most ${LIMITS.nodes} are accepted.`);
}

/** The shortest common form of names in the order given: neighbours that count up by one share a bracket. O(names). */
export function compressHostlist(names: readonly string[]): string {
  const groups: { readonly prefix: string; readonly ranges: Range[] }[] = [];
  for (const name of names) {
    const digits = /\d{1,9}$/.exec(name)?.[0] ?? "";
    const prefix = name.slice(0, name.length - digits.length);
    const last = groups[groups.length - 1];
    if (digits === "") {
      groups.push({ prefix: name, ranges: [] });
    } else if (last === undefined || last.prefix !== prefix || last.ranges.length === 0) {
      groups.push({ prefix, ranges: [{ low: digits, high: digits }] });
    } else if (!extend(last.ranges[last.ranges.length - 1]!, digits)) {
      last.ranges.push({ low: digits, high: digits });
    }
  }
  return groups.map(groupText).join(",");
}

interface Range {
  readonly low: string;
  high: string;
}

/** Whether the number follows the range, in the same width; the range then ends with it. */
function extend(range: Range, digits: string): boolean {
  const next = String(Number(range.high) + 1).padStart(range.low.length, "0");
  if (next !== digits) return false;
  range.high = digits;
  return true;
}

function groupText(group: { readonly prefix: string; readonly ranges: readonly Range[] }): string {
  const [first] = group.ranges;
  if (first === undefined) return group.prefix;
  if (group.ranges.length === 1 && first.low === first.high) return group.prefix + first.low;
  const parts = group.ranges.map((range) =>
    range.low === range.high ? range.low : `${range.low}-${range.high}`,
  );
  return `${group.prefix}[${parts.join(",")}]`;
}
