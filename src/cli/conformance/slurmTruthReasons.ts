/**
 * Why jobs waited: each recorded reason must have been ours, in that order, and ours may be no other for as long as the recorder would have
 * noticed. A reason is recorded when it was seen for at least 1.6 s by a poll every 0.5 s.
 */
import { SECOND_MS } from "../../model/units.ts";
import type { Difference } from "./slurmTruthChecks.ts";
import { agreedUntilSec, lastMomentSec, type Recording } from "./slurmTruthFile.ts";
import { idsOf } from "./slurmTruthJobs.ts";
import type { OurJob, OurOutcome, OurReason } from "./slurmTruthRun.ts";

/** What lasts this long is seen for 1.6 s by any poll. */
const NOTICED_MS = 2_100;

/** As `squeue` writes it; the names of the nodes that are missing are no part of the reason. */
export function plainReason(recorded: string): string {
  return recorded
    .replaceAll("_", " ")
    .replace(/^ReqNodeNotAvail, ?UnavailableNodes:.*$/, "ReqNodeNotAvail");
}

interface Seen {
  readonly reason: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Tasks of an array have a record of their own only from their start on; before, the array's record speaks for them. */
export function checkReasons(
  truth: Recording,
  id: string,
  our: OurJob,
  as: "job" | "task",
): Difference[] {
  const recorded = truth.results[id]?.pendingReasons;
  if (!recorded) return [];
  const fromMs = as === "task" ? (our.runs[0]?.startMs ?? Number.POSITIVE_INFINITY) : 0;
  const ours = our.reasons.filter((one) => one.fromMs >= fromMs);
  return compare(truth, id, recorded, ours);
}

/** The array's record stands for its first task that has not started. */
export function checkArrayReasons(truth: Recording, id: string, outcome: OurOutcome): Difference[] {
  const recorded = truth.results[`${id}_pending`]?.pendingReasons;
  const job = truth.jobs.find((one) => one.id === id);
  if (!recorded || job === undefined) return [];
  const ours: Seen[] = [];
  let fromMs = 0;
  for (const task of idsOf(job)) {
    const our = outcome.jobs.get(task)!;
    const startMs = our.runs[0]?.startMs ?? our.leftMs;
    for (const one of our.reasons) {
      const from = Math.max(fromMs, one.fromMs);
      const to = Math.min(startMs, one.toMs);
      if (to > from) ours.push({ reason: one.reason, fromMs: from, toMs: to });
    }
    fromMs = Math.max(fromMs, startMs);
  }
  return compare(truth, `${id}_pending`, recorded, ours);
}

function compare(
  truth: Recording,
  job: string,
  recorded: NonNullable<Recording["results"][string]["pendingReasons"]>,
  ours: readonly (Seen | OurReason)[],
): Difference[] {
  const agreed = agreedUntilSec(truth);
  const known = recorded.filter((one) => one.fromSec < agreed);
  const untilMs = Math.min(agreed, lastMomentSec(truth)) * SECOND_MS;
  const words = joined(
    known.map((one) => ({
      reason: plainReason(one.reason),
      fromMs: one.fromSec * SECOND_MS,
      toMs: (one.toSec ?? lastMomentSec(truth)) * SECOND_MS,
    })),
  );
  const seen = joined(ours.map((one) => ({ ...one, toMs: Math.min(one.toMs, untilMs) })));
  let at = 0;
  for (const one of seen) {
    if (at < words.length && one.reason === words[at]!.reason) at++;
    else if (one.toMs - one.fromMs >= NOTICED_MS && one.reason !== words[at - 1]?.reason) {
      return [difference(job, words, seen, one.fromMs)];
    }
  }
  return at === words.length ? [] : [difference(job, words, seen, words[at]!.fromMs)];
}

function difference(
  job: string,
  words: readonly Seen[],
  seen: readonly Seen[],
  atMs: number,
): Difference {
  return {
    job,
    field: "reasons",
    expected: sentence(words),
    got: sentence(seen),
    atSec: Math.round(atMs / 100) / 10,
  };
}

function sentence(list: readonly Seen[]): string {
  const spans = list.map((one) => `${one.reason} ${sec(one.fromMs)}–${sec(one.toMs)}`);
  return spans.length === 0 ? "none" : spans.join(", ");
}

const sec = (ms: number): string => String(Math.round(ms / 100) / 10);

/** Equal neighbours are one stretch: what stood between was too short to be recorded. */
function joined(list: readonly Seen[]): Seen[] {
  const result: Seen[] = [];
  for (const one of list) {
    const last = result.at(-1);
    if (last?.reason === one.reason) result[result.length - 1] = { ...last, toMs: one.toMs };
    else result.push(one);
  }
  return result;
}
