/** Which pools Slurm decides over: what only Slurm has is loaded and shown where it does. */
import { policyAt } from "../scenario/policyAt.ts";
import type { Scenario } from "../scenario/schema.ts";

const used = new WeakMap<Scenario, boolean>();

/** Whether any pool is under Slurm at any time. O(pools + interventions) once for a scenario. */
export function usesSlurm(scenario: Scenario | null): boolean {
  if (!scenario) return false;
  const known = used.get(scenario);
  if (known !== undefined) return known;
  const uses =
    scenario.pools.some((pool) => pool.policy.preset === "slurm") ||
    scenario.interventions.some(
      (change) => change.kind === "policy" && change.policy.preset === "slurm",
    );
  used.set(scenario, uses);
  return uses;
}

/** Whether a pool (its place in the document) is under Slurm at a time. O(interventions) where any pool is at all. */
export function isSlurmAt(scenario: Scenario | null, pool: number, atMs: number): boolean {
  if (!scenario || !usesSlurm(scenario)) return false;
  const id = scenario.pools[pool]?.id;
  return id !== undefined && policyAt(scenario, id, atMs).preset === "slurm";
}

/** The pool of a group of nodes: the first that holds it. −1 = none. O(pools). */
export function poolOfGroup(scenario: Scenario, group: string): number {
  return scenario.pools.findIndex(
    (pool) => pool.nodeGroups === undefined || pool.nodeGroups.includes(group),
  );
}
