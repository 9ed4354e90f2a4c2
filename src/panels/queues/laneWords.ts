/** What there is to say of a line of the strip: the tooltip and the live region say the same, with the reason as the job's card does. */
import { clockText, durationText } from "../../base/format.ts";
import { sentenceText, shortWhy } from "../../model/sentences.ts";
import type { Stage } from "../../protocol/messages.ts";
import type { Future } from "../../store/runData.ts";
import { jobLabel } from "../../timeline/jobNames.ts";
import { waitReasonAt } from "../../timeline/waitReason.ts";

interface Line {
  readonly jobIdx: number;
  readonly fromMs: number;
  /** `Infinity`: it does not start within what is computed. */
  readonly toMs: number;
  /** Since when it has its quota and waits for nodes, at the cursor; absent or −1 = it has not. */
  readonly admittedMs?: number;
}

/** `atMs`: the cursor; why is said of a wait that has begun by then, as of then or of its end. */
export function laneWords(
  stage: Stage,
  future: Pick<Future, "chunks">,
  { jobIdx, fromMs, toMs, admittedMs = -1 }: Line,
  atMs: number,
  calendar: string | undefined,
): string {
  const name = jobLabel(stage.jobs, jobIdx);
  const since = `queued ${clockText(fromMs, calendar)}`;
  const times = Number.isFinite(toMs)
    ? `${name}: ${since}, starts ${clockText(toMs, calendar)}, waits ${durationText(toMs - fromMs)}.`
    : `${name}: ${since}, does not start within what is computed.`;
  if (atMs < fromMs || atMs >= toMs) return times;
  const reason = waitReasonAt(future.chunks, jobIdx, fromMs, atMs);
  const admitted = admittedMs < 0 ? "" : ` Admitted ${clockText(admittedMs, calendar)}.`;
  return `${times}${admitted} ${sentenceText(shortWhy(reason, atMs - fromMs))}`;
}
