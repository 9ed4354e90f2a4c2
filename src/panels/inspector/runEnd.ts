/** How a run ends, and how its job goes on where it does: a job that gives members up or is put off has its end later, in another run. */
import { clockNear, countText } from "../../base/format.ts";
import { stopWords } from "../../model/stopWords.ts";
import type { JobStory, StoryRun } from "../../timeline/jobStory.ts";

export interface RunEnd {
  readonly label: string;
  readonly text: string;
  /** Null where this run is the last. */
  readonly goesOn: string | null;
}

/** `deviceWord`: what the cluster calls its devices, for one. Times stand as near `nowMs`. O(runs of the job). */
export function runEndWords(
  story: Pick<JobStory, "runs">,
  current: StoryRun,
  deviceWord: string,
  nowMs: number,
  calendar?: string,
): RunEnd {
  const { endMs } = current;
  if (!Number.isFinite(endMs))
    return { label: "Ends in this run", text: "not within what is computed", goesOn: null };
  const text = `${clockNear(endMs, nowMs, calendar)}, ${stopWords(current.stopReason)}`;
  // Runs are in order of time.
  const next = story.runs.find((one) => one !== current && one.startMs >= endMs);
  if (!next) return { label: "Ends in this run", text, goesOn: null };
  const when =
    next.startMs === endMs ? "at once" : `at ${clockNear(next.startMs, nowMs, calendar)}`;
  return {
    label: `Run ${current.run} ends`,
    text,
    goesOn: `${when}, ${sizeWords(next.devices, current.devices, deviceWord)}`,
  };
}

function sizeWords(next: number, before: number, word: string): string {
  const size = `on ${countText(next, word)}`;
  if (next === before) return size;
  const more = next < before ? "fewer" : "more";
  return `${size}, ${countText(Math.abs(next - before), more, more)}`;
}
