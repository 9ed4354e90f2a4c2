/** The decision log of the run that is shown as a filter leaves it, found in slices; until a new answer is here the last one stays. */
import { useEffect, useState } from "react";
import type { Stage } from "../protocol/messages.ts";
import { filterSteps, type Picked } from "../timeline/decisionFilter.ts";
import {
  type DecisionMatches,
  DecisionPlaces,
  matchDecisionsSteps,
} from "../timeline/decisionIndex.ts";
import type { TierAt } from "../timeline/jobNames.ts";
import type { Future } from "./runData.ts";
import { runSliced } from "./sliced.ts";
import { useApp } from "./store.ts";

/** So long a question must rest before it is answered again: a run that comes in, a view that moves. */
const REST_MS = 200;

export interface KnownDecisions {
  readonly matches: DecisionMatches;
  readonly stage: Stage;
}

function* decisionSteps(
  picked: Picked,
  stage: Stage,
  future: Future,
  tierAt: TierAt,
): Generator<void, DecisionMatches> {
  const places = new DecisionPlaces(future.chunks);
  const atMs = useApp.getState().cursorMs;
  const filter = yield* filterSteps(picked, stage, future, tierAt, atMs);
  return yield* matchDecisionsSteps(places, filter);
}

/** `picked` must be the same object while nothing is picked anew. */
export function useDecisions(
  stage: Stage,
  future: Future,
  picked: Picked,
  tierAt: TierAt,
): KnownDecisions | null {
  const [known, setKnown] = useState<KnownDecisions | null>(null);
  const wait = known?.stage === stage ? REST_MS : 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rest is as it was when the question changed.
  useEffect(() => {
    return runSliced(
      decisionSteps(picked, stage, future, tierAt),
      (matches) => setKnown({ matches, stage }),
      wait,
    );
  }, [stage, future, picked, tierAt]);
  return known?.stage === stage ? known : null;
}
