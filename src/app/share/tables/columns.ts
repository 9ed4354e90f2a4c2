/** A table as columns, each with its unit in its name: the form that CSV and Arrow are written from. */
export type ColumnKind = "text" | "whole" | "number";

export interface TableColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly values: (string | number | null)[];
}

export interface DataTable {
  readonly columns: readonly TableColumn[];
  readonly rows: number;
  /** Rows that were left out because the table would be too long. */
  readonly leftOut: number;
}

/** More rows than this fit neither into a spreadsheet nor into a text file that anybody opens. */
export const ROWS_MOST = 1_000_000;

/** Takes rows in until the table is full. */
export class TableBuilder {
  readonly #columns: readonly TableColumn[];
  readonly #most: number;
  #rows = 0;
  #leftOut = 0;

  constructor(columns: readonly (readonly [name: string, kind: ColumnKind])[], most = ROWS_MOST) {
    this.#columns = columns.map(([name, kind]) => ({ name, kind, values: [] }));
    this.#most = most;
  }

  /** One value a column, in their order. What is no finite number is empty. */
  add(...values: readonly (string | number | null)[]): void {
    if (this.#rows >= this.#most) {
      this.#leftOut += 1;
      return;
    }
    this.#rows += 1;
    this.#columns.forEach((column, index) => {
      const value = values[index] ?? null;
      column.values.push(typeof value === "number" && !Number.isFinite(value) ? null : value);
    });
  }

  table(): DataTable {
    return { columns: this.#columns, rows: this.#rows, leftOut: this.#leftOut };
  }
}
