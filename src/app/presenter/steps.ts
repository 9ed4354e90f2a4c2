/**
 * The steps of a talk: the moment it begins at, the moments of the document's changes and the bookmarks, in order of time. Where
 * there is neither, the run is stepped through event by event, which the caller does.
 */
import { acting } from "../../scenario/interventions.ts";
import type { Intervention, Scenario } from "../../scenario/schema.ts";
import type { Bookmark } from "../../store/state.ts";

export interface Step {
  readonly atMs: number;
  /** Places of the changes of this moment in the document's list. */
  readonly changes: readonly number[];
  /** Bookmarks that begin here. */
  readonly marks: readonly Bookmark[];
}

/** Steps in order of time, one a moment; none where nothing is changed and nothing is marked. O(n log n). */
export function stepsOf(
  scenario: Scenario,
  bookmarks: readonly Bookmark[],
  beginMs: number,
): readonly Step[] {
  const acts = new Set<Intervention>(acting(scenario.interventions));
  const changes = scenario.interventions.flatMap((change, index) =>
    acts.has(change) ? [{ atMs: change.atMs, index }] : [],
  );
  if (changes.length + bookmarks.length === 0) return [];
  const moments = new Set([beginMs, ...changes.map(timeOf), ...bookmarks.map(timeOf)]);
  return [...moments]
    .sort((a, b) => a - b)
    .map((atMs) => ({
      atMs,
      changes: changes.filter((change) => change.atMs === atMs).map(({ index }) => index),
      marks: bookmarks.filter((mark) => mark.atMs === atMs),
    }));
}

const timeOf = ({ atMs }: { readonly atMs: number }): number => atMs;

/** Place of the step that a time belongs to: the last that is not later; −1 before the first. */
export function stepAt(steps: readonly Step[], atMs: number): number {
  return steps.findLastIndex((step) => step.atMs <= atMs);
}

/** The step that a press leads to, from a time: the next one, or the one before the time; `null` at the ends. */
export function stepFrom(steps: readonly Step[], atMs: number, by: 1 | -1): Step | null {
  const found =
    by === 1 ? steps.find((step) => step.atMs > atMs) : steps.findLast((step) => step.atMs < atMs);
  return found ?? null;
}
