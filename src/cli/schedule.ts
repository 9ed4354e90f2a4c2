/**
 * The schedule of a run, job by job: one row for each run of a job, in submit order, then in order of the runs. Times are in the clock of
 * the file that the jobs came from, so that schedules of other simulators compare line by line.
 */
import { nameOf } from "../model/jobs.ts";
import { SECOND_MS } from "../model/units.ts";
import type { World } from "../model/world.ts";
import type { Chunk, OpenSet } from "../record/shapes.ts";

export interface ScheduleRow {
  readonly jobIdx: number;
  readonly jobId: string;
  readonly submitMs: number;
  readonly startMs: number;
  /** `Infinity`: the run had not ended where the simulation was cut off. */
  readonly endMs: number;
  readonly devices: number;
}

/** Gathers runs as their chunks come and puts them in order at the end. */
export class ScheduleCollector {
  readonly #rows: Omit<ScheduleRow, "jobId" | "submitMs">[] = [];

  add({ runs }: Pick<Chunk, "runs">): void {
    for (let row = 0; row < runs.jobIdx.length; row++) {
      // A job that was refused, or cancelled while it waited, has left without a run.
      if (runs.run[row] === 0) continue;
      this.#rows.push({
        jobIdx: runs.jobIdx[row]!,
        startMs: runs.startMs[row]!,
        endMs: runs.endMs[row]!,
        devices: runs.devices[row]!,
      });
    }
  }

  /** O(rows · log rows). `offsetMs` turns times of the run into the file's own. */
  finish(world: World, open: OpenSet, offsetMs: number): ScheduleRow[] {
    const rows = [...this.#rows, ...openRuns(open)];
    rows.sort((a, b) => a.jobIdx - b.jobIdx || a.startMs - b.startMs);
    const { at, ids } = world.jobs;
    const named = rows.map((row) => ({
      ...row,
      jobId: nameOf(ids, row.jobIdx),
      submitMs: at.submitMs[row.jobIdx]! + offsetMs,
      startMs: row.startMs + offsetMs,
      endMs: row.endMs + offsetMs,
    }));
    // Injected jobs have the last numbers whenever they were submitted; sorting is stable.
    return named.sort((a, b) => a.submitMs - b.submitMs);
  }
}

/** Runs that were still open: the rectangles of a job are one run. */
function openRuns({ rects }: OpenSet): Omit<ScheduleRow, "jobId" | "submitMs">[] {
  const byJob = new Map<
    number,
    { jobIdx: number; startMs: number; endMs: number; devices: number }
  >();
  for (let row = 0; row < rects.jobIdx.length; row++) {
    const jobIdx = rects.jobIdx[row]!;
    const run = byJob.get(jobIdx) ?? {
      jobIdx,
      startMs: Number.POSITIVE_INFINITY,
      endMs: Number.POSITIVE_INFINITY,
      devices: 0,
    };
    run.startMs = Math.min(run.startMs, rects.startMs[row]!);
    run.devices += rects.deviceCount[row]!;
    byJob.set(jobIdx, run);
  }
  return [...byJob.values()];
}

/** `job_id,submit,start,end,gpus` in seconds; a run without an end has an empty cell. */
export function scheduleCsv(rows: readonly ScheduleRow[]): string {
  const lines = rows.map((row) =>
    [
      cell(row.jobId),
      row.submitMs / SECOND_MS,
      row.startMs / SECOND_MS,
      Number.isFinite(row.endMs) ? row.endMs / SECOND_MS : "",
      row.devices,
    ].join(","),
  );
  return `job_id,submit,start,end,gpus\n${lines.map((line) => `${line}\n`).join("")}`;
}

function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
