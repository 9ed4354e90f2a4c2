/**
 * How many whole devices each run of a job held, from the fewest to the most: an elastic job shrinks and grows within a run, and the record's number of a run is the
 * most. Moments in which members are still missing, or are gone unnoticed, do not count.
 */
import { MemberStateCode } from "../model/states.ts";
import type { JobStory, StoryRect } from "./jobStory.ts";

export interface RunSizes {
  readonly least: number;
  readonly most: number;
}

interface Change {
  devices: number;
  incomplete: number;
}

/** One for each run, in their order; null where it was never complete, and for jobs that hold shares or slices of devices, which are no whole number. O(rectangles + moments × log). */
export function sizesOfRuns({
  runs,
  rects,
}: Pick<JobStory, "runs" | "rects">): (RunSizes | null)[] {
  const sizes: (RunSizes | null)[] = runs.map(() => null);
  if (rects.some(({ part }) => part !== 0)) return sizes;
  const changes = changesOf(rects);
  const now: Change = { devices: 0, incomplete: 0 };
  let at = 0;
  for (const atMs of [...changes.keys()].sort((a, b) => a - b)) {
    const change = changes.get(atMs)!;
    now.devices += change.devices;
    now.incomplete += change.incomplete;
    while (at < runs.length && runs[at]!.endMs <= atMs) at++;
    const run = runs[at];
    if (run === undefined || atMs < run.startMs || now.devices === 0 || now.incomplete > 0)
      continue;
    const before = sizes[at] ?? { least: now.devices, most: now.devices };
    sizes[at] = {
      least: Math.min(before.least, now.devices),
      most: Math.max(before.most, now.devices),
    };
  }
  return sizes;
}

/** What changes at each time. */
function changesOf(rects: readonly StoryRect[]): Map<number, Change> {
  const changes = new Map<number, Change>();
  const add = (atMs: number, sign: 1 | -1, { deviceCount, memberState }: StoryRect): void => {
    const change = changes.get(atMs) ?? { devices: 0, incomplete: 0 };
    change.devices += sign * deviceCount;
    if (memberState === MemberStateCode.held || memberState === MemberStateCode.stalled)
      change.incomplete += sign;
    changes.set(atMs, change);
  };
  for (const rect of rects) {
    add(rect.startMs, 1, rect);
    add(rect.endMs, -1, rect);
  }
  return changes;
}
