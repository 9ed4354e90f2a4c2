/** A pass, or those that share a pixel, in words. */
import { countText } from "../../base/format.ts";
import { slurmClock } from "../../model/slurm/words.ts";
import { PassKind } from "../../record/shapes.ts";
import type { PassIndex, PassSpan } from "../../timeline/passIndex.ts";

function kindWord(kind: number): string {
  return kind === PassKind.main ? "main" : "backfill";
}

/** "backfill pass at Day 1 12:00:30: looked at 57 jobs, started 2". */
export function passWords(index: PassIndex, row: number, calendar: string | undefined): string {
  const { atMs, kind, looked, started } = index.rows;
  return `${kindWord(kind[row]!)} pass at ${slurmClock(atMs[row]!, calendar)}: looked at ${countText(looked[row]!, "job")}, started ${started[row]}`;
}

/** Several: "38 backfill passes, 12:00:00 to 12:20:00: started 14 jobs". */
export function spanWords(
  index: PassIndex,
  kind: number,
  span: PassSpan,
  calendar: string | undefined,
): string {
  const first = index.rowOf(kind, span.from);
  if (span.to - span.from === 1) return passWords(index, first, calendar);
  const last = index.rowOf(kind, span.to - 1);
  const { atMs } = index.rows;
  return `${countText(span.to - span.from, `${kindWord(kind)} pass`, `${kindWord(kind)} passes`)}, ${slurmClock(atMs[first]!, calendar)} to ${slurmClock(atMs[last]!, calendar)}: started ${countText(span.started, "job")}`;
}
