/**
 * Jobs that the document spells out. A job asks for GPUs in one of four shapes, and all become components × members:
 *
 *     gpus: 12                  12 members of one GPU, wherever they are
 *     nodes: 4, gpusPerNode: 8  4 members of 8 GPUs, each on a node of its own (8 = the largest node, where it is left out)
 *     components: [...]         as written
 *     slurm: {...}              as sbatch would take it (`slurmRequest.ts`)
 */
import type { Problem } from "../base/problem.ts";
import { JOB_KINDS, JobFlag } from "../model/jobs.ts";
import { SPEED_ONE } from "../model/units.ts";
import type { Scenario } from "../scenario/schema.ts";
import type { Interner, JobDraft, PendingDependency } from "./jobDraft.ts";
import type { JobLives } from "./lab/jobLives.ts";
import { sizeOfRequest, taskOf } from "./slurmRequest.ts";

const MIB_PER_GIB = 1_024;
const CPU_MILLI = 1_000;

type JobInput = Omit<Scenario["workload"]["jobs"][number], "submitMs">;

/** What the names of a document stand for, while jobs are collected. */
export interface Names {
  readonly tiers: Interner;
  readonly teams: Interner;
  readonly queues: Interner;
  /** Tier of jobs that name none, by their kind (index into `JOB_KINDS`). */
  readonly tierOfKind: readonly number[];
  readonly lives: JobLives;
  /** GPUs of the largest node. */
  readonly gpusPerNode: number;
  readonly flat: boolean;
  /** Whether the cluster says how many CPUs and how much memory it has: else nobody can ask for them. */
  readonly countsCpus: boolean;
  readonly countsMemory: boolean;
  /** Whether some job is a singleton, and whether some pool is Slurm's. */
  readonly anySingleton: boolean;
  readonly anySlurm: boolean;
  readonly problems: Problem[];
}

/** Name and index of the team and the queue of jobs that name none. */
export const NO_NAME = "";

/** What a job leaves out, that the policy of its pool may fill in. */
export const Missing = { tier: 1, team: 2, queue: 4 } as const;

/**
 * Appends a job, or all members of an array job. `flags` are added to those that the job asks for. O(members of the array).
 */
export function draftJob(
  draft: JobDraft,
  names: Names,
  job: JobInput,
  submitMs: number,
  flags: number,
  place: string,
): void {
  if (job.stages !== undefined) {
    draftStages(draft, names, job, job.stages, submitMs, flags, place);
    return;
  }
  const indices = job.array === undefined ? [NO_INDEX] : indicesOf(job.array);
  const rows: number[] = [];
  for (const index of indices) {
    const row = draft.addJob();
    rows.push(row);
    const suffix = index === NO_INDEX ? "" : `_${index}`;
    draft.nameJob(row, job.id + suffix, (job.name ?? job.id) + suffix);
    fillRow(draft, names, job, row, submitMs, flags, place);
    fillSize(draft, names, job, row, index);
    names.lives.fill(draft, row, job);
    addDependencies(draft, job, row, suffix, place);
    if (names.anySingleton) draft.commonNames.set(row, job.name ?? job.id);
    if (job.singleton) draft.singletons.add(row);
  }
  if (job.array !== undefined) draft.arrays.set(job.id, rows);
}

/** A long job as a chain: the work shared evenly, in whole milliseconds; only the last stage ends with the job's error, if it has one. */
function draftStages(
  draft: JobDraft,
  names: Names,
  job: JobInput,
  stages: number,
  submitMs: number,
  flags: number,
  place: string,
): void {
  const rows: number[] = [];
  for (let stage = 1; stage <= stages; stage++) {
    const row = draft.addJob();
    rows.push(row);
    const suffix = `.${stage}`;
    const sharedMs = (upTo: number) => Math.floor((job.workMs * upTo) / stages);
    const workMs = sharedMs(stage) - sharedMs(stage - 1);
    const fails = job.fails && stage === stages;
    draft.nameJob(row, job.id + suffix, (job.name ?? job.id) + suffix);
    fillRow(draft, names, { ...job, workMs, fails }, row, submitMs, flags, place);
    fillSize(draft, names, job, row, NO_INDEX);
    names.lives.fill(draft, row, job);
    if (stage > 1) names.lives.goesOn(draft, row);
    if (stage === 1) addDependencies(draft, job, row, "", place);
    else draft.dependencies.push(afterStage(row, `${job.id}.${stage - 1}`, place));
    if (names.anySingleton) draft.commonNames.set(row, job.name ?? job.id);
  }
  if (job.singleton) draft.singletons.add(rows[0]!);
  draft.arrays.set(job.id, rows);
  draft.chains.add(job.id);
}

function afterStage(jobDraft: number, onId: string, place: string): PendingDependency {
  const common = { kind: "afterOk", delayMs: 0, anyOf: false, eachId: null } as const;
  return { ...common, jobDraft, onId, place: `${place}/stages` };
}

const NO_INDEX = -1;

/** Numbers of the tasks of an array. */
function indicesOf(array: NonNullable<JobInput["array"]>): readonly number[] {
  return array.indices ?? Array.from({ length: array.count }, (_, index) => index);
}

function addDependencies(
  draft: JobDraft,
  job: JobInput,
  row: number,
  suffix: string,
  place: string,
): void {
  job.after?.forEach((after, index) => {
    draft.dependencies.push({
      jobDraft: row,
      onId: after.job,
      kind: after.kind,
      delayMs: after.delayMs,
      anyOf: job.afterAnyOf,
      eachId: after.each && suffix !== "" ? after.job + suffix : null,
      place: `${place}/after/${index}`,
    });
  });
}

function fillRow(
  draft: JobDraft,
  names: Names,
  job: JobInput,
  row: number,
  submitMs: number,
  flags: number,
  place: string,
): void {
  const { at } = draft.jobs;
  at.submitMs[row] = submitMs;
  at.workQ16[row] = job.workMs * SPEED_ONE;
  at.limitMs[row] = job.limitMs ?? Number.POSITIVE_INFINITY;
  at.beginMs[row] = Math.max(submitMs, job.beginMs ?? 0);
  at.tier[row] =
    job.tier === undefined
      ? names.tierOfKind[JOB_KINDS.indexOf(job.kind)]!
      : known(names, names.tiers, job.tier, `${place}/tier`);
  at.team[row] =
    job.team === undefined
      ? names.teams.add(NO_NAME)
      : known(names, names.teams, job.team, `${place}/team`);
  at.queue[row] =
    job.queue === undefined
      ? firstPartition(names, job)
      : known(names, names.queues, job.queue, `${place}/queue`);
  const missing =
    (job.tier === undefined ? Missing.tier : 0) |
    (job.team === undefined ? Missing.team : 0) |
    (job.queue === undefined ? Missing.queue : 0);
  if (missing !== 0 && names.anySlurm) draft.missing.set(row, missing);
  at.user[row] = draft.users.add(job.user ?? NO_NAME);
  at.kind[row] = JOB_KINDS.indexOf(job.kind);
  at.flags[row] =
    flags |
    (job.preemptible ? JobFlag.preemptible : 0) |
    (job.gang ? JobFlag.gang : 0) |
    (job.fails ? JobFlag.fails : 0) |
    (job.within === "leaf" ? JobFlag.sameLeaf : 0) |
    (job.within === "nvswitch" ? JobFlag.sameNvswitch : 0);
}

/** The queue that a job without one is shown in: the first partition that it asks for, or none. */
function firstPartition(names: Names, job: JobInput): number {
  const [first] = job.slurm?.partitions ?? [];
  const number = first === undefined ? -1 : names.queues.find(first);
  return number < 0 ? names.queues.add(NO_NAME) : number;
}

/** The number of a name that must exist; 0 and a problem where it does not. */
function known(names: Names, list: Interner, name: string, place: string): number {
  const number = list.find(name);
  if (number >= 0) return number;
  names.problems.push({
    place,
    message: `There is no "${name}".`,
    remedy: `Use one of: ${list.list.filter((entry) => entry !== NO_NAME).join(", ") || "(none is declared)"}.`,
  });
  return 0;
}

/** Components of the job that was added last, and what it asks of Slurm. Tasks of an array know which they are. */
function fillSize(draft: JobDraft, names: Names, job: JobInput, row: number, index: number): void {
  if (job.kubernetes !== undefined || job.ray !== undefined)
    draft.kubernetes.set(row, draft.kubernetesRequests.of(job.kubernetes ?? {}, job.ray));
  const asksSlurm = job.slurm !== undefined || index !== NO_INDEX;
  if (!asksSlurm || (job.slurm === undefined && job.components !== undefined)) {
    fillComponents(draft, names, job);
    return;
  }
  const request = draft.slurmRequests.of(job, names.gpusPerNode);
  draft.slurm.set(row, index === NO_INDEX ? request : taskOf(request, job, index));
  if (job.slurm === undefined || job.components !== undefined) {
    fillComponents(draft, names, job);
    return;
  }
  const size = sizeOfRequest(request, names.flat);
  const component = draft.addComponent(size.members, size.members, size.gpus, size.ownNode);
  const { at } = draft.components;
  at.cpuMilli[component] = names.countsCpus ? size.cpuMilli : 0;
  at.memMiB[component] = names.countsMemory ? size.memMiB : 0;
}

function fillComponents(draft: JobDraft, names: Names, job: JobInput): void {
  if (job.components !== undefined) {
    for (const component of job.components) fillComponent(draft, component);
    return;
  }
  const wholeNodes = job.nodes !== undefined || job.gpusPerNode !== undefined;
  const gpus = wholeNodes ? (job.gpusPerNode ?? Math.max(1, names.gpusPerNode)) : 1;
  const members = wholeNodes
    ? (job.nodes ?? Math.max(1, Math.ceil((job.gpus ?? 0) / gpus)))
    : (job.gpus ?? 1);
  const row = draft.addComponent(members, members, gpus, wholeNodes);
  const { at } = draft.components;
  at.cpuMilli[row] = inColumn((job.cpusPerGpu ?? 0) * gpus * CPU_MILLI);
  at.memMiB[row] = inColumn((job.memGiBPerGpu ?? 0) * gpus * MIB_PER_GIB);
}

/** More than a column of 32 bits holds is more than any node has; cut off there it stays so, instead of turning negative. */
function inColumn(amount: number): number {
  return Math.min(2_147_483_647, Math.round(amount));
}

function fillComponent(
  draft: JobDraft,
  component: NonNullable<JobInput["components"]>[number],
): void {
  const part = component.gpuShareMilli !== undefined || component.migProfile !== undefined;
  const row = draft.addComponent(
    component.members,
    component.minMembers ?? component.members,
    part ? 1 : component.gpusPerMember,
    component.ownNode,
  );
  const { at } = draft.components;
  at.shareMilli[row] = component.gpuShareMilli ?? 0;
  at.mig[row] =
    component.migProfile === undefined ? 0 : 1 + draft.migProfiles.add(component.migProfile);
  at.gpuModel[row] =
    component.gpuModel === undefined ? 0 : 1 + draft.gpuModels.add(component.gpuModel);
  at.cpuMilli[row] = Math.round(component.cpusPerMember * CPU_MILLI);
  at.memMiB[row] = Math.round(component.memGiBPerMember * MIB_PER_GIB);
}
