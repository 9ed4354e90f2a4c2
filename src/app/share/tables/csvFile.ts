/** A table as CSV (RFC 4180, UTF-8, dot as decimal sign). Text that a spreadsheet would take for a formula is made text by an apostrophe. */
import Papa from "papaparse";
import type { DataTable } from "./columns.ts";

/** So many rows are written between two frames. */
const SLICE = 2_000;

/** The parts of the file, in order. */
export async function csvFile({ columns, rows }: DataTable): Promise<string[]> {
  const parts = [`${columns.map(({ name }) => name).join(",")}\r\n`];
  for (let from = 0; from < rows; from += SLICE) {
    const slice = Array.from({ length: Math.min(SLICE, rows - from) }, (_, index) =>
      columns.map(({ values }) => values[from + index] ?? ""),
    );
    parts.push(`${Papa.unparse(slice, { escapeFormulae: true })}\r\n`);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return parts;
}
