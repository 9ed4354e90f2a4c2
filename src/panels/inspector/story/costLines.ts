/** What a job has cost, in lines of a name and a value; what is nothing is left out. */
import { countText, durationText, NBSP, numberText } from "../../../base/format.ts";
import { hoursText } from "../../../metrics/causeRows.ts";
import { waitWords } from "../../../model/sentences.ts";
import type { MemberState } from "../../../model/states.ts";
import type { JobCost } from "../../../timeline/jobCost.ts";
import type { ReasonTime } from "../../../timeline/jobVerdicts.ts";

export interface CostLine {
  readonly name: string;
  readonly value: string;
  /** It is a part of the line before it that is not. */
  readonly part?: boolean;
}

/** States in which devices are held and no work is done. */
const OVERHEAD: readonly (readonly [MemberState, string])[] = [
  ["starting", "starting up"],
  ["held", "waiting for its other members"],
  ["checkpointing", "saving its state"],
  ["restoring", "reading back, forming its group"],
  ["stalled", "hanging"],
  ["suspended", "suspended"],
  ["ending", "being told to end"],
];
const REASONS_MOST = 4;

export function costLines(
  cost: JobCost,
  reasons: readonly ReasonTime[],
  word: string,
  devices: number,
): CostLine[] {
  return [...waitLines(cost, reasons, word, devices), ...heldLines(cost, word), ...stopLines(cost)];
}

function waitLines(
  { waitedMs, waits }: JobCost,
  reasons: readonly ReasonTime[],
  word: string,
  devices: number,
): CostLine[] {
  if (waitedMs <= 0) return [{ name: "Waited", value: "not at all" }];
  const times = waits > 1 ? ` in ${countText(waits, "wait")}` : "";
  const hours = devices > 0 ? `, ${hoursText(waitedMs * devices)}${NBSP}${word}-h` : "";
  const lines: CostLine[] = [
    { name: "Waited", value: `${durationText(waitedMs)}${times}${hours}` },
  ];
  for (const { reason, ms } of reasons.slice(0, REASONS_MOST))
    lines.push({ name: waitWords(reason), value: durationText(ms), part: true });
  const rest = reasons.slice(REASONS_MOST);
  if (rest.length > 0)
    lines.push({
      name: countText(rest.length, "other reason"),
      value: durationText(rest.reduce((sum, { ms }) => sum + ms, 0)),
      part: true,
    });
  return lines;
}

function heldLines({ heldMs, byState, lostMs, slowedMs }: JobCost, word: string): CostLine[] {
  if (heldMs <= 0) return [];
  const hours = (ms: number): string => `${hoursText(ms)}${NBSP}${word}-h`;
  const share = (ms: number): string => `${hours(ms)}, ${numberText((100 * ms) / heldMs)}${NBSP}%`;
  const lines: CostLine[] = [{ name: "Held", value: hours(heldMs) }];
  if (lostMs > 0) lines.push({ name: "work lost", value: share(lostMs), part: true });
  for (const [state, name] of OVERHEAD)
    if (byState[state] > 0) lines.push({ name, value: share(byState[state]), part: true });
  if (slowedMs >= 1_000)
    lines.push({
      name: "Slowed by its placement",
      value: `${durationText(slowedMs)} in all`,
    });
  return lines;
}

function stopLines({ stops, suspensions, moves, slowdown }: JobCost): CostLine[] {
  const lines: CostLine[] = [];
  const times = [
    stops > 0 ? `stopped ${countText(stops, "time")}` : "",
    suspensions > 0 ? `suspended ${countText(suspensions, "time")}` : "",
    moves > 0 ? `moved ${countText(moves, "time")}` : "",
  ].filter((text) => text !== "");
  if (times.length > 0) lines.push({ name: "Gave way", value: times.join(", ") });
  if (Number.isFinite(slowdown))
    lines.push({
      name: "Time in the system",
      value: `${numberText(slowdown, slowdown < 10 ? 1 : 0)} × its run time`,
    });
  return lines;
}
