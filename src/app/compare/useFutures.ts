/** The futures to compare, for React. */
import { useMemo } from "react";
import { useBranches } from "../../store/branches.ts";
import { useApp } from "../../store/store.ts";
import { useRunData } from "../../store/useRun.ts";
import { type ComparedFuture, futuresOf, sameRunAs } from "./futures.ts";

export function useFutures(): readonly ComparedFuture[] {
  const kept = useBranches();
  const { stage, current } = useRunData();
  const scenario = useApp((state) => state.scenario);
  return useMemo(
    () => futuresOf(kept, { stage, current }, scenario),
    [kept, stage, current, scenario],
  );
}

/** The letter of the kept future that the shown run repeats, though its document differs. */
export function useSameRunAs(): string | null {
  const kept = useBranches();
  const { current } = useRunData();
  const scenario = useApp((state) => state.scenario);
  return useMemo(() => sameRunAs(kept, current, scenario), [kept, current, scenario]);
}
