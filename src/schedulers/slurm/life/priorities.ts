/**
 * Which priority a pending job has: counted down under priority/basic, computed under priority/multifactor at its submission, its
 * release and at every tick. A job of several partitions has one for each.
 */
import type { PoolView } from "../../../engine/view.ts";
import { NEVER_MS } from "../../../model/units.ts";
import { setAccruing } from "../../../scheduling/limits/books.ts";
import { mayAccrue } from "../../../scheduling/limits/policy.ts";
import { basicPriority } from "../../../scheduling/priority/basic.ts";
import { fairShareOf } from "../../../scheduling/priority/fairShare.ts";
import type { FixedTerms, PriorityJob } from "../../../scheduling/priority/multifactor.ts";
import {
  afterTick,
  ageTerm,
  fixedTerms,
  multifactorPriority,
} from "../../../scheduling/priority/multifactor.ts";
import type { SlurmJob, SlurmState } from "../state.ts";
import { requestedTres } from "../tres.ts";
import { sortQueue } from "./queueOrder.ts";

/** Gives a job that has priority 0, and is not held, its first or next priority. O(partitions × weighted TRES). */
export function givePriority(view: PoolView, state: SlurmState, job: SlurmJob): void {
  const { config } = state.setup;
  if (job.request.priority > 0 && !job.prioritySet && job.restarts === 0) {
    setPriority(job, job.request.priority);
    return;
  }
  if (job.prioritySet && job.priority > 0) return;
  if (config.priority.type === "basic") {
    const given = basicPriority(state.lowestPriority, job.nice);
    job.priority = given.priority;
    state.lowestPriority = given.lowest;
    return;
  }
  job.terms = null;
  computePriority(state, job, view.nowMs, false);
}

/** `--priority`, or what an administrator said: kept. */
export function setPriority(job: SlurmJob, priority: number): void {
  job.priority = priority;
  job.priorities = null;
  job.prioritySet = true;
}

/**
 * After a tick: new priorities of all jobs that pend and are not held, also of those that wait for others or for a time (their fair
 * share moves too). Returns whether the order of the queue changed. O(jobs).
 */
export function recompute(state: SlurmState, tickMs: number): boolean {
  for (const job of state.jobs.values()) {
    if (job.choice !== null || job.priority === 0) continue;
    if (job.queued && job.accrueMs === NEVER_MS) accrue(state, job, tickMs);
    computePriority(state, job, tickMs, true);
  }
  return sortQueue(state);
}

function computePriority(state: SlurmState, job: SlurmJob, nowMs: number, tick: boolean): void {
  if (job.prioritySet) return;
  job.priorityMs = nowMs;
  const { priority: config } = state.setup.config;
  const terms = job.terms ?? termsOf(state, job);
  job.terms = terms;
  const age = ageTerm(config, accruesSince(state, job), nowMs);
  const fairShare = fairShareOf(state.usage, job.assoc);
  const computed = (at: number, before: number): number => {
    const priority = multifactorPriority(config, terms[at]!, age, fairShare);
    return tick ? afterTick(config, before, priority) : priority;
  };
  if (terms.length === 1) {
    job.priority = computed(0, job.priority);
    return;
  }
  const before = job.priorities;
  job.priorities = Float64Array.from(terms, (_, at) => computed(at, before?.[at] ?? 1));
  job.priority = job.priorities.reduce((most, each) => Math.max(most, each), 0);
}

/** The age of an eligible job grows from now on, unless as many jobs grow old already as a limit lets. O(QOS + depth). */
export function accrue(state: SlurmState, job: SlurmJob, nowMs: number): void {
  if (job.accrueMs === NEVER_MS) {
    if (!mayAccrue(state.limits, job)) return;
    job.accrueMs = nowMs;
  }
  setAccruing(state.limits, job.jobIdx, true);
}

/** Since when a job's age counts; `Infinity` = it does not. */
export function accruesSince(state: SlurmState, job: SlurmJob): number {
  return state.setup.config.priority.accrueAlways ? job.submitMs : job.accrueMs;
}

function termsOf(state: SlurmState, job: SlurmJob): FixedTerms[] {
  return job.partitions.map((_, at) => fixedTerms(state.setup.scale, priorityJob(state, job, at)));
}

/** What the plugin reads of a job in the `at`-th of its partitions. */
export function priorityJob(state: SlurmState, job: SlurmJob, at: number): PriorityJob {
  const { setup } = state;
  const partition = setup.partitions[job.partitions[at]!]!;
  const wanted = job.wanteds[at]!;
  const weights = partition.config.tresBillingWeights;
  const weighsTres = Object.keys(setup.config.priority.weightTres).length > 0;
  return {
    nodes: wanted.minNodes,
    cpus: wanted.minCpus,
    limitMs: job.limitMs,
    nice: job.nice,
    assocPriority: setup.tree.limits[job.assoc]?.priority ?? 0,
    qosPriority: setup.qos[job.qos]?.config.priority ?? 0,
    partitionFactor: partition.config.priorityJobFactor,
    tres: weighsTres ? requestedTres(setup.nodes, wanted, weights, false) : {},
    partitionTres: partition.tres,
  };
}
