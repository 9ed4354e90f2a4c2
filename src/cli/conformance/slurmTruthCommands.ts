/**
 * Commands of a recording → interventions of a scenario, and questions that are asked of the run. What is not understood throws with the
 * command, so that no command is passed over. Commands of root are an administrator's; `setpriv --reuid=alice` makes them a user's.
 */
import type * as z from "zod/mini";
import { MINUTE_MS, SECOND_MS } from "../../model/units.ts";
import type { PolicyEntry, scenarioSchema } from "../../scenario/schema.ts";
import { expandHostlist } from "../../scenario/slurm/hostlist.ts";
import { cancelledJobs } from "./slurmTruthCancels.ts";
import { withAccounting, withConf } from "./slurmTruthEdits.ts";
import type { Recording } from "./slurmTruthFile.ts";
import { idsByName, switchesOf } from "./slurmTruthJobs.ts";
import { reservationOf } from "./slurmTruthReservations.ts";
import { listOf, momentMs, pairsOf, slurmTimeMs, wordsOf } from "./slurmTruthWords.ts";

export type ChangeDraft = NonNullable<z.input<typeof scenarioSchema>["interventions"]>[number];

/** Something asked of the run at a moment; what it printed is in the recording. */
export interface Question {
  readonly atMs: number;
  readonly command: string;
}

export interface Commands {
  readonly changes: readonly ChangeDraft[];
  readonly questions: readonly Question[];
}

interface Context {
  readonly truth: Recording;
  readonly atMs: number;
  readonly byUser: string | null;
  readonly idsByName: ReadonlyMap<string, readonly string[]>;
  /** The policy as changed by the commands so far. */
  policy: PolicyEntry;
  /** The words of each reservation, by its name. */
  readonly reservations: Map<string, ReadonlyMap<string, string>>;
}

const QUERIES = ["squeue", "sinfo", "sprio", "sshare", "sacct", "sdiag", "snapshot", "sleep"];

/** `policy` is what holds at the start; changes of configuration are made to its texts. */
export function commandsOf(truth: Recording, policy: PolicyEntry): Commands {
  const changes: ChangeDraft[] = [];
  const questions: Question[] = [];
  const ids = idsByName(truth);
  let current = policy;
  const reservations = new Map<string, ReadonlyMap<string, string>>();
  const inOrder = [...(truth.commands ?? [])].sort((a, b) => a.atSec - b.atSec);
  for (const { atSec, cmd } of inOrder) {
    const atMs = commandMs(truth, atSec, cmd);
    const { words, byUser } = withoutPrefix(wordsOf(cmd));
    if (isQuestion(words)) {
      questions.push({ atMs, command: cmd });
      continue;
    }
    const context = { truth, atMs, byUser, idsByName: ids, policy: current, reservations };
    try {
      changes.push(...changesOf(words, context));
    } catch (error) {
      throw new Error(`command "${cmd}" at ${atSec} s: ${(error as Error).message}`);
    }
    current = context.policy;
  }
  return { changes, questions };
}

/** When the command really ran in run A. */
function commandMs(truth: Recording, atSec: number, cmd: string): number {
  const near = (truth.commandOutput?.runA ?? []).filter(
    (one) =>
      one.kind !== "submit" &&
      (one.what === cmd || cmd.endsWith(` ${one.what}`)) &&
      Math.abs(one.offsetSec - atSec) < 5,
  );
  near.sort((a, b) => Math.abs(a.offsetSec - atSec) - Math.abs(b.offsetSec - atSec));
  return Math.max(0, Math.round((near[0]?.offsetSec ?? atSec) * SECOND_MS));
}

/** Takes off what says who runs the command. */
function withoutPrefix(words: readonly string[]): { words: string[]; byUser: string | null } {
  const [first] = words;
  if (first !== "setpriv" && first !== "sudo" && first !== "runuser")
    return { words: [...words], byUser: null };
  let byUser: string | null = null;
  let at = 1;
  for (; at < words.length; at++) {
    const word = words[at]!;
    if (word === "-u") byUser = words[++at] ?? null;
    else if (word.startsWith("--reuid=")) byUser = word.slice("--reuid=".length);
    else if (!word.startsWith("-")) break;
  }
  return { words: words.slice(at), byUser: byUser === "root" ? null : byUser };
}

function isQuestion(words: readonly string[]): boolean {
  const [program, verb] = words;
  if (QUERIES.includes(program ?? "")) return true;
  if (program === "scontrol") return ["show", "ping", "listpids", "version"].includes(verb ?? "");
  return program === "sacctmgr" && words.some((word) => ["show", "list"].includes(word));
}

function changesOf(words: readonly string[], context: Context): ChangeDraft[] {
  const [program, ...rest] = words;
  switch (program) {
    case "scancel":
      return allowed(
        cancelledJobs(rest, context.truth, context.atMs, (names) => jobIds(names, context)),
        context,
      ).map((job) => ({ kind: "cancel", atMs: context.atMs, job }));
    case "scontrol":
      return scontrol(rest, context);
    case "sacctmgr":
      return [
        changedPolicy(
          context,
          withAccounting(context.policy, rest.filter((word) => word !== "-i").join(" ")),
        ),
      ];
    case "kill":
    case "start":
    case "restart": {
      const match = /^(kill|start|restart) slurmd (?:of|on) (\S+)$/.exec(words.join(" "));
      if (match === null) throw new Error("it is not understood");
      const kind = match[1] === "kill" ? "fail" : "resume";
      return [{ kind, atMs: context.atMs, nodes: listOf(match[2]!) }];
    }
    default:
      throw new Error("it is not modelled");
  }
}

/** `@a`, `@R_3`, `@a,@b` → ids of the document. */
function jobIds(text: string, context: Context): string[] {
  return listOf(text).flatMap((one) => {
    const ids = context.idsByName.get(one.replace(/^@/, ""));
    if (ids === undefined) throw new Error(`there is no job ${one}`);
    return [...ids];
  });
}

/** Slurm lets users touch their own jobs only; on others' a command has no effect. */
function allowed(ids: readonly string[], { truth, byUser, idsByName: names }: Context): string[] {
  if (byUser === null) return [...ids];
  const mine = truth.jobs.filter((job) => job.user === byUser);
  return ids.filter((id) => mine.some((job) => names.get(job.id)?.includes(id)));
}

type JobVerb = (job: string, context: Context) => ChangeDraft;
const JOB_VERBS: Readonly<Record<string, JobVerb>> = {
  hold: (job, { atMs, byUser }) => ({
    kind: "hold",
    atMs,
    job,
    by: byUser === null ? "admin" : "user",
  }),
  uhold: (job, { atMs }) => ({ kind: "hold", atMs, job, by: "user" }),
  release: (job, { atMs }) => ({ kind: "release", atMs, job }),
  requeue: (job, { atMs }) => ({ kind: "requeue", atMs, job }),
  requeuehold: (job, { atMs }) => ({ kind: "requeue", atMs, job, hold: true }),
  suspend: (job, { atMs }) => ({ kind: "suspend", atMs, job }),
  resume: (job, { atMs }) => ({ kind: "unsuspend", atMs, job }),
  top: (job, { atMs }) => ({ kind: "top", atMs, job }),
};

function scontrol(words: readonly string[], context: Context): ChangeDraft[] {
  const [verb = "", ...rest] = words;
  const lower = verb.toLowerCase();
  const jobVerb = Object.hasOwn(JOB_VERBS, lower) ? JOB_VERBS[lower] : undefined;
  if (jobVerb !== undefined) {
    const named = rest.map((word) => word.replace(/^(?:jobid|job)=/i, ""));
    const jobs = named.flatMap((word) => jobIds(word, context));
    return allowed(jobs, context).map((job) => jobVerb(job, context));
  }
  switch (lower) {
    case "update":
      return update(pairsOf(rest), context);
    case "create":
      return [reserve(pairsOf(rest), context)];
    case "delete":
      return [unreserve(rest, context)];
    case "reconfigure":
    case "reconfig":
    case "setdebug":
    case "setdebugflags":
    case "write":
      return [];
    default:
      throw new Error(`scontrol ${verb} is not modelled`);
  }
}

function reserve(pairs: Map<string, string>, context: Context): ChangeDraft {
  const words = new Map(pairs);
  const made = reservationOf(pairs, context.atMs, context.truth);
  if (made.kind === "reserve") {
    // A start that was said from "now" stays where it is.
    words.set("starttime", `{T+${made.startMs / SECOND_MS}}`);
    context.reservations.set(made.name, words);
  }
  return made;
}

/** Another reservation of the same name, in one moment; words that are not given stay. */
function updateReservation(
  name: string,
  pairs: ReadonlyMap<string, string>,
  context: Context,
): ChangeDraft[] {
  const before = context.reservations.get(name);
  if (before === undefined) throw new Error(`there is no reservation ${name}`);
  const words = new Map([...before, ...pairs]);
  if (pairs.has("duration") && !pairs.has("endtime")) words.delete("endtime");
  return [{ kind: "unreserve", atMs: context.atMs, name }, reserve(words, context)];
}

function unreserve(words: readonly string[], { atMs }: Context): ChangeDraft {
  const pairs = pairsOf(words);
  const name = pairs.get("reservationname") ?? (pairs.get("reservation") || words[1]);
  if (!name) throw new Error("it names no reservation");
  return { kind: "unreserve", atMs, name };
}

function update(pairs: Map<string, string>, context: Context): ChangeDraft[] {
  const take = (...keys: string[]) => {
    for (const key of keys) {
      const value = pairs.get(key);
      if (value === undefined) continue;
      pairs.delete(key);
      return value;
    }
    return undefined;
  };
  const job = take("jobid", "job");
  if (job !== undefined) return updateJobs(allowed(jobIds(job, context), context), pairs, context);
  const nodes = take("nodename");
  if (nodes !== undefined) return updateNodes(nodes, pairs, context);
  const partition = take("partitionname", "partition");
  if (partition !== undefined)
    return [
      changedPolicy(
        context,
        withConf(context.policy, { key: "PartitionName", name: partition }, pairs),
      ),
    ];
  const reservation = take("reservationname");
  if (reservation !== undefined) return updateReservation(reservation, pairs, context);
  throw new Error("what it updates is not modelled");
}

type UpdateDraft = Extract<ChangeDraft, { kind: "update" }>;

function updateJobs(
  jobs: readonly string[],
  pairs: ReadonlyMap<string, string>,
  context: Context,
): ChangeDraft[] {
  const { atMs } = context;
  return jobs.flatMap((job) => {
    const changes: ChangeDraft[] = [];
    const fields: Omit<UpdateDraft, "kind" | "atMs" | "job"> = {};
    const slurm: NonNullable<UpdateDraft["slurm"]> = {};
    for (const [key, value] of pairs) {
      if (key === "timelimit") fields.limitMs = limitMs(value, job, context);
      else if (key === "nice") fields.nice = Number(value || 100);
      else if (key === "priority") fields.priority = Number(value);
      else if (key === "starttime" || key === "eligibletime")
        fields.beginMs = momentMs(value, atMs);
      else if (key === "qos") changes.push({ kind: "retier", atMs, job, tier: value });
      else if (Object.hasOwn(OPTIONS, key)) Object.assign(slurm, OPTIONS[key]!(value));
      else if (!WITHOUT_EFFECT.includes(key))
        throw new Error(`a changed ${key} of a job is not modelled`);
    }
    if (Object.keys(slurm).length > 0) fields.slurm = slurm;
    return Object.keys(fields).length === 0
      ? changes
      : [...changes, { kind: "update", atMs, job, ...fields }];
  });
}

const WITHOUT_EFFECT = [
  "comment",
  "admincomment",
  "jobname",
  "name",
  "wckey",
  "mailuser",
  "mailtype",
];
const OPTIONS: Readonly<Record<string, (value: string) => NonNullable<UpdateDraft["slurm"]>>> = {
  partition: (value) => ({ partitions: listOf(value) }),
  features: (value) => ({ constraint: value }),
  reqnodelist: (value) => ({ nodelist: value }),
  nodelist: (value) => ({ nodelist: value }),
  excnodelist: (value) => ({ exclude: value }),
  timemin: (value) => ({ timeMinMs: slurmTimeMs(value) }),
  reservationname: (value) => ({ reservation: value }),
  requeue: (value) => ({ requeue: value !== "0" }),
  contiguous: (value) => ({ contiguous: /^(1|yes)$/i.test(value) }),
  switches: (value) => ({ switches: switchesOf(value) }),
  arraytaskthrottle: (value) => ({ atOnce: Number(value) || 1_000_000 }),
};

/** `2`, `00:05:00`, or `+2` and `-2` from the limit that was asked for. */
function limitMs(value: string, id: string, { truth, idsByName: ids }: Context): number {
  const sign = /^[+-]/.test(value) ? value[0] : "";
  const spanMs = slurmTimeMs(value.slice(sign === "" ? 0 : 1));
  if (sign === "") return spanMs;
  const job = truth.jobs.find((one) => ids.get(one.id)?.includes(id));
  const asked = (job?.timeLimitSec ?? Number.NaN) * SECOND_MS;
  if (Number.isNaN(asked)) throw new Error("the job has no time limit to change");
  return Math.max(MINUTE_MS, sign === "+" ? asked + spanMs : asked - spanMs);
}

const NODE_STATES: Readonly<Record<string, "drain" | "resume" | "down">> = {
  drain: "drain",
  draining: "drain",
  resume: "resume",
  undrain: "resume",
  idle: "resume",
  down: "down",
};

function updateNodes(list: string, pairs: Map<string, string>, context: Context): ChangeDraft[] {
  const { atMs } = context;
  pairs.delete("reason");
  const state = pairs.get("state");
  pairs.delete("state");
  const changes: ChangeDraft[] = [];
  if (state !== undefined) {
    const kind = NODE_STATES[state.toLowerCase()];
    if (kind === undefined) throw new Error(`the node state ${state} is not modelled`);
    const nodes = nodesOf(list, context.truth);
    if (kind === "down") changes.push({ kind: "fail", atMs, nodes, noticed: true });
    else changes.push({ kind, atMs, nodes });
  }
  if (pairs.size > 0) {
    const of = { key: "NodeName", name: list } as const;
    changes.push(changedPolicy(context, withConf(context.policy, of, pairs)));
  }
  return changes;
}

/** Host list or `ALL` → names. */
function nodesOf(text: string, truth: Recording): string[] {
  const lines = truth.config.nodes.flatMap((line) => {
    const name = /\bNodeName=(\S+)/i.exec(line)?.[1];
    return name === undefined || name === "DEFAULT" ? [] : names(name);
  });
  return text.toUpperCase() === "ALL" ? lines : names(text);
}

function names(list: string): string[] {
  const read = expandHostlist(list);
  if (!read.ok) throw new Error(`in "${list}", ${read.error}`);
  return [...read.value];
}

function changedPolicy(context: Context, slurm: PolicyEntry["slurm"]): ChangeDraft {
  context.policy = { ...context.policy, slurm };
  return { kind: "policy", atMs: context.atMs, policy: { ...context.policy } };
}
