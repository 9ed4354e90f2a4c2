// biome-ignore-all lint/a11y/useSemanticElements: rows are virtual and placed by transform, which table elements do not allow.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active row.
/**
 * The grid of a log: hundreds of thousands of rows in the order in which they happened, of which only those in sight are made at all. It neither sorts nor
 * filters; what does is `grid/DataGrid.tsx`. One focus for the whole grid: arrows move the active row, Enter or a click picks it.
 */
import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { useRowCss } from "./grid/rowCss.ts";
import { stepOf } from "./grid/rowStep.ts";
import "./grid/grid.css";

interface LogColumn {
  readonly id: string;
  readonly label: string;
}

interface RowGridProps {
  readonly label: string;
  readonly columns: readonly LogColumn[];
  /** CSS `grid-template-columns`, and the least width in CSS pixels; narrower grids scroll sideways. */
  readonly template: string;
  readonly leastCss: number;
  readonly rowCount: number;
  /** A name for a row that stays with it while rows move. */
  readonly keyOf: (row: number) => number;
  readonly isSelected: (row: number) => boolean;
  readonly onPick: (row: number) => void;
  /** The row that has to be in sight: it becomes the active one whenever this changes. */
  readonly showRow?: number;
  readonly cells: (row: number) => ReactNode;
}

export function RowGrid(props: RowGridProps) {
  const { label, columns, template, leastCss, rowCount, keyOf, isSelected, onPick, cells } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const rowCss = useRowCss();
  const [focus, setFocus] = useState(0);
  const virtual = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowCss,
    overscan: 8,
    // The head covers a row: what is scrolled to stays clear of it, with one row to go on.
    scrollPaddingEnd: 2 * rowCss,
    // Rows are there in the first frame, before the scroller is measured.
    initialRect: { width: 800, height: 240 },
  });
  const { showRow } = props;
  useEffect(() => {
    if (showRow === undefined || showRow < 0 || showRow >= rowCount) return;
    setFocus(showRow);
    virtual.scrollToIndex(showRow);
  }, [showRow, rowCount, virtual]);
  const onKey = (event: KeyboardEvent) => {
    const step = stepOf(event.key, rowCount);
    if (event.key === "Enter" && focus < rowCount) onPick(focus);
    else if (step === undefined) return;
    else {
      const next = Math.min(rowCount - 1, Math.max(0, focus + step));
      setFocus(next);
      virtual.scrollToIndex(next);
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const look = { "--grid-columns": template, "--grid-least": `${leastCss}px` } as CSSProperties;
  return (
    <div
      className="row-grid"
      style={look}
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={rowCount + 1}
      aria-activedescendant={focus < rowCount ? `${id}${keyOf(focus)}` : undefined}
      tabIndex={0}
      onKeyDown={onKey}
    >
      <div role="row" aria-rowindex={1} className="grid-row grid-head">
        {columns.map((column) => (
          <div key={column.id} role="columnheader">
            {column.label}
          </div>
        ))}
      </div>
      <div className="grid-body" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on the grid picks the row with the focus.
          <div
            key={keyOf(index)}
            id={`${id}${keyOf(index)}`}
            role="row"
            aria-rowindex={index + 2}
            aria-selected={isSelected(index)}
            className={index === focus ? "grid-row grid-focus" : "grid-row"}
            style={{ transform: `translateY(${start}px)` }}
            onClick={() => {
              setFocus(index);
              onPick(index);
            }}
          >
            {cells(index)}
          </div>
        ))}
      </div>
    </div>
  );
}

interface CellProps {
  /** Class names: `number` aligns at the right. */
  readonly look?: string;
  /** The whole text, where the cell may cut it. */
  readonly title?: string;
  readonly children: ReactNode;
}

/** One cell of a row, in the order of the columns. */
export function Cell({ look = "", title, children }: CellProps) {
  return (
    <div role="gridcell" className={look} title={title}>
      {children}
    </div>
  );
}
