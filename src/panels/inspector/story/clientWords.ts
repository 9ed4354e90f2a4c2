/**
 * What a client of the API server still sees of a job beside what is true: news take the watch delay of the policy to reach it, so it sees the job as it was so long ago. Null where both are
 * the same. O(runs and bars of the job).
 */
import { durationText } from "../../../base/format.ts";
import { holdingsAt, type JobMoment, type JobStory, momentOf } from "../../../timeline/jobStory.ts";

const SEEN: Readonly<Record<JobMoment["kind"], string>> = {
  unsubmitted: "does not see it yet",
  waiting: "still sees it waiting",
  running: "still sees it running",
  between: "still sees it out of the queue",
  done: "still sees it gone",
};

/** `delayMs`: the watch delay; 0 = news are there at once. */
export function clientWords(
  story: JobStory,
  atMs: number,
  submitMs: number,
  delayMs: number,
): string | null {
  if (delayMs <= 0) return null;
  const [now, seen] = [atMs, atMs - delayMs].map((ms) => momentOf(story, ms, submitMs));
  const who = `A client that hears of changes ${durationText(delayMs)} late`;
  if (now!.kind !== seen!.kind) return `${who} ${SEEN[seen!.kind]}.`;
  const [devices, devicesSeen] = [atMs, atMs - delayMs].map((ms) =>
    holdingsAt(story, ms).reduce((sum, rect) => sum + rect.deviceCount, 0),
  );
  if (devices === devicesSeen) return null;
  return `${who} still sees it with ${devicesSeen === 1 ? "1 device" : `${devicesSeen} devices`}.`;
}
