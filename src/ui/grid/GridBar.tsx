/** The bar of a table: its caption, the caller's controls, and the tools that every table has. */
import type { RowData } from "@tanstack/react-table";
import { Copy, Download, ListFilter } from "lucide-react";
import { type ReactNode, useState } from "react";
import { countText, numberText } from "../../base/format.ts";
import { Button } from "../Button.tsx";
import { Select } from "../Select.tsx";
import { ColumnMenu } from "./ColumnMenu.tsx";
import { copyGrid, gridTable, saveGrid } from "./gridFile.ts";
import type { Grid } from "./useGrid.ts";

export interface GridWords {
  readonly one: string;
  readonly many: string;
}

interface GridBarProps<Row extends RowData> {
  readonly label: string;
  readonly grid: Grid<Row>;
  readonly words: GridWords;
  readonly start: ReactNode;
  readonly caption: ReactNode;
  readonly controls: ReactNode;
  readonly end: ReactNode;
  readonly filtering: boolean;
  readonly onFiltering: () => void;
}

export function GridBar<Row extends RowData>(props: GridBarProps<Row>) {
  const { label, grid, words, filtering } = props;
  const [said, setSaid] = useState("");
  const groups = grid.columns.filter((column) => column.groups);
  const what = grid.groupedBy === "" ? words.many : "groups";
  const tell = (task: Promise<string>) =>
    void task.then(setSaid, () => setSaid("The browser does not let the page do that."));
  return (
    <div className="grid-bar">
      {props.start}
      <div className="grid-caption">{props.caption}</div>
      {props.controls}
      {grid.filters.length > 0 && (
        <button type="button" className="grid-clear" onClick={grid.clearFilters}>
          {numberText(grid.passing)} of {countText(grid.total, words.one, words.many)} · clear
        </button>
      )}
      <span className="grid-said" role="status">
        {said}
      </span>
      <div className="grid-tools">
        <Button
          label="Filter columns"
          icon={ListFilter}
          look="icon"
          pressed={filtering}
          onClick={props.onFiltering}
        />
        {groups.length > 0 && (
          <Select
            label="Group rows"
            bare
            className="select grid-group-by"
            value={grid.groupedBy}
            options={[
              { value: "", label: "no groups" },
              ...groups.map((column) => ({ value: column.id, label: `by ${column.label}` })),
            ]}
            onChange={grid.groupBy}
          />
        )}
        <ColumnMenu grid={grid} />
        <Button
          label={`Copy ${what}`}
          hint={`Copy ${what} as a table (Ctrl+C)`}
          icon={Copy}
          look="icon"
          onClick={() => tell(copyGrid(gridTable(grid, words)))}
        />
        <Button
          label={`Save ${what} as CSV`}
          icon={Download}
          look="icon"
          onClick={() => tell(saveGrid(gridTable(grid, words), label))}
        />
      </div>
      {props.end}
    </div>
  );
}
