/** Arrow keys, Home and End between the cells of the comparison: one of them is in the tab order, the one that had the focus last. */
import type { KeyboardEvent } from "react";

const CELL = "button[data-cell]";

/** The cell whose scenario was opened last: Back from there leads to it. */
let lastOpened: string | null = null;

export function rememberCell(name: string): void {
  lastOpened = name;
}

/** The one cell that is in the tab order when the table is shown anew. */
export function cellAtFirst(first: string): string {
  return lastOpened ?? first;
}

/** Takes the focus from where the dialog has put it to the cell that was left. */
export function focusLastOpened(table: HTMLTableElement | null): void {
  if (lastOpened === null || table === null) return;
  const cell = table.querySelector<HTMLButtonElement>(`[data-cell="${lastOpened}"]`);
  cell?.focus();
  cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  Home: [0, Number.NEGATIVE_INFINITY],
  End: [0, Number.POSITIVE_INFINITY],
};

/** Cells of one line of the table, by their column. */
function cellsOf(line: Element): HTMLButtonElement[] {
  return [...line.querySelectorAll<HTMLButtonElement>(CELL)];
}

/** Goes to the neighbour that a key leads to; at an edge the focus stays. */
export function moveInTable(event: KeyboardEvent<HTMLTableElement>): void {
  const step = STEPS[event.key];
  const from = (event.target as Element).closest<HTMLButtonElement>(CELL);
  if (!step || !from || event.ctrlKey || event.metaKey || event.altKey) return;
  const lines = [...event.currentTarget.querySelectorAll("tr")]
    .map(cellsOf)
    .filter((cells) => cells.length > 0);
  const at = lines.findIndex((cells) => cells.includes(from));
  const line = lines[Math.min(lines.length - 1, Math.max(0, at + step[0]))]!;
  const column = lines[at]!.indexOf(from) + step[1];
  const to = line[Math.min(line.length - 1, Math.max(0, column))];
  event.preventDefault();
  if (!to || to === from) return;
  from.tabIndex = -1;
  to.tabIndex = 0;
  to.focus();
  to.scrollIntoView({ block: "nearest", inline: "nearest" });
}
