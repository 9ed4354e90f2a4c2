/**
 * Presets as they are needed: each is a file of its own beside the worker, fetched when the first scenario asks for it. The lab's plain passes
 * are in the worker itself; its walk is one of the files, the model of communication another.
 */

import type { Problem } from "../base/problem.ts";
import { hasApplication } from "../engine/application/part.ts";
import { hasTraffic } from "../engine/respeed.ts";
import type { World } from "../model/world.ts";
import { acting } from "../scenario/interventions.ts";
import type { Scenario } from "../scenario/schema.ts";
import { hasWalk } from "../schedulers/lab/lab.ts";
import { documentNeedsWalk } from "../schedulers/lab/needsWalk.ts";
import { hasScheduler } from "../schedulers/registry.ts";

const fetches: Readonly<Record<string, () => Promise<void>>> = {
  walk: async () => (await import("./walkPart.ts")).addWalk(),
  network: async () => (await import("./networkPart.ts")).addTraffic(),
  slurm: async () => (await import("./slurmPreset.ts")).addSlurm(),
  "kube-scheduler": async () => (await import("./kubeSchedulerPreset.ts")).addKubeScheduler(),
  kueue: async () => (await import("./kueuePreset.ts")).addKueue(),
  volcano: async () => (await import("./volcanoPreset.ts")).addVolcano(),
  kai: async () => (await import("./kaiPreset.ts")).addKai(),
  ray: async () => (await import("./rayPreset.ts")).addRay(),
};

/** Parts that are no presets: whether they are here, and what a document without them is told. */
const parts: Readonly<
  Record<string, { readonly isHere: () => boolean; readonly missing: string }>
> = {
  walk: {
    isHere: hasWalk,
    missing: "The part of the policy lab that this document needs could not be fetched.",
  },
  network: {
    isHere: hasTraffic,
    missing: "The model of communication that this document needs could not be fetched.",
  },
};

/** Fetches what the pools of a scenario, and its changes of policy, ask for. A problem for each that cannot be fetched. */
export async function fetchPresets(scenario: Scenario): Promise<Problem[]> {
  const names = new Set(scenario.pools.map((pool) => pool.policy.preset));
  for (const change of acting(scenario.interventions))
    if (change.kind === "policy") names.add(change.policy.preset);
  const problems: Problem[] = [];
  if (documentNeedsWalk(scenario)) names.add("walk");
  if (scenario.cluster.network !== undefined) names.add("network");
  for (const name of names) {
    const part = Object.hasOwn(parts, name) ? parts[name]! : null;
    const here = part ? part.isHere() : hasScheduler(name);
    if (here || !Object.hasOwn(fetches, name)) continue;
    try {
      await fetches[name]!();
    } catch {
      problems.push({
        place: "/pools",
        message: part?.missing ?? `The scheduler "${name}" could not be fetched.`,
        remedy: "Connect to the network and open the scenario again.",
      });
    }
  }
  return problems;
}

/** Fetches what only the jobs of a world tell that they need. A problem where it cannot be fetched. */
export async function fetchLives({ jobs }: World): Promise<Problem[]> {
  if (jobs.lab.size === 0 || hasApplication()) return [];
  try {
    (await import("./applicationPart.ts")).addApplication();
    return [];
  } catch {
    const message =
      "The part that lets jobs start up, save and grow by themselves could not be fetched.";
    const remedy = "Connect to the network and open the scenario again.";
    return [{ place: "/workload", message, remedy }];
  }
}
