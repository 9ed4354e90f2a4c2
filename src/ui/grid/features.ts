/** What the tables use of TanStack Table, and its column definitions from ours. */
import {
  type ColumnDef,
  columnFilteringFeature,
  columnGroupingFeature,
  createExpandedRowModel,
  createFilteredRowModel,
  createGroupedRowModel,
  createSortedRowModel,
  type RowData,
  rowAggregationFeature,
  rowExpandingFeature,
  rowSortingFeature,
  tableFeatures,
} from "@tanstack/react-table";
import { compareValues, type GridColumn, kindOf } from "./column.ts";
import { type ColumnFilter, passes } from "./filter.ts";

export const features = tableFeatures({
  columnFilteringFeature,
  columnGroupingFeature,
  rowAggregationFeature,
  rowExpandingFeature,
  rowSortingFeature,
  expandedRowModel: createExpandedRowModel(),
  filteredRowModel: createFilteredRowModel(),
  groupedRowModel: createGroupedRowModel(),
  sortedRowModel: createSortedRowModel(),
});

/** Groups sort by the sum of a column, by its largest number where it has none, and texts keep the order in which groups were met. */
export function columnDefs<Row extends RowData>(
  columns: readonly GridColumn<Row>[],
): ColumnDef<typeof features, Row>[] {
  return columns.map((column): ColumnDef<typeof features, Row> => {
    const kind = kindOf(column);
    return {
      id: column.id,
      accessorFn: (row: Row) => column.value?.(row) ?? column.text(row),
      enableSorting: column.value !== undefined,
      sortDescFirst: kind === "number" || kind === "duration",
      sortFn: (a, b, id) => compareValues(a.getValue(id), b.getValue(id)),
      filterFn: (row, _, filter: ColumnFilter) => passes(filter, column, row.original),
      getGroupingValue: (row: Row) => column.text(row),
      aggregationFn: {
        aggregate: ({ rows, getValue }) =>
          kind === "text" ? undefined : gathered(rows.map(getValue), column.sum !== undefined),
      },
    };
  });
}

function gathered(values: readonly unknown[], sums: boolean): number {
  const numbers = values.filter((value): value is number => typeof value === "number");
  if (sums) return sumOf(numbers);
  return numbers.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
}

/** What is not known, or has no end, adds nothing. */
export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, value) => (Number.isFinite(value) ? sum + value : sum), 0);
}
