/** Whether the change that a library scenario proposes still says what it did: a change of policy is meant for the policy that the scenario came with. */
import { sameJson } from "../base/json.ts";
import type { Suggestion } from "./library/entry.ts";
import { policyAt } from "./policyAt.ts";
import type { Scenario } from "./schema.ts";

/**
 * False for a change of policy where somebody has set another policy in a pool that it would change, then or later: what it proposes would undo that, or be undone by it. `came`: the document as the library has
 * it; null while that is not here, and then the preset alone is compared. O(pools × interventions).
 */
export function isProposable(
  scenario: Scenario,
  { intervention: change, from }: Suggestion,
  came: Scenario | null,
): boolean {
  if (change.kind !== "policy") return true;
  const preset = from ?? change.policy.preset ?? "lab";
  return scenario.pools
    .filter(({ id }) => change.pool === undefined || change.pool === id)
    .every(({ id }) => {
      const policy = policyAt(scenario, id, change.atMs);
      if (policy.preset !== preset) return false;
      return (
        came === null ||
        [change.atMs, Number.POSITIVE_INFINITY].every((atMs) =>
          sameJson(policyAt(scenario, id, atMs), policyAt(came, id, atMs)),
        )
      );
    });
}
