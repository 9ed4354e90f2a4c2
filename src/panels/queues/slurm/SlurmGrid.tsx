/** A table of one of Slurm's commands: columns that sort, rows that are virtual, a row that may stand for a job. */
import { useMemo, useState } from "react";
import { run } from "../../../store/commands.ts";
import { useApp } from "../../../store/store.ts";
import { Cell, RowGrid } from "../../../ui/RowGrid.tsx";

export interface SlurmColumn<Row> {
  readonly id: string;
  readonly label: string;
  /** Width for `grid-template-columns`. */
  readonly width: string;
  readonly right?: boolean;
  /** What it sorts by; absent: it does not sort. */
  readonly value?: (row: Row) => number | string;
  readonly text: (row: Row) => string;
  /** Class names of its cells. */
  readonly look?: string;
}

interface SlurmGridProps<Row> {
  readonly label: string;
  readonly columns: readonly SlurmColumn<Row>[];
  readonly rows: readonly Row[];
  readonly leastCss: number;
  readonly keyOf: (row: Row) => number;
  /** The job of a row; −1 = none. */
  readonly jobOf?: (row: Row) => number;
  readonly onPick?: (row: Row) => void;
}

interface Sort {
  readonly id: string;
  readonly desc: boolean;
}

export function SlurmGrid<Row>(props: SlurmGridProps<Row>) {
  const { label, columns, leastCss, keyOf, jobOf, onPick } = props;
  const [sort, setSort] = useState<Sort | undefined>(undefined);
  const rows = useMemo(() => sorted(props.rows, columns, sort), [props.rows, columns, sort]);
  const selection = useApp((state) => state.selection);
  const selected = selection?.kind === "job" ? selection.jobIdx : -1;
  const job = (row: number) => jobOf?.(rows[row]!) ?? -1;
  return (
    <RowGrid
      label={label}
      columns={columns.map((column) => ({
        id: column.id,
        label: column.label,
        right: column.right === true,
        sortable: column.value !== undefined,
      }))}
      template={columns.map((column) => column.width).join(" ")}
      leastCss={leastCss}
      rowCount={rows.length}
      keyOf={(row) => keyOf(rows[row]!)}
      isSelected={(row) => selected >= 0 && job(row) === selected}
      sort={sort}
      onSort={(id) => setSort(nextSort(sort, id, columns, props.rows))}
      onPick={(row) => {
        if (job(row) >= 0) run("selectJob", { jobIdx: job(row) });
        else onPick?.(rows[row]!);
      }}
      cells={(row) =>
        columns.map((column) => {
          const text = column.text(rows[row]!);
          return (
            <Cell key={column.id} look={column.right ? "number" : (column.look ?? "")} title={text}>
              {text}
            </Cell>
          );
        })
      }
    />
  );
}

/** Numbers from the largest, texts from A; then the other way; then as the command prints them. */
function nextSort<Row>(
  sort: Sort | undefined,
  id: string,
  columns: readonly SlurmColumn<Row>[],
  rows: readonly Row[],
): Sort | undefined {
  const value = columns.find((column) => column.id === id)?.value;
  const first = rows[0];
  const descFirst = value !== undefined && first !== undefined && typeof value(first) === "number";
  if (sort?.id !== id) return { id, desc: descFirst };
  return sort.desc === descFirst ? { id, desc: !descFirst } : undefined;
}

function sorted<Row>(
  rows: readonly Row[],
  columns: readonly SlurmColumn<Row>[],
  sort: Sort | undefined,
): readonly Row[] {
  const value = columns.find((column) => column.id === sort?.id)?.value;
  if (!sort || !value) return rows;
  const sign = sort.desc ? -1 : 1;
  return [...rows].sort((a, b) => sign * compare(value(a), value(b)));
}

function compare(a: number | string, b: number | string): number {
  if (a === b) return 0;
  // What is not a number stands last, whichever way it is sorted by hand first.
  if (Number.isNaN(a)) return -1;
  if (Number.isNaN(b)) return 1;
  return a < b ? -1 : 1;
}
