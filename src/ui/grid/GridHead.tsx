// biome-ignore-all lint/a11y/useSemanticElements: rows are virtual and placed by transform, which table elements do not allow.
// biome-ignore-all lint/a11y/useFocusableInteractive: the heads' buttons and fields have the focus.
/** The heads of a table, which sort, and the row of filters below them. */
import type { RowData } from "@tanstack/react-table";
import type { KeyboardEvent } from "react";
import { type GridColumn, kindOf } from "./column.ts";
import { FILTER_HINTS } from "./filter.ts";
import { moved } from "./gridLayout.ts";
import type { Grid } from "./useGrid.ts";

export function HeadRow<Row extends RowData>({ grid }: { readonly grid: Grid<Row> }) {
  return (
    <div role="row" aria-rowindex={1} className="grid-row grid-head">
      {grid.inSight.map((column) => (
        <Head key={column.id} column={column} grid={grid} />
      ))}
    </div>
  );
}

interface HeadProps<Row extends RowData> {
  readonly column: GridColumn<Row>;
  readonly grid: Grid<Row>;
}

function Head<Row extends RowData>({ column, grid }: HeadProps<Row>) {
  const { id, label } = column;
  const place = grid.sorting.findIndex((one) => one.id === id);
  const sort = grid.sorting[place];
  const onKey = (event: KeyboardEvent) => {
    const aside = event.key === "ArrowLeft" || event.key === "ArrowRight";
    if (event.key === "Enter" && event.shiftKey) grid.sortBy(id, true);
    else if (aside && event.altKey)
      grid.setLayout(moved(grid.layout, id, event.key === "ArrowLeft" ? -1 : 1));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      role="columnheader"
      aria-sort={sort ? (sort.desc ? "descending" : "ascending") : "none"}
      className={column.right ? "number" : ""}
    >
      <button
        type="button"
        className="grid-sort"
        aria-disabled={column.value === undefined || undefined}
        title={
          column.value === undefined
            ? label
            : `${label}: sort; with Shift besides the others; Alt+← → moves the column`
        }
        onClick={(event) => column.value !== undefined && grid.sortBy(id, event.shiftKey)}
        onKeyDown={onKey}
      >
        {label}
        {sort && (sort.desc ? " ↓" : " ↑")}
        {sort && grid.sorting.length > 1 && <sup className="grid-place">{place + 1}</sup>}
      </button>
    </div>
  );
}

export function FilterRow<Row extends RowData>({ grid }: { readonly grid: Grid<Row> }) {
  return (
    <div role="row" aria-rowindex={2} className="grid-row grid-filters">
      {grid.inSight.map((column) => (
        <div role="gridcell" key={column.id}>
          <FilterField column={column} grid={grid} />
        </div>
      ))}
    </div>
  );
}

function FilterField<Row extends RowData>({ column, grid }: HeadProps<Row>) {
  const { id, label } = column;
  const filter = grid.filters.find((one) => one.id === id)?.filter;
  const kind = kindOf(column);
  return (
    <input
      type="text"
      className={column.right ? "grid-filter number" : "grid-filter"}
      aria-label={`Filter ${label}`}
      aria-invalid={filter?.test === null || undefined}
      title={
        filter?.test === null
          ? `Not understood: for example ${FILTER_HINTS[kind]}`
          : `${label}: ${FILTER_TITLES[kind]}`
      }
      placeholder={FILTER_HINTS[kind]}
      spellCheck={false}
      autoComplete="off"
      value={grid.filterOf(id)}
      onChange={(event) => grid.setFilter(id, event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || grid.filterOf(id) === "") return;
        grid.setFilter(id, "");
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}

const FILTER_TITLES = {
  text: "part of it, =whole, !without, this|that",
  number: ">8, <=64, 8..64, !=0",
  duration: ">30m, 1h..4h",
  time: ">10:30, <Day 2 08:00",
} as const;
