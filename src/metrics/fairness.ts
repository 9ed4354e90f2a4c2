/**
 * Who got how much of what was theirs.
 *
 * Teams: while a team has a job in the system it has demand, and of the devices the part that its shares are of the shares of all teams with
 * demand is due to it. Attained = device time held ÷ due. Jain's index of the attained, (Σx)² / (n Σx²), is 1 where all are alike and 1/n where one has
 * everything; the share error is half the sum of |part held − part due|. A team that asks for less than its due looks under-served.
 *
 * Jobs: ρ = turnaround ÷ turnaround alone on 1/n of the machine, where n is the mean number of jobs in the system; a job wider than its share takes longer in
 * proportion there. Themis takes n over each job's own time instead (Mahajan et al., NSDI 2020).
 *
 * O(jobs + stretches × log stretches); a stretch is a time in which a team has demand without a break.
 */
import type { JobTable } from "../model/jobs.ts";
import { EndStateCode } from "../model/states.ts";
import { SPEED_ONE } from "../model/units.ts";
import type { TeamInfo } from "../model/world.ts";
import { isService, type PerJob } from "./perJob.ts";

export interface Fairness {
  /** Of the teams with demand; null where there are fewer than two. */
  readonly jain: number | null;
  readonly shareError: number | null;
}

const NOBODY: Fairness = { jain: null, shareError: null };

/** Stretches of demand, each `team` from `fromMs` to `toMs`. */
interface Stretches {
  readonly team: number[];
  readonly fromMs: number[];
  readonly toMs: number[];
}

/** Index and error of teams. `endMs` ends the demand of what has not ended. */
export function* fairnessSteps(
  jobs: Pick<JobTable, "count" | "at">,
  teams: readonly TeamInfo[],
  per: PerJob,
  devices: number,
  endMs: number,
): Generator<void, Fairness> {
  if (teams.length < 2) return NOBODY;
  const stretches = demandOf(jobs, teams.length, per, endMs);
  yield;
  const dueMs = dueOf(stretches, teams, devices);
  yield;
  const held = new Float64Array(teams.length);
  for (let job = 0; job < jobs.count; job++) held[jobs.at.team[job]!]! += per.held[job]!;
  const named = [...teams.keys()].filter((team) => teams[team]!.id !== "" && dueMs[team]! > 0);
  if (named.length < 2) return NOBODY;
  const sumHeld = named.reduce((sum, team) => sum + held[team]!, 0);
  const sumDue = named.reduce((sum, team) => sum + dueMs[team]!, 0);
  if (sumHeld === 0) return NOBODY;
  const attained = named.map((team) => held[team]! / dueMs[team]!);
  const sum = attained.reduce((all, each) => all + each, 0);
  const squares = attained.reduce((all, each) => all + each * each, 0);
  const error = named.reduce(
    (all, team) => all + Math.abs(held[team]! / sumHeld - dueMs[team]! / sumDue),
    0,
  );
  return { jain: (sum * sum) / (named.length * squares), shareError: error / 2 };
}

/** From when and until when a job wants devices; an empty stretch where it never does. */
function wants(jobs: Pick<JobTable, "at">, per: PerJob, job: number, endMs: number) {
  const fromMs = Math.max(jobs.at.submitMs[job]!, jobs.at.beginMs[job]!);
  const refused = per.lastEndState[job] === EndStateCode.refused;
  const toMs = refused ? fromMs : per.living[job] === 1 ? endMs : per.leftMs[job]!;
  return { fromMs, toMs: Math.max(fromMs, toMs) };
}

/** Jobs come in order of submission, so most of them lengthen the last stretch of their team; the few others are sorted in. */
function demandOf(
  jobs: Pick<JobTable, "count" | "at">,
  teamCount: number,
  per: PerJob,
  endMs: number,
): Stretches {
  const lists = Array.from({ length: teamCount }, () => [] as [number, number][]);
  for (let job = 0; job < jobs.count; job++) {
    const { fromMs, toMs } = wants(jobs, per, job, endMs);
    if (toMs === fromMs) continue;
    const list = lists[jobs.at.team[job]!]!;
    const last = list.at(-1);
    if (last !== undefined && fromMs >= last[0] && fromMs <= last[1])
      last[1] = Math.max(last[1], toMs);
    else list.push([fromMs, toMs]);
  }
  const all: Stretches = { team: [], fromMs: [], toMs: [] };
  for (const [team, list] of lists.entries()) {
    list.sort((a, b) => a[0] - b[0]);
    for (const [fromMs, toMs] of list) {
      const last = all.team.length - 1;
      if (all.team[last] === team && fromMs <= all.toMs[last]!)
        all.toMs[last] = Math.max(all.toMs[last]!, toMs);
      else {
        all.team.push(team);
        all.fromMs.push(fromMs);
        all.toMs.push(toMs);
      }
    }
  }
  return all;
}

/** ∫ devices × shares ÷ shares of all with demand, over each team's demand. A number holds time and team, so that sorting compares numbers only. */
function dueOf(
  { team, fromMs, toMs }: Stretches,
  teams: readonly TeamInfo[],
  devices: number,
): Float64Array {
  const count = Math.max(1, teams.length);
  const begins = Float64Array.from(fromMs, (ms, i) => ms * count + team[i]!).sort();
  const ends = Float64Array.from(toMs, (ms, i) => ms * count + team[i]!).sort();
  const due = new Float64Array(teams.length);
  /** ∫ 1 ÷ shares of all with demand, when each team's stretch began. */
  const began = new Float64Array(teams.length);
  let shares = 0;
  let integral = 0;
  let sinceMs = 0;
  let begin = 0;
  for (let end = 0; end < ends.length; ) {
    const isBegin = begin < begins.length && begins[begin]! < ends[end]!;
    const key = isBegin ? begins[begin++]! : ends[end++]!;
    const atMs = Math.floor(key / count);
    const of = key - atMs * count;
    if (shares > 0) integral += (atMs - sinceMs) / shares;
    sinceMs = atMs;
    if (isBegin) began[of] = integral;
    else due[of]! += devices * teams[of]!.shares * (integral - began[of]!);
    shares = Math.max(0, shares + (isBegin ? 1 : -1) * teams[of]!.shares);
  }
  return due;
}

/** ρ of every job that completed, services left out. O(jobs). */
export function finishTimeFairness(
  jobs: Pick<JobTable, "count" | "at">,
  per: PerJob,
  devices: number,
  makespanMs: number,
): Float64Array {
  let inSystemMs = 0;
  for (let job = 0; job < jobs.count; job++) {
    if (isService(jobs, job)) continue;
    const { fromMs, toMs } = wants(jobs, per, job, makespanMs);
    inSystemMs += toMs - fromMs;
  }
  const n = Math.max(1, inSystemMs / Math.max(1, makespanMs));
  const values = new Float64Array(jobs.count);
  let count = 0;
  for (let job = 0; job < jobs.count; job++) {
    if (per.lastEndState[job] !== EndStateCode.completed) continue;
    if (isService(jobs, job)) continue;
    const workMs = Math.max(1, jobs.at.workQ16[job]! / SPEED_ONE);
    const alone = workMs * Math.max(1, (jobs.at.gpuTotal[job]! * n) / devices);
    values[count++] = (per.lastEndMs[job]! - jobs.at.submitMs[job]!) / alone;
  }
  return values.subarray(0, count);
}
