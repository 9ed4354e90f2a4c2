/**
 * What is promised to the selected job: written by the inspector when it learns it, drawn by the Gantt. A small holder outside
 * zustand, because it is derived and in no link. It stands in the store because panels meet only there.
 */
export interface PlanOverlay {
  readonly jobIdx: number;
  /** Nodes promised, any order. */
  readonly nodes: readonly number[];
  readonly plannedMs: number;
}

let current: PlanOverlay | null = null;
const listeners = new Set<() => void>();

export function planOverlay(): PlanOverlay | null {
  return current;
}

/** Shows a promise, or none. Called by the inspector when its explanation changes. */
export function showPlan(plan: PlanOverlay | null): void {
  if (plan === current) return;
  current = plan;
  for (const listener of listeners) listener();
}

export function onPlan(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
