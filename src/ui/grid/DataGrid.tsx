/**
 * The table of rows: a bar with what it says of itself and its tools, heads that sort, filters on demand, rows of which only those in sight are in the
 * page. One focus for all rows; the row with the focus stays the same row while others come and go.
 */
import type { RowData } from "@tanstack/react-table";
import { type ReactNode, useRef, useState } from "react";
import { Button } from "../Button.tsx";
import { Message } from "../Message.tsx";
import type { GridColumn } from "./column.ts";
import { GridBar } from "./GridBar.tsx";
import { GridRows } from "./GridRows.tsx";
import type { GridMemory } from "./gridLayout.ts";
import { type Grid, useGrid } from "./useGrid.ts";
import "./grid.css";

/** What a caller's own controls may do with the filters. */
export type GridFilters = Pick<Grid<RowData>, "filterOf" | "setFilter">;

export interface DataGridProps<Row extends RowData> {
  /** Names the table for assistive technology, and its files. */
  readonly label: string;
  /** Made once for a run: a new list is a new table. */
  readonly columns: readonly GridColumn<Row>[];
  readonly rows: readonly Row[];
  /** A name for a row that stays with it while rows move. */
  readonly keyOf: (row: Row) => number | string;
  readonly isSelected?: (row: Row) => boolean;
  /** The row that is kept in sight as others come: it has the focus of the rows, and is scrolled to when it changes. */
  readonly showKey?: number | string | undefined;
  /** Enter or a click on a row. */
  readonly onPick?: (row: Row) => void;
  /** Narrower than this it scrolls sideways. */
  readonly leastCss: number;
  /** What a row is: "job". */
  readonly noun: string;
  readonly nouns?: string;
  /** Where the choice of columns is kept. */
  readonly memory?: GridMemory;
  /** At the left end of the bar: tabs. */
  readonly start?: ReactNode;
  readonly caption?: ReactNode;
  readonly controls?: (filters: GridFilters) => ReactNode;
  /** At the right end of the bar. */
  readonly end?: ReactNode;
  /** Shown in place of rows where there are none at all. */
  readonly empty?: ReactNode;
}

export function DataGrid<Row extends RowData>(props: DataGridProps<Row>) {
  const { columns, rows, keyOf, noun } = props;
  const grid = useGrid({ columns, rows, keyOf, memory: props.memory });
  const [filtering, setFiltering] = useState(false);
  const scroller = useRef<HTMLDivElement>(null);
  const words = { one: noun, many: props.nouns ?? `${noun}s` };
  return (
    <div className="data-grid">
      <GridBar
        label={props.label}
        grid={grid}
        words={words}
        start={props.start}
        caption={props.caption}
        controls={props.controls?.(grid)}
        end={props.end}
        filtering={filtering}
        onFiltering={() => {
          if (filtering) grid.clearFilters();
          setFiltering(!filtering);
        }}
      />
      {rows.length === 0 && props.empty !== undefined ? (
        props.empty
      ) : (
        <>
          <GridRows
            label={props.label}
            grid={grid}
            words={words}
            leastCss={props.leastCss}
            filtering={filtering}
            scroller={scroller}
            isSelected={props.isSelected}
            showKey={props.showKey === undefined ? undefined : String(props.showKey)}
            onPick={props.onPick}
          />
          {rows.length > 0 && grid.passing === 0 && (
            <Message
              title={`No ${noun} matches ${filterWords(grid)}.`}
              action={<Button label="Clear filters" onClick={grid.clearFilters} />}
            />
          )}
        </>
      )}
    </div>
  );
}

/** "tier =High and GPUs >8". */
function filterWords<Row extends RowData>(grid: Grid<Row>): string {
  return grid.filters
    .map(({ id, filter }) => {
      const label = grid.columns.find((column) => column.id === id)?.label ?? id;
      return `${label} ${filter.text.trim()}`;
    })
    .join(" and ");
}
