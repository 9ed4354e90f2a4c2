/**
 * What a run of the simulation is held to. Exact: who ran, where, on which GPU indices, in which order, with which end, how often, in which
 * partition, and why it waited. Clock times may differ from run A or run B by the file's tolerance, and by what the end that a start waited
 * for differs already. A field that the recording leaves out (the two runs differed) is not checked.
 */
import { SECOND_MS } from "../../model/units.ts";
import {
  agreedUntilSec,
  lastMomentSec,
  type Recording,
  type TruthSegment,
} from "./slurmTruthFile.ts";
import { idsOf } from "./slurmTruthJobs.ts";
import { checkArrayReasons, checkReasons } from "./slurmTruthReasons.ts";
import { type OurJob, type OurOutcome, type OurRun, suspendedMs } from "./slurmTruthRun.ts";

/** What differs: job, field, what was recorded, what came, and when (s). */
export interface Difference {
  readonly job: string;
  readonly field: string;
  readonly expected: string;
  readonly got: string;
  readonly atSec: number;
}

export const differenceLine = ({ job, field, expected, got, atSec }: Difference): string =>
  `${job} ${field}: recorded ${expected}, came ${got} (at ${atSec} s)`;

/** A run of the recording beside ours of the same number. */
interface Pair {
  readonly job: string;
  readonly at: number;
  readonly truth: TruthSegment;
  readonly ours: OurRun | undefined;
}

const END_WORDS: Readonly<Record<string, OurRun["endState"]>> = {
  COMPLETED: "completed",
  PREEMPTED: "preempted",
  REQUEUED: "requeued",
  NODE_FAIL: "nodeFailed",
  TIMEOUT: "timeout",
  CANCELLED: "cancelled",
  FAILED: "failed",
  RUNNING: "running",
};

/** O(jobs² ) for the order of starts; recordings have at most some hundred. */
export function checkOutcome(truth: Recording, ours: OurOutcome): Difference[] {
  const differences: Difference[] = [];
  const pairs: Pair[] = [];
  for (const job of truth.jobs) {
    for (const id of idsOf(job)) {
      const our = ours.jobs.get(id);
      if (our === undefined) throw new Error(`the scenario has no job ${id}`);
      const result = truth.results[id];
      if (result === undefined) differences.push(...checkRefusal(truth, job.id, our));
      else {
        pairs.push(
          ...(result.segments ?? []).map((segment, at) => ({
            job: id,
            at,
            truth: segment,
            ours: our.runs[at],
          })),
        );
        differences.push(...checkJob(truth, id, our));
        differences.push(...checkReasons(truth, id, our, job.array ? "task" : "job"));
      }
    }
    if (job.array) differences.push(...checkArrayReasons(truth, job.id, ours));
  }
  const agreed = pairs.filter(({ truth: one }) => isAgreed(one, truth));
  for (const pair of agreed) differences.push(...checkPlace(pair));
  differences.push(...checkTimes(truth, agreed), ...checkOrder(agreed));
  return differences.filter((one) => one.atSec < agreedUntilSec(truth));
}

/** A run whose start the two runs do not share may lie behind the moment from which they differ. */
function isAgreed(segment: TruthSegment, truth: Recording): boolean {
  const untilSec = agreedUntilSec(truth);
  if (untilSec === Number.POSITIVE_INFINITY) return true;
  const known = typeof (segment.startSec ?? segment.startSecRunB) === "number";
  return known && secondOf(segment) < untilSec;
}

const secondOf = (segment: TruthSegment): number => segment.startSec ?? segment.startSecRunB ?? 0;
const seconds = (ms: number): string => String(Math.round(ms / 10) / 100);

function checkRefusal(truth: Recording, id: string, our: OurJob): Difference[] {
  const said = truth.commandOutput?.runA?.find((one) => one.kind === "submit" && one.what === id);
  const expected = (said?.output ?? "").replace(/sbatch: error: /g, "").replace(/\n/g, "; ");
  const atSec = our.submitMs / SECOND_MS;
  if (!/error/.test(said?.output ?? "")) {
    return [{ job: id, field: "result", expected: "nothing", got: "a job without result", atSec }];
  }
  if (our.refused === null || our.leftMs > our.submitMs + SECOND_MS) {
    const got = our.runs.length > 0 ? `a run at ${seconds(our.runs[0]!.startMs)} s` : "no refusal";
    return [{ job: id, field: "submit", expected: `refused: ${expected}`, got, atSec }];
  }
  const word = expected.split("; ")[0]!;
  if (/^\w+$/.test(word) && word !== our.refused) {
    return [{ job: id, field: "refusal", expected: word, got: our.refused, atSec }];
  }
  return [];
}

/** Number of runs, restarts, the state at the end of the recording, and the submit time that a requeue set. */
function checkJob(truth: Recording, id: string, our: OurJob): Difference[] {
  const result = truth.results[id]!;
  const { segments } = result;
  // The two runs had different numbers of runs.
  if (!segments) return [];
  const lastSec = lastMomentSec(truth);
  const seenUntilMs = Math.min(lastSec - truth.toleranceSec, agreedUntilSec(truth)) * SECOND_MS;
  const differences: Difference[] = [];
  const add = (field: string, expected: unknown, got: unknown, atSec: number) =>
    differences.push({ job: id, field, expected: String(expected), got: String(got), atSec });
  const extra = our.runs[segments.length];
  if (extra !== undefined && extra.startMs < seenUntilMs) {
    add(
      "runs",
      segments.length,
      `one more at ${seconds(extra.startMs)} s`,
      extra.startMs / SECOND_MS,
    );
  }
  if (our.refused !== null) {
    add("submit", "accepted", `refused: ${our.refused}`, our.submitMs / SECOND_MS);
    return differences;
  }
  if (agreedUntilSec(truth) < Number.POSITIVE_INFINITY) return differences;
  const lastRun = our.runs[segments.length - 1];
  // As many runs as recorded are as many restarts; one more restart than runs is a job that waits again.
  if (result.restarts === segments.length && segments.length > 0 && lastRun !== undefined) {
    const waits = our.reasons.some((one) => one.fromMs >= lastRun.endMs);
    if (!waits) add("restarts", result.restarts, segments.length - 1, lastSec);
  }
  if (result.neverRan === "CANCELLED" && our.leftMs > (lastSec + truth.toleranceSec) * SECOND_MS) {
    add("finalState", "CANCELLED", "waiting", lastSec);
  }
  if (result.neverRan === "PENDING" && our.leftMs < lastSec * SECOND_MS) {
    add("finalState", "PENDING", "gone", our.leftMs / SECOND_MS);
  }
  if (typeof result.lastSubmitSec === "number" && lastRun !== undefined) {
    const before = our.runs[Math.min(our.runs.length, segments.length) - 2]?.endMs ?? our.submitMs;
    const near = [result.lastSubmitSec, result.lastSubmitSecRunB ?? result.lastSubmitSec];
    const error = Math.min(...near.map((sec) => Math.abs(before / SECOND_MS - sec)));
    // Its clock is the end of the run before, which is checked with its own allowance.
    if (error > truth.toleranceSec * 2)
      add("lastSubmit", result.lastSubmitSec, seconds(before), result.lastSubmitSec);
  }
  return differences;
}

function checkPlace({ job, at, truth, ours }: Pair): Difference[] {
  const atSec = secondOf(truth);
  const field = (name: string) => (at === 0 ? name : `run ${at + 1} ${name}`);
  if (ours === undefined) {
    return [{ job, field: field("start"), expected: `at ${atSec}`, got: "never", atSec }];
  }
  const differences: Difference[] = [];
  const same = (name: string, expected: string, got: string) => {
    if (expected !== got) differences.push({ job, field: field(name), expected, got, atSec });
  };
  if (truth.nodes)
    same("nodes", sorted(truth.nodes).join(","), sorted([...ours.gpuIdx.keys()]).join(","));
  if (truth.gpuIdx) {
    const recorded = new Map(Object.entries(truth.gpuIdx));
    same("GPUs", gpuWords(recorded), gpuWords(ours.gpuIdx));
  }
  if (truth.partition) same("partition", truth.partition, ours.partition);
  // A job that still ran when the recording stopped may have ended in ours since then.
  if (truth.endState && truth.endState !== "RUNNING")
    same("end", END_WORDS[truth.endState] ?? truth.endState, ours.endState);
  return differences;
}

const sorted = (names: readonly string[]): string[] =>
  [...names].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));

function gpuWords(byNode: ReadonlyMap<string, readonly number[]>): string {
  const words = sorted([...byNode.keys()]).flatMap((node) => {
    const devices = byNode.get(node)!;
    return devices.length === 0 ? [] : [`${node}:${[...devices].sort((a, b) => a - b).join("+")}`];
  });
  return words.join(" ");
}

interface Clocked {
  readonly sec: number;
  /** How far ours is from the nearer of the two runs (s). */
  readonly offSec: number;
}

function checkTimes(truth: Recording, pairs: readonly Pair[]): Difference[] {
  const differences: Difference[] = [];
  const ends: Clocked[] = [];
  const inOrder = [...pairs].sort((a, b) => secondOf(a.truth) - secondOf(b.truth));
  const lastSec = lastMomentSec(truth);
  // Ends come before the starts that they allow: all are known once every run has been compared.
  for (const { truth: segment, ours } of inOrder) {
    const off = ours === undefined ? null : offOf(ours.endMs, segment.endSec, segment.endSecRunB);
    if (off !== null) ends.push({ sec: segment.endSec ?? segment.endSecRunB ?? 0, offSec: off });
  }
  for (const { job, at, truth: segment, ours } of inOrder) {
    if (ours === undefined) continue;
    const field = (name: string) => (at === 0 ? name : `run ${at + 1} ${name}`);
    const startSec = secondOf(segment);
    const startOff = offOf(ours.startMs, segment.startSec, segment.startSecRunB);
    const carried = Math.max(
      0,
      ...ends
        .filter((end) => end.sec <= startSec && startSec - end.sec <= 4)
        .map((end) => Math.min(Math.abs(end.offSec), CARRIED_MOST * truth.toleranceSec)),
    );
    const differ = (name: string, expected: string, ms: number, atSec: number) =>
      differences.push({ job, field: field(name), expected, got: seconds(ms), atSec });
    if (startOff !== null && Math.abs(startOff) > truth.toleranceSec + carried) {
      differ("start", both(segment.startSec, segment.startSecRunB), ours.startMs, startSec);
    }
    const endOff = offOf(ours.endMs, segment.endSec, segment.endSecRunB);
    const endSec = segment.endSec ?? segment.endSecRunB ?? lastSec;
    const allowed = truth.toleranceSec + Math.abs(startOff ?? 0);
    if (endOff !== null && endSec < agreedUntilSec(truth) && Math.abs(endOff) > allowed) {
      differ("end time", both(segment.endSec, segment.endSecRunB), ours.endMs, endSec);
    }
    if (segment.endState === "RUNNING" && ours.endMs < (lastSec - allowed) * SECOND_MS) {
      differ("end time", "after the recording", ours.endMs, ours.endMs / SECOND_MS);
    }
    const suspended = offOf(suspendedMs(ours), segment.suspendedSec, segment.suspendedSecRunB);
    if (suspended !== null && Math.abs(suspended) > truth.toleranceSec) {
      const recorded = both(segment.suspendedSec, segment.suspendedSecRunB);
      differ("suspended", recorded, suspendedMs(ours), startSec);
    }
  }
  return differences;
}

/** A chain of jobs hands on at most this many tolerances. */
const CARRIED_MOST = 3;

function offOf(
  ms: number,
  a: number | null | undefined,
  b: number | null | undefined,
): number | null {
  const known = [a, b].filter((sec) => typeof sec === "number");
  if (known.length === 0) return null;
  const offs = known.map((sec) => ms / SECOND_MS - sec);
  return offs.reduce((least, off) => (Math.abs(off) < Math.abs(least) ? off : least));
}

const both = (a: number | null | undefined, b: number | null | undefined): string =>
  a === b || typeof b !== "number" ? String(a) : `${a} or ${b}`;

/** Whoever started clearly before another in both runs starts before it here. */
function checkOrder(pairs: readonly Pair[]): Difference[] {
  const known = pairs.flatMap(({ job, truth, ours }) => {
    const { startSec: a, startSecRunB: b } = truth;
    return ours === undefined || typeof a !== "number" || typeof b !== "number"
      ? []
      : [{ job, a, b, ms: ours.startMs }];
  });
  const differences: Difference[] = [];
  for (const first of known) {
    for (const then of known) {
      const apart = Math.min(then.a - first.a, then.b - first.b);
      if (apart < 1) continue;
      // One second apart by whole seconds may be a few milliseconds apart.
      if (first.ms <= then.ms + (apart === 1 ? SECOND_MS : 0)) continue;
      differences.push({
        job: first.job,
        field: "order",
        expected: `before ${then.job} (${first.a} and ${then.a})`,
        got: `${seconds(first.ms)} and ${seconds(then.ms)}`,
        atSec: first.a,
      });
    }
  }
  return differences;
}
