/**
 * A list of like objects as a table: each key once, its values as a column in the shortest of a few forms. Fifty jobs then cost a
 * few digits each instead of their keys. `fromTables(toTables(x))` equals `x` for all JSON values without an empty key; a table stands as the object
 * `{"": [rows, [key, form, payload, runs?], …]}`. What comes from outside is bounded in rows, cells and depth, and everything
 * malformed is an error, never an exception. O(size).
 *
 *     0 values      one after the other
 *     1 value       the same in all rows
 *     2 [unit, …]   whole numbers, in multiples of a unit
 *     3 [unit, …]   whole numbers, each as the difference from the one before
 *     4 [prefix, first, digits]   names that count up: job-1, job-2, …
 *     5 [values, places]          few different values, one base-36 digit a row
 */
import type { Json, JsonObject } from "../base/json.ts";
import { isJsonObject, setOwn } from "../base/json.ts";
import type { Result } from "../base/result.ts";
import { err, ok } from "../base/result.ts";

const ROWS_MOST = 20_000;
const CELLS_MOST = 400_000;
const DEPTH_MOST = 64;
/** A table costs its frame: below, a list of objects is shorter. */
const ROWS_LEAST = 2;
const UNITS: readonly number[] = [3_600_000, 60_000, 1_000, 1];
const DIGITS = 36;

type Scalar = string | number | boolean | null;
type Column = readonly [form: number, payload: Json];

/** The value with its lists of objects as tables; null where it holds an empty key, which only tables may. */
export function toTables(value: Json): Json | null {
  return hasEmptyKey(value) ? null : tabled(value);
}

function hasEmptyKey(value: Json): boolean {
  if (Array.isArray(value)) return value.some((entry: Json) => hasEmptyKey(entry));
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(
    ([key, entry]) => key === "" || (entry !== undefined && hasEmptyKey(entry)),
  );
}

function tabled(value: Json): Json {
  if (Array.isArray(value)) {
    const rows = value as readonly Json[];
    const fits = rows.length >= ROWS_LEAST && rows.length <= ROWS_MOST;
    const list = rows.map(tabled);
    if (!fits || !rows.every(isJsonObject)) return list;
    const table = tableOf(rows as JsonObject[]);
    return JSON.stringify(table).length < JSON.stringify(list).length ? table : list;
  }
  if (!isJsonObject(value)) return value;
  const kept: Record<string, Json> = {};
  for (const [key, entry] of Object.entries(value))
    if (entry !== undefined) setOwn(kept, key, tabled(entry));
  return kept;
}

function tableOf(rows: readonly JsonObject[]): Json {
  const keys = new Set<string>();
  for (const row of rows)
    for (const key of Object.keys(row)) if (row[key] !== undefined) keys.add(key);
  const columns = [...keys].sort().map((key): Json => {
    const values: Json[] = [];
    const runs: number[] = [];
    let present = true;
    let run = 0;
    for (const row of rows) {
      const has = row[key] !== undefined && Object.hasOwn(row, key);
      if (has) values.push(row[key]!);
      if (has !== present) {
        runs.push(run);
        run = 0;
        present = has;
      }
      run += 1;
    }
    const [form, payload] = columnOf(values);
    return values.length === rows.length
      ? [key, form, payload]
      : [key, form, payload, [...runs, run]];
  });
  return { "": [rows.length, ...columns] };
}

function columnOf(values: readonly Json[]): Column {
  const plain: Column = [0, values.map(tabled)];
  if (!values.every(isScalar)) return plain;
  const forms = [plain, same(values), counted(values), few(values)];
  if (values.every((value) => Number.isSafeInteger(value)))
    forms.push(...whole(values as readonly number[]));
  let best = plain;
  let least = JSON.stringify(plain).length;
  for (const form of forms) {
    const length = form === null ? Number.POSITIVE_INFINITY : JSON.stringify(form).length;
    if (form !== null && length < least) {
      best = form;
      least = length;
    }
  }
  return best;
}

function isScalar(value: Json): value is Scalar {
  return value === null || typeof value !== "object";
}

function same(values: readonly Scalar[]): Column | null {
  const [first] = values;
  return first !== undefined && values.every((value) => value === first) ? [1, first] : null;
}

function whole(values: readonly number[]): Column[] {
  const unit = UNITS.find((candidate) => values.every((value) => value % candidate === 0)) ?? 1;
  const steps = values.map((value, row) => (value - (values[row - 1] ?? 0)) / unit);
  // JSON knows no −0.
  const plain = values.map((value) => value / unit + 0);
  return steps.every(Number.isSafeInteger)
    ? [
        [2, [unit, ...plain]],
        [3, [unit, ...steps]],
      ]
    : [[2, [unit, ...plain]]];
}

function counted(values: readonly Scalar[]): Column | null {
  const [first] = values;
  const found = typeof first === "string" ? /^(.*?)(\d{1,9})$/s.exec(first) : null;
  if (!found) return null;
  const [, prefix = "", digits = ""] = found;
  const from = Number(digits);
  const counts = values.every(
    (value, row) => value === `${prefix}${String(from + row).padStart(digits.length, "0")}`,
  );
  return counts ? [4, [prefix, from, digits.length]] : null;
}

function few(values: readonly Scalar[]): Column | null {
  const different = [...new Set(values)];
  if (different.length > DIGITS || different.length === values.length) return null;
  const places = values.map((value) => different.indexOf(value).toString(DIGITS)).join("");
  return [5, [different, places]];
}

class Malformed extends Error {}

interface Budget {
  cells: number;
}

/** The value that `toTables` was given. */
export function fromTables(value: Json): Result<Json, string> {
  try {
    return ok(plain(value, { cells: CELLS_MOST }, 0));
  } catch (error) {
    if (error instanceof Malformed) return err(error.message);
    throw error;
  }
}

function plain(value: Json, budget: Budget, depth: number): Json {
  if (depth > DEPTH_MOST) throw new Malformed("It is nested too deeply.");
  if (Array.isArray(value)) return value.map((entry: Json) => plain(entry, budget, depth + 1));
  if (!isJsonObject(value)) return value;
  if (Object.hasOwn(value, "")) return rowsOf(value[""]!, budget, depth + 1);
  const kept: Record<string, Json> = {};
  for (const [key, entry] of Object.entries(value))
    if (entry !== undefined) setOwn(kept, key, plain(entry, budget, depth + 1));
  return kept;
}

function rowsOf(table: Json, budget: Budget, depth: number): Json {
  const [count, ...columns] = listOf(table);
  if (!isCount(count) || count > ROWS_MOST) throw new Malformed("A table has too many rows.");
  const rows = Array.from({ length: count }, (): Record<string, Json> => ({}));
  for (const column of columns) {
    const [key, form, payload, runs] = listOf(column);
    if (typeof key !== "string" || payload === undefined) throw new Malformed("A column is none.");
    const filled = runs === undefined ? null : presentRows(listOf(runs), count);
    const length = filled === null ? count : filled.length;
    budget.cells -= length;
    if (budget.cells < 0) throw new Malformed("The tables are too large.");
    const values = valuesOf(form, payload, length, budget, depth);
    if (values.length !== length) throw new Malformed("A column is too short or too long.");
    values.forEach((value, index) => {
      setOwn(rows[filled === null ? index : filled[index]!]!, key, value);
    });
  }
  return rows;
}

/** Rows that have a value, from the lengths of stretches with and without one. */
function presentRows(runs: readonly Json[], count: number): number[] {
  const rows: number[] = [];
  let row = 0;
  runs.forEach((run, index) => {
    if (!isCount(run) || row + run > count) throw new Malformed("A column has gaps of no length.");
    if (index % 2 === 0) for (let i = 0; i < run; i++) rows.push(row + i);
    row += run;
  });
  return rows;
}

function valuesOf(
  form: Json | undefined,
  payload: Json,
  length: number,
  budget: Budget,
  depth: number,
): readonly Json[] {
  switch (form) {
    case 0:
      return listOf(payload).map((value) => plain(value, budget, depth + 1));
    case 1:
      if (!isScalar(payload)) break;
      return Array.from({ length }, () => payload);
    case 2:
    case 3:
      return numbersOf(payload, form === 3);
    case 4:
      return namesOf(payload, length);
    case 5:
      return pickedOf(payload);
  }
  throw new Malformed("A column has a form that is not known.");
}

function numbersOf(payload: Json, byDifference: boolean): number[] {
  const [unit, ...numbers] = listOf(payload);
  let sum = 0;
  return numbers.map((number) => {
    const value = typeof number === "number" && typeof unit === "number" ? number * unit : null;
    if (value === null) throw new Malformed("A column of numbers has something else.");
    sum = byDifference ? sum + value : value;
    return sum;
  });
}

function namesOf(payload: Json, length: number): string[] {
  const [prefix, first, digits] = listOf(payload);
  if (typeof prefix !== "string" || !isCount(first) || !isCount(digits) || digits > 9)
    throw new Malformed("A column of names has no beginning.");
  return Array.from(
    { length },
    (_, row) => `${prefix}${String(first + row).padStart(digits, "0")}`,
  );
}

function pickedOf(payload: Json): Json[] {
  const [values, places] = listOf(payload);
  const different = listOf(values ?? null);
  if (typeof places !== "string" || !different.every(isScalar))
    throw new Malformed("A column of few values has none.");
  return Array.from(places, (digit) => {
    const value = different[Number.parseInt(digit, DIGITS)];
    if (value === undefined) throw new Malformed("A column of few values names one it has not.");
    return value;
  });
}

function listOf(value: Json | undefined): readonly Json[] {
  if (!Array.isArray(value)) throw new Malformed("A table is not made of lists.");
  return value as readonly Json[];
}

function isCount(value: Json | undefined): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
