/**
 * What is promised to the selected job, as the inspector learned it: written there, drawn here. A small holder outside the store,
 * because it is derived and nobody shares it.
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
