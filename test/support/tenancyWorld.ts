/**
 * Worlds of teams, tiers and ceilings as text: `world.ts` with more lines behind the cluster, and more words behind a job.
 *
 *     team red quota 2 borrow 1 lend 2 budget 10 shares 1 parent all
 *     tier 1 guaranteed 2 cap 4 factor 0        tiers are numbered from the highest, 0
 *     limit user each gpus 4 jobs 2 hours 0.5 period 10s        or: limit team red …
 *     0s A x3 10s team red user ann bid 2 rigid       rigid: may not be preempted; also: priority 5, deadline 30s
 */

import { JobFlag } from "../../src/model/jobs.ts";
import { PLAIN_LIFE } from "../../src/model/lab/jobLife.ts";
import type { LimitRule, Whose } from "../../src/model/lab/tenancy.ts";
import type { TeamInfo, TierInfo, World } from "../../src/model/world.ts";
import { jobNamed, type WorldSpec, worldFromText } from "./world.ts";

const NEVER = Number.POSITIVE_INFINITY;
const HOUR_MS = 3_600_000;

const wordAfter = (words: readonly string[], word: string): string | undefined => {
  const at = words.indexOf(word);
  return at < 0 ? undefined : words[at + 1];
};
const numberAfter = (words: readonly string[], word: string): number | undefined => {
  const found = wordAfter(words, word);
  return found === undefined ? undefined : Number.parseFloat(found);
};

function teamOf(words: readonly string[], teams: readonly TeamInfo[]): TeamInfo {
  const parent = wordAfter(words, "parent");
  return {
    id: words[1]!,
    name: words[1]!,
    shares: numberAfter(words, "shares") ?? 1,
    parent: parent === undefined ? undefined : teams.findIndex((team) => team.id === parent),
    quotaGpus: numberAfter(words, "quota"),
    borrowGpus: numberAfter(words, "borrow"),
    lendGpus: numberAfter(words, "lend"),
    budget: numberAfter(words, "budget"),
  };
}

function limitOf(
  words: readonly string[],
  teams: readonly TeamInfo[],
  users: readonly string[],
): LimitRule {
  const per = words[1] as Whose;
  const name = words[2]!;
  const names = per === "user" ? users : teams.map((team) => team.id);
  const periodSec = numberAfter(words, "period");
  return {
    per,
    index: name === "each" ? -1 : per === "tier" ? Number(name) : names.indexOf(name),
    gpus: numberAfter(words, "gpus") ?? NEVER,
    gpuMs: (numberAfter(words, "hours") ?? NEVER) * HOUR_MS,
    periodMs: periodSec === undefined ? NEVER : periodSec * 1_000,
    jobs: numberAfter(words, "jobs") ?? NEVER,
  };
}

function setTier(tiers: TierInfo[], words: readonly string[]): void {
  const index = Number(words[1]);
  tiers[index] = {
    ...tiers[index]!,
    guaranteedGpus: numberAfter(words, "guaranteed"),
    capGpus: numberAfter(words, "cap"),
    usageFactor: numberAfter(words, "factor"),
  };
}

/** Whether a text says anything that only this reader understands. */
export function isTenancyText(text: string): boolean {
  return (
    /^\s*(team|tier|limit) /m.test(text) || / (team|bid|user|rigid|priority|deadline)\b/.test(text)
  );
}

export function tenancyWorld(text: string, more: Partial<WorldSpec> = {}): World {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const isRule = (line: string): boolean => /^(team|tier|limit) /.test(line);
  const plain = lines.filter((line) => !isRule(line));
  const world = worldFromText(plain.join("\n"), more);
  const rules = lines.filter(isRule).map((line) => line.split(/\s+/));
  const teams: TeamInfo[] = [];
  for (const words of rules) if (words[0] === "team") teams.push(teamOf(words, teams));
  const jobLines = plain.slice(1).filter((line) => !line.includes("!"));
  const users = [
    ...new Set(jobLines.map((line) => wordAfter(line.split(/\s+/), "user") ?? "nobody")),
  ];
  const tiers = [...world.tiers];
  for (const words of rules) if (words[0] === "tier") setTier(tiers, words);
  const lab = new Map(world.jobs.lab);
  for (const line of jobLines) {
    const words = line.split(/\s+/);
    const jobIdx = jobNamed(world, words[1]!);
    const team = wordAfter(words, "team");
    if (team !== undefined)
      world.jobs.at.team[jobIdx] = teams.findIndex((known) => known.id === team);
    world.jobs.at.user[jobIdx] = users.indexOf(wordAfter(words, "user") ?? "nobody");
    if (words.includes("rigid"))
      world.jobs.at.flags[jobIdx] = world.jobs.at.flags[jobIdx]! & ~JobFlag.preemptible;
    const bid = numberAfter(words, "bid");
    if (bid !== undefined) lab.set(jobIdx, { ...(lab.get(jobIdx) ?? PLAIN_LIFE), bid });
    const priority = numberAfter(words, "priority");
    if (priority !== undefined) lab.set(jobIdx, { ...(lab.get(jobIdx) ?? PLAIN_LIFE), priority });
    const deadline = numberAfter(words, "deadline");
    if (deadline !== undefined)
      lab.set(jobIdx, { ...(lab.get(jobIdx) ?? PLAIN_LIFE), deadlineMs: deadline * 1_000 });
  }
  const limits = rules
    .filter((words) => words[0] === "limit")
    .map((words) => limitOf(words, teams, users));
  return { ...world, jobs: { ...world.jobs, users, lab }, teams, tiers, limits };
}
