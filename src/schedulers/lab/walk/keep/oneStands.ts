/**
 * Whether EASY's one reservation still is what a search would find, so that none need be made. Its start S is the first estimated end of a run at which so many members fit as the
 * head has: just before S the runs that end earlier leave too few, at S enough. Which of them have ended by now, or have begun since, is all the same to both counts and to what is free
 * at S; so only runs matter that end at S or later. One that ends may open an earlier start or other nodes, and makes it void. One that begins has been taken from
 * what the head leaves, or makes it void too. With first fit the head's nodes stay the first then. Void as well: changes of nodes, and S at hand, since runs past their estimate end when time comes. O(1) a run.
 */
import type { Shape, Shapes } from "../../../../scheduling/placement/shapes.ts";
import type { KeptJob, WalkState } from "../state.ts";

/** Whether counting members says when a job fits: of one part, wherever its members go, of whole devices. */
export function isCounted({ parts, wish }: Shape, { hasParts }: Shapes): boolean {
  return !hasParts && parts.length === 1 && wish === "none" && parts[0]!.exclusive === null;
}

/** A run has begun, ended, or holds other devices, or until another time: by its estimated ends before and after (absent: it does not run). */
export function noteOne(
  state: Pick<WalkState, "oneKept" | "oneTook">,
  jobIdx: number,
  beforeMs: number | undefined,
  afterMs: number | undefined,
): void {
  const { oneKept: kept, oneTook } = state;
  if (kept === null) return;
  const begins = beforeMs === undefined && oneTook === jobIdx;
  const endedEarlier = beforeMs === undefined || beforeMs < kept.startMs;
  const endsByThen = afterMs === undefined || afterMs <= kept.startMs;
  if (begins) state.oneTook = -1;
  if (!endedEarlier || endsByThen === begins) state.oneKept = null;
}

/** Whether a reservation that nothing has made void stands at a time: of runs past their estimate none is counted on to end at its start. */
export function stands({ startMs }: KeptJob, nowMs: number): boolean {
  return startMs > nowMs + 1;
}
