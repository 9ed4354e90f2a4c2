/** All curves of a future, one after the other in slices, for the table. */
import { useEffect, useState } from "react";
import type { Stage } from "../../protocol/messages.ts";
import type { Future } from "../../store/runData.ts";
import { runSliced } from "../../store/sliced.ts";
import type { Curve } from "../../timeline/curves/curve.ts";
import type { CurveChoice } from "../../timeline/curves/curveList.ts";
import { curveSteps } from "../../timeline/curves/curveSteps.ts";
import { recordEndMs } from "./useCurve.ts";

const REST_MS = 400;

export interface NamedCurve {
  readonly choice: CurveChoice;
  readonly curve: Curve;
}

/** Null until they are known; `choices` is made once for a run. */
export function useCurves(
  choices: readonly CurveChoice[],
  stage: Stage | null,
  future: Future | null,
): readonly NamedCurve[] | null {
  const [known, setKnown] = useState<readonly NamedCurve[] | null>(null);
  useEffect(() => {
    if (!stage || !future || future.chunks.length === 0) {
      setKnown(null);
      return;
    }
    return runSliced(allOf(choices, stage, future), setKnown, future.done ? 0 : REST_MS);
  }, [choices, stage, future]);
  return known;
}

function* allOf(
  choices: readonly CurveChoice[],
  stage: Stage,
  future: Future,
): Generator<void, NamedCurve[]> {
  const { chunks, open } = future;
  const record = { chunks, open, endMs: recordEndMs(future) };
  const all: NamedCurve[] = [];
  for (const choice of choices) {
    const curve = yield* curveSteps(choice.id, stage, record);
    if (curve) all.push({ choice, curve });
    yield;
  }
  return all;
}
