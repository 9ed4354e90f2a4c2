/** Which columns a table shows and in which order, as it is kept on the device: ids in order, those out of sight with a `-` before them. */
import type { GridColumn } from "./column.ts";

export interface GridLayout {
  readonly order: readonly string[];
  readonly hidden: readonly string[];
}

/** Where a choice of columns is kept. */
export interface GridMemory {
  read(): string | null;
  /** `null`: as the table came. */
  write(text: string | null): void;
}

interface Named {
  readonly id: string;
  readonly hidden?: boolean;
}

/** The columns as they come. */
export function firstLayout(columns: readonly Named[]): GridLayout {
  return {
    order: columns.map(({ id }) => id),
    hidden: columns.filter(({ hidden }) => hidden).map(({ id }) => id),
  };
}

/** What was kept, for the columns that are there now: those it knows nothing of keep the place they came with. O(columns²). */
export function readLayout(text: string | null, columns: readonly Named[]): GridLayout {
  const first = firstLayout(columns);
  if (text === null || text === "") return first;
  const kept = text.split(",").map((part) => ({
    id: part.replace(/^-/, ""),
    hidden: part.startsWith("-"),
  }));
  const known = kept.filter(({ id }) => first.order.includes(id));
  const order = known.map(({ id }) => id);
  first.order.forEach((id, index) => {
    if (!order.includes(id)) order.splice(Math.min(index, order.length), 0, id);
  });
  const hidden = order.filter(
    (id) => known.find((one) => one.id === id)?.hidden ?? first.hidden.includes(id),
  );
  return hidden.length < order.length ? { order, hidden } : first;
}

export function layoutText({ order, hidden }: GridLayout): string {
  return order.map((id) => (hidden.includes(id) ? `-${id}` : id)).join(",");
}

/** One column before or behind its neighbour in sight; the same layout at the ends. */
export function moved(layout: GridLayout, id: string, step: 1 | -1): GridLayout {
  const order = [...layout.order];
  const from = order.indexOf(id);
  let to = from + step;
  while (order[to] !== undefined && layout.hidden.includes(order[to]!)) to += step;
  if (from < 0 || order[to] === undefined) return layout;
  order.splice(from, 1);
  order.splice(to, 0, id);
  return { ...layout, order };
}

/** One column in or out of sight; the last one in sight stays. */
export function toggled(layout: GridLayout, id: string): GridLayout {
  const out = layout.hidden.includes(id);
  if (!out && layout.hidden.length >= layout.order.length - 1) return layout;
  const hidden = out ? layout.hidden.filter((one) => one !== id) : [...layout.hidden, id];
  return { ...layout, hidden };
}

export function sameLayout(a: GridLayout, b: GridLayout): boolean {
  return layoutText(a) === layoutText(b);
}

/** The columns in sight, in order. */
export function columnsInSight<Row>(
  layout: GridLayout,
  columns: readonly GridColumn<Row>[],
): readonly GridColumn<Row>[] {
  return layout.order.flatMap((id) =>
    layout.hidden.includes(id) ? [] : (columns.find((column) => column.id === id) ?? []),
  );
}
