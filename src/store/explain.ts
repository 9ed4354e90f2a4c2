/** The worker's answers for panels: why a job waits. Connected once, at start. */
import type { Explanation } from "../engine/view.ts";

type Explain = (jobIdx: number, atMs: number) => Promise<Explanation | null>;
let ask: Explain = () => Promise.resolve(null);

export function connectExplain(given: Explain): void {
  ask = given;
}

/** Why a job waits at a time, by re-execution; `null` when it does not wait then, or nothing is known. Costs a replay from the nearest snapshot. */
export function explain(jobIdx: number, atMs: number): Promise<Explanation | null> {
  return ask(jobIdx, Math.round(atMs));
}
