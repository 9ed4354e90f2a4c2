/** What a table shows, onto the clipboard and into files: rows in their order under the columns in sight, or its groups with counts and sums. */
import type { RowData } from "@tanstack/react-table";
import { countText } from "../../base/format.ts";
import type { GridColumn } from "./column.ts";
import type { GridWords } from "./GridBar.tsx";
import { type FileCell, fileHead, fileTable, tabbedText } from "./gridText.ts";
import type { Grid, ShownRow } from "./useGrid.ts";

/** The browser needs the address for a moment after the click. */
const KEPT_MS = 10_000;

/** Heads first. O(cells). */
export function gridTable<Row extends RowData>(grid: Grid<Row>, words: GridWords): FileCell[][] {
  const { shown, inSight } = grid;
  const by = grid.columns.find((column) => column.id === grid.groupedBy);
  if (!by)
    return fileTable(
      inSight,
      shown.map((row) => row.original),
    );
  const sums = inSight.filter((column) => column.sum !== undefined);
  const heads = shown.filter((row) => row.getIsGrouped());
  return [
    [by.label, words.many, ...sums.map(fileHead)],
    ...heads.map((row) => [
      by.text(row.original),
      row.getLeafRows().length,
      ...sums.map((column) => sumCell(column, row)),
    ]),
  ];
}

function sumCell<Row extends RowData>(column: GridColumn<Row>, row: ShownRow<Row>): FileCell {
  const sum = Number(row.getValue(column.id));
  return column.kind === "duration" ? sum / 1_000 : sum;
}

export async function copyGrid(table: readonly (readonly FileCell[])[]): Promise<string> {
  await navigator.clipboard.writeText(tabbedText(table));
  return `${countText(table.length - 1, "line")} copied`;
}

/** Text that a spreadsheet would take for a formula is made text. */
export async function saveGrid(
  table: readonly (readonly FileCell[])[],
  label: string,
): Promise<string> {
  const { default: Papa } = await import("papaparse");
  const text = Papa.unparse(
    table.map((line) => [...line]),
    { escapeFormulae: true },
  );
  const stem = label
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
  const address = URL.createObjectURL(new Blob([`${text}\r\n`], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${stem || "table"}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
  return `${countText(table.length - 1, "line")} saved as ${link.download}`;
}
