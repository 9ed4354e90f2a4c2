/** The metrics of a complete future for React: null until they are computed. */
import { useEffect, useState } from "react";
import type { RunMetrics } from "../../metrics/runMetrics.ts";
import type { Stage } from "../../protocol/messages.ts";
import { knownMetrics } from "../../store/knownMetrics.ts";
import type { Future } from "../../store/runData.ts";
import { computeMetrics } from "../../store/runNumbers.ts";

export function useMetrics(stage: Stage | null, future: Future | null): RunMetrics | null {
  const [, setSerial] = useState(0);
  const wanted = stage !== null && future?.done === true;
  useEffect(() => {
    if (!wanted || !stage || !future || knownMetrics(future)) return;
    return computeMetrics(stage, future, () => setSerial((serial) => serial + 1));
  }, [wanted, stage, future]);
  return wanted && future ? knownMetrics(future) : null;
}
