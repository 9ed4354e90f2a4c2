/**
 * A job is expected to run to its time limit. A run past its limit (limits are not always enforced) is counted on to end in the next
 * millisecond, as everywhere in the lab. Pathology: users ask for too much, so reservations are late and room stays idle.
 */
import type { EstimatePart } from "./parts.ts";

export const limitEstimate: EstimatePart<null> = {
  create: () => null,
  copy: () => null,
  lengthMs: (_state, view, jobIdx) => view.limitMs(jobIdx),
  endMs: (_state, view, jobIdx) => Math.max(view.nowMs + 1, view.limitEndMs[jobIdx]!),
};
