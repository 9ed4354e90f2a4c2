/** The futures to compare, for React. */
import { useMemo } from "react";
import { useBranches } from "../../store/branches.ts";
import { useApp } from "../../store/store.ts";
import { useRunData } from "../../store/useRun.ts";
import { type ComparedFuture, futuresOf } from "./futures.ts";

export function useFutures(): readonly ComparedFuture[] {
  const kept = useBranches();
  const { stage, current } = useRunData();
  const scenario = useApp((state) => state.scenario);
  return useMemo(
    () => futuresOf(kept, { stage, current }, scenario),
    [kept, stage, current, scenario],
  );
}
