/** Whether the change that a library scenario proposes still says what it did: a change of policy is meant for the scheduler that the scenario came with. */
import type { Suggestion } from "./library/entry.ts";
import { policyAt } from "./policyAt.ts";
import type { Scenario } from "./schema.ts";

/** False for a change of policy where another preset rules a pool that it would change. O(pools × interventions). */
export function isProposable(
  scenario: Scenario,
  { intervention: change, from }: Suggestion,
): boolean {
  if (change.kind !== "policy") return true;
  const preset = from ?? change.policy.preset ?? "lab";
  return scenario.pools
    .filter(({ id }) => change.pool === undefined || change.pool === id)
    .every(({ id }) => policyAt(scenario, id, change.atMs).preset === preset);
}
