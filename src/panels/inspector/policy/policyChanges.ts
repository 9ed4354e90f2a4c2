/** What a policy changes, with Slurm's own parameters where both are Slurm's; only the editor needs the latter, so they are apart. */
import type { PolicyEntry, Scenario } from "../../../scenario/schema.ts";
import { parameterChanges } from "../../../scenario/slurm/changes.ts";
import type { SlurmFiles } from "../../../scenario/slurm/report.ts";
import { textsOf } from "../../../scenario/slurm/textsOf.ts";
import type { SettingChange } from "./settingWords.ts";
import { settingChanges } from "./settingWords.ts";

const NO_FILES: SlurmFiles = { conf: "", gres: "", topology: "", accounting: "" };

/** The texts of a policy under Slurm; null for another preset. */
export function textsIn(policy: PolicyEntry): SlurmFiles | null {
  return policy.preset === "slurm" ? (policy.slurm ?? NO_FILES) : null;
}

/**
 * Setting by setting; where Slurm is chosen anew, its parameters are compared with the configuration that the scenario itself says.
 * O(texts).
 */
export function policyChanges(
  scenario: Scenario,
  poolId: string,
  from: PolicyEntry,
  to: PolicyEntry,
): SettingChange[] {
  const after = textsIn(to);
  const general = settingChanges(from, to);
  if (after === null) return general;
  return [...general, ...parameterChanges(textsIn(from) ?? textsOf(scenario, poolId), after)];
}

const TOLD = 3;

/** Changes in one line, for the undo button and the list of changes. */
export function changesLine(changes: readonly SettingChange[]): string {
  const told = changes.slice(0, TOLD).map((change) => `${change.label}: ${change.to.slice(0, 60)}`);
  const more = changes.length - told.length;
  return told.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
