/** Teams, ceilings and disruption budgets with their names resolved to indexes. Rules about users that no job has are left out: they can bind nobody. */
import type { DisruptionBudget, LimitRule, Whose } from "../../model/lab/tenancy.ts";
import type { TeamInfo } from "../../model/world.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { NO_NAME } from "../explicitJobs.ts";

const MS_PER_HOUR = 3_600_000;

export interface Lists {
  readonly tiers: readonly string[];
  readonly teams: readonly string[];
  readonly users: readonly string[];
}

/** The declared teams; behind them one without a name, where some job has no team. `names`: of all teams, declared ones first. */
export function teamsOf(scenario: Scenario, names: readonly string[]): TeamInfo[] {
  const indexOf = new Map(names.map((name, index) => [name, index]));
  return names.map((id, index) => {
    const team = scenario.teams[index];
    if (team === undefined) return { id, name: id === NO_NAME ? "No team" : id, shares: 1 };
    const { name = id, shares, parent, quotaGpus, borrowGpus, lendGpus, budget } = team;
    return {
      id,
      name,
      shares,
      ...(parent === undefined ? {} : { parent: indexOf.get(parent) }),
      ...(quotaGpus === undefined ? {} : { quotaGpus }),
      ...(borrowGpus === undefined ? {} : { borrowGpus }),
      ...(lendGpus === undefined ? {} : { lendGpus }),
      ...(budget === undefined ? {} : { budget }),
    };
  });
}

/** O(rules × names). */
export function limitsOf(scenario: Scenario, lists: Lists): LimitRule[] {
  return scenario.limits.flatMap((rule) => {
    const index = indexFor(rule.per, rule.name, lists);
    if (index === null) return [];
    const gpuMs = (rule.gpuHours ?? Number.POSITIVE_INFINITY) * MS_PER_HOUR;
    return [
      {
        per: rule.per,
        index,
        gpus: rule.gpus ?? Number.POSITIVE_INFINITY,
        gpuMs,
        periodMs: rule.periodMs ?? Number.POSITIVE_INFINITY,
        jobs: rule.jobs ?? Number.POSITIVE_INFINITY,
        ...(rule.members === undefined ? {} : { members: rule.members }),
      },
    ];
  });
}

export function disruptionBudgetsOf(scenario: Scenario, lists: Lists): DisruptionBudget[] {
  return scenario.disruptionBudgets.flatMap(({ per, name, jobs, periodMs }) => {
    const index = indexFor(per, name, lists);
    return index === null ? [] : [{ per, index, jobs, periodMs }];
  });
}

/** −1 = each; null = a user whom no job has. */
function indexFor(per: Whose, name: string | undefined, lists: Lists): number | null {
  if (name === undefined) return -1;
  const list = per === "user" ? lists.users : per === "team" ? lists.teams : lists.tiers;
  const index = list.indexOf(name);
  return index < 0 ? null : index;
}
