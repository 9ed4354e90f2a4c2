/**
 * What a change did, in one sentence: first the jobs that no longer start, are refused or do not finish, then the waits that moved most, the device time that was gained or lost,
 * how many jobs start earlier or later. Where other jobs start than before, a second sentence says of how many the waits are. Numbers are those of the table below it, in the same rounding.
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
    ...worstParts(before, now, moved),
    ...waits.slice(0, WAITS_MOST).map((row) => waitPart(row, tiers)),
    ...hours.slice(0, HOURS_MOST).map((row) => hoursPart(row, word)),
    ...movedParts(moved),
  ];
  if (parts.length === 0)
    return `No job starts at another time, and ${changed.length > 0 ? "the numbers hardly moved" : "no number moved"}.`;
  const [first, ...rest] = parts;
  const told = `${[first!.charAt(0).toUpperCase() + first!.slice(1), ...rest].join(", ")}.`;
  return told + otherJobs(before, now, moved);
}

/** What no shorter wait makes good. */
function worstParts(before: RunMetrics, now: RunMetrics, moved: Moved | null): string[] {
  const sum = (counts: RunMetrics["refused"]) =>
    Object.values(counts).reduce((total, count) => total + count, 0);
  const unstarted = moved?.onlyBefore ?? 0;
  const refused = sum(now.refused) - sum(before.refused);
  const unfinished = now.started - now.finished - (before.started - before.finished);
  const parts: string[] = [];
  if (unstarted > 0)
    parts.push(`${countText(unstarted, "job")} no longer ${unstarted === 1 ? "starts" : "start"}`);
  if (refused > 0)
    parts.push(
      `${countText(refused, "more job", "more jobs")} ${refused === 1 ? "is" : "are"} refused`,
    );
  if (unfinished > 0 && Object.keys(now.slo.services).length === 0)
    parts.push(
      `${countText(unfinished, "more job", "more jobs")} ${unfinished === 1 ? "does" : "do"} not finish`,
    );
  return parts;
}

/** Empty where the same jobs start in both. */
function otherJobs(before: RunMetrics, now: RunMetrics, moved: Moved | null): string {
  if (moved === null || moved.onlyBefore + moved.onlyNow === 0) return "";
  return before.started === now.started
    ? " Waits are of the jobs that start: as many in both, and not the same."
    : ` Waits are of the jobs that start: ${numberText(before.started)} before, ${numberText(now.started)} now.`;
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
  const { earlier, later, onlyNow } = moved;
  const parts: string[] = [];
  if (later > 0) parts.push(`${countText(later, "job")} ${later === 1 ? "starts" : "start"} later`);
  if (earlier > 0)
    parts.push(
      later > 0
        ? `${numberText(earlier)} earlier`
        : `${countText(earlier, "job")} ${earlier === 1 ? "starts" : "start"} earlier`,
    );
  if (onlyNow > 0)
    parts.push(
      `${countText(onlyNow, "job")} ${onlyNow === 1 ? "starts that did" : "start that did"} not`,
    );
  return parts;
}
