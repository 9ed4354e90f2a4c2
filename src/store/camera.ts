/** Moves of the time window, kept inside the run. Pure on the window; the run's bounds come from the run data. */
import { DAY_MS } from "../model/units.ts";
import { jobIdxOfId } from "../timeline/jobNames.ts";
import type { TimeWindow } from "../timeline/viewport.ts";
import { clampWindow, panBy, zoomAround } from "../timeline/viewport.ts";
import { runData } from "./runData.ts";
import { useApp } from "./store.ts";

/**
 * The whole run, at least a minute long; a day while nothing is known. While it is computed it reaches at least to the last
 * submission and to the end of the run before, so that maps of it do not shrink and grow again.
 */
export function timeBounds(): TimeWindow {
  const { current, stage, ghost } = runData.get();
  const { scenario } = useApp.getState();
  const horizonMs = scenario?.horizonMs;
  let endMs = Math.max(current.endMs, current.knownMs, horizonMs ?? 0);
  if (!current.done) {
    const lastMs = stage?.jobs.at.submitMs[stage.jobs.count - 1] ?? 0;
    endMs = Math.max(endMs, Math.min(lastMs, horizonMs ?? lastMs), ghost?.endMs ?? 0);
  }
  return { fromMs: 0, toMs: endMs > 0 ? Math.max(60_000, endMs) : DAY_MS };
}

export function setWindow(window: TimeWindow): void {
  const from = Math.min(window.fromMs, window.toMs);
  const to = Math.max(window.fromMs, window.toMs, from + 1_000);
  useApp.setState({ window: clampWindow({ fromMs: from, toMs: to }, timeBounds()) });
}

/** Zooms around a time: the given one, else the cursor where it is in sight, else the middle. */
export function zoomBy(factor: number, aroundMs?: number): void {
  const { window, cursorMs } = useApp.getState();
  const seen = cursorMs >= window.fromMs && cursorMs <= window.toMs;
  const around = aroundMs ?? (seen ? cursorMs : (window.fromMs + window.toMs) / 2);
  useApp.setState({ window: zoomAround(window, around, factor, timeBounds()) });
}

/** Moves the window by a share of its own length. */
export function panByShare(share: number): void {
  const { window } = useApp.getState();
  const byMs = share * (window.toMs - window.fromMs);
  useApp.setState({ window: panBy(window, byMs, timeBounds()) });
}

export function fitAll(): void {
  useApp.setState({ window: timeBounds() });
}

/** Shows a stretch of time with a margin of an eighth at either side. */
export function fitSpan(fromMs: number, toMs: number): void {
  const margin = Math.max(30_000, (toMs - fromMs) / 8);
  setWindow({ fromMs: fromMs - margin, toMs: toMs + margin });
}

/** From submit to the end of the last run of a job, as far as the record goes. O(rows of the record). */
export function spanOfJob(jobIdx: number): TimeWindow | null {
  const { stage, current } = runData.get();
  if (!stage || jobIdx >= stage.jobs.count) return null;
  const fromMs = stage.jobs.at.submitMs[jobIdx]!;
  let toMs = fromMs;
  for (const { runs } of current.chunks) {
    for (let row = 0; row < runs.jobIdx.length; row++) {
      if (runs.jobIdx[row] === jobIdx) toMs = Math.max(toMs, runs.endMs[row]!);
    }
  }
  const open = current.open?.rects;
  if (open?.jobIdx.includes(jobIdx)) toMs = Math.max(toMs, current.knownMs);
  return { fromMs, toMs: toMs > fromMs ? toMs : current.knownMs };
}

/** The number of the job with this id, or −1. O(jobs). */
export function jobIdxOf(id: string): number {
  const { stage } = runData.get();
  return stage ? jobIdxOfId(stage.jobs.ids, id) : -1;
}
