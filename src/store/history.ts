/**
 * Undo and redo of documents. Documents are immutable and share what they do not change, so a step costs a reference; an undone
 * document is simply opened again, and the worker goes back to the nearest snapshot.
 */
export interface Step<T> {
  readonly document: T;
  /** What this step did, for "Undo: …". */
  readonly label: string;
}

export interface History<T> {
  readonly past: readonly Step<T>[];
  readonly present: Step<T> | null;
  readonly future: readonly Step<T>[];
}

const LONGEST = 200;

export function emptyHistory<T>(): History<T> {
  return { past: [], present: null, future: [] };
}

/** A new step after the present one; what had been undone is forgotten. */
export function pushed<T>(history: History<T>, step: Step<T>): History<T> {
  const past = history.present ? [...history.past, history.present].slice(-LONGEST) : history.past;
  return { past, present: step, future: [] };
}

/** The present document in another state of the same step: nothing to undo. */
export function replaced<T>(history: History<T>, document: T): History<T> {
  const label = history.present?.label ?? "";
  return { ...history, present: { document, label } };
}

export function undone<T>(history: History<T>): History<T> | null {
  const previous = history.past.at(-1);
  if (!previous || !history.present) return null;
  return {
    past: history.past.slice(0, -1),
    present: previous,
    future: [history.present, ...history.future],
  };
}

export function redone<T>(history: History<T>): History<T> | null {
  const next = history.future[0];
  if (!next || !history.present) return null;
  return {
    past: [...history.past, history.present],
    present: next,
    future: history.future.slice(1),
  };
}
