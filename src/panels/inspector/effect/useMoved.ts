/** Jobs that moved between two futures, and waits by size in each, computed in slices once both are complete. */
import { useEffect, useState } from "react";
import { type SizeWaits, waitsBySize } from "../../../metrics/bySize.ts";
import { firstStarts, type Moved, type MovedRecord, movedSteps } from "../../../metrics/moved.ts";
import type { Stage } from "../../../protocol/messages.ts";
import type { Future } from "../../../store/runData.ts";
import { runSliced } from "../../../store/sliced.ts";

export interface Comparison {
  readonly moved: Moved;
  readonly sizes: readonly [readonly SizeWaits[], readonly SizeWaits[]];
}

/** Jobs that are listed. */
const MOVED_MOST = 10;

interface Known {
  readonly before: Future;
  readonly now: Future;
  readonly value: Comparison;
}

/** Null until it is known. Either run may be absent. */
export function useMoved(
  stageBefore: Stage | null,
  before: Future | null,
  stageNow: Stage | null,
  now: Future | null,
): Comparison | null {
  const [known, setKnown] = useState<Known | null>(null);
  useEffect(() => {
    if (!stageBefore || !before?.done || !stageNow || !now?.done) return;
    const steps = comparisonSteps(recordOf(stageBefore, before), recordOf(stageNow, now));
    return runSliced(steps, (value) => setKnown({ before, now, value }));
  }, [stageBefore, before, stageNow, now]);
  return known !== null && known.before === before && known.now === now ? known.value : null;
}

function* comparisonSteps(a: MovedRecord, b: MovedRecord): Generator<void, Comparison> {
  const moved = yield* movedSteps(a, b, MOVED_MOST);
  const sizesA = waitsBySize(a.jobs, yield* firstStarts(a));
  const sizesB = waitsBySize(b.jobs, yield* firstStarts(b));
  return { moved, sizes: [sizesA, sizesB] };
}

const recordOf = (stage: Stage, { chunks }: Future): MovedRecord => ({ jobs: stage.jobs, chunks });
