/**
 * Columns of `sacct --noheader`, told by what is in them: job number, state, times (earlier ones first), durations that equal end −
 * start, resources. Names (user, account, partition, QOS) look alike and are not guessed.
 */
import { durationSec, stateOf, timeSec } from "./sacctFields.ts";

const SAMPLE_ROWS = 400;
const LEAST_FIELDS = 4;
const MOSTLY = 0.8;

const JOB_ID = /^\d+(_(\d+|\[.*\]))?(\+\d+)?(\.\w+)?$/;
const encoder = new TextEncoder();

function timeOf(text: string): number {
  const bytes = encoder.encode(text);
  return timeSec(bytes, 0, bytes.length);
}

/** Names of the columns in order, "" where a column is not recognised; null where the lines are no rows of sacct. O(sample). */
export function guessColumns(lines: readonly string[], delimiter: string): string[] | null {
  const split = lines.slice(0, SAMPLE_ROWS).map((line) => line.split(delimiter));
  const width = split[0]?.length ?? 0;
  const rows = split.filter((row) => row.length === width && !row[0]!.includes("."));
  if (width < LEAST_FIELDS || rows.length === 0) return null;
  const columns = Array.from({ length: width }, (_, index) => rows.map((row) => row[index]!));
  const names = columns.map(() => "");
  const every = (index: number, form: (text: string) => boolean): boolean =>
    columns[index]!.every(form);
  const indexes = columns.map((_, index) => index);
  const id = indexes.find((index) => every(index, (text) => JOB_ID.test(text)));
  const state = indexes.find((index) => every(index, (text) => stateOf(text) !== ""));
  if (id === undefined || state === undefined) return null;
  names[id] = "JobID";
  names[state] = "State";
  const times = indexes.filter(
    (index) =>
      every(index, (text) => /^(Unknown|None)$/.test(text) || !Number.isNaN(timeOf(text))) &&
      columns[index]!.some((text) => !Number.isNaN(timeOf(text))),
  );
  if (times.length === 0) return null;
  nameTimes(names, columns, times);
  nameDurations(names, columns);
  const isTres = (text: string): boolean =>
    text === "" || /(^|,)(cpu|mem|node|billing)=/.test(text);
  const tres = indexes.filter(
    (index) => every(index, isTres) && columns[index]!.some((text) => text !== ""),
  );
  if (tres.length > 1) names[tres[0]!] = "ReqTRES";
  if (tres.length > 0) names[tres.at(-1)!] = "AllocTRES";
  return names;
}

const TIME_NAMES: readonly (readonly string[])[] = [
  [],
  ["Submit"],
  ["Start", "End"],
  ["Submit", "Start", "End"],
  ["Submit", "Eligible", "Start", "End"],
];

/** A job is submitted, eligible, started and ended in this order, whatever the order of the columns. */
function nameTimes(names: string[], columns: readonly string[][], times: readonly number[]): void {
  const known = columns[0]!
    .map((_, row) => row)
    .filter((row) => times.every((index) => !Number.isNaN(timeOf(columns[index]![row]!))));
  const sum = (index: number): number =>
    known.reduce((total, row) => total + timeOf(columns[index]![row]!), 0);
  const sorted = [...times].sort((a, b) => sum(a) - sum(b) || a - b);
  const wanted = TIME_NAMES[Math.min(sorted.length, TIME_NAMES.length - 1)]!;
  wanted.forEach((name, place) => {
    names[sorted[place]!] = name;
  });
}

function nameDurations(names: string[], columns: readonly string[][]): void {
  const start = names.indexOf("Start");
  const end = names.indexOf("End");
  const spans = columns[0]!.map((_, row) =>
    start < 0 ? Number.NaN : timeOf(columns[end]![row]!) - timeOf(columns[start]![row]!),
  );
  const ended = spans.flatMap((span, row) => (Number.isNaN(span) ? [] : [row]));
  const isElapsed = (values: readonly number[]): boolean =>
    ended.length > 0 &&
    ended.filter((row) => values[row] === spans[row]).length >= MOSTLY * ended.length;
  columns.forEach((texts, index) => {
    if (names[index] !== "") return;
    const isClock = texts.every((text) => text === "" || /^(\d+-)?\d+:\d\d:\d\d$/.test(text));
    const isNumber = texts.every((text) => /^\d+$/.test(text));
    if (isNumber && !names.includes("ElapsedRaw") && isElapsed(texts.map(Number)))
      names[index] = "ElapsedRaw";
    else if (isClock && texts.some((text) => text !== "")) {
      const elapsed = !names.includes("Elapsed") && isElapsed(texts.map(durationSec));
      const name = elapsed ? "Elapsed" : "Timelimit";
      if (!names.includes(name)) names[index] = name;
    }
  });
}
