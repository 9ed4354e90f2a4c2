/** Which columns a table shows, and in which order. The choice stays on this device. */
import type { RowData } from "@tanstack/react-table";
import { ArrowDown, ArrowUp, Columns3 } from "lucide-react";
import { Popover } from "radix-ui";
import { Button } from "../Button.tsx";
import type { GridColumn } from "./column.ts";
import { firstLayout, moved, sameLayout, toggled } from "./gridLayout.ts";
import type { Grid } from "./useGrid.ts";

export function ColumnMenu<Row extends RowData>({ grid }: { readonly grid: Grid<Row> }) {
  const { columns, layout, setLayout } = grid;
  const first = firstLayout(columns);
  const ordered = layout.order.flatMap((id) => columns.find((column) => column.id === id) ?? []);
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <button type="button" className="button button-icon" aria-label="Columns" title="Columns">
          <Columns3 size={18} strokeWidth={2} aria-hidden />
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="menu column-menu"
          align="end"
          collisionPadding={8}
          aria-label="Columns"
          onKeyDown={(event) => event.key !== "Escape" && event.stopPropagation()}
        >
          {ordered.map((column) => (
            <ColumnItem key={column.id} column={column} grid={grid} />
          ))}
          <div className="column-menu-end">
            <Button
              label="As the table came"
              disabledReason={sameLayout(layout, first) ? "it is as it came" : null}
              onClick={() => setLayout(first)}
            />
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface ColumnItemProps<Row extends RowData> {
  readonly column: GridColumn<Row>;
  readonly grid: Grid<Row>;
}

function ColumnItem<Row extends RowData>({ column, grid }: ColumnItemProps<Row>) {
  const { layout, setLayout } = grid;
  const shown = !layout.hidden.includes(column.id);
  const last = shown && grid.inSight.length === 1;
  const step = (by: 1 | -1, icon: typeof ArrowUp, way: string) => {
    const next = moved(layout, column.id, by);
    return (
      <Button
        label={`${column.label}: ${way}`}
        icon={icon}
        look="icon"
        disabledReason={shown && next !== layout ? null : "it cannot go further"}
        onClick={() => setLayout(next)}
      />
    );
  };
  return (
    <div className="column-item">
      <label className="check">
        <input
          type="checkbox"
          checked={shown}
          disabled={last}
          onChange={() => setLayout(toggled(layout, column.id))}
        />
        <span>{column.label}</span>
      </label>
      {step(-1, ArrowUp, "to the left")}
      {step(1, ArrowDown, "to the right")}
    </div>
  );
}
