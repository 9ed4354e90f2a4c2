/** CSV by Papa Parse, reduced to what the readers need: the columns they name, in their order, as texts. */
import Papa from "papaparse";
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import { err, ok } from "../base/result.ts";

export interface Csv {
  readonly header: readonly string[];
  /** One entry a row; each row holds the wanted columns in the wanted order. */
  readonly rows: readonly (readonly string[])[];
}

/** Parses a CSV file with a header line. Empty lines are passed over; a missing column is a problem. O(bytes). */
export function readCsv(
  bytes: Uint8Array,
  name: string,
  wanted: readonly string[],
): Result<Csv, Problem[]> {
  const text = new TextDecoder().decode(bytes);
  const parsed = Papa.parse<string[]>(text, { header: false, skipEmptyLines: "greedy" });
  const header = (parsed.data[0] ?? []).map((cell) => cell.trim());
  const missing = wanted.filter((column) => !header.includes(column));
  if (missing.length > 0) {
    return err([
      {
        place: `${name}, line 1`,
        message: `The column ${missing.join(", ")} is missing.`,
        remedy: `The first line must name: ${wanted.join(", ")}.`,
      },
    ]);
  }
  const indexes = wanted.map((column) => header.indexOf(column));
  const rows = parsed.data.slice(1).map((row) => indexes.map((index) => row[index] ?? ""));
  return ok({ header, rows });
}

/** The names in one line of CSV. */
export function csvColumns(line: string): string[] {
  return (Papa.parse<string[]>(line, { header: false }).data[0] ?? []).map((cell) => cell.trim());
}
