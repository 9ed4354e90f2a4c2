/** The state of one table: what it sorts, filters and groups by, which columns it shows; rows come out in the order in which they are drawn. */
import {
  type ColumnFiltersState,
  type ExpandedState,
  type Row as GridRow,
  type RowData,
  type SortingState,
  useTable,
} from "@tanstack/react-table";
import { useMemo, useState } from "react";
import type { GridColumn } from "./column.ts";
import { columnDefs, features } from "./features.ts";
import { type ColumnFilter, columnFilter } from "./filter.ts";
import {
  columnsInSight,
  firstLayout,
  type GridLayout,
  type GridMemory,
  layoutText,
  readLayout,
  sameLayout,
} from "./gridLayout.ts";

export type ShownRow<Row extends RowData> = GridRow<typeof features, Row>;

interface GridInput<Row extends RowData> {
  readonly columns: readonly GridColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => number | string;
  readonly memory: GridMemory | undefined;
}

export interface Grid<Row extends RowData> {
  readonly columns: readonly GridColumn<Row>[];
  readonly inSight: readonly GridColumn<Row>[];
  readonly layout: GridLayout;
  readonly setLayout: (layout: GridLayout) => void;
  /** Rows and heads of groups, as drawn. */
  readonly shown: readonly ShownRow<Row>[];
  /** Rows that pass the filters, whether their groups are open or not. */
  readonly passing: number;
  readonly total: number;
  readonly sorting: SortingState;
  /** `more`: besides the columns that it sorts by already. */
  readonly sortBy: (id: string, more: boolean) => void;
  readonly filterOf: (id: string) => string;
  readonly setFilter: (id: string, text: string) => void;
  readonly filters: readonly { readonly id: string; readonly filter: ColumnFilter }[];
  readonly clearFilters: () => void;
  readonly groupedBy: string;
  readonly groupBy: (id: string) => void;
  readonly setAllOpen: (open: boolean) => void;
}

export function useGrid<Row extends RowData>(input: GridInput<Row>): Grid<Row> {
  const { columns, rows, keyOf, memory } = input;
  const [sorting, setSorting] = useState<SortingState>([]);
  const [columnFilters, setColumnFilters] = useState<ColumnFiltersState>([]);
  const [grouping, setGrouping] = useState<string[]>([]);
  const [expanded, setExpanded] = useState<ExpandedState>({});
  const [kept, setKept] = useState(() => memory?.read() ?? null);
  const layout = useMemo(() => readLayout(kept, columns), [kept, columns]);
  const inSight = useMemo(() => columnsInSight(layout, columns), [layout, columns]);
  const defs = useMemo(() => columnDefs(columns), [columns]);
  const table = useTable({
    features,
    columns: defs,
    data: rows as Row[],
    getRowId: (row) => String(keyOf(row)),
    state: { sorting, columnFilters, grouping, expanded },
    onSortingChange: setSorting,
    onColumnFiltersChange: setColumnFilters,
    onGroupingChange: setGrouping,
    onExpandedChange: setExpanded,
    autoResetExpanded: false,
    enableMultiSort: true,
  });
  const filterOf = (id: string) =>
    (columnFilters.find((one) => one.id === id)?.value as ColumnFilter | undefined)?.text ?? "";
  const setFilter = (id: string, text: string) => {
    const column = columns.find((one) => one.id === id);
    const others = columnFilters.filter((one) => one.id !== id);
    const added = column && text.trim() !== "" ? [{ id, value: columnFilter(column, text) }] : [];
    setColumnFilters([...others, ...added]);
  };
  const setLayout = (next: GridLayout) => {
    const text = sameLayout(next, firstLayout(columns)) ? null : layoutText(next);
    setKept(text);
    memory?.write(text);
  };
  return {
    columns,
    inSight,
    layout,
    setLayout,
    shown: table.getRowModel().rows,
    passing: table.getFilteredRowModel().rows.length,
    total: rows.length,
    sorting,
    sortBy: (id, more) => table.getColumn(id)?.toggleSorting(undefined, more),
    filterOf,
    setFilter,
    filters: columnFilters.map(({ id, value }) => ({ id, filter: value as ColumnFilter })),
    clearFilters: () => setColumnFilters([]),
    groupedBy: grouping[0] ?? "",
    groupBy: (id) => {
      setGrouping(id === "" ? [] : [id]);
      setExpanded({});
    },
    setAllOpen: (open) => setExpanded(open ? true : {}),
  };
}
