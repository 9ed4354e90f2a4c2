/**
 * Checks of jobs, spelled out or injected: one request shape, known names, ids of their own, dependencies without a ring. A list of jobs that passed is not looked at
 * again while nothing but changes differs beside it: most edits inject a job or none, and a hundred thousand others take longer to check than their future to run.
 */
import { sameJson } from "../base/json.ts";
import { LIMITS } from "../model/limits.ts";
import { checkKubernetesJob } from "./kubernetesJobChecks.ts";
import { checkJobLife } from "./lifeChecks.ts";
import { nodeNames } from "./nodeNames.ts";
import type { Report } from "./report.ts";
import { reportUnknown } from "./report.ts";
import type { JobEntry, Scenario } from "./schema.ts";
import { checkSlurmJob } from "./slurmChecks.ts";

type AnyJob = Omit<JobEntry, "submitMs">;
interface Placed {
  readonly job: AnyJob;
  readonly place: string;
}

/** A list of jobs that passed. Documents never change, so the same list has the same jobs. */
interface Passed {
  /** What else they were checked against: the document without its changes and its jobs. */
  readonly beside: object;
  /** Members of arrays and stages counted. */
  readonly total: number;
  readonly ids: ReadonlySet<string>;
}

/** Shorter lists are checked in no time. */
const REMEMBERED_FROM = 1_000;
const passed = new WeakMap<Scenario["workload"]["jobs"], Passed>();

function besideJobs({ title, question, horizonMs, interventions, workload, ...rest }: Scenario) {
  const { jobs, ...others } = workload;
  return { ...rest, others };
}

/** What is known of the spelled-out jobs; null where they have not passed beside the same document. O(document without them). */
function passedBefore(scenario: Scenario): Passed | null {
  const known = passed.get(scenario.workload.jobs);
  return known && sameJson(known.beside, besideJobs(scenario)) ? known : null;
}

function spelledJobs({ workload }: Scenario): Placed[] {
  return workload.jobs.map((job, index) => ({ job, place: `/workload/jobs/${index}` }));
}

function injectedJobs({ interventions }: Scenario): Placed[] {
  return interventions.flatMap((entry, index) =>
    entry.kind === "inject" && !entry.off
      ? [{ job: entry.job, place: `/interventions/${index}/job` }]
      : [],
  );
}

export interface JobIds {
  has(id: string): boolean;
}

/** Ids of all jobs of the document, arrays and their members included. O(jobs); O(injected jobs) where the others passed before. */
export function jobIds(scenario: Scenario): JobIds {
  const known = passed.get(scenario.workload.jobs)?.ids ?? idsOf(spelledJobs(scenario));
  const injected = idsOf(injectedJobs(scenario));
  return { has: (id) => known.has(id) || injected.has(id) };
}

function idsOf(placed: readonly Placed[]): Set<string> {
  return new Set(placed.flatMap(({ job }) => [job.id, ...memberIds(job)]));
}

/** Jobs that one entry stands for, beside itself: tasks of an array, stages of a chain. */
function memberIds({ id, array, stages }: AnyJob): string[] {
  if (stages !== undefined)
    return Array.from({ length: stages }, (_, stage) => `${id}.${stage + 1}`);
  if (array?.indices !== undefined) return array.indices.map((index) => `${id}_${index}`);
  return Array.from({ length: array?.count ?? 0 }, (_, copy) => `${id}_${copy}`);
}

/**
 * Reports what the schema cannot see of jobs: request shapes, unknown names, twin ids, dependencies without end. O(jobs + dependencies), O(injected jobs) where the
 * others passed before.
 */
export function checkJobs(scenario: Scenario, tell: Report): void {
  let isClean = true;
  const report: Report = (...what) => {
    isClean = false;
    tell(...what);
  };
  const known = passedBefore(scenario);
  const spelled = known ? [] : spelledJobs(scenario);
  const spelledTotal = known?.total ?? membersOf(spelled);
  const placed = [...spelled, ...injectedJobs(scenario)];
  checkPlaced(scenario, placed, (known?.total ?? 0) + membersOf(placed), known, report);
  const { jobs } = scenario.workload;
  // Who waits for others may wait for an injected one: such a list is looked at each time.
  if (known || !isClean || jobs.length < REMEMBERED_FROM || jobs.some(({ after }) => after)) return;
  passed.set(jobs, { beside: besideJobs(scenario), total: spelledTotal, ids: idsOf(spelled) });
}

function membersOf(placed: readonly Placed[]): number {
  return placed.reduce((sum, { job }) => sum + (job.array?.count ?? job.stages ?? 1), 0);
}

/** `total`: of all jobs of the document; `known`: jobs of it that are not among these. */
function checkPlaced(
  scenario: Scenario,
  placed: readonly Placed[],
  total: number,
  known: Passed | null,
  report: Report,
): void {
  if (total > LIMITS.jobs) {
    report(
      "/workload/jobs",
      `The document has ${total} jobs, array members counted.`,
      `Use at most ${LIMITS.jobs}.`,
    );
    return;
  }
  const lists = {
    tiers: scenario.tiers.map((tier) => tier.id),
    teams: scenario.teams.map((team) => team.id),
    queues: scenario.queues,
  };
  const nodes = placed.some(({ job }) => job.slurm !== undefined)
    ? new Set(nodeNames(scenario.cluster))
    : new Set<string>();
  for (const { job, place } of placed) {
    checkShape(job, place, report);
    if (job.slurm !== undefined) checkSlurmJob(job, job.slurm, nodes, place, report);
    checkKubernetesJob(job, place, report);
    checkArray(job, place, report);
    checkJobLife(scenario, job, place, report);
    reportUnknown("tier", job.tier, lists.tiers, `${place}/tier`, report);
    reportUnknown("team", job.team, lists.teams, `${place}/team`, report);
    reportUnknown("queue", job.queue, lists.queues, `${place}/queue`, report);
  }
  checkIds(placed, known?.ids ?? NO_IDS, report);
  checkDependencies(scenario, placed, report);
}

function checkShape(job: AnyJob, place: string, report: Report): void {
  const oneShape = "Ask for GPUs in one way: gpus, nodes with gpusPerNode, or components.";
  const shorthand =
    job.gpus !== undefined || job.nodes !== undefined || job.gpusPerNode !== undefined;
  if (job.components !== undefined) {
    if (shorthand) report(place, "The job has components and a short form beside them.", oneShape);
    if (job.cpusPerGpu !== undefined || job.memGiBPerGpu !== undefined) {
      report(
        place,
        "CPUs and memory per GPU go with the short forms only.",
        "Give cpusPerMember and memGiBPerMember in the components.",
      );
    }
    checkComponents(job.components, place, report);
    return;
  }
  if (!shorthand && job.slurm === undefined)
    report(place, "The job does not say how many GPUs it needs.", oneShape);
  if (job.gpus !== undefined && job.nodes !== undefined) {
    report(place, "The job gives its GPUs both in total and by nodes.", oneShape);
  }
  if (job.gpus !== undefined && job.gpusPerNode !== undefined && job.gpus % job.gpusPerNode !== 0) {
    report(
      `${place}/gpusPerNode`,
      `${job.gpus} GPUs do not make whole nodes of ${job.gpusPerNode}.`,
      "Use a multiple.",
    );
  }
}

function checkArray({ array }: AnyJob, place: string, report: Report): void {
  if (array?.indices === undefined) return;
  if (array.indices.length === array.count && new Set(array.indices).size === array.count) return;
  report(
    `${place}/array/indices`,
    `The array has ${array.count} tasks, and its numbers are not as many different ones.`,
    "Give each task a number of its own, or leave indices out.",
  );
}

function checkComponents(
  components: NonNullable<AnyJob["components"]>,
  place: string,
  report: Report,
): void {
  const members = components.reduce((sum, component) => sum + component.members, 0);
  if (members > LIMITS.membersPerJob) {
    report(
      `${place}/components`,
      `The job has ${members} members.`,
      `Use at most ${LIMITS.membersPerJob}.`,
    );
  }
  components.forEach((component, index) => {
    const at = `${place}/components/${index}`;
    if (component.minMembers !== undefined && component.minMembers > component.members) {
      report(
        `${at}/minMembers`,
        "More members are needed than there are.",
        "Make minMembers at most members.",
      );
    }
    const part = component.gpuShareMilli !== undefined || component.migProfile !== undefined;
    if (component.gpuShareMilli !== undefined && component.migProfile !== undefined) {
      report(at, "A member asks for a share and for a MIG profile.", "Use one of the two.");
    }
    if (part && component.gpusPerMember !== 1) {
      report(`${at}/gpusPerMember`, "A part of a GPU is of one GPU.", "Leave gpusPerMember out.");
    }
  });
}

const NO_IDS: ReadonlySet<string> = new Set();

function checkIds(placed: readonly Placed[], taken: ReadonlySet<string>, report: Report): void {
  const seen = new Set<string>();
  for (const { job, place } of placed) {
    for (const id of [job.id, ...memberIds(job)]) {
      if (seen.has(id) || taken.has(id)) {
        report(
          `${place}/id`,
          `Another job is called "${id}".`,
          "Give each job an id of its own; array members are called id_0, id_1, …, stages id.1, id.2, …",
        );
        break;
      }
      seen.add(id);
    }
  }
}

function checkDependencies(scenario: Scenario, placed: readonly Placed[], report: Report): void {
  if (placed.every(({ job }) => job.after === undefined)) return;
  const closed = scenario.workload.trace === undefined && scenario.workload.synthetic.length === 0;
  const ids = jobIds(scenario);
  const jobs = new Map(placed.map((entry) => [entry.job.id, entry]));
  for (const { job, place } of placed) {
    job.after?.forEach((after, index) => {
      if (!closed || ids.has(after.job)) return;
      report(
        `${place}/after/${index}/job`,
        `There is no job "${after.job}".`,
        "Use the id of a job of this scenario.",
      );
    });
  }
  const ring = findRing(jobs);
  if (ring === null) return;
  report(
    `${jobs.get(ring)!.place}/after`,
    `"${ring}" waits for itself through its dependencies.`,
    "Remove one dependency of the ring.",
  );
}

/** The id of a job on a ring of dependencies, or null. Without recursion, because a chain may be as long as the list. */
function findRing(jobs: ReadonlyMap<string, Placed>): string | null {
  const arrayOf = new Map<string, string>();
  for (const [id, { job }] of jobs) for (const member of memberIds(job)) arrayOf.set(member, id);
  const done = new Set<string>();
  const open = new Set<string>();
  for (const start of jobs.keys()) {
    const stack = [start];
    while (stack.length > 0) {
      const id = stack[stack.length - 1]!;
      if (done.has(id) || open.has(id)) {
        stack.pop();
        open.delete(id);
        done.add(id);
        continue;
      }
      open.add(id);
      for (const after of jobs.get(id)?.job.after ?? []) {
        // Members of an array share its dependencies, so waiting for one of them is waiting for what they wait for.
        const on = arrayOf.get(after.job) ?? after.job;
        if (open.has(on)) return id;
        if (!done.has(on)) stack.push(on);
      }
    }
  }
  return null;
}
