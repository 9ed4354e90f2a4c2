/**
 * Jobs of a recording → jobs of a scenario, as a user would write them. The work of a job is what it really took in run A (the last run that
 * came to its own end, time suspended taken off), so that a job's overhead on the recording machine is no difference.
 */
import type * as z from "zod/mini";
import { SECOND_MS } from "../../model/units.ts";
import type { scenarioSchema } from "../../scenario/schema.ts";
import type { Recording, TruthJob, TruthSegment } from "./slurmTruthFile.ts";
import { arrayOf, momentMs, slurmTimeMs } from "./slurmTruthWords.ts";

type ScenarioDraft = z.input<typeof scenarioSchema>;
export type JobDraft = NonNullable<NonNullable<ScenarioDraft["workload"]>["jobs"]>[number];
type SlurmDraft = NonNullable<JobDraft["slurm"]>;

/** The document's ids that a job of the recording becomes: its tasks, where it is an array. */
export function idsOf(job: TruthJob): string[] {
  if (!job.array) return [job.id];
  return arrayOf(job.array).indices.map((index) => `${job.id}_${index}`);
}

/** All ids of a recording's jobs by the name used in commands: `R` and `R_3`. */
export function idsByName(truth: Recording): Map<string, readonly string[]> {
  const byName = new Map<string, readonly string[]>();
  for (const job of truth.jobs) {
    const ids = idsOf(job);
    byName.set(job.id, ids);
    for (const id of ids) byName.set(id, [id]);
  }
  return byName;
}

/** When a job was really submitted in run A: the moment on its line of output, else the moment asked for. */
export function submitMsOf(truth: Recording, job: TruthJob): number {
  const said = truth.commandOutput?.runA?.find(
    (one) => one.kind === "submit" && one.what === job.id,
  );
  return Math.max(0, Math.round((said?.offsetSec ?? job.submitSec) * SECOND_MS));
}

/** Throws where a value is not understood, with the job's name. */
export function jobsOf(truth: Recording): JobDraft[] {
  return truth.jobs.map((job) => {
    try {
      return jobOf(truth, job);
    } catch (error) {
      throw new Error(`job ${job.id}: ${(error as Error).message}`);
    }
  });
}

function jobOf(truth: Recording, job: TruthJob): JobDraft {
  const submitMs = submitMsOf(truth, job);
  const partitions = namesOf(job.partition);
  return {
    id: job.id,
    name: job.jobName ?? job.id,
    submitMs,
    workMs: workMsOf(truth, job),
    kind: "batch",
    user: job.user,
    ...given("limitMs", job.timeLimitSec, (sec) => sec * SECOND_MS),
    ...given("beginMs", job.begin, (moment) => momentMs(String(moment), submitMs)),
    ...given("tier", job.qos, (qos) => qos),
    ...given("team", job.account, (account) => account),
    ...(partitions.length === 1 ? { queue: partitions[0]! } : {}),
    ...(job.dependency ? dependenciesOf(job.dependency) : {}),
    ...given("array", job.array, arrayDraft),
    ...(job.exit ? { fails: true } : {}),
    slurm: optionsOf(job, partitions),
  };
}

function optionsOf(job: TruthJob, partitions: readonly string[]): SlurmDraft {
  const number = <K extends keyof SlurmDraft>(key: K, value: number | null | undefined) =>
    given(key, value || null, (many) => many);
  return {
    ...(partitions.length > 1 ? { partitions: [...partitions] } : {}),
    ...nodeRange(job.nodes),
    ...number("ntasks", job.ntasks),
    ...number("ntasksPerNode", job.ntasksPerNode),
    ...number("cpusPerTask", job.cpusPerTask),
    ...number("gpus", job.gpus),
    ...number("gpusPerNode", job.gpusPerNode),
    ...number("gpusPerTask", job.gpusPerTask),
    ...given("timeMinMs", job.timeMinSec, (sec) => sec * SECOND_MS),
    ...number("nice", job.nice),
    ...given("priority", job.priority, (priority) => priority),
    ...exclusiveOf(job.exclusive),
    ...(job.oversubscribe ? { oversubscribe: true } : {}),
    ...(job.contiguous ? { contiguous: true } : {}),
    ...given("constraint", job.features, (features) => features),
    ...given("nodelist", job.nodelist, (nodes) => namesOf(nodes).join(",")),
    ...given("exclude", job.exclude, (nodes) => namesOf(nodes).join(",")),
    ...given("switches", job.switches, switchesOf),
    ...(job.hold ? { hold: true } : {}),
    ...given("requeue", job.requeue, (requeue) => requeue === true || requeue === 1),
    ...given("reservation", job.reservation, (name) => name),
  };
}

/** A field where a value was given, nothing where not. */
function given<K extends string, V, T>(
  key: K,
  value: V | null | undefined,
  turn: (value: V) => T,
): { readonly [P in K]?: T } {
  if (value === null || value === undefined || value === "") return {};
  return { [key]: turn(value) } as { readonly [P in K]: T };
}

function namesOf(value: string | readonly string[] | null | undefined): string[] {
  if (value === null || value === undefined) return [];
  return typeof value === "string" ? splitOutsideBrackets(value) : [...value];
}

/** `n[1-2,4],n7` has two parts. */
function splitOutsideBrackets(text: string): string[] {
  return text.split(/,(?![^[]*\])/).filter((part) => part !== "");
}

function nodeRange(nodes: number | string | null | undefined): SlurmDraft {
  if (!nodes) return {};
  const match = /^(\d+)(?:-(\d+))?$/.exec(String(nodes));
  if (match === null) throw new Error(`nodes "${nodes}" is not understood`);
  const least = Number(match[1]);
  return { minNodes: least, maxNodes: Number(match[2] ?? least) };
}

function exclusiveOf(value: boolean | string | null | undefined): SlurmDraft {
  if (value === true || value === "node") return { exclusive: "node" };
  if (value === "user") return { exclusive: "user" };
  if (value === false || value === null || value === undefined) return {};
  throw new Error(`exclusive "${value}" is not modelled`);
}

/** `1`, `1@00:01:00`. */
export function switchesOf(value: number | string): NonNullable<SlurmDraft["switches"]> {
  const [count, wait] = String(value).split("@");
  if (!/^\d+$/.test(count!)) throw new Error(`switches "${value}" is not understood`);
  return { count: Number(count), ...(wait === undefined ? {} : { waitMs: slurmTimeMs(wait) }) };
}

function arrayDraft(text: string): NonNullable<JobDraft["array"]> {
  const { indices, atOnce } = arrayOf(text);
  return { count: indices.length, indices, ...(atOnce === null ? {} : { atOnce }) };
}

const KINDS = {
  after: "after",
  afterok: "afterOk",
  afternotok: "afterNotOk",
  afterany: "afterAny",
  aftercorr: "afterOk",
} as const;

/** `afterok:@A:@B,singleton`, `afterany:@A?afterok:@B`, `after:@A+1` (minutes after its start). */
export function dependenciesOf(text: string): Pick<JobDraft, "after" | "afterAnyOf" | "singleton"> {
  const anyOf = text.includes("?");
  const after: NonNullable<JobDraft["after"]> = [];
  let singleton = false;
  for (const clause of text.split(/[,?]/)) {
    const [word, ...jobs] = clause.split(":");
    const kind = word!.toLowerCase();
    if (kind === "singleton") {
      singleton = true;
      continue;
    }
    if (!Object.hasOwn(KINDS, kind) || jobs.length === 0)
      throw new Error(`dependency "${clause}" is not modelled`);
    for (const one of jobs) {
      const match = /^@([^+]+)(?:\+(\d+))?$/.exec(one);
      if (match === null) throw new Error(`dependency "${clause}" is not understood`);
      after.push({
        job: match[1]!,
        kind: KINDS[kind as keyof typeof KINDS],
        ...(match[2] === undefined ? {} : { delayMs: Number(match[2]) * 60 * SECOND_MS }),
        ...(kind === "aftercorr" ? { each: true } : {}),
      });
    }
  }
  return {
    ...(after.length > 0 ? { after } : {}),
    ...(anyOf ? { afterAnyOf: true } : {}),
    ...(singleton ? { singleton: true } : {}),
  };
}

/**
 * Recorded times are whole seconds, cut off. An end is taken to be in the middle of its second, so that ends of one second come together, as one
 * pass of the scheduler saw them; where a job started in that same second on its nodes, at the second's beginning. Tasks of one array share
 * their work: the longest.
 */
function workMsOf(truth: Recording, job: TruthJob): number {
  const submitMs = submitMsOf(truth, job);
  const lengths = idsOf(job).flatMap((id) => {
    const runs = truth.results[id]?.segments ?? [];
    const whole = runs.filter((run) => run.endState === "COMPLETED" || run.endState === "FAILED");
    return whole.slice(-1).flatMap((run) => lengthMs(truth, run, submitMs));
  });
  if (lengths.length === 0) return Math.round(job.runtimeSec * SECOND_MS);
  return Math.max(...lengths);
}

/** A run that began in the second of its submission began at once; others at the beginning of a second. */
function lengthMs(truth: Recording, run: TruthSegment, submitMs: number): number[] {
  if (typeof run.startSec !== "number" || typeof run.endSec !== "number") return [];
  const startMs = run.startSec * SECOND_MS;
  const atOnce = Math.floor(submitMs / SECOND_MS) * SECOND_MS === startMs;
  const endMs = run.endSec * SECOND_MS + (isFollowed(truth, run) ? 0 : SECOND_MS / 2);
  const suspendedMs = (run.suspendedSec ?? 0) * SECOND_MS;
  return [Math.max(0, Math.round(endMs - (atOnce ? submitMs : startMs) - suspendedMs))];
}

function isFollowed(truth: Recording, ended: TruthSegment): boolean {
  return Object.values(truth.results).some((result) =>
    (result.segments ?? []).some(
      (run) =>
        run !== ended &&
        run.startSec === ended.endSec &&
        (run.nodes ?? []).some((node) => ended.nodes?.includes(node)),
    ),
  );
}
