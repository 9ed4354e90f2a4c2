/** A column of a table as plain data: what its cells say, what it sorts, filters and groups by, and what it gives to files. */
import type { ReactNode } from "react";

export type ColumnKind = "text" | "number" | "duration" | "time";

export interface GridColumn<Row> {
  readonly id: string;
  readonly label: string;
  /** A track of `grid-template-columns`. */
  readonly width: string;
  /** Aligned at the right, as numbers are. */
  readonly right?: boolean;
  /** How a filter is read; absent: a number where it is aligned at the right, else text. Durations and times are in ms. */
  readonly kind?: ColumnKind;
  readonly text: (row: Row) => string;
  /** What it sorts by, and what a filter with a bound compares; absent: it has only its text, and does not sort. */
  readonly value?: (row: Row) => number | string;
  /** Written before the text in bold: the id of a job. */
  readonly strong?: (row: Row) => string;
  /** The mark of a tier before the text. */
  readonly mark?: (row: Row) => TierMark | undefined;
  /** A picture in place of the text, which stays for copies and filters. */
  readonly picture?: (row: Row) => ReactNode;
  /** Class names of its cells. */
  readonly look?: string | ((row: Row) => string);
  /** In the head of copies and files, behind the label; a duration has seconds without it. */
  readonly unit?: string;
  /** What goes into files; absent: the value of a number, seconds of a duration, else the text. */
  readonly file?: (row: Row) => number | string;
  /** Reads a bound of a filter. */
  readonly read?: (text: string) => number | null;
  /** Rows may be put together by it. */
  readonly groups?: boolean;
  /** The sum over the rows of a group in words; absent: it has no sum. */
  readonly sum?: (total: number) => string;
  /** Out of sight until it is chosen. */
  readonly hidden?: boolean;
}

export interface TierMark {
  readonly letter: string;
  readonly tier: number;
  readonly tierCount: number;
}

export function kindOf<Row>(column: GridColumn<Row>): ColumnKind {
  return column.kind ?? (column.right ? "number" : "text");
}

/** The whole text of a cell, its bold part included. */
export function cellText<Row>(column: GridColumn<Row>, row: Row): string {
  const strong = column.strong?.(row) ?? "";
  const text = column.text(row);
  return strong === "" ? text : text === "" ? strong : `${strong} ${text}`;
}

/** Numbers by size, texts by letters; what is not known stands below everything. */
export function compareValues(a: unknown, b: unknown): number {
  if (a === b) return 0;
  const unknownA = a === undefined || Number.isNaN(a);
  const unknownB = b === undefined || Number.isNaN(b);
  if (unknownA || unknownB) return unknownA && unknownB ? 0 : unknownA ? -1 : 1;
  return (a as number | string) < (b as number | string) ? -1 : 1;
}
