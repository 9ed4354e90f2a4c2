/**
 * `swf-schedule/1`: schedules that published simulators and an independent reference produced on SWF logs, compared job by job. The
 * machine is flat; the published variants of EASY are settings of the lab.
 */
import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { unpack } from "../../formats/gunzip.ts";
import { SECOND_MS } from "../../model/units.ts";
import { problemLine } from "../fail.ts";
import { readBytes } from "../files.ts";
import { runOnFlatMachine } from "../flatMachine.ts";
import { loadWorkload } from "../input.ts";
import type { CaseOutcome, TruthFile } from "./outcome.ts";

interface ScheduleEntry {
  readonly file: string;
  readonly workload: string;
  readonly processors: number;
  readonly policy: string;
  readonly rule?: Readonly<Record<string, unknown>> | null;
  readonly toleranceSec?: number;
  readonly jobs?: number;
}

interface Row {
  readonly submitSec: number;
  readonly startSec: number;
  readonly endSec: number;
  readonly procs: number;
}

export function* swfSchedule(file: TruthFile): Iterable<CaseOutcome> {
  const { schedules } = file.content as { schedules?: readonly ScheduleEntry[] };
  if (!Array.isArray(schedules)) {
    yield { kind: "fail", id: file.stem, message: "the index has no list of schedules" };
    return;
  }
  for (const [index, entry] of (schedules as readonly unknown[]).entries()) {
    if (isEntry(entry)) yield outcomeOf(entry, file.folder);
    else {
      const message = "an entry needs file, workload, processors (a whole number) and policy";
      yield { kind: "fail", id: `${file.stem}/${index}`, message };
    }
  }
}

function isEntry(value: unknown): value is ScheduleEntry {
  const { file, workload, processors, policy } = (value ?? {}) as Partial<ScheduleEntry>;
  const named = [file, workload, policy].every((name) => typeof name === "string");
  return named && Number.isSafeInteger(processors);
}

function outcomeOf(entry: ScheduleEntry, folder: string): CaseOutcome {
  const id = basename(entry.file).replace(/\.csv(\.gz)?$/, "");
  const why = whyNotOurs(entry) ?? whyAbsent(entry, folder);
  if (why !== null) return { kind: "skip", id, why };
  try {
    const message = compare(entry, folder);
    return message === null ? { kind: "pass", id } : { kind: "fail", id, message };
  } catch (error) {
    return { kind: "fail", id, message: (error as Error).message };
  }
}

/** How each field of a rule is told to the lab; what is absent has the value of the rule with one pass an instant. */
const FIELDS = [
  "pass",
  "equalTimeEndsIn",
  "submitsBeforeEnds",
  "releaseAtEstimate",
  "extraProcessors",
  "reservation",
  "candidatesJudgedBy",
];

/** Null where the lab has the rule. A field or value that is not known may mean another schedule. */
function whyNotOurs({ policy, rule: given }: ScheduleEntry): string | null {
  const rule = given ?? {};
  if (policy !== "fcfs" && policy !== "easy")
    return `the policy ${policy} has no single published meaning`;
  const unknown = Object.keys(rule).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined) return `the rule field ${unknown} is not known`;
  // Where nobody overtakes, the rules of overtaking do not matter.
  if (policy === "fcfs") return null;
  const known: Readonly<Record<string, readonly unknown[]>> = {
    pass: [undefined, "per-instant", "per-event"],
    reservation: [undefined, "recomputed", "stale"],
    candidatesJudgedBy: [undefined, "estimate", "run time"],
    equalTimeEndsIn: [undefined, "any", "start order"],
  };
  for (const [field, values] of Object.entries(known)) {
    if (!values.includes(rule[field])) return `${field} = ${String(rule[field])} is not known`;
  }
  return null;
}

/** The rule as settings of the lab. */
function settingsOf({ policy, rule: given }: ScheduleEntry): string[] {
  const rule = given ?? {};
  if (policy !== "easy") return [];
  const set = [
    `extra=${rule.extraProcessors !== false}`,
    `staleReservation=${rule.reservation === "stale"}`,
    `judgedByRunTime=${rule.candidatesJudgedBy === "run time"}`,
  ];
  if (rule.pass !== "per-event") return set;
  const passPer = rule.submitsBeforeEnds === true ? "eventArrivalsFirst" : "event";
  return [...set, `passPer=${passPer}`, `releaseAtEstimate=${rule.releaseAtEstimate === true}`];
}

function whyAbsent(entry: ScheduleEntry, folder: string): string | null {
  const path = resolve(folder, entry.workload);
  return existsSync(path) ? null : `its workload ${entry.workload} is not here`;
}

/** Runs the workload and compares every job. Null, or what differs first and how many. */
function compare(entry: ScheduleEntry, folder: string): string | null {
  const expected = readSchedule(resolve(folder, entry.file));
  if (entry.jobs !== undefined && expected.size !== entry.jobs) {
    return `the file should list ${entry.jobs} jobs and lists ${expected.size}`;
  }
  const workload = loadWorkload(resolve(folder, entry.workload), "swf");
  const rows = runOnFlatMachine(workload, entry.processors, entry.policy, settingsOf(entry));
  const came = new Map(rows.map((row) => [row.jobId, row]));
  if (rows.length !== expected.size) {
    return `expected ${expected.size} runs, came ${rows.length}`;
  }
  const tolerance = entry.toleranceSec ?? 0;
  let differing = 0;
  let first: string | null = null;
  for (const [jobId, want] of expected) {
    const row = came.get(jobId);
    const have: Row | null =
      row === undefined
        ? null
        : {
            submitSec: row.submitMs / SECOND_MS,
            startSec: row.startMs / SECOND_MS,
            endSec: row.endMs / SECOND_MS,
            procs: row.devices,
          };
    if (have !== null && near(want, have, tolerance)) continue;
    differing++;
    first ??= `job ${jobId} expected ${sentence(want)}, came ${have === null ? "nothing" : sentence(have)}`;
  }
  return first === null ? null : `${first} (${differing} of ${expected.size} jobs differ)`;
}

function near(want: Row, have: Row, tolerance: number): boolean {
  return (
    Math.abs(want.submitSec - have.submitSec) <= tolerance &&
    Math.abs(want.startSec - have.startSec) <= tolerance &&
    Math.abs(want.endSec - have.endSec) <= tolerance &&
    want.procs === have.procs
  );
}

function sentence({ submitSec, startSec, endSec, procs }: Row): string {
  return `${startSec} to ${endSec} s on ${procs}, submitted at ${submitSec} s`;
}

function readSchedule(path: string): Map<string, Row> {
  const unpacked = unpack(readBytes(path), basename(path));
  if (!unpacked.ok) throw new Error(unpacked.error.map(problemLine).join("; "));
  const lines = new TextDecoder().decode(unpacked.value).trim().split(/\r?\n/);
  const header = (lines[0] ?? "").split(",");
  const column = (name: string) => {
    const index = header.indexOf(name);
    if (index < 0) throw new Error(`${basename(path)} has no column ${name}`);
    return index;
  };
  const [job, submit, start, end, procs] = [
    column("job_id"),
    column("submit"),
    column("start"),
    column("end"),
    column("procs"),
  ];
  return new Map(
    lines.slice(1).map((line) => {
      const cells = line.split(",");
      // An empty cell is no number, and no number is near to any.
      const number = (index: number) => Number(cells[index] || Number.NaN);
      const row = {
        submitSec: number(submit),
        startSec: number(start),
        endSec: number(end),
        procs: number(procs),
      };
      return [cells[job] ?? "", row];
    }),
  );
}
