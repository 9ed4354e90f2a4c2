/**
 * What a change did, in one sentence: the waits that moved most, the device time that was gained or lost, how many jobs start earlier or later.
 * Numbers are those of the table below it, in the same rounding.
 */
import { countText, MINUS, numberText } from "../../../base/format.ts";
import type { Moved } from "../../../metrics/moved.ts";
import type { RunMetrics } from "../../../metrics/runMetrics.ts";
import type { TierInfo } from "../../../model/world.ts";
import { type CompareRow, compareRows } from "../compareRows.ts";

/** Device time by the key of its measure: what it is called beyond a number. */
const HOURS: Readonly<Record<string, string>> = {
  lost: "lost",
  idle: "idle while work waits",
  overhead: "of overhead",
  communication: "spent communicating",
};
const WAITS_MOST = 2;
const HOURS_MOST = 1;
/** Below this part of the larger value a change is not worth a sentence. */
const LEAST_PART = 0.005;

/** Empty parts are left out; where there is none it says whether any number of the table moved. */
export function effectSentence(
  before: RunMetrics,
  now: RunMetrics,
  moved: Moved | null,
  tiers: readonly TierInfo[],
  word: string,
): string {
  const changed = compareRows(before, now, tiers, word).filter(({ verdict }) => verdict !== "same");
  const rows = changed.filter(({ part }) => part >= LEAST_PART).sort((a, b) => b.part - a.part);
  const waits = rows.filter(({ key }) => key === "p95" || key.startsWith("wait "));
  const hours = rows.filter(({ key }) => HOURS[key] !== undefined);
  const parts = [
    ...waits.slice(0, WAITS_MOST).map((row) => waitPart(row, tiers)),
    ...hours.slice(0, HOURS_MOST).map((row) => hoursPart(row, word)),
    ...movedParts(moved),
  ];
  if (parts.length === 0)
    return `No job starts at another time, and ${changed.length > 0 ? "the numbers hardly moved" : "no number moved"}.`;
  const [first, ...rest] = parts;
  return `${[first!.charAt(0).toUpperCase() + first!.slice(1), ...rest].join(", ")}.`;
}

function waitPart({ label, tier, change }: CompareRow, tiers: readonly TierInfo[]): string {
  const whose = tiers[tier]?.name;
  return whose === undefined ? `p95 wait ${change}` : `${label} of ${whose} ${change}`;
}

function hoursPart({ key, change }: CompareRow, word: string): string {
  const fewer = change.startsWith(MINUS);
  return `${change.slice(1)} ${fewer ? "fewer" : "more"} ${word}-hours ${HOURS[key]}`;
}

function movedParts(moved: Moved | null): string[] {
  if (moved === null) return [];
  const { earlier, later, onlyNow, onlyBefore } = moved;
  const parts: string[] = [];
  if (later > 0) parts.push(`${countText(later, "job")} ${later === 1 ? "starts" : "start"} later`);
  if (earlier > 0)
    parts.push(
      later > 0
        ? `${numberText(earlier)} earlier`
        : `${countText(earlier, "job")} ${earlier === 1 ? "starts" : "start"} earlier`,
    );
  if (onlyBefore > 0) parts.push(`${countText(onlyBefore, "job")} no longer started`);
  if (onlyNow > 0) parts.push(`${countText(onlyNow, "job")} started besides`);
  return parts;
}
