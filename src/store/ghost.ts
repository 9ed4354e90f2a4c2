/** Which future stays visible beside a new one: the last complete one, while the change before it may still be compared. */
import type { Stage } from "../protocol/messages.ts";
import { jobsKeepTheirNumbers } from "./jobNumbers.ts";
import type { Future } from "./runData.ts";
import { runData } from "./runData.ts";

/** The future to keep as ghost beside a new one, and the time from which they may differ. */
export function ghostAfter(
  stage: Stage,
  editMs: number | null,
): { ghost: Future | null; ghostFromMs: number } {
  const shown = runData.get();
  const none = { ghost: null, ghostFromMs: 0 };
  if (editMs === null || !shown.stage || !jobsKeepTheirNumbers(shown.stage, stage)) return none;
  if (shown.current.done) return { ghost: shown.current, ghostFromMs: editMs };
  if (!shown.ghost) return none;
  return { ghost: shown.ghost, ghostFromMs: Math.min(shown.ghostFromMs, editMs) };
}
