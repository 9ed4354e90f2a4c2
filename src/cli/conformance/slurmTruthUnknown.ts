/**
 * Jobs that name a partition, an account, a QOS or a node that there is not. `sbatch` refuses them, and a document cannot hold them, since it
 * names only what it has: they stay out of the scenario, and the run is said to have refused them at their submission.
 */
import { nodeNames } from "../../scenario/nodeNames.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { expandHostlist } from "../../scenario/slurm/hostlist.ts";
import { parseSlurm } from "../../scenario/slurm/parse.ts";
import type { SlurmFiles } from "../../scenario/slurm/report.ts";
import type { JobDraft } from "./slurmTruthJobs.ts";
import type { OurJob, OurOutcome } from "./slurmTruthRun.ts";

/** A job that was refused for a name, with what sbatch says (slurm_errno). */
export interface RefusedName {
  readonly job: JobDraft;
  readonly message: string;
}

/** `empty`: the scenario without jobs. O(jobs + nodes). */
export function withoutUnknown(
  empty: Scenario,
  files: SlurmFiles,
  jobs: readonly JobDraft[],
): { known: JobDraft[]; refused: RefusedName[] } {
  const messageOf = namesOf(empty, files);
  const known: JobDraft[] = [];
  const refused: RefusedName[] = [];
  for (const job of jobs) {
    const message = messageOf(job);
    if (message === null) known.push(job);
    else refused.push({ job, message });
  }
  return { known, refused };
}

/** In the order in which slurmctld looks: partition, account, QOS, nodes. */
function namesOf(empty: Scenario, files: SlurmFiles): (job: JobDraft) => string | null {
  const parsed = parseSlurm(files);
  const enforce = parsed.ok ? parsed.value.config.enforce : null;
  const nodes = new Set(nodeNames(empty.cluster));
  const queues = new Set(empty.queues);
  const teams = new Set(empty.teams.map((team) => team.id));
  const tiers = new Set(empty.tiers.map((tier) => tier.id));
  const isNode = (name: string): boolean => nodes.has(name);
  return ({ queue, team, tier, slurm }) => {
    const partitions = slurm?.partitions ?? (queue === undefined ? [] : [queue]);
    if (!partitions.every((name) => queues.has(name))) return "Invalid partition name specified";
    if (team !== undefined && !teams.has(team) && enforce?.associations)
      return "Invalid account or account/partition combination specified";
    if (tier !== undefined && !tiers.has(tier) && enforce?.qos) return "Invalid qos specification";
    for (const list of [slurm?.nodelist, slurm?.exclude]) {
      const named = expandHostlist(list ?? "");
      if (list && named.ok && !named.value.every(isNode)) return "Invalid node name specified";
    }
    return null;
  };
}

/** The outcome with the jobs that never came to be. */
export function withRefused(ours: OurOutcome, refused: readonly RefusedName[]): OurOutcome {
  if (refused.length === 0) return ours;
  const jobs = new Map(ours.jobs);
  for (const { job, message } of refused) {
    const { submitMs } = job;
    const numbers = job.array?.indices?.map((index) => `${job.id}_${index}`) ?? [job.id];
    for (const id of numbers) {
      const never: OurJob = {
        id,
        submitMs,
        runs: [],
        reasons: [],
        refused: message,
        leftMs: submitMs,
      };
      jobs.set(id, never);
    }
  }
  return { ...ours, jobs };
}
