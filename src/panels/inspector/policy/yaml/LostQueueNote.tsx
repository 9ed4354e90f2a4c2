/** What is said before a YAML of Kueue is applied of which jobs name queues that it does not have: nothing would admit them, and the run would show it only later. */
import { useMemo } from "react";
import { countText } from "../../../../base/format.ts";
import { useRunData } from "../../../../store/useRun.ts";
import { waitersAt } from "../../../../timeline/waits.ts";
import { type LostQueue, lostQueues } from "./lostQueues.ts";
import type { YamlReading } from "./useYamlRead.ts";

const NONE: readonly LostQueue[] = [];

/** Of the jobs that wait at `atMs` or come later. Empty under another preset, and where the text is too long for a form. O(jobs + objects). */
export function useLostQueues(
  preset: string,
  { objects }: YamlReading,
  pool: number,
  atMs: number,
): readonly LostQueue[] {
  const { stage, current } = useRunData();
  return useMemo(() => {
    if (preset !== "kueue" || objects === null || stage === null) return NONE;
    const waiting = new Set(waitersAt(current, atMs).jobIdx);
    const { submitMs } = stage.jobs.at;
    return lostQueues(
      objects,
      stage,
      pool,
      (jobIdx) => submitMs[jobIdx]! >= atMs || waiting.has(jobIdx),
    );
  }, [preset, objects, stage, current, pool, atMs]);
}

const NAMED_MOST = 3;

/** The words alone: around them is what says them aloud. */
export function LostQueueNote({ queues }: { readonly queues: readonly LostQueue[] }) {
  if (queues.length === 0) return null;
  const jobs = queues.reduce((sum, queue) => sum + queue.jobs, 0);
  const named = queues.slice(0, NAMED_MOST).map(({ queue }) => queue);
  const more = queues.length - named.length;
  const names = [...named, ...(more > 0 ? [countText(more, "more", "more")] : [])].join(", ");
  return (
    <>
      {countText(jobs, "job")} {jobs === 1 ? "names" : "name"}{" "}
      {queues.length === 1 ? "a queue" : "queues"} that this YAML does not have: {names}. Without a
      LocalQueue of that name that leads to a ClusterQueue nothing admits{" "}
      {jobs === 1 ? "it" : "them"}.
    </>
  );
}
