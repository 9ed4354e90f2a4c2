/**
 * A table as an Arrow IPC file, as pandas, polars, DuckDB and R read it: names that repeat as dictionaries, times as 64-bit floats, counts as 32-bit
 * integers. O(cells).
 */
import {
  type DataType,
  dictionary,
  float64,
  int32,
  tableFromArrays,
  tableToIPC,
  utf8,
} from "@uwdata/flechette";
import type { DataTable, TableColumn } from "./columns.ts";

/** Names that are nearly all different gain nothing from a dictionary, and it costs time. */
const DIFFERENT_MOST = 1_000;

export function arrowFile({ columns }: DataTable): Uint8Array<ArrayBuffer> {
  const table = tableFromArrays(
    columns.map((column): [string, unknown[] | Float64Array | Int32Array] => [
      column.name,
      valuesOf(column),
    ]),
    { types: Object.fromEntries(columns.map((column) => [column.name, typeOf(column)])) },
  );
  const bytes = tableToIPC(table, { format: "file" });
  if (!bytes) throw new Error("no file");
  return bytes as Uint8Array<ArrayBuffer>;
}

/** Columns without gaps are taken as they are, without a look at each value. */
function valuesOf({ kind, values }: TableColumn): unknown[] | Float64Array | Int32Array {
  if (kind === "text" || values.includes(null)) return values;
  return kind === "whole"
    ? Int32Array.from(values as number[])
    : Float64Array.from(values as number[]);
}

function typeOf({ kind, values }: TableColumn): DataType {
  if (kind === "whole") return int32();
  if (kind === "number") return float64();
  const different = new Set<unknown>();
  for (const value of values) {
    different.add(value);
    if (different.size > DIFFERENT_MOST) return utf8();
  }
  return dictionary(utf8());
}
