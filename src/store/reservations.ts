/**
 * The reservations of the run that is shown, window by window, as the scheduler made them: written by whoever asked it, drawn by the Gantt, read
 * by the card of a node. Outside zustand, because they are derived and in no link.
 */
export interface ReservedWindow {
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Ascending. */
  readonly nodes: readonly number[];
  readonly flags: readonly string[];
}

let current: readonly ReservedWindow[] = [];

/** Those of the run that is shown. */
export function reservedWindows(): readonly ReservedWindow[] {
  return current;
}

/** Puts others in their place. */
export function showReservations(windows: readonly ReservedWindow[]): void {
  current = windows;
}

/** Those that hold a node at a time. O(windows · log nodes). */
export function reservedNow(node: number, atMs: number): readonly ReservedWindow[] {
  return current.filter(
    (one) => one.startMs <= atMs && atMs < one.endMs && one.nodes.includes(node),
  );
}
