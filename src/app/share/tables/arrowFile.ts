/** A table as an Arrow IPC file, as pandas, polars, DuckDB and R read it: names as dictionaries, times as 64-bit floats, counts as 32-bit integers. */
import { dictionary, float64, int32, tableFromArrays, tableToIPC, utf8 } from "@uwdata/flechette";
import type { ColumnKind, DataTable } from "./columns.ts";

const TYPES = {
  text: () => dictionary(utf8()),
  whole: int32,
  number: float64,
} as const satisfies Record<ColumnKind, () => unknown>;

export function arrowFile({ columns }: DataTable): Uint8Array<ArrayBuffer> {
  const table = tableFromArrays(
    columns.map(({ name, values }): [string, unknown[]] => [name, values]),
    { types: Object.fromEntries(columns.map(({ name, kind }) => [name, TYPES[kind]()])) },
  );
  const bytes = tableToIPC(table, { format: "file" });
  if (!bytes) throw new Error("no file");
  return bytes as Uint8Array<ArrayBuffer>;
}
