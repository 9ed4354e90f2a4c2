/** Documents for cases in few words. Times are seconds. */
import { DEFAULT_TIERS } from "../../../src/scenario/defaultTiers.ts";
import type { ScenarioInput } from "../../../src/scenario/schema.ts";

type Workload = NonNullable<ScenarioInput["workload"]>;
export type Job = NonNullable<Workload["jobs"]>[number];
type Settings = Readonly<Record<string, string | number | boolean>>;

export const SEC = 1_000;

/** Its limit is its work, if none is given. */
export function job(id: string, submitSec: number, workSec: number, more: Partial<Job>): Job {
  const workMs = workSec * SEC;
  return { id, submitMs: submitSec * SEC, workMs, limitMs: workMs, ...more };
}

/** One pool of the lab; later jobs pass those that do not fit, if nothing else is said. */
export function pools(settings: Settings): NonNullable<ScenarioInput["pools"]> {
  return [{ id: "all", policy: { settings: { backfill: "skip", ...settings } } }];
}

/** Nodes called n-000, n-001, … */
export function machine(nodes: number, gpus: number): ScenarioInput["cluster"] {
  return { nodeGroups: [{ id: "n", count: nodes, gpus }] };
}

/** The tiers that a document has by itself, spelled out: critical, high, normal, low. */
export const tiers = (): NonNullable<ScenarioInput["tiers"]> => structuredClone(DEFAULT_TIERS);

export function doc(
  cluster: ScenarioInput["cluster"],
  jobs: readonly Job[],
  more: Omit<Partial<ScenarioInput>, "cluster" | "workload" | "version"> = {},
): ScenarioInput {
  return { version: 1, cluster, workload: { jobs: [...jobs] }, pools: pools({}), ...more };
}
