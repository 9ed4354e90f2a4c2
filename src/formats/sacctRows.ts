/**
 * Walks the rows of `sacct --parsable2` (or `--parsable`, with a delimiter at the end) straight over its bytes; a field becomes a
 * string only where someone asks for it. There is no quoting: a delimiter inside a job's name makes one field too many. Such a row is
 * repaired by giving the surplus to that free text behind which everything else is again what its column says.
 */
import { durationSec, stateOf, timeSec } from "./sacctFields.ts";

const LF = 10;
const CR = 13;
const MOST_FIELDS = 2_048;

/** Columns that hold what people write. */
const FREE_TEXT = [
  "jobname",
  "comment",
  "admincomment",
  "systemcomment",
  "constraints",
  "submitline",
  "workdir",
  "wckey",
];

/** One row; the object is reused. Field `f` is `bytes[from[f] … to[f]−1]`. */
export interface SacctRow {
  readonly bytes: Uint8Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  fields: number;
  /** Line of the file, from 1. */
  line: number;
}

/** Column index by name in lower case. */
export interface SacctColumns {
  readonly count: number;
  readonly at: ReadonlyMap<string, number>;
}

/** Columns from a header line. */
export function columnsOf(names: readonly string[]): SacctColumns {
  const at = new Map<string, number>();
  names.forEach((name, index) => {
    const key = name
      .trim()
      .toLowerCase()
      .replace(/%-?\d+$/, "");
    if (key !== "" && !at.has(key)) at.set(key, index);
  });
  const { length } = names;
  return { count: names[length - 1]?.trim() === "" ? length - 1 : length, at };
}

/** Calls `onRow` for each line that is not empty. O(bytes). */
export function walkSacct(
  bytes: Uint8Array,
  delimiter: number,
  onRow: (row: SacctRow) => void,
): void {
  const row: SacctRow = {
    bytes,
    from: new Int32Array(MOST_FIELDS),
    to: new Int32Array(MOST_FIELDS),
    fields: 0,
    line: 0,
  };
  let start = 0;
  while (start < bytes.length) {
    let end = bytes.indexOf(LF, start);
    if (end < 0) end = bytes.length;
    row.line++;
    const stop = end > start && bytes[end - 1] === CR ? end - 1 : end;
    if (stop > start) {
      split(row, start, stop, delimiter);
      onRow(row);
    }
    start = end + 1;
  }
}

function split(row: SacctRow, start: number, stop: number, delimiter: number): void {
  const { bytes, from, to } = row;
  let field = 0;
  from[0] = start;
  for (let at = start; at < stop; at++) {
    if (bytes[at] !== delimiter) continue;
    to[field] = at;
    if (field < MOST_FIELDS - 1) field++;
    from[field] = at + 1;
  }
  to[field] = stop;
  row.fields = field + 1;
}

const decoder = new TextDecoder();

/** The text of a field; empty where the row has none. */
export function fieldText(row: SacctRow, field: number | undefined): string {
  if (field === undefined || field >= row.fields) return "";
  return decoder.decode(row.bytes.subarray(row.from[field]!, row.to[field]!));
}

/** Rows with more fields too many than this are not repaired. */
const MOST_SURPLUS = 64;

/**
 * Whether a row fits its columns, after a repair where it has too many fields: the surplus is given to one free text or shared by two.
 * False: it cannot be read. O(fields); O(fields × free texts² × surplus) for the rare row to be repaired.
 */
export function fitRow(row: SacctRow, columns: SacctColumns): boolean {
  const last = row.fields - 1;
  if (row.fields === columns.count) return true;
  if (last === columns.count && row.from[last] === row.to[last]) return true;
  const surplus = row.fields - columns.count;
  if (surplus < 0 || surplus > MOST_SURPLUS || row.fields >= MOST_FIELDS) return false;
  const free = FREE_TEXT.flatMap((name) => columns.at.get(name) ?? []);
  const from = row.from.slice(0, row.fields);
  const to = row.to.slice(0, row.fields);
  const tryOut = (gifts: readonly (readonly [field: number, fields: number])[]): boolean => {
    // From the last column on, so that the fields before it keep their places.
    for (const [field, count] of [...gifts].sort((a, b) => b[0] - a[0])) give(row, field, count);
    if (looksRight(row, columns)) return true;
    row.from.set(from);
    row.to.set(to);
    row.fields = columns.count + surplus;
    return false;
  };
  return (
    free.some((field) => tryOut([[field, surplus]])) ||
    free.some((first, place) =>
      free.slice(place + 1).some((second) => {
        for (let share = 1; share < surplus; share++)
          if (shared(first, second, share, surplus, tryOut)) return true;
        return false;
      }),
    )
  );
}

function shared(
  first: number,
  second: number,
  share: number,
  surplus: number,
  tryOut: (gifts: readonly (readonly [field: number, fields: number])[]) => boolean,
): boolean {
  const [low, high] = first < second ? [first, second] : [second, first];
  // Fields of the second text have moved on by what the first one takes.
  return tryOut([
    [low, share],
    [high + share, surplus - share],
  ]);
}

/** Joins a field with the `count` fields behind it. */
function give(row: SacctRow, field: number, count: number): void {
  row.to[field] = row.to[field + count]!;
  for (let at = field + 1; at + count < row.fields; at++) {
    row.from[at] = row.from[at + count]!;
    row.to[at] = row.to[at + count]!;
  }
  row.fields -= count;
}

const TIMES = ["submit", "eligible", "start", "end"];
const DURATIONS = ["elapsed", "timelimit", "cputime", "suspended"];
const NUMBERS = [
  "ncpus",
  "alloccpus",
  "reqcpus",
  "elapsedraw",
  "cputimeraw",
  "nnodes",
  "allocnodes",
];

/** Whether every column with a form of its own has it. */
function looksRight(row: SacctRow, columns: SacctColumns): boolean {
  const fits = (names: readonly string[], form: (text: string) => boolean): boolean =>
    names.every((name) => {
      const field = columns.at.get(name);
      if (field === undefined) return true;
      const text = fieldText(row, field);
      return text === "" || form(text);
    });
  const isTime = (text: string): boolean => {
    const bytes = new TextEncoder().encode(text);
    return /^(Unknown|None)$/.test(text) || !Number.isNaN(timeSec(bytes, 0, bytes.length));
  };
  return (
    fits(["state"], (text) => stateOf(text) !== "") &&
    fits(TIMES, isTime) &&
    fits(DURATIONS, (text) => /^[A-Za-z_]+$/.test(text) || !Number.isNaN(durationSec(text))) &&
    fits(NUMBERS, (text) => /^\d/.test(text)) &&
    fits(["jobid", "jobidraw"], (text) => /^\d/.test(text)) &&
    fits(["reqtres", "alloctres"], (text) => text.includes("="))
  );
}
