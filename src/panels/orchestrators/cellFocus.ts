/** Arrow keys, Home and End between the cells of the comparison: one of them is in the tab order, the one that had the focus last. */
import type { KeyboardEvent } from "react";

const CELL = "button[data-cell]";

/** The button that the last scenario was opened by, a cell or a "See it": Back from there leads to it. */
let lastOpener: string | null = null;
let lastCell: string | null = null;

/** `name` is what the button has as `data-cell` or `data-claim`. */
export function rememberOpener(name: string, isCell = false): void {
  lastOpener = name;
  if (isCell) lastCell = name;
}

/** The one cell that is in the tab order when the table is shown anew. */
export function cellAtFirst(first: string): string {
  return lastCell ?? first;
}

/** Takes the focus from where the dialog has put it to the button that was left. */
export function focusLastOpener(page: HTMLElement | null): void {
  if (lastOpener === null || page === null) return;
  const name = CSS.escape(lastOpener);
  const opener = page.querySelector<HTMLButtonElement>(
    `[data-cell="${name}"], [data-claim="${name}"]`,
  );
  opener?.focus();
  opener?.scrollIntoView({ block: "nearest", inline: "nearest" });
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
