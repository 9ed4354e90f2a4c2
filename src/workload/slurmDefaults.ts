/**
 * What Slurm fills in for jobs that leave it out, where the scenario has a name for it: the user's default account, the default QOS of the
 * association (`normal` where there is none), the default partition (sacctmgr(1), slurm.conf(5)).
 */
import type { JobTable } from "../model/jobs.ts";
import type { SlurmAssociation, SlurmConfig } from "../model/slurm/config.ts";
import type { PoolInfo } from "../model/world.ts";
import { Missing } from "./explicitJobs.ts";

interface Lists {
  readonly tiers: readonly string[];
  readonly teams: readonly string[];
  readonly queues: readonly string[];
}

/** Writes team, tier and queue of jobs in Slurm's pools that name none. `missing`: bits of `Missing` by job. O(jobs that miss something + associations). */
export function fillSlurmDefaults(
  jobs: Pick<JobTable, "at" | "users">,
  missing: ReadonlyMap<number, number>,
  poolOfJob: Uint8Array,
  pools: readonly PoolInfo[],
  lists: Lists,
): void {
  const defaults = pools.map(({ settings }) => settings.slurm && defaultsOf(settings.slurm));
  for (const [jobIdx, bits] of missing) {
    const here = defaults[poolOfJob[jobIdx]!];
    if (here === undefined) continue;
    const { at, users } = jobs;
    const user = users[at.user[jobIdx]!] ?? "";
    if ((bits & Missing.team) !== 0)
      at.team[jobIdx] = indexOr(lists.teams, here.accountOf.get(user), at.team[jobIdx]!);
    if ((bits & Missing.tier) !== 0) {
      const qos = here.qosOf(lists.teams[at.team[jobIdx]!] ?? "", user);
      at.tier[jobIdx] = indexOr(lists.tiers, qos, at.tier[jobIdx]!);
    }
    if ((bits & Missing.queue) !== 0)
      at.queue[jobIdx] = indexOr(lists.queues, here.partition, at.queue[jobIdx]!);
  }
}

function indexOr(list: readonly string[], name: string | undefined, standard: number): number {
  const index = name === undefined ? -1 : list.indexOf(name);
  return index < 0 ? standard : index;
}

function defaultsOf({ associations, partitions }: SlurmConfig) {
  const accountOf = new Map<string, string>();
  const byKey = new Map<string, SlurmAssociation>();
  for (const entry of associations) {
    const key = `${entry.account} ${entry.user}`;
    if (!byKey.has(key)) byKey.set(key, entry);
    if (entry.user === "") continue;
    if (entry.isDefault || !accountOf.has(entry.user)) accountOf.set(entry.user, entry.account);
  }
  const qosOf = (account: string, user: string): string => {
    let entry = byKey.get(`${account} ${user}`) ?? byKey.get(`${account} `);
    while (entry !== undefined && entry.defaultQos === null) entry = associations[entry.parent];
    return entry?.defaultQos ?? "normal";
  };
  return { accountOf, qosOf, partition: partitions.find((entry) => entry.isDefault)?.name };
}
