/** The tables of the dialog: where each lies in the document, what it is for, its fields, and the row that it begins with. */

import type { Json, JsonObject } from "../../base/json.ts";
import { acting } from "../../scenario/interventions.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { scenarioSchema } from "../../scenario/schema.ts";
import { presetOf } from "../../scenario/settings.ts";
import type { FieldSpec } from "../../ui/fields/fieldSpec.ts";
import type { Schema } from "../../ui/fields/leaf.ts";
import { schemaAt } from "../../ui/fields/leaf.ts";
import {
  FAILURE_SPECS,
  NETWORK_SPECS,
  NODE_GROUP_SPECS,
  RUN_SPECS,
  STORAGE_SPECS,
  WINDOW_SPECS,
} from "./specs/groundSpecs.ts";
import { FLEET_SPECS, SERVICE_SPECS } from "./specs/serviceSpecs.ts";
import { DISRUPTION_SPECS, LIMIT_SPECS, TEAM_SPECS, TIER_SPECS } from "./specs/tenancySpecs.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A row to begin with, or why there can be none. */
export type FirstRow = { readonly row: object } | { readonly reason: string };

export interface TableSpec {
  readonly id: string;
  readonly title: string;
  /** What the table is for: also what an empty one says. */
  readonly purpose: string;
  /** Path in the document, by dots. */
  readonly place: string;
  /** `grid`: a row each; `cards`: a form each; `one`: a single optional object; `root`: fields of the document itself. */
  readonly shape: "grid" | "cards" | "one" | "root";
  /** What one entry is called. */
  readonly one: string;
  readonly fields: readonly FieldSpec[];
  /** The order of the entries means something. */
  readonly ordered?: true;
  /** Absent: entries are neither added nor taken away here. */
  readonly first?: (scenario: Scenario) => FirstRow;
  /** Something that has to be set elsewhere before the table has an effect. */
  readonly note?: (scenario: Scenario) => string | null;
}

export const TABLES: readonly TableSpec[] = [
  {
    id: "tiers",
    title: "Tiers",
    purpose: "Classes of jobs by importance, the highest first: who goes first, and who gives way.",
    place: "tiers",
    shape: "grid",
    one: "tier",
    ordered: true,
    fields: TIER_SPECS,
    first: ({ tiers }) => ({
      row: { id: freeName("tier", tiers.map(idOf)), name: "New tier", letter: "X" },
    }),
    note: (scenario) =>
      isSet(scenario, "order", ["tiers", "aging", "multifactor"]) ||
      isSet(scenario, "tiersFirst", [true])
        ? null
        : "No pool orders jobs by tier now: choose Priority tiers, or Tiers first, in the policy.",
  },
  {
    id: "teams",
    title: "Teams and quotas",
    purpose: "Who shares the cluster, with which shares, and how many GPUs each is entitled to.",
    place: "teams",
    shape: "grid",
    one: "team",
    fields: TEAM_SPECS,
    first: (scenario) => ({
      row: {
        id: freeName("team", scenario.teams.map(idOf)),
        quotaGpus: Math.ceil(devicesOf(scenario) / 4),
      },
    }),
    note: (scenario) =>
      scenario.teams.some((team) => team.quotaGpus !== undefined) &&
      !isSet(scenario, "quota", ["static", "borrow", "reclaim", "auction"])
        ? "No pool looks at quotas now: choose how they hold under Quotas in the policy."
        : null,
  },
  {
    id: "limits",
    title: "Limits",
    purpose: "Ceilings for users, teams or tiers: jobs above them wait, however much is idle.",
    place: "limits",
    shape: "grid",
    one: "limit",
    fields: LIMIT_SPECS,
    first: (scenario) => ({ row: { per: "user", gpus: Math.ceil(devicesOf(scenario) / 4) } }),
  },
  {
    id: "disruptionBudgets",
    title: "Disruption budgets",
    purpose: "How many jobs of a group may be preempted within a time.",
    place: "disruptionBudgets",
    shape: "grid",
    one: "budget",
    fields: DISRUPTION_SPECS,
    first: () => ({ row: { per: "tier", jobs: 2, periodMs: HOUR_MS } }),
    note: (scenario) => {
      const presets = presetsOf(scenario);
      if (!presets.has("lab"))
        return presets.has("kube-scheduler") || presets.has("kueue")
          ? "They hold under the policy lab. Here a PodDisruptionBudget in the policy’s YAML does."
          : "They hold under the policy lab alone, which no pool has.";
      return scenario.disruptionBudgets.length > 0 &&
        !isSet(scenario, "preemption", ["cancel", "requeue", "suspend", "graceful", "wait"])
        ? "No pool preempts now: choose it under Preemption in the policy."
        : null;
    },
  },
  {
    id: "services",
    title: "Services",
    purpose:
      "Inference services: replicas that come and go with the demand, and a latency to hold.",
    place: "services",
    shape: "cards",
    one: "service",
    fields: SERVICE_SPECS,
    first: (scenario) => ({
      row: {
        id: freeName("service", scenario.services.map(idOf)),
        maxReplicas: 4,
        requestMs: 500,
        concurrency: 8,
        demand: { shape: "diurnal", perSec: 20 },
      },
    }),
    note: ({ services, horizonMs }) =>
      services.length > 0 && horizonMs === undefined
        ? "Services never end: say under The run when it ends."
        : null,
  },
  {
    id: "failures",
    title: "Failures",
    purpose: "Random outages, drawn once for each unit: the same scenario always fails the same.",
    place: "failures",
    shape: "cards",
    one: "kind of failure",
    fields: FAILURE_SPECS,
    first: () => ({
      row: { of: "node", mtbfMs: 30 * DAY_MS, repairMs: 4 * HOUR_MS, repairSpread: 2 },
    }),
  },
  {
    id: "windows",
    title: "Windows",
    purpose: "Times in which nodes are kept for some jobs, or for maintenance.",
    place: "windows",
    shape: "cards",
    one: "window",
    fields: WINDOW_SPECS,
    first: ({ windows }) => ({
      row: {
        name: freeName(
          "Maintenance",
          windows.map((entry) => entry.name),
        ),
        kind: "maintenance",
        startMs: 6 * HOUR_MS,
        durationMs: 2 * HOUR_MS,
      },
    }),
  },
  {
    id: "nodeGroups",
    title: "Prices and rented nodes",
    purpose: "What nodes cost, and which exist only when they are rented.",
    place: "cluster.nodeGroups",
    shape: "cards",
    one: "node group",
    fields: NODE_GROUP_SPECS,
    note: ({ cluster, ...scenario }) =>
      cluster.nodeGroups.some(({ burst }) => burst !== undefined)
        ? rentedNote(presetsOf(scenario))
        : null,
  },
  {
    id: "network",
    title: "Network",
    purpose: "Bandwidths. Jobs with traffic then run at the speed that their place allows.",
    place: "cluster.network",
    shape: "one",
    one: "network",
    fields: NETWORK_SPECS,
    first: ({ cluster }) =>
      cluster.flat ? { reason: "a flat machine has no network" } : { row: {} },
  },
  {
    id: "storage",
    title: "Storage",
    purpose: "A filesystem that all jobs share: checkpoints at the same time slow each other.",
    place: "cluster.storage",
    shape: "one",
    one: "storage",
    fields: STORAGE_SPECS,
    first: () => ({ row: { writeGBps: 20 } }),
  },
  {
    id: "fleet",
    title: "Fleet",
    purpose: "A controller that moves nodes between serving and batch as demand comes and goes.",
    place: "fleet",
    shape: "one",
    one: "fleet controller",
    fields: FLEET_SPECS,
    first: ({ pools }) =>
      pools.length < 2
        ? { reason: "nodes move between two pools, and this scenario has one" }
        : { row: { serving: pools[0]!.id, batch: pools[1]!.id } },
  },
  {
    id: "run",
    title: "The run",
    purpose: "Where it ends, what a time limit means, and which chances are drawn.",
    place: "",
    shape: "root",
    one: "run",
    fields: RUN_SPECS,
  },
];

/** The schema of one entry of a table. */
export function entrySchema(table: TableSpec): Schema {
  const at = schemaAt(scenarioSchema, table.place);
  return table.shape === "grid" || table.shape === "cards" ? schemaAt(at, "0") : at;
}

/** What an entry is called in headings and messages. */
export function entryName(table: TableSpec, row: Json, index: number): string {
  const { name, id, of } = row as JsonObject;
  const word = [name, id, of].find((each) => typeof each === "string" && each !== "");
  return typeof word === "string" ? word : `${table.one} ${index + 1}`;
}

function idOf({ id }: { readonly id: string }): string {
  return id;
}

function freeName(base: string, taken: readonly string[]): string {
  for (let number = taken.length + 1; ; number++) {
    const name = `${base}-${number}`;
    if (!taken.includes(name)) return name;
  }
}

function devicesOf({ cluster }: Scenario): number {
  return cluster.nodeGroups.reduce((sum, group) => sum + group.count * group.gpus, 0);
}

/** Presets of all pools, at the start or by a change. */
function presetsOf({
  pools,
  interventions,
}: Pick<Scenario, "pools" | "interventions">): ReadonlySet<string> {
  const changes = acting(interventions).flatMap((each) =>
    each.kind === "policy" ? [each.policy] : [],
  );
  return new Set([...pools.map((pool) => pool.policy), ...changes].map(({ preset }) => preset));
}

/** Who rents nodes where the policy lab does not, and which of the times are then its own. */
function rentedNote(presets: ReadonlySet<string>): string | null {
  if (presets.has("lab")) return null;
  if (presets.has("kube-scheduler") || presets.has("kueue"))
    return "Cluster Autoscaler rents them: when nodes come and go is set in the policy. Of the times below Start-up and Spot hold.";
  if (presets.has("ray"))
    return "Ray’s autoscaler rents them: when nodes come and go is set in the policy. Of the times below Start-up holds.";
  return "No scheduler of this scenario rents nodes: those to be rented never come.";
}

/** Whether the policy of some pool of the lab has one of these values, at the start or by a change. */
function isSet(scenario: Scenario, key: string, values: readonly (string | boolean)[]): boolean {
  const changed = acting(scenario.interventions).flatMap((each) =>
    each.kind === "policy" ? [each.policy] : [],
  );
  const standard = presetOf("lab")?.settings.find((spec) => spec.key === key)?.standard;
  return [...scenario.pools.map((pool) => pool.policy), ...changed].some(
    (policy) =>
      policy.preset !== "lab" ||
      values.some((value) => value === (policy.settings[key] ?? standard)),
  );
}
