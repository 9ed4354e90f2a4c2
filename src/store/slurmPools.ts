/** Which pools Slurm, or a scheduler that only places, decides over, and whether jobs depend on each other: what few scenarios have is loaded and shown where it is. */
import { acting } from "../scenario/interventions.ts";
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
    acting(scenario.interventions).some(
      (change) => change.kind === "policy" && change.policy.preset === "slurm",
    );
  used.set(scenario, uses);
  return uses;
}

/** Whether a pool (its place in the document) is under Slurm at a time. O(interventions) where any pool is at all. */
export function isSlurmAt(scenario: Scenario | null, pool: number, atMs: number): boolean {
  return usesSlurm(scenario) && presetAt(scenario, pool, atMs) === "slurm";
}

/** Whether kube-scheduler or Ray places the jobs of a pool (its place in the document) at a time, with nobody above it. O(interventions). */
export function isBareAt(scenario: Scenario | null, pool: number, atMs: number): boolean {
  return BARE.has(presetAt(scenario, pool, atMs));
}

/** Whether Kueue, Volcano or KAI queues the jobs of a pool (its place in the document) at a time. O(interventions). */
export function isQueuedAt(scenario: Scenario | null, pool: number, atMs: number): boolean {
  return QUEUED.has(presetAt(scenario, pool, atMs));
}

const BARE: ReadonlySet<string> = new Set(["kube-scheduler", "ray"]);
const QUEUED: ReadonlySet<string> = new Set(["kueue", "volcano", "kai"]);

/** "" where there is no such pool. */
function presetAt(scenario: Scenario | null, pool: number, atMs: number): string {
  const id = scenario?.pools[pool]?.id;
  return scenario && id !== undefined ? policyAt(scenario, id, atMs).preset : "";
}

/** The pool of a group of nodes: the first that holds it. −1 = none. O(pools). */
export function poolOfGroup(scenario: Scenario, group: string): number {
  return scenario.pools.findIndex(
    (pool) => pool.nodeGroups === undefined || pool.nodeGroups.includes(group),
  );
}

/** Whether nodes are kept for anybody at any time: reservations, windows, maintenance. O(interventions). */
export function keepsNodes(scenario: Scenario | null): boolean {
  if (!scenario) return false;
  return (
    scenario.windows.length > 0 ||
    acting(scenario.interventions).some((change) => change.kind === "reserve")
  );
}

const dependent = new WeakMap<Scenario, boolean>();

/** Whether jobs may depend on each other: they say so, or a log may. O(jobs of the document) once for a scenario. */
export function hasDependencies(scenario: Scenario | null): boolean {
  if (!scenario) return false;
  const known = dependent.get(scenario);
  if (known !== undefined) return known;
  const has =
    scenario.workload.trace !== undefined ||
    scenario.workload.jobs.some((job) => job.after !== undefined || job.singleton) ||
    acting(scenario.interventions).some(
      (change) => change.kind === "inject" && change.job.after !== undefined,
    );
  dependent.set(scenario, has);
  return has;
}
