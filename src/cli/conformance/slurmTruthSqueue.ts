/** What `squeue` and `sinfo -N` would print of our run at a moment, and the comparison with what they printed. */
import type { SlurmTables } from "../../model/slurm/tables.ts";
import { SECOND_MS } from "../../model/units.ts";
import { compressHostlist } from "../../scenario/slurm/hostlist.ts";
import type { Difference } from "./slurmTruthChecks.ts";
import { agreedUntilSec, type Recording } from "./slurmTruthFile.ts";
import { idsOf } from "./slurmTruthJobs.ts";
import { plainReason } from "./slurmTruthReasons.ts";
import type { Answer, OurJob, OurOutcome, OurRun } from "./slurmTruthRun.ts";
import { wordsOf } from "./slurmTruthWords.ts";

export interface OurSqueueRow {
  /** Null for a job that does not wait: only waiting jobs have a row in the table. */
  readonly priority: number | null;
  readonly run: OurRun | null;
  /** What it was within the tolerance of clock times: a change of state then may be seen before or after. */
  readonly states: ReadonlySet<string>;
  readonly reasons: ReadonlySet<string>;
}

/** The row of a job, by the name that `%j` shows; null where it is not in the queue then. */
export function squeueRow(
  truth: Recording,
  ours: OurOutcome,
  tables: SlurmTables,
  name: string,
  atMs: number,
): OurSqueueRow | null {
  const named = truth.jobs.filter((job) => (job.jobName ?? job.id) === name);
  const ids = named.length > 0 ? named.flatMap(idsOf) : [name];
  for (const id of ids) {
    const row = rowOf(ours, tables, id, atMs, truth.toleranceSec * SECOND_MS);
    if (row.states.size > 0) return row;
  }
  return null;
}

function rowOf(
  ours: OurOutcome,
  tables: SlurmTables,
  id: string,
  atMs: number,
  slackMs: number,
): OurSqueueRow {
  const states = new Set<string>();
  const reasons = new Set<string>();
  const near = (fromMs: number, toMs: number) => fromMs <= atMs + slackMs && atMs - slackMs < toMs;
  const job = ours.jobs.get(id);
  for (const run of job?.runs ?? []) {
    if (!near(run.startMs, run.endMs)) continue;
    states.add("RUNNING");
    reasons.add("None");
    if (run.suspensions.some(([from, to]) => near(from, to))) states.add("SUSPENDED");
  }
  const row = tables.squeue.find((one) => ours.names[one.jobIdx] === id);
  if (row !== undefined) {
    states.add("PENDING");
    reasons.add(row.reason);
  }
  for (const one of job?.reasons ?? []) {
    if (!near(one.fromMs, one.toMs)) continue;
    states.add("PENDING");
    reasons.add(one.reason);
  }
  const run = job === undefined ? undefined : runningAt(job, atMs);
  return { priority: row?.priority ?? null, run: run ?? null, states, reasons };
}

const runningAt = (job: OurJob, atMs: number): OurRun | undefined =>
  job.runs.find((run) => run.startMs <= atMs && atMs < run.endMs);

/** Checks what the commands of the recording printed, where both runs printed the same. */
export function checkPrinted(truth: Recording, ours: OurOutcome): Difference[] {
  const runB = truth.commandOutput?.runB ?? [];
  return (truth.commandOutput?.runA ?? []).flatMap((said) => {
    const same = runB.some(
      (one) =>
        one.what === said.what &&
        one.output === said.output &&
        Math.abs(one.offsetSec - said.offsetSec) < 5,
    );
    if (said.kind === "submit" || !same || !said.output) return [];
    if (said.offsetSec >= agreedUntilSec(truth)) return [];
    const atMs = Math.round(said.offsetSec * SECOND_MS);
    const answer = ours.answers.find((one) => one.question.atMs === atMs);
    return answer === undefined ? [] : checkAnswer(truth, ours, answer, said.what, said.output);
  });
}

function checkAnswer(
  truth: Recording,
  ours: OurOutcome,
  answer: Answer,
  command: string,
  output: string,
): Difference[] {
  const words = wordsOf(command);
  const formatAt = words.findIndex((word) => word === "-o" || word === "--format");
  const format = formatAt < 0 ? "" : (words[formatAt + 1] ?? "");
  const printed = output.split("\n").filter((line) => line.trim() !== "");
  const hasHeader = format !== "" && !words.some((word) => /^(?:-h|--noheader)$/.test(word));
  const lines = hasHeader ? printed.slice(1) : printed;
  const atSec = answer.question.atMs / SECOND_MS;
  const differ = (job: string, field: string, expected: string, got: string): Difference => ({
    job,
    field,
    expected,
    got,
    atSec,
  });
  if (words[0] === "squeue") {
    return lines.flatMap((line) => {
      const fields = fieldsOf(line, format);
      const name = fields.get("%j") ?? "";
      const row = squeueRow(truth, ours, answer.tables, name, answer.question.atMs);
      if (name === "") return [];
      if (row === null) return [differ(name, "squeue", line, "absent")];
      return compareRow(name, fields, row, differ);
    });
  }
  if (words[0] === "sinfo" && words.includes("-N")) {
    return lines.flatMap((line) => {
      const fields = fieldsOf(line, format);
      const name = fields.get("%N") ?? fields.get("%n") ?? "";
      const state = fields.get("%T") ?? fields.get("%t");
      if (state === undefined) return [];
      const got = nodeWord(ours, answer.tables, name, answer.question.atMs);
      return sameNode(state, got) ? [] : [differ(name, "sinfo", state, got)];
    });
  }
  if (/^scontrol show res/.test(command)) return checkReservations(lines, ours, answer, differ);
  return [];
}

type Differ = (job: string, field: string, expected: string, got: string) => Difference;

function compareRow(
  name: string,
  fields: ReadonlyMap<string, string>,
  row: OurSqueueRow,
  differ: Differ,
): Difference[] {
  const differences: Difference[] = [];
  const check = (key: string, field: string, got: string | null) => {
    const expected = fields.get(key);
    if (expected !== undefined && got !== null && expected !== got)
      differences.push(differ(name, `squeue ${field}`, expected, got));
  };
  check("%T", "state", wordIn(row.states, fields.get("%T")));
  check("%Q", "priority", row.priority === null ? null : String(row.priority));
  check("%r", "reason", wordIn(row.reasons, fields.get("%r")));
  check("%D", "nodes", row.run === null ? null : String(row.run.gpuIdx.size));
  check("%P", "partition", row.run === null ? null : row.run.partition);
  return differences;
}

/** The expected word where it is among ours, else all of ours. */
export function wordIn(ours: ReadonlySet<string>, expected: string | undefined): string {
  return expected !== undefined && ours.has(expected) ? expected : [...ours].join(" or ");
}

/** Fields by their letters; the last one takes the rest of the line, since reasons have blanks. */
function fieldsOf(line: string, format: string): Map<string, string> {
  const keys = [...format.matchAll(/%\.?\d*([a-zA-Z])/g)].map(([, letter]) => `%${letter}`);
  const separator = /%\.?\d*[a-zA-Z]([^%\s])/.exec(format)?.[1] ?? " ";
  const parts = line.trim().split(separator === " " ? /\s+/ : separator);
  const last = parts.slice(keys.length - 1).join(separator);
  const values = keys.map((key, at) => {
    const text = at === keys.length - 1 ? last : (parts[at] ?? "");
    return [key, key === "%r" ? plainReason(text) : text] as const;
  });
  return new Map(values);
}

/** What `sinfo %T` calls a node: its own state, then reservations, then what runs there, then what is planned there. */
function nodeWord(ours: OurOutcome, tables: SlurmTables, name: string, atMs: number): string {
  const { cluster } = ours.world;
  const node = cluster.nodeNames.indexOf(name);
  if (node < 0) return "unknown";
  const state = ours.nodeState(node, atMs);
  const busy = [...ours.jobs.values()].some((job) => runningAt(job, atMs)?.gpuIdx.has(name));
  if (state === "down") return "down";
  if (state === "drained") return busy ? "draining" : "drained";
  const reservation = tables.reservations.find(
    (one) => one.startMs <= atMs && atMs < one.endMs && one.nodes.includes(node),
  );
  if (busy) return "mixed";
  if (reservation !== undefined) return reservation.flags.includes("MAINT") ? "maint" : "reserved";
  return tables.squeue.some((row) => row.plannedNodes.includes(node)) ? "planned" : "idle";
}

/** `*` marks a node that does not answer; a full node and a partly used one are both in use; `%t` shortens. */
function sameNode(recorded: string, got: string): boolean {
  const plain = recorded.replace(/[*~#$@+^-]$/, "");
  return (LONG_STATES[plain] ?? plain) === got;
}

const LONG_STATES: Readonly<Record<string, string>> = {
  allocated: "mixed",
  alloc: "mixed",
  mix: "mixed",
  drain: "drained",
  drng: "draining",
  resv: "reserved",
  plnd: "planned",
};

function checkReservations(
  lines: readonly string[],
  ours: OurOutcome,
  answer: Answer,
  differ: Differ,
): Difference[] {
  const { nodeNames } = ours.world.cluster;
  return lines.flatMap((line) => {
    const name = /ReservationName=(\S+)/.exec(line)?.[1];
    const count = /NodeCnt=(\d+)/.exec(line)?.[1];
    if (name === undefined) return [];
    const row = answer.tables.reservations.find((one) => one.name === name);
    if (row === undefined) return [differ(name, "reservation", line, "absent")];
    const list = /Nodes=(\S+)/.exec(line)?.[1] ?? "";
    const nodes = row.nodes.map((node) => nodeNames[node]!);
    return compressHostlist(nodes) === list && String(nodes.length) === count
      ? []
      : [differ(name, "reservation", list, nodes.join(","))];
  });
}
