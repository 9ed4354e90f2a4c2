/** The runs of a window as rows of a table, read from the record's run columns and, for runs that go on, the open set. */
import { StopReasonCode } from "../../model/reasons.ts";
import { SLURM_END_STATES } from "../../model/slurm/words.ts";
import { END_STATES, type EndState } from "../../model/states.ts";
import { stopWords } from "../../model/stopWords.ts";
import type { Stage } from "../../protocol/messages.ts";
import type { Scenario } from "../../scenario/schema.ts";
import type { Future } from "../../store/runData.ts";
import { isSlurmAt } from "../../store/slurmPools.ts";
import { LostWork } from "../../timeline/lostWork.ts";
import { nodeHistoryOf } from "../../timeline/nodeHistory.ts";
import type { TimeWindow } from "../../timeline/viewport.ts";
import { GAVE_WAY } from "./history/sceneHistory.ts";

export interface RunRow {
  readonly jobIdx: number;
  readonly tier: number;
  readonly devices: number;
  /** 1 for the first run; 0 where it is not recorded yet. */
  readonly run: number;
  readonly startMs: number;
  /** `Infinity` while it goes on. */
  readonly endMs: number;
  readonly lengthMs: number;
  readonly ended: string;
  /** Since its last checkpoint, or its start, where its stop threw that away (ms). */
  readonly lostMs: number;
}

/** Rows a table can sort at once without a pause. */
const ROWS_MOST = 20_000;

const WORDS: Readonly<Record<(typeof END_STATES)[number], string>> = {
  running: "still running",
  completed: "completed",
  timeout: "time limit",
  cancelled: "cancelled",
  requeued: "requeued",
  preempted: "preempted",
  nodeFailed: "node failed",
  refused: "refused",
  failed: "failed",
};

/** Reasons that say more than that a run was stopped. */
const TELLING: ReadonlySet<number> = new Set(
  (
    [
      "idle",
      "reclaimed",
      "outbid",
      "spotTaken",
      "hung",
      "restartsUsed",
      "migrated",
      "burstOver",
      "windowBegan",
      "scaledDown",
      "descheduled",
      "nodeRemoved",
    ] as const
  ).map((reason) => StopReasonCode[reason]),
);

/**
 * Runs that touch the window, in order of start; the longest `ROWS_MOST` where there are more. How a run ended is said in the words of
 * the scheduler of its pool. O(runs of the record).
 */
export function runsInWindow(
  stage: Stage,
  scenario: Scenario | null,
  future: Future,
  window: TimeWindow,
): { rows: RunRow[]; total: number } {
  const rows: RunRow[] = [];
  const wordsAt = (jobIdx: number, atMs: number, end: EndState, stopReason = 0): string => {
    if (isSlurmAt(scenario, stage.poolOfJob[jobIdx]!, atMs)) return SLURM_END_STATES[end];
    if (gaveWayMs.get(jobIdx)?.has(atMs)) return GAVE_WAY;
    return TELLING.has(stopReason) ? stopWords(stopReason) : WORDS[end];
  };
  const { gaveWayMs } = nodeHistoryOf(future.chunks, null, stage.cluster.nodeCount);
  const { tier, gpuTotal, flags } = stage.jobs.at;
  const lost = new LostWork();
  lost.update(future.chunks, flags);
  for (const { runs } of future.chunks) {
    for (let i = 0; i < runs.startMs.length; i++) {
      if (runs.endMs[i]! <= window.fromMs || runs.startMs[i]! >= window.toMs) continue;
      const jobIdx = runs.jobIdx[i]!;
      rows.push({
        jobIdx,
        tier: tier[jobIdx]!,
        devices: runs.devices[i]!,
        run: runs.run[i]!,
        startMs: runs.startMs[i]!,
        endMs: runs.endMs[i]!,
        lengthMs: runs.endMs[i]! - runs.startMs[i]!,
        ended: wordsAt(
          jobIdx,
          runs.endMs[i]!,
          END_STATES[runs.endState[i]!] ?? "running",
          runs.stopReason[i]!,
        ),
        lostMs: lostOf(lost, jobIdx, runs.startMs[i]!, runs.endMs[i]!),
      });
    }
  }
  for (const [jobIdx, startMs] of openRuns(future)) {
    if (startMs >= window.toMs || future.knownMs <= window.fromMs) continue;
    rows.push({
      jobIdx,
      tier: tier[jobIdx]!,
      devices: gpuTotal[jobIdx]!,
      run: 0,
      startMs,
      endMs: Number.POSITIVE_INFINITY,
      lengthMs: future.knownMs - startMs,
      ended: wordsAt(jobIdx, future.knownMs, "running"),
      lostMs: 0,
    });
  }
  const total = rows.length;
  if (total > ROWS_MOST) {
    rows.sort((a, b) => b.lengthMs - a.lengthMs);
    rows.length = ROWS_MOST;
  }
  rows.sort((a, b) => a.startMs - b.startMs || a.jobIdx - b.jobIdx);
  return { rows, total };
}

/** How long a run had worked on what its stop threw away. O(stretches of the job). */
function lostOf(lost: LostWork, jobIdx: number, startMs: number, endMs: number): number {
  const stretch = lost.ofJob(jobIdx).find((one) => one.atMs === endMs && one.toMs === endMs);
  return stretch ? endMs - Math.max(startMs, stretch.fromMs) : 0;
}

/** Jobs with open rectangles and when the first of them began. */
function openRuns(future: Future): Map<number, number> {
  const starts = new Map<number, number>();
  const rects = future.open?.rects;
  if (!rects) return starts;
  for (let i = 0; i < rects.jobIdx.length; i++) {
    const jobIdx = rects.jobIdx[i]!;
    starts.set(jobIdx, Math.min(starts.get(jobIdx) ?? Number.POSITIVE_INFINITY, rects.startMs[i]!));
  }
  return starts;
}
