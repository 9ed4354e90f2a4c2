/**
 * Inference services. Each becomes as many jobs as it may have replicas, without an end and submitted at time 0 before all others, so that every replica is placed,
 * preempted and lost on its own. What stands beside the jobs (demand, autoscaling, target) is `ServiceInfo`.
 */
import { JOB_KINDS, JobFlag } from "../../model/jobs.ts";
import type { ServiceInfo } from "../../model/lab/services.ts";
import { LIMITS } from "../../model/limits.ts";
import { SPEED_ONE } from "../../model/units.ts";
import type { Scenario, ServiceEntry } from "../../scenario/schema.ts";
import { calendarOf } from "../arrivals.ts";
import type { Names } from "../explicitJobs.ts";
import { NO_NAME } from "../explicitJobs.ts";
import type { JobDraft } from "../jobDraft.ts";
import { demandSteps } from "./demand.ts";

const INFERENCE = JOB_KINDS.indexOf("inference");

/** Appends the replicas of the services; their draft rows are 0, 1, … in the order of the document. Call before other jobs are collected. */
export function draftServices(draft: JobDraft, names: Names, scenario: Scenario): void {
  for (const entry of scenario.services) {
    const rows = Array.from({ length: entry.maxReplicas }, (_, replica) =>
      draftReplica(draft, names, entry, replica),
    );
    draft.arrays.set(entry.id, rows);
  }
}

function draftReplica(draft: JobDraft, names: Names, entry: ServiceEntry, replica: number): number {
  const row = draft.addJob();
  const { at } = draft.jobs;
  at.submitMs[row] = 0;
  at.beginMs[row] = 0;
  at.workQ16[row] = LIMITS.workMs * SPEED_ONE;
  at.limitMs[row] = Number.POSITIVE_INFINITY;
  at.tier[row] =
    entry.tier === undefined
      ? names.tierOfKind[INFERENCE]!
      : Math.max(0, names.tiers.find(entry.tier));
  at.team[row] = names.teams.add(entry.team ?? NO_NAME);
  at.queue[row] = names.queues.add(entry.queue ?? NO_NAME);
  at.user[row] = draft.users.add(entry.team ?? NO_NAME);
  at.kind[row] = INFERENCE;
  // The least number of replicas is guaranteed: nobody preempts these.
  at.flags[row] = JobFlag.service | (replica < entry.minReplicas ? 0 : JobFlag.preemptible);
  draft.nameJob(row, `${entry.id}/${replica}`, `${entry.name ?? entry.id}/${replica}`);
  const component = draft.addComponent(1, 1, entry.gpusPerReplica, false);
  if (entry.gpuModel !== undefined)
    draft.components.at.gpuModel[component] = 1 + draft.gpuModels.add(entry.gpuModel);
  names.lives.fill(draft, row, { startupMs: entry.coldStartMs });
  return row;
}

/** What stands beside the jobs of the services. O(services × steps of demand). */
export function servicesOf(scenario: Scenario, jobOfDraft: Uint32Array): ServiceInfo[] {
  const { timeOfDayMs } = calendarOf(scenario.calendarStart);
  let row = 0;
  return scenario.services.map((entry) => ({
    id: entry.id,
    name: entry.name ?? entry.id,
    replicas: Int32Array.from({ length: entry.maxReplicas }, () => jobOfDraft[row++]!).sort(),
    minReplicas: entry.minReplicas,
    maxReplicas: entry.maxReplicas,
    gpusPerReplica: entry.gpusPerReplica,
    coldStartMs: entry.coldStartMs,
    concurrency: entry.concurrency,
    requestMs: entry.requestMs,
    requestCv2: entry.requestCv2,
    percentile: entry.target.percentile,
    targetMs: entry.target.latencyMs,
    demand: demandSteps(entry.demand, scenario.horizonMs ?? 0, timeOfDayMs),
    autoscale: entry.autoscale,
  }));
}
