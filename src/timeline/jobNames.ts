/** Jobs by the names people use, and the tier of a job at a time (an intervention may move a job to another tier). */
import { type JobTable, type NameList, nameOf } from "../model/jobs.ts";
import type { TeamInfo } from "../model/world.ts";
import type { Scenario } from "../scenario/schema.ts";

export interface JobNaming {
  readonly ids: NameList;
  readonly names: NameList;
}

/** "500 moe-16x8", or the id alone where the job has no name of its own. */
export function jobLabel(jobs: JobNaming, jobIdx: number): string {
  const id = nameOf(jobs.ids, jobIdx);
  const name = nameOf(jobs.names, jobIdx);
  return name === "" || name === id ? id : `${id} ${name}`;
}

/** What is needed to say whose a job is. */
export interface JobOwners {
  readonly teams: readonly TeamInfo[];
  readonly jobs: {
    readonly at: Pick<JobTable["at"], "team" | "user">;
    readonly users: readonly string[];
  };
}

/** "vision · ada": team and user as far as they say something; a single team does not. Empty where nothing is known. */
export function ownerText({ teams, jobs }: JobOwners, jobIdx: number): string {
  const team = teams.length > 1 ? teams[jobs.at.team[jobIdx]!] : undefined;
  const user = jobs.users[jobs.at.user[jobIdx]!] ?? "";
  return [team?.name || (team?.id ?? ""), user].filter((part) => part !== "").join(" · ");
}

/** The job with this id, or −1. O(jobs). */
export function jobIdxOfId(ids: NameList, id: string): number {
  const number = Number(id);
  if (id !== "" && Number.isInteger(number) && number >= 0 && String(number) === id) {
    const found = ids.numbers.indexOf(number);
    if (found >= 0) return found;
  }
  for (const [jobIdx, text] of ids.texts) if (text === id) return jobIdx;
  return -1;
}

export type TierAt = (jobIdx: number, atMs: number) => number;

/** The tier of each job over time. O(retiers × jobs) to build, O(1) to ask where nothing was moved. */
export function tierLookup(
  tier: Uint8Array,
  ids: NameList,
  tierIds: readonly string[],
  interventions: Scenario["interventions"],
): TierAt {
  const moves = new Map<number, { atMs: number; tier: number }[]>();
  for (const change of interventions) {
    if (change.kind !== "retier" || change.off) continue;
    const jobIdx = jobIdxOfId(ids, change.job);
    const to = tierIds.indexOf(change.tier);
    if (jobIdx < 0 || to < 0) continue;
    const list = moves.get(jobIdx) ?? [];
    list.push({ atMs: change.atMs, tier: to });
    list.sort((a, b) => a.atMs - b.atMs);
    moves.set(jobIdx, list);
  }
  if (moves.size === 0) return (jobIdx) => tier[jobIdx] ?? 0;
  return (jobIdx, atMs) =>
    moves.get(jobIdx)?.findLast((move) => move.atMs <= atMs)?.tier ?? tier[jobIdx] ?? 0;
}
