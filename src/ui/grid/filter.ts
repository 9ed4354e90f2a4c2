/**
 * What is typed above a column, as a test of its cells. Text: part of it in any case, `=train` the whole, `!train` without it, `a|b` either. Numbers,
 * durations and times: `>8`, `<=30m`, `8..64`, `!=0`, several parted by blanks that all must hold; a word without a bound is looked for in the text,
 * so that `none` finds what has no limit.
 */
import { readDuration } from "../../base/durationEntry.ts";
import { type ColumnKind, cellText, type GridColumn, kindOf } from "./column.ts";

type Test = (value: unknown, text: () => string) => boolean;

export interface ColumnFilter {
  readonly text: string;
  /** `null`: it cannot be read, and holds back nothing. */
  readonly test: Test | null;
}

/** One filter for a column. O(text). */
export function columnFilter<Row>(column: GridColumn<Row>, text: string): ColumnFilter {
  const typed = text.trim();
  if (kindOf(column) === "text") return { text, test: textTest(typed) };
  return { text, test: boundsTest(typed, column.read ?? READERS[kindOf(column)]) };
}

/** Whether a row passes. */
export function passes<Row>(filter: ColumnFilter, column: GridColumn<Row>, row: Row): boolean {
  return filter.test?.(column.value?.(row), () => cellText(column, row)) ?? true;
}

/** What may be typed, in the words of a placeholder. */
export const FILTER_HINTS: Readonly<Record<ColumnKind, string>> = {
  text: "part of it",
  number: ">8",
  duration: ">30m",
  time: ">10:30",
};

function plain(text: string): string {
  return text.replace(/[\u00a0\u202f]/g, " ").toLowerCase();
}

function textTest(typed: string): Test {
  const parts = plain(typed)
    .split("|")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const tests = parts.map((part): ((text: string) => boolean) => {
    const rest = part.slice(1).trim();
    if (part.startsWith("=")) return (text) => text.trim() === rest;
    if (part.startsWith("!")) return (text) => !text.includes(rest);
    return (text) => text.includes(part);
  });
  return (_, text) => {
    const all = plain(text());
    return tests.length === 0 || tests.some((test) => test(all));
  };
}

function boundsTest(typed: string, read: (text: string) => number | null): Test | null {
  const terms = plain(typed)
    .replaceAll("≥", ">=")
    .replaceAll("≤", "<=")
    .match(/(?:>=|<=|!=|>|<|=)?[^<>=!]+/g);
  if (terms === null) return null;
  const tests: Test[] = [];
  for (const term of terms) {
    const test = boundTest(term.trim(), read);
    if (test === null) return null;
    tests.push(test);
  }
  return (value, text) => tests.every((test) => test(value, text));
}

function boundTest(term: string, read: (text: string) => number | null): Test | null {
  const [, sign = "", body = ""] = /^(>=|<=|!=|>|<|=)?\s*(.*)$/.exec(term) ?? [];
  const range = /^(.+?)\s*\.\.\s*(.+)$/.exec(body);
  if (range && sign === "") {
    const least = read(range[1]!);
    const most = read(range[2]!);
    if (least === null || most === null) return null;
    return (value) => typeof value === "number" && value >= least && value <= most;
  }
  const bound = read(body);
  if (bound === null) return sign === "" ? (_, text) => plain(text()).includes(body) : null;
  const holds = COMPARE[sign === "" ? "=" : sign]!;
  return (value) => typeof value === "number" && holds(value, bound);
}

const COMPARE: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  ">": (value, bound) => value > bound,
  ">=": (value, bound) => value >= bound,
  "<": (value, bound) => value < bound,
  "<=": (value, bound) => value <= bound,
  "=": (value, bound) => value === bound,
  "!=": (value, bound) => value !== bound,
};

function readNumber(text: string): number | null {
  const digits = text.replace(/\s/g, "").replace("\u2212", "-");
  return digits === "" || Number.isNaN(Number(digits)) ? null : Number(digits);
}

/** `30m`, `1 h 30 m`, or as schedulers write limits: `1:30:00`, `2-00:00:00`. */
function readSpan(text: string): number | null {
  const clock = /^(?:(\d+)-)?(\d+):(\d\d)(?::(\d\d))?$/.exec(text);
  if (!clock) return readDuration(text);
  const [, days = "0", first, second, third] = clock;
  const [hours, minutes, seconds] =
    third === undefined && days === "0" ? [0, first, second] : [first, second, third ?? 0];
  return (
    (((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000
  );
}

const READERS: Readonly<Record<ColumnKind, (text: string) => number | null>> = {
  text: () => null,
  number: readNumber,
  duration: readSpan,
  time: readSpan,
};
