/**
 * A curve of a future, computed in slices and kept for its list of chunks. While results stream in, the curve waits for a rest: what became of work is known at
 * the end of runs only, and would be computed over and over.
 */
import { useEffect, useState } from "react";
import type { Stage } from "../../protocol/messages.ts";
import type { Future } from "../../store/runData.ts";
import { runSliced } from "../../store/sliced.ts";
import type { Curve } from "../../timeline/curves/curve.ts";
import type { CurveId } from "../../timeline/curves/curveIds.ts";
import { curveSteps } from "../../timeline/curves/curveSteps.ts";

const REST_MS = 400;

const kept = new WeakMap<Future["chunks"], Map<CurveId, Curve | null>>();

export interface KnownCurve {
  readonly curve: Curve | null;
  readonly stage: Stage;
  readonly id: CurveId;
}

/** Where a future's record ends, ms. */
export function recordEndMs(future: Future): number {
  return future.done ? future.endMs : Math.max(future.open?.atMs ?? 0, future.knownMs);
}

/** Null until it is known, or where there is no future; the last one stays while more of the same run comes in. */
export function useCurve(
  id: CurveId,
  stage: Stage | null,
  future: Future | null,
): KnownCurve | null {
  const [known, setKnown] = useState<KnownCurve | null>(null);
  useEffect(() => {
    if (!stage || !future || future.chunks.length === 0) {
      setKnown(null);
      return;
    }
    const { chunks, open, done } = future;
    const show = (curve: Curve | null): void => {
      const byId = kept.get(chunks) ?? new Map<CurveId, Curve | null>();
      kept.set(chunks, byId.set(id, curve));
      setKnown({ curve, stage, id });
    };
    const before = kept.get(chunks)?.get(id);
    if (done && before !== undefined) {
      show(before);
      return;
    }
    const record = { chunks, open, endMs: recordEndMs(future) };
    return runSliced(curveSteps(id, stage, record), show, done ? 0 : REST_MS);
  }, [id, stage, future]);
  return known?.id === id && known.stage === stage ? known : null;
}
