/**
 * Which changes of the view are steps of the reader's, that Back takes back: another selection, a drawer or a comparison opened or closed. Cursor, camera
 * and marks are not: they go on all the time. A change that is part of something else (a document that opens brings its
 * selection) is made `withoutStep`.
 */
import type { AppState, Selection } from "./state.ts";

export type Place = Pick<AppState, "selection" | "drawer" | "comparing">;

export type StepKind = keyof Place;

/** Steps of one kind that follow each other faster, as with a key held down, are one. */
const SAME_KIND_MS = 500;
/** One press may do two things: select a job and open a table. */
const ONE_PRESS_MS = 50;

/** What differs between two places, by the most telling part; null where nothing does. */
export function stepKind(before: Place, now: Place): StepKind | null {
  if (before.comparing !== now.comparing) return "comparing";
  if (before.drawer !== now.drawer) return "drawer";
  return isSame(before.selection, now.selection) ? null : "selection";
}

function isSame(a: Selection, b: Selection): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** The step that an entry of the history stands for: further presses in quick succession belong to it. */
export interface ViewStep {
  readonly kind: StepKind;
  /** When it was last added to, by the clock on the wall. */
  readonly atMs: number;
  /** The press that added to it last (`pressNow`). */
  readonly press: number;
  /** Where the entry before it stands. */
  readonly from: Place;
}

let presses = 0;

/** A key or a button went down. */
export function notePress(): void {
  presses += 1;
}

/** Counts what was pressed. */
export function pressNow(): number {
  return presses;
}

/** True when a step of this kind, now, belongs to the one before it: of another kind only what the same press has done. */
export function joins(last: ViewStep, kind: StepKind, nowMs: number, press: number): boolean {
  const sinceMs = nowMs - last.atMs;
  if (kind === last.kind) return sinceMs < SAME_KIND_MS;
  return press === last.press && sinceMs < ONE_PRESS_MS;
}

let depth = 0;

/** Changes the view as part of something else: the address follows, and no step is made. */
export function withoutStep(change: () => void): void {
  depth += 1;
  try {
    change();
  } finally {
    depth -= 1;
  }
}

export function makesSteps(): boolean {
  return depth === 0;
}
