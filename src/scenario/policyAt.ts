/** The policy of a pool over time: of the document, then of each change of policy in order of time, then of the document. */
import type { PolicyEntry, Scenario } from "./schema.ts";

/** The policy in force at `atMs`, changes at that time included; `except` leaves one intervention out. O(interventions). */
export function policyAt(
  scenario: Scenario,
  poolId: string,
  atMs: number,
  except = -1,
): PolicyEntry {
  let policy = scenario.pools.find((pool) => pool.id === poolId)?.policy ?? {
    preset: "lab",
    settings: {},
  };
  let sinceMs = Number.NEGATIVE_INFINITY;
  scenario.interventions.forEach((change, index) => {
    if (change.kind !== "policy" || change.off || index === except) return;
    if (change.atMs > atMs || change.atMs < sinceMs) return;
    if (change.pool !== undefined && change.pool !== poolId) return;
    policy = change.policy;
    sinceMs = change.atMs;
  });
  return policy;
}

/** Does this scheduler admit whole workloads, which then wait for nodes? Elsewhere a decision `admit` says that a replica of a service is wanted. */
export function admitsWorkloads(preset: string): boolean {
  return preset === "kueue";
}

/** Does some policy of the document, at some time? O(interventions). */
export function everAdmits({ pools, interventions }: Pick<Scenario, "pools" | "interventions">) {
  const changes = interventions.filter((change) => change.kind === "policy" && !change.off);
  return [...pools, ...changes].some(
    (one) => "policy" in one && admitsWorkloads(one.policy.preset),
  );
}

/** When policies change, in order of time, in which pool (its place in the document; −1 = in all), and whether the new one admits. O(interventions · log). */
export function policyChanges(
  scenario: Scenario | null,
): { readonly atMs: number; readonly pool: number; readonly admits: boolean }[] {
  return (scenario?.interventions ?? [])
    .flatMap((change) =>
      change.kind === "policy" && !change.off
        ? [
            {
              atMs: change.atMs,
              pool: scenario!.pools.findIndex(({ id }) => id === change.pool),
              admits: admitsWorkloads(change.policy.preset),
            },
          ]
        : [],
    )
    .sort((a, b) => a.atMs - b.atMs);
}
