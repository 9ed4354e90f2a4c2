/** The jobs that were turned away when they were submitted: they are in no queue, so they are found by their decisions. O(decisions up to the last one asked for). */
import type { Chunk } from "../record/shapes.ts";
import { DecisionKindCode } from "../record/shapes.ts";

/** The first `most` of them, in order of time. */
export function refusedJobs(
  chunks: readonly { readonly decisions: Pick<Chunk["decisions"], "kind" | "jobIdx"> }[],
  most: number,
): readonly number[] {
  const found: number[] = [];
  for (const { decisions } of chunks) {
    for (let row = 0; row < decisions.kind.length && found.length < most; row++)
      if (decisions.kind[row] === DecisionKindCode.refuse) found.push(decisions.jobIdx[row]!);
    if (found.length >= most) break;
  }
  return found;
}
