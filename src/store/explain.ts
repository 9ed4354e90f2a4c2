/** The worker's answers for panels: why a job waits. Connected once, at start. */
import type { Explanation } from "../engine/view.ts";

type Explain = (jobIdx: number, atMs: number) => Promise<Explanation | null>;
let ask: Explain = () => Promise.resolve(null);

export function connectExplain(given: Explain): void {
  ask = given;
}

let asking = 0;
const waiters: (() => void)[] = [];

/** Says that an explanation is on its way to the screen; the returned function says that it is there, or not wanted any more. */
export function beginExplanation(): () => void {
  let open = true;
  asking += 1;
  return () => {
    if (!open) return;
    open = false;
    asking -= 1;
    if (asking > 0) return;
    for (const waiter of waiters.splice(0)) waiter();
  };
}

/** Resolves when no explanation is on its way. */
export function explained(): Promise<void> {
  if (asking === 0) return Promise.resolve();
  return new Promise((resolve) => waiters.push(resolve));
}

/** Why a job waits at a time, by re-execution; `null` when it does not wait then, or nothing is known. Costs a replay from the nearest snapshot. */
export function explain(jobIdx: number, atMs: number): Promise<Explanation | null> {
  return ask(jobIdx, Math.round(atMs));
}
