// biome-ignore-all lint/a11y/useSemanticElements: rows are virtual and placed by transform, which table elements do not allow.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active row.
// biome-ignore-all lint/a11y/noStaticElementInteractions: it is a grid, and a tree grid where rows are put together.
// biome-ignore-all lint/a11y/useAriaPropsSupportedByRole: both roles have these.
/** Heads, filters and rows of a table. Only rows in sight are in the page, so a table costs what is on screen. */
import type { RowData } from "@tanstack/react-table";
import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { countText } from "../../base/format.ts";
import { LetterMark } from "../LetterMark.tsx";
import { cellText, type GridColumn } from "./column.ts";
import type { GridWords } from "./GridBar.tsx";
import { FilterRow, HeadRow } from "./GridHead.tsx";
import { copyGrid, gridTable } from "./gridFile.ts";
import { useRowCss } from "./rowCss.ts";
import { stepOf } from "./rowStep.ts";
import type { Grid, ShownRow } from "./useGrid.ts";

interface GridRowsProps<Row extends RowData> {
  readonly label: string;
  readonly grid: Grid<Row>;
  readonly words: GridWords;
  readonly leastCss: number;
  readonly filtering: boolean;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly isSelected: ((row: Row) => boolean) | undefined;
  /** Its row gets the focus of the rows and is scrolled to when it changes. */
  readonly showKey: string | undefined;
  readonly onPick: ((row: Row) => void) | undefined;
}

export function GridRows<Row extends RowData>(props: GridRowsProps<Row>) {
  const { label, grid, words, scroller, onPick } = props;
  const { shown, inSight } = grid;
  const id = useId();
  const rowCss = useRowCss();
  const [focused, setFocused] = useState("");
  const at = Math.max(
    0,
    shown.findIndex((row) => row.id === focused),
  );
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowCss,
    overscan: 8,
    // Rows are there in the first frame, before the scroller is measured.
    initialRect: { width: 800, height: 240 },
  });
  const { showKey } = props;
  const shownAt = useRef("");
  useEffect(() => {
    if (showKey === undefined || showKey === shownAt.current) return;
    shownAt.current = showKey;
    const index = shown.findIndex((row) => row.id === showKey);
    if (index < 0) return;
    setFocused(showKey);
    virtual.scrollToIndex(index);
  }, [showKey, shown, virtual]);
  const { isSelected } = props;
  const begun = useRef(false);
  // A table that comes back stands at the row that was picked in it.
  useEffect(() => {
    if (begun.current || shown.length === 0) return;
    begun.current = true;
    const index = isSelected
      ? shown.findIndex((row) => !row.getIsGrouped() && isSelected(row.original))
      : -1;
    if (index < 0) return;
    setFocused(shown[index]!.id);
    virtual.scrollToIndex(index);
  }, [shown, isSelected, virtual]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes are asked anew when rows are of another height.
  useEffect(() => virtual.measure(), [rowCss, virtual]);
  const act = (row: ShownRow<Row>) => {
    setFocused(row.id);
    if (row.getIsGrouped()) row.toggleExpanded();
    else onPick?.(row.original);
  };
  const goTo = (index: number) => {
    const row = shown[Math.min(shown.length - 1, Math.max(0, index))];
    if (!row) return;
    setFocused(row.id);
    virtual.scrollToIndex(shown.indexOf(row));
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const row = shown[at];
    const step = stepOf(event.key, shown.length);
    if (step !== undefined) goTo(at + step);
    else if (event.key === "Enter" && row) act(row);
    else if (event.key === "c" && (event.ctrlKey || event.metaKey))
      void copyGrid(gridTable(grid, words));
    else if (isSideways(event.key) && grid.groupedBy !== "") {
      const open = event.key === "ArrowRight";
      if (event.shiftKey) grid.setAllOpen(open);
      else if (row?.getIsGrouped()) row.toggleExpanded(open);
      else if (!open && row?.parentId !== undefined)
        goTo(shown.findIndex((one) => one.id === row.parentId));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const look = {
    "--grid-columns": inSight.map((column) => column.width).join(" "),
    "--grid-least": `${props.leastCss}px`,
  } as CSSProperties;
  const heads = props.filtering ? 2 : 1;
  return (
    <div
      className={shown.length === 0 ? "row-grid row-grid-short" : "row-grid"}
      style={look}
      ref={scroller}
      role={grid.groupedBy === "" ? "grid" : "treegrid"}
      aria-label={label}
      aria-rowcount={shown.length + heads}
      aria-activedescendant={shown[at] ? domId(id, shown[at].id) : undefined}
      tabIndex={0}
      onKeyDown={onKey}
    >
      <div className="grid-heads">
        <HeadRow grid={grid} />
        {props.filtering && <FilterRow grid={grid} />}
      </div>
      <div className="grid-body" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = shown[index]!;
          const group = row.getIsGrouped();
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on the grid picks the row with the focus.
            <div
              key={row.id}
              id={domId(id, row.id)}
              role="row"
              aria-rowindex={index + heads + 1}
              aria-selected={!group && (props.isSelected?.(row.original) ?? false)}
              aria-expanded={group ? row.getIsExpanded() : undefined}
              aria-level={grid.groupedBy === "" ? undefined : row.depth + 1}
              className={`grid-row${index === at ? " grid-focus" : ""}${group ? " grid-group" : ""}`}
              style={{ transform: `translateY(${start}px)` }}
              onClick={() => act(row)}
            >
              {group ? (
                <GroupCells grid={grid} row={row} words={words} />
              ) : (
                inSight.map((column) => (
                  <RowCell key={column.id} column={column} row={row.original} />
                ))
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface RowCellProps<Row extends RowData> {
  readonly column: GridColumn<Row>;
  readonly row: Row;
}

function RowCell<Row extends RowData>({ column, row }: RowCellProps<Row>) {
  const mark = column.mark?.(row);
  const look = typeof column.look === "function" ? column.look(row) : column.look;
  const strong = column.strong?.(row);
  const text = column.picture ? column.picture(row) : column.text(row);
  return (
    <div
      role="gridcell"
      className={`${column.right ? "number " : ""}${look ?? ""}`}
      title={cellText(column, row)}
    >
      {mark && <LetterMark {...mark} />}
      {mark && " "}
      {strong === undefined ? (
        text
      ) : (
        <>
          <b>{strong}</b> <span className="quiet">{text}</span>
        </>
      )}
    </div>
  );
}

interface GroupCellsProps<Row extends RowData> {
  readonly grid: Grid<Row>;
  readonly row: ShownRow<Row>;
  readonly words: GridWords;
}

/** The name and the count over the columns up to the first sum, then the sums below their heads. */
function GroupCells<Row extends RowData>({ grid, row, words }: GroupCellsProps<Row>) {
  const { inSight } = grid;
  const by = grid.columns.find((column) => column.id === grid.groupedBy);
  const firstSum = inSight.findIndex((column, index) => index > 0 && column.sum !== undefined);
  const span = firstSum < 0 ? inSight.length : firstSum;
  const mark = by?.mark?.(row.original);
  return (
    <>
      <div role="gridcell" style={{ gridColumn: `1 / span ${span}` }}>
        <span aria-hidden="true">{row.getIsExpanded() ? "▾ " : "▸ "}</span>
        {mark && <LetterMark {...mark} />}
        {mark && " "}
        <b>{by?.text(row.original)}</b>{" "}
        <span className="quiet">{countText(row.getLeafRows().length, words.one, words.many)}</span>
      </div>
      {inSight.slice(span).map((column) => (
        <div key={column.id} role="gridcell" className={column.right ? "number" : ""}>
          {column.sum?.(Number(row.getValue(column.id))) ?? ""}
        </div>
      ))}
    </>
  );
}

/** An id without blanks, which part ids. */
function domId(grid: string, row: string): string {
  return `${grid}${row.replace(/\s+/g, "_")}`;
}

function isSideways(key: string): boolean {
  return key === "ArrowLeft" || key === "ArrowRight";
}
