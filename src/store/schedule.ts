/** The record as a list of runs by job, for tests, embedding and export. O(rows of the record). */
import { nameOf } from "../model/jobs.ts";
import { runData } from "./runData.ts";

export interface JobRun {
  readonly id: string;
  readonly submitMs: number;
  /** `null` while not known. */
  readonly startMs: number | null;
  readonly endMs: number | null;
  readonly gpus: number;
}

/** All runs of the shown future, in order of job number, then of time; a job that never ran has one row. */
export function scheduleOf(): readonly JobRun[] {
  const { stage, current } = runData.get();
  if (!stage) return [];
  const { submitMs, gpuTotal } = stage.jobs.at;
  const runs = new Map<number, { startMs: number; endMs: number | null }[]>();
  const add = (jobIdx: number, startMs: number, endMs: number | null): void => {
    const list = runs.get(jobIdx);
    if (list) list.push({ startMs, endMs });
    else runs.set(jobIdx, [{ startMs, endMs }]);
  };
  for (const { runs: rows } of current.chunks) {
    for (let row = 0; row < rows.jobIdx.length; row++) {
      // Run 0 stands for a job that left without running: refused, or cancelled while it waited.
      if (rows.run[row] === 0) continue;
      add(rows.jobIdx[row]!, rows.startMs[row]!, rows.endMs[row]!);
    }
  }
  for (const [jobIdx, startMs] of openStarts(current.open)) add(jobIdx, startMs, null);
  return Array.from({ length: stage.jobs.count }, (_, jobIdx) => {
    const job = {
      id: nameOf(stage.jobs.ids, jobIdx),
      submitMs: submitMs[jobIdx]!,
      gpus: gpuTotal[jobIdx]!,
    };
    return (runs.get(jobIdx) ?? [{ startMs: null, endMs: null }]).map((run) => ({
      ...job,
      ...run,
    }));
  }).flat();
}

/** Jobs that run at the end of the record, each with the start of its first open rectangle. */
function openStarts(open: ReturnType<typeof runData.get>["current"]["open"]): Map<number, number> {
  const starts = new Map<number, number>();
  if (!open) return starts;
  const { jobIdx, startMs } = open.rects;
  for (let row = 0; row < jobIdx.length; row++) {
    starts.set(
      jobIdx[row]!,
      Math.min(startMs[row]!, starts.get(jobIdx[row]!) ?? Number.POSITIVE_INFINITY),
    );
  }
  return starts;
}
