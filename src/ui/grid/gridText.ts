/** Tables as text: parted by tabs for a clipboard, as CSV (RFC 4180) for a file. Units stand in the heads; numbers are plain, with a dot. */
import { cellText, type GridColumn, kindOf } from "./column.ts";

export type FileCell = string | number;

/** "waited [s]". */
export function fileHead<Row>(column: GridColumn<Row>): string {
  const unit = column.unit ?? (kindOf(column) === "duration" ? "s" : "");
  return unit === "" ? column.label : `${column.label} [${unit}]`;
}

/** What a cell gives to a file; nothing where a number is not known or has no end. */
function fileCell<Row>(column: GridColumn<Row>, row: Row): FileCell {
  const kind = kindOf(column);
  const value = column.file
    ? column.file(row)
    : kind === "duration" || kind === "number"
      ? (column.value?.(row) ?? cellText(column, row))
      : cellText(column, row);
  if (typeof value !== "number")
    return value.replace(/[\u00a0\u202f]/g, " ").replaceAll("\u2212", "-");
  if (!Number.isFinite(value)) return "";
  return kind === "duration" && !column.file ? value / 1_000 : value;
}

/** Rows under the heads of their columns. O(cells). */
export function fileTable<Row>(
  columns: readonly GridColumn<Row>[],
  rows: readonly Row[],
): FileCell[][] {
  return [columns.map(fileHead), ...rows.map((row) => columns.map((each) => fileCell(each, row)))];
}

/** For a clipboard: what parts cells and lines cannot stand in a cell. */
export function tabbedText(table: readonly (readonly FileCell[])[]): string {
  return table
    .map((line) => line.map((cell) => String(cell).replace(/[\t\r\n]+/g, " ")).join("\t"))
    .join("\n");
}
