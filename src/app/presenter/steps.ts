/**
 * The steps of a talk: the moment it begins at and the moments of the document's changes, in order of time. A document without
 * changes is stepped through event by event, which the caller does.
 */
import { acting } from "../../scenario/interventions.ts";
import type { Intervention, Scenario } from "../../scenario/schema.ts";

export interface Step {
  readonly atMs: number;
  /** Places of the changes of this moment in the document's list; empty where the talk begins. */
  readonly changes: readonly number[];
}

/** Steps in order of time, one a moment; none where nothing that acts is changed. O(changes · log changes). */
export function stepsOf(scenario: Scenario, beginMs: number): readonly Step[] {
  const acts = new Set<Intervention>(acting(scenario.interventions));
  if (acts.size === 0) return [];
  const byMoment = new Map<number, number[]>([[beginMs, []]]);
  scenario.interventions.forEach((change, index) => {
    if (!acts.has(change)) return;
    byMoment.set(change.atMs, [...(byMoment.get(change.atMs) ?? []), index]);
  });
  return [...byMoment]
    .map(([atMs, changes]) => ({ atMs, changes }))
    .sort((a, b) => a.atMs - b.atMs);
}

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
