/**
 * Presets as they are needed: each is a file of its own beside the worker, fetched when the first scenario asks for it. The lab's plain passes
 * are in the worker itself; its walk is one of the files.
 */
import type { Problem } from "../base/problem.ts";
import type { Scenario } from "../scenario/schema.ts";
import { hasWalk } from "../schedulers/lab/lab.ts";
import { documentNeedsWalk } from "../schedulers/lab/needsWalk.ts";
import { hasScheduler } from "../schedulers/registry.ts";

const fetches: Readonly<Record<string, () => Promise<void>>> = {
  walk: async () => (await import("./walkPart.ts")).addWalk(),
  slurm: async () => (await import("./slurmPreset.ts")).addSlurm(),
};

/** Fetches what the pools of a scenario, and its changes of policy, ask for. A problem for each that cannot be fetched. */
export async function fetchPresets(scenario: Scenario): Promise<Problem[]> {
  const names = new Set(scenario.pools.map((pool) => pool.policy.preset));
  for (const change of scenario.interventions)
    if (change.kind === "policy") names.add(change.policy.preset);
  const problems: Problem[] = [];
  if (documentNeedsWalk(scenario)) names.add("walk");
  for (const name of names) {
    const here = name === "walk" ? hasWalk() : hasScheduler(name);
    if (here || !Object.hasOwn(fetches, name)) continue;
    try {
      await fetches[name]!();
    } catch {
      problems.push({
        place: "/pools",
        message:
          name === "walk"
            ? "The part of the policy lab that this document needs could not be fetched."
            : `The scheduler "${name}" could not be fetched.`,
        remedy: "Connect to the network and open the scenario again.",
      });
    }
  }
  return problems;
}
