/**
 * The record as it is drawn. While results stream in, painters take in more of it in rounds (`render/frameLoop`); this holds the record as it was
 * when the round began, so that no strip shows more of the run than another. Another record is drawn at once.
 */
import { Dirty, frameLoop } from "../render/frameLoop.ts";
import { onRecord, type RunData, runData } from "./runData.ts";

let drawn = runData.get();

/** So that a round begins, and takes whoever registers until then, even where nobody draws yet. */
const waiting = frameLoop.register({ name: "record", paint: () => 0 });

onRecord((more) => {
  if (more) waiting.mark(Dirty.more);
  else drawn = runData.get();
});
frameLoop.onRound(() => {
  drawn = runData.get();
});

/** What painters draw now; at rest the same as `runData.get()`. */
export function drawnRun(): RunData {
  return drawn;
}
