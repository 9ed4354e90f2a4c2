/**
 * Presets as they are needed: each is a file of its own beside the worker, fetched when the first scenario asks for it. The lab is in the
 * worker itself.
 */
import type { Problem } from "../base/problem.ts";
import type { Scenario } from "../scenario/schema.ts";
import { hasScheduler } from "../schedulers/registry.ts";

const fetches: Readonly<Record<string, () => Promise<void>>> = {
  slurm: async () => (await import("./slurmPreset.ts")).addSlurm(),
};

/** Fetches what the pools of a scenario, and its changes of policy, ask for. A problem for each that cannot be fetched. */
export async function fetchPresets(scenario: Scenario): Promise<Problem[]> {
  const names = new Set(scenario.pools.map((pool) => pool.policy.preset));
  for (const change of scenario.interventions)
    if (change.kind === "policy") names.add(change.policy.preset);
  const problems: Problem[] = [];
  for (const name of names) {
    if (hasScheduler(name) || !Object.hasOwn(fetches, name)) continue;
    try {
      await fetches[name]!();
    } catch {
      problems.push({
        place: "/pools",
        message: `The scheduler "${name}" could not be fetched.`,
        remedy: "Connect to the network and open the scenario again.",
      });
    }
  }
  return problems;
}
