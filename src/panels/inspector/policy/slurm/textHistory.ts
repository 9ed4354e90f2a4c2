/**
 * Undo for the texts of a configuration, for keys in the text and changes in the form alike: the browser's own undo forgets what a
 * form has changed. Keys that follow each other within a moment in one place are one step.
 */
import { useRef } from "react";

const SAME_STEP_MS = 900;
const MOST_STEPS = 500;
/** Of a text this long each step is a copy of it. */
const LONG = 65_536;
const MOST_LONG_STEPS = 50;

/** `T`: one text, or several that are changed together. */
export interface TextHistory<T> extends UndoSteps {
  /** `place`: where it was changed, such as `text conf` or the name of a field. */
  readonly set: (texts: T, place: string) => void;
}

export interface UndoSteps {
  readonly undo: () => void;
  readonly redo: () => void;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

interface Steps<T> {
  past: T[];
  future: T[];
  place: string;
  atMs: number;
}

export function useTextHistory<T>(texts: T, onChange: (texts: T) => void): TextHistory<T> {
  const steps = useRef<Steps<T>>({ past: [], future: [], place: "", atMs: 0 });
  const { current } = steps;
  const go = (from: T[], to: T[]): void => {
    const next = from.pop();
    if (next === undefined) return;
    to.push(texts);
    current.place = "";
    onChange(next);
  };
  return {
    set: (next, place) => {
      const atMs = performance.now();
      const goesOn = place === current.place && atMs - current.atMs < SAME_STEP_MS;
      if (!goesOn) current.past = [...current.past, texts].slice(-stepsOf(texts));
      current.future = [];
      current.place = place;
      current.atMs = atMs;
      onChange(next);
    },
    undo: () => go(current.past, current.future),
    redo: () => go(current.future, current.past),
    canUndo: current.past.length > 0,
    canRedo: current.future.length > 0,
  };
}

function stepsOf(texts: unknown): number {
  return typeof texts === "string" && texts.length > LONG ? MOST_LONG_STEPS : MOST_STEPS;
}
