/**
 * From the document to the world that the engine meets: everything drawn, numbered and resolved, nothing left to chance. The
 * same scenario and trace give the same world everywhere, to the bit. Jobs are collected in document order (spelled out,
 * synthetic, trace, injected) and numbered by `jobDraft.ts`.
 */

import { type Column, SharedColumns } from "../base/columns.ts";
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import { err, ok } from "../base/result.ts";
import type { Cluster } from "../model/cluster.ts";
import type { JobTable } from "../model/jobs.ts";
import { type COMPONENT_SHAPE, JOB_KINDS, type JOB_SHAPE, JobFlag } from "../model/jobs.ts";
import { LIMITS } from "../model/limits.ts";
import type { Change, World } from "../model/world.ts";
import { acting } from "../scenario/interventions.ts";
import type { Scenario } from "../scenario/schema.ts";
import { standardTier } from "../scenario/standardTier.ts";
import { type FindJobs, resolveChanges } from "./changes.ts";
import { layCluster } from "./clusterLayout.ts";
import { dependencyEdges } from "./dependencyEdges.ts";
import type { Names } from "./explicitJobs.ts";
import { draftJob } from "./explicitJobs.ts";
import { finishJobs, Interner, JobDraft } from "./jobDraft.ts";
import { jobFinder } from "./jobFinder.ts";
import { drawFailures, drawnUntilMs } from "./lab/failures.ts";
import { groundsOf } from "./lab/grounds.ts";
import { JobLives } from "./lab/jobLives.ts";
import { draftServices, servicesOf } from "./lab/services.ts";
import { disruptionBudgetsOf, limitsOf, teamsOf } from "./lab/tenancy.ts";
import { windowsOf } from "./lab/windows.ts";
import type { ParsedWorkload } from "./parsed.ts";
import { poolsOfJobs, poolsOfNodes, resolvePools } from "./pools.ts";
import { tooManyJobs, tooManyNames, twinJob } from "./problems.ts";
import { fillSlurmDefaults } from "./slurmDefaults.ts";
import { draftSynthetic } from "./synthetic.ts";
import { draftTrace } from "./traceJobs.ts";

/**
 * Expands a valid scenario. `trace` must be the file that `scenario.workload.trace` names; it is ignored where the scenario
 * names none. Expected failures (an unknown job or node, a job without a pool, a scenario past a limit) come back as problems,
 * each with its place in the document. O(jobs + nodes); a million trace jobs take about a second. Called by worker and CLI.
 */
export function expand(scenario: Scenario, trace?: ParsedWorkload): Result<World, Problem[]> {
  const problems: Problem[] = [];
  const base = collectBase(scenario, trace, problems);
  if (!base.ok) return base;
  const jobs = finishWith(scenario, base.value, problems);
  return jobs.ok ? worldOf(scenario, jobs.value, problems) : jobs;
}

/** The jobs that the document names without its interventions, before they have numbers. */
export interface Base {
  readonly cluster: Cluster;
  readonly names: Names;
  readonly draft: JobDraft;
  /** Where all rows of the document stand: the same draft, or the one that it continues with blank rows. */
  readonly whole: JobDraft;
  /** Rows from here on are drawn or from a trace. */
  readonly spelledEnd: number;
  /** Columns of the trace, which is kept beside the world: where a column of the jobs says the same, it is the same. */
  readonly ofTrace: readonly Column[];
}

/** All jobs, numbered, and what was found of them. */
export interface Numbered {
  readonly cluster: Cluster;
  readonly names: Names;
  readonly jobs: JobTable;
  readonly jobOfDraft: Uint32Array;
  readonly findJobs: FindJobs;
  readonly poolOfNode: Uint8Array;
  readonly poolOfJob: Uint8Array;
  readonly pools: World["pools"];
  /** Of the first so many jobs none was injected. */
  readonly injectedFrom: number;
}

/** A base of its own, to which jobs can be added. `light`: `finishWith` is given what came of them before. O(jobs). */
export function copyBase(base: Base, problems: Problem[], light: boolean): Base {
  const { names } = base;
  const draft = new JobDraft(0, base.draft, light);
  return {
    ...base,
    draft,
    whole: light ? base.whole : draft,
    names: {
      ...names,
      tiers: new Interner(names.tiers.list),
      teams: new Interner(names.teams.list),
      queues: new Interner(names.queues.list),
      problems,
    },
  };
}

/**
 * Adds the injected jobs to a base, which is changed by it, and numbers all. `before`: what came of a base with the same jobs, whatever was injected. It can be given
 * where nothing of these jobs depends on names that come later (`missing` is empty). O(jobs), of which most is copying then.
 */
export function finishWith(
  scenario: Scenario,
  base: Base,
  problems: Problem[],
  before: Numbered | null = null,
): Result<Numbered, Problem[]> {
  const { cluster, names, draft } = base;
  const injectedFrom = draft.length;
  const injected = draftInjected(scenario, draft, names);
  if (!injected.ok) return injected;
  reportTwins(base, injectedFrom, problems);
  reportNames(draft, problems);
  const { table, jobOfDraft } = finishJobs(
    draft,
    injectedFrom,
    before && { table: before.jobs, jobOfDraft: before.jobOfDraft },
  );
  const share = new SharedColumns(base.ofTrace);
  const numbers = before ? table.ids.numbers : share.of(table.ids.numbers);
  const ids = { ...table.ids, numbers };
  const findJobs = jobFinder(draft.arrays, jobOfDraft, ids);
  const jobs: JobTable = {
    ...table,
    ids,
    names: { ...table.names, numbers },
    origin: { of: before?.jobs.origin?.of ?? {}, rows: injectedFrom },
    dependencies: dependencyEdges(draft, table, jobOfDraft, injectedFrom, findJobs, problems),
  };
  const lists = listsOf(names, jobs);
  const poolOfNode = poolsOfNodes(scenario, cluster, problems);
  const pools = resolvePools(scenario, cluster, poolOfNode, problems);
  const poolOfJob = poolsOfJobs(scenario, jobs, lists, problems);
  const missing = new Map([...draft.missing].map(([row, bits]) => [jobOfDraft[row]!, bits]));
  fillSlurmDefaults(jobs, missing, poolOfJob, pools, lists);
  return ok({
    cluster,
    names,
    // Columns that were shared before are shared again.
    jobs: before ? jobs : sharing(jobs, share),
    jobOfDraft,
    findJobs,
    poolOfNode,
    poolOfJob,
    pools,
    injectedFrom,
  });
}

/** The jobs with columns that say the same being one array: a log has the begin of a job where its submit time is, and many columns of zeros. O(jobs). */
function sharing(jobs: JobTable, share: SharedColumns): JobTable {
  return {
    ...jobs,
    at: share.all<typeof JOB_SHAPE>(jobs.at),
    components: share.all<typeof COMPONENT_SHAPE>(jobs.components),
  };
}

/** The world of jobs that are numbered: everything that happens from outside is resolved here. O(interventions + failures + nodes). */
export function worldOf(
  scenario: Scenario,
  numbered: Numbered,
  problems: Problem[],
): Result<World, Problem[]> {
  const { cluster, names, jobs, jobOfDraft, findJobs, poolOfNode, poolOfJob, pools } = numbered;
  const lists = listsOf(names, jobs);
  const untilMs = drawnUntilMs(scenario, jobs, cluster);
  const byHand = resolveChanges(scenario, { cluster, poolOfNode }, findJobs, problems);
  const failures = drawFailures(scenario, cluster, untilMs, problems);
  const world: World = {
    cluster,
    jobs,
    tiers: scenario.tiers,
    teams: teamsOf(scenario, names.teams.list),
    queues: names.queues.list,
    pools,
    poolOfNode,
    poolOfJob,
    changes: failures.length === 0 ? byHand : inOrder([...byHand, ...failures]),
    seed: scenario.seed,
    horizonMs: scenario.horizonMs ?? Number.POSITIVE_INFINITY,
    killAtLimit: scenario.killAtLimit,
    limits: limitsOf(scenario, lists),
    disruptionBudgets: disruptionBudgetsOf(scenario, lists),
    windows: windowsOf(scenario, { cluster, poolOfNode, ...lists }),
    services: servicesOf(scenario, jobOfDraft),
    ...groundsOf(scenario, cluster, untilMs),
  };
  return problems.length > 0 ? err(problems) : ok(world);
}

function listsOf(names: Names, jobs: Pick<JobTable, "users">) {
  return {
    tiers: names.tiers.list,
    teams: names.teams.list,
    queues: names.queues.list,
    users: jobs.users,
  };
}

/** In order of time, then of the document; drawn ones behind those of the document. */
function inOrder(changes: Change[]): Change[] {
  return changes.sort((a, b) => a.atMs - b.atMs || a.source - b.source);
}

/** Of each kind, the first tier that says it is its own; else the standard one. */
function tiersByKind({ tiers }: Scenario): number[] {
  return JOB_KINDS.map((kind) => {
    const tier = tiers.findIndex((entry) => entry.kinds?.includes(kind));
    return tier < 0 ? standardTier(tiers.length) : tier;
  });
}

function namesOf(scenario: Scenario, cluster: Cluster, problems: Problem[]): Names {
  return {
    tiers: new Interner(scenario.tiers.map((tier) => tier.id)),
    teams: new Interner(scenario.teams.map((team) => team.id)),
    queues: new Interner(scenario.queues),
    tierOfKind: tiersByKind(scenario),
    lives: new JobLives(scenario, cluster),
    gpusPerNode: cluster.groups.reduce((most, group) => Math.max(most, group.gpusPerNode), 0),
    flat: cluster.flat,
    countsCpus: cluster.groups.some((group) => group.cpusPerNode > 0),
    countsMemory: cluster.groups.some((group) => group.memMiBPerNode > 0),
    anySingleton: spelledOut(scenario).some((job) => job.singleton),
    anySlurm: scenario.pools.some((pool) => pool.policy.preset === "slurm"),
    problems,
  };
}

function spelledOut({ workload, interventions }: Scenario) {
  const injected = acting(interventions).flatMap((entry) =>
    entry.kind === "inject" ? [entry.job] : [],
  );
  return [...workload.jobs, ...injected];
}

/** Collects services and jobs that are spelled out, drawn, or from a trace. */
export function collectBase(
  scenario: Scenario,
  trace: ParsedWorkload | undefined,
  problems: Problem[],
): Result<Base, Problem[]> {
  const cluster = layCluster(scenario);
  const names = namesOf(scenario, cluster, problems);
  const { workload } = scenario;
  if (workload.trace !== undefined && trace === undefined) {
    return err([
      {
        place: "/workload/trace",
        message: `The file "${workload.trace.name}" is not here.`,
        remedy: "Open this file beside the scenario.",
      },
    ]);
  }
  const draft = new JobDraft(
    workload.trace === undefined ? 1_024 : Math.max(1_024, trace?.count ?? 0),
  );
  draftServices(draft, names, scenario);
  for (const [index, job] of workload.jobs.entries()) {
    draftJob(draft, names, job, job.submitMs, 0, `/workload/jobs/${index}`);
  }
  const spelledEnd = draft.length;
  const drawn = draftSynthetic(draft, names, scenario);
  if (!drawn.ok) return drawn;
  if (workload.trace !== undefined && trace !== undefined) {
    draftTrace(draft, names, workload.trace, trace, cluster);
  }
  const ofTrace = trace === undefined ? [] : [...Object.values(trace.at), trace.ids.numbers];
  return ok({ cluster, names, draft, whole: draft, spelledEnd, ofTrace });
}

function draftInjected(
  { interventions }: Scenario,
  draft: JobDraft,
  names: Names,
): Result<null, Problem[]> {
  interventions.forEach((entry, index) => {
    if (entry.kind !== "inject" || entry.off) return;
    const submitMs = Math.max(entry.atMs, entry.job.submitMs ?? 0);
    draftJob(draft, names, entry.job, submitMs, JobFlag.injected, `/interventions/${index}/job`);
  });
  return draft.length <= LIMITS.jobs ? ok(null) : err([tooManyJobs(draft.length)]);
}

/** An index past the width of its column would stand for another name. O(1). */
function reportNames(draft: JobDraft, problems: Problem[]): void {
  const lists = [
    ["GPU models", draft.gpuModels.list],
    ["MIG profiles", draft.migProfiles.list],
  ] as const;
  for (const [what, { length }] of lists)
    if (length > LIMITS.namesAsked) problems.push(tooManyNames(what, length));
}

/**
 * Ids of spelled-out jobs differ from each other (the door sees to that); here they are compared with drawn and logged jobs; of a draft that continues another one
 * only those that were added, since the others passed with it. O(jobs), and only where both kinds are present.
 */
function reportTwins(
  { draft, whole, spelledEnd }: Base,
  injectedFrom: number,
  problems: Problem[],
): void {
  if (injectedFrom === spelledEnd) return;
  const isSpelled = (row: number) => row < spelledEnd || row >= injectedFrom;
  const spelled = new Set<string>();
  const numbers = new Set<number>();
  for (const [row, id] of draft.idTexts) {
    if (!isSpelled(row)) continue;
    spelled.add(id);
    if (String(Number(id)) === id) numbers.add(Number(id));
  }
  if (spelled.size === 0) return;
  const report = (id: string) => problems.push(twinJob(id));
  for (const [row, id] of whole.idTexts) if (!isSpelled(row) && spelled.has(id)) report(id);
  if (numbers.size === 0) return;
  for (let row = spelledEnd; row < injectedFrom; row++) {
    const id = whole.numbers.at.id[row]!;
    if (id >= 0 && numbers.has(id)) report(String(id));
  }
}
