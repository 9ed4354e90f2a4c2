/** What differs between two documents, in rows: settings of policies at the end of all changes, changes that only one has, and rules. */

import { clockText } from "../../base/format.ts";
import type { Json } from "../../base/json.ts";
import { sameJson } from "../../base/json.ts";
import { changeWords } from "../../panels/inspector/changes/changeWords.ts";
import { settingChanges } from "../../panels/inspector/policy/settingWords.ts";
import { acting } from "../../scenario/interventions.ts";
import { policyAt } from "../../scenario/policyAt.ts";
import type { Scenario } from "../../scenario/schema.ts";

export interface DifferenceRow {
  readonly what: string;
  readonly a: string;
  readonly b: string;
}

/** Parts of a document other than policies and changes, as users call them. */
const RULES: readonly (readonly [keyof Scenario, string])[] = [
  ["seed", "seed"],
  ["horizonMs", "end of the run"],
  ["cluster", "cluster"],
  ["workload", "jobs"],
  ["tiers", "tiers"],
  ["teams", "teams"],
  ["limits", "limits"],
  ["services", "services"],
  ["failures", "failures"],
  ["windows", "windows"],
  ["fleet", "fleet"],
  ["queues", "queues"],
  ["killAtLimit", "kill at the limit"],
  ["disruptionBudgets", "disruption budgets"],
];

/** O(size of the documents). */
export function differencesOf(a: Scenario, b: Scenario, word: string): DifferenceRow[] {
  const settings = policies(a, b);
  // A change of policy that shows in the settings is told by them.
  const others = changes(a, b, word, settings.length > 0);
  return [...rules(a, b), ...settings, ...others];
}

function rules(a: Scenario, b: Scenario): DifferenceRow[] {
  return RULES.flatMap(([key, what]) => {
    const [was, is] = [a[key], b[key]] as unknown as [Json | undefined, Json | undefined];
    if (was === is || (was !== undefined && is !== undefined && sameJson(was, is))) return [];
    const text = (value: Json | undefined) =>
      value === undefined ? "none" : typeof value === "number" ? String(value) : "other";
    return [{ what, a: text(was), b: text(is) }];
  });
}

function policies(a: Scenario, b: Scenario): DifferenceRow[] {
  return a.pools.flatMap(({ id }) => {
    const [was, is] = [a, b].map((scenario) => policyAt(scenario, id, Number.POSITIVE_INFINITY));
    const whose = a.pools.length > 1 ? `${id}: ` : "";
    return settingChanges(was!, is!).map(({ label, from, to }) => ({
      what: `${whose}${label.toLowerCase()}`,
      a: from,
      b: to,
    }));
  });
}

/** Changes in time that only one of the two has. */
function changes(a: Scenario, b: Scenario, word: string, settingsTold: boolean): DifferenceRow[] {
  const keys = [a, b].map(
    ({ interventions }) => new Set(acting(interventions).map((change) => JSON.stringify(change))),
  );
  const only = (of: Scenario, other: Set<string>, side: "a" | "b"): DifferenceRow[] =>
    of.interventions.flatMap((change, index) => {
      if (change.off || other.has(JSON.stringify(change))) return [];
      if (settingsTold && change.kind === "policy") return [];
      const { title } = changeWords(of, index, word);
      const at = clockText(change.atMs, of.calendarStart);
      return [{ what: title, a: side === "a" ? at : "–", b: side === "b" ? at : "–" }];
    });
  return [...only(a, keys[1]!, "a"), ...only(b, keys[0]!, "b")];
}
