/**
 * What is edited of the rules: those parts of the document, as plain JSON that may be wrong. Put together with the rest of the
 * document as it is now, it passes the one door; what the door refuses is told at its place. Kept while the dialog is closed.
 */
import type { JsonObject } from "../../base/json.ts";
import { sameJson } from "../../base/json.ts";
import type { Problem } from "../../base/problem.ts";
import type { Result } from "../../base/result.ts";
import { readScenario } from "../../scenario/read.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { keysOf, valueAt } from "../../ui/fields/paths.ts";
import type { TableSpec } from "./tables.ts";
import { TABLES } from "./tables.ts";

/** Keys of the document that the dialog edits as they are, and keys of the cluster. */
const ROOT_KEYS = [
  "tiers",
  "teams",
  "limits",
  "disruptionBudgets",
  "services",
  "failures",
  "windows",
  "fleet",
  "horizonMs",
  "killAtLimit",
  "seed",
] as const;
const CLUSTER_KEYS = ["network", "storage"] as const;
const GROUP_KEYS = ["pricePerGpuHour", "burst"] as const;

/** The parts of a document that are rules. Absent keys are absent. */
export function rulesOf(scenario: Scenario): JsonObject {
  const whole = scenario as unknown as JsonObject;
  const cluster = whole.cluster as JsonObject;
  const groups = (cluster.nodeGroups as readonly JsonObject[]).map((group) =>
    picked(group, ["id", ...GROUP_KEYS]),
  );
  return {
    ...picked(whole, ROOT_KEYS),
    cluster: { ...picked(cluster, CLUSTER_KEYS), nodeGroups: groups },
  };
}

function picked(from: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    keys.flatMap((key) => (from[key] === undefined ? [] : [[key, from[key]]])),
  );
}

/** The document with these rules instead of its own. */
export function withRules(scenario: Scenario, rules: JsonObject): JsonObject {
  const whole = scenario as unknown as JsonObject;
  const cluster = whole.cluster as JsonObject;
  const own = rules.cluster as JsonObject;
  const groups = (cluster.nodeGroups as readonly JsonObject[]).map((group, index) => ({
    ...without(group, GROUP_KEYS),
    ...without(((own.nodeGroups ?? []) as readonly JsonObject[])[index] ?? {}, ["id"]),
  }));
  return {
    ...without(whole, ROOT_KEYS),
    ...without(rules, ["cluster"]),
    cluster: {
      ...without(cluster, CLUSTER_KEYS),
      ...without(own, ["nodeGroups"]),
      nodeGroups: groups,
    },
  };
}

function without(from: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(from).filter(([key]) => !keys.includes(key)));
}

/** The document with these rules, read as from a file. O(document). */
export function checkedRules(scenario: Scenario, rules: JsonObject): Result<Scenario, Problem[]> {
  return readScenario(withRules(scenario, rules));
}

/** Titles of the tables that differ. */
export function changedTables(before: JsonObject, after: JsonObject): readonly TableSpec[] {
  return TABLES.filter((table) => {
    if (table.shape === "root")
      return table.fields.some(({ key }) => !sameJson(before[key] ?? null, after[key] ?? null));
    const path = keysOf(table.place);
    return !sameJson(valueAt(before, path) ?? null, valueAt(after, path) ?? null);
  });
}

/** The name of the step for Undo. */
export function rulesLabel(tables: readonly TableSpec[]): string {
  return `Rules: ${tables.map((table) => table.title.toLowerCase()).join(", ")}`;
}

/** The pointer of an entry of a table, or of the table where there is no index. */
export function pointerOf(table: TableSpec, index?: number): string {
  const base = keysOf(table.place)
    .map((key) => `/${key}`)
    .join("");
  return index === undefined ? base : `${base}/${index}`;
}

/** The table that a problem is about; undefined where it is about something else in the document. */
export function tableOfProblem(problem: Problem): TableSpec | undefined {
  return TABLES.find((table) => {
    const base = pointerOf(table);
    if (table.shape === "root") return table.fields.some(({ key }) => problem.place === `/${key}`);
    return problem.place === base || problem.place.startsWith(`${base}/`);
  });
}

/** What is wrong beyond the rules, by the name that people know it by: a job that is of a team which was deleted. */
export function elsewhereWords({ place }: Problem, { workload }: Scenario): string {
  const [, list, index = ""] =
    /^\/(workload\/jobs|workload\/synthetic|interventions)\/(\d+)/.exec(place) ?? [];
  if (list === "workload/jobs") return `Job ${workload.jobs[Number(index)]?.id ?? index}`;
  if (list === "workload/synthetic")
    return `Drawn jobs ${workload.synthetic[Number(index)]?.id ?? index}`;
  return list === "interventions" ? `Change ${Number(index) + 1}` : place;
}

export interface KeptRules {
  /** The rules of the document when editing began. */
  readonly base: JsonObject;
  readonly rules: JsonObject;
}

let kept: KeptRules | null = null;

export function keepRules(next: KeptRules | null): void {
  kept = next;
}

/** Edits of an earlier opening, if the document's rules are still those that they began with. */
export function keptRules(scenario: Scenario): KeptRules | null {
  return kept !== null && sameJson(kept.base, rulesOf(scenario)) ? kept : null;
}
