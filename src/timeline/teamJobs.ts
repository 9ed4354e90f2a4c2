/** The jobs of a team at a time: those that run with the devices they hold, those that wait with their waits. O(rectangles that end later + waits). */
import type { Chunk, OpenSet } from "../record/shapes.ts";
import { waitersAt } from "./waits.ts";

export interface TeamRun {
  readonly jobIdx: number;
  readonly devices: number;
}

export interface TeamJobs {
  /** Most devices first. */
  readonly running: readonly TeamRun[];
  /** Longest wait first. */
  readonly waiting: readonly { readonly jobIdx: number; readonly fromMs: number }[];
  readonly devicesHeld: number;
}

export function teamJobsAt(
  source: { readonly chunks: readonly Chunk[]; readonly open: OpenSet | null },
  teamOf: ArrayLike<number>,
  team: number,
  atMs: number,
): TeamJobs {
  const running = new Map<number, { jobIdx: number; devices: number }>();
  const read = (rects: Chunk["rects"], isOpen: boolean): void => {
    const { jobIdx, startMs, endMs, deviceCount } = rects;
    for (let row = 0; row < jobIdx.length; row++) {
      const job = jobIdx[row]!;
      if (teamOf[job] !== team || startMs[row]! > atMs) continue;
      if (!isOpen && endMs[row]! <= atMs) continue;
      const known = running.get(job);
      if (known) {
        known.devices += deviceCount[row]!;
      } else running.set(job, { jobIdx: job, devices: deviceCount[row]! });
    }
  };
  for (const chunk of source.chunks) if (chunk.toMs > atMs) read(chunk.rects, false);
  if (source.open) read(source.open.rects, true);
  const waiters = waitersAt(source, atMs);
  const waiting: { jobIdx: number; fromMs: number }[] = [];
  for (let at = 0; at < waiters.count; at++) {
    const jobIdx = waiters.jobIdx[at]!;
    if (teamOf[jobIdx] === team) waiting.push({ jobIdx, fromMs: waiters.fromMs[at]! });
  }
  const runs = [...running.values()].sort((a, b) => b.devices - a.devices || a.jobIdx - b.jobIdx);
  return {
    running: runs,
    waiting: waiting.sort((a, b) => a.fromMs - b.fromMs || a.jobIdx - b.jobIdx),
    devicesHeld: runs.reduce((sum, { devices }) => sum + devices, 0),
  };
}
