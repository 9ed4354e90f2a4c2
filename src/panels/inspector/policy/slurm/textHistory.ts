/**
 * Undo for the texts of a configuration, for keys in the text and changes in the form alike: the browser's own undo forgets what a
 * form has changed. Keys that follow each other within a moment in one place are one step.
 */
import { useRef } from "react";
import type { SlurmFiles } from "../../../../scenario/slurm/report.ts";

const SAME_STEP_MS = 900;
const MOST_STEPS = 500;

export interface TextHistory {
  /** `place`: where it was changed, such as `text conf` or the name of a field. */
  readonly set: (files: SlurmFiles, place: string) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

interface Steps {
  past: SlurmFiles[];
  future: SlurmFiles[];
  place: string;
  atMs: number;
}

export function useTextHistory(
  files: SlurmFiles,
  onChange: (files: SlurmFiles) => void,
): TextHistory {
  const steps = useRef<Steps>({ past: [], future: [], place: "", atMs: 0 });
  const { current } = steps;
  const go = (from: SlurmFiles[], to: SlurmFiles[]): void => {
    const next = from.pop();
    if (next === undefined) return;
    to.push(files);
    current.place = "";
    onChange(next);
  };
  return {
    set: (next, place) => {
      const atMs = performance.now();
      const goesOn = place === current.place && atMs - current.atMs < SAME_STEP_MS;
      if (!goesOn) current.past = [...current.past, files].slice(-MOST_STEPS);
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
