/**
 * A log replayed on the cluster that is open, so that somebody's slurm.conf and their sacct output meet: partitions, QOS and accounts
 * are matched by name, and what finds no match is told.
 */
import { sameJson } from "../../base/json.ts";
import { LIMITS } from "../../model/limits.ts";
import { DEFAULT_TIERS } from "../defaultTiers.ts";
import type { Scenario } from "../schema.ts";
import { listOf } from "./accountingText.ts";
import { slurmFilesOf } from "./joinFile.ts";
import { keyOf } from "./lex.ts";
import type { SetOwner, SetValues } from "./setValues.ts";
import { setValues } from "./setValues.ts";

export interface Replay {
  readonly scenario: Scenario;
  /** What of the log has no match, and what becomes of it: one sentence each. */
  readonly unmatched: readonly string[];
  /** Why not one job would be accepted; `null` where that is not certain. */
  readonly refusesAll: string | null;
}

const NAMED_MOST = 8;

/** Words of `AccountingStorageEnforce` that bring associations with them. */
const ENFORCING = new Set(["all", "associations", "association", "limits", "limit", "qos", "safe"]);

/** The open cluster and policy under the jobs of a log, which were submitted by `users`. O(texts + names). */
export function replayOn(open: Scenario, log: Scenario, users: readonly string[]): Replay {
  const files = slurmFilesOf(open);
  const values = setValues(files);
  const partitions = values.partitions
    .map((each) => each.name)
    .filter((name) => keyOf(name) !== "default");
  // A log without QOS has the tiers that every scenario begins with: they are nobody's QOS.
  const logTiers = sameJson(log.tiers, DEFAULT_TIERS) ? [] : log.tiers;
  const scenario: Scenario = {
    ...log,
    title: `${log.title} on ${open.title}`.slice(0, LIMITS.nameLength),
    cluster: open.cluster,
    pools: open.pools,
    killAtLimit: open.killAtLimit,
    tiers: union(open.tiers, logTiers).slice(0, LIMITS.tiers),
    teams: union(open.teams, log.teams).slice(0, LIMITS.teams),
    queues: [...new Set([...open.queues, ...log.queues])].slice(0, 256),
    interventions: [],
  };
  return {
    scenario,
    refusesAll: refusesAll(values, log, users),
    unmatched: [
      ...told(
        missing(log.queues, partitions),
        "partition",
        "their jobs go to the default partition",
      ),
      ...told(
        missing(
          ids(logTiers),
          values.qos.map((each) => each.name),
        ),
        "QOS",
        "they have no limits, and a priority by their rank",
      ),
      ...told(
        values.accounts.length === 0
          ? []
          : missing(
              ids(log.teams),
              values.accounts.map((each) => each.name),
            ),
        "account",
        "where associations are enforced their jobs are refused",
      ),
    ],
  };
}

/** Associations that are enforced refuse a job whose user, or whose account, has none: certain for all jobs where nobody is known. */
function refusesAll(
  { global, accounts, users: known }: SetValues,
  log: Scenario,
  users: readonly string[],
): string | null {
  const enforced = listOf(global.get("accountingstorageenforce")?.value ?? "").some((word) =>
    ENFORCING.has(keyOf(word)),
  );
  if (!enforced || accounts.length + known.length === 0) return null;
  const isStrange = (names: readonly string[], owners: readonly SetOwner[]) =>
    missing(
      names.map(keyOf),
      owners.map((owner) => keyOf(owner.name)),
    ).length === names.length;
  const who = users.length === 0 ? "the file names no user" : "none of the file’s users has one";
  if (isStrange(users, known)) return `it accepts jobs of its associations only, and ${who}`;
  return log.teams.length > 0 && isStrange(ids(log.teams), accounts)
    ? "it accepts jobs of its associations only, and none of the file’s accounts has one"
    : null;
}

function ids(entries: readonly { readonly id: string }[]): string[] {
  return entries.map((entry) => entry.id);
}

function union<T extends { readonly id: string }>(first: readonly T[], second: readonly T[]): T[] {
  const known = new Set(ids(first));
  return [...first, ...second.filter((entry) => !known.has(entry.id))];
}

function missing(names: readonly string[], known: readonly string[]): string[] {
  const there = new Set(known);
  return names.filter((name) => !there.has(name));
}

function told(names: readonly string[], kind: string, consequence: string): string[] {
  if (names.length === 0) return [];
  const more = names.length > NAMED_MOST ? ` and ${names.length - NAMED_MOST} more` : "";
  const plural = names.length > 1 && kind !== "QOS" ? "s" : "";
  const list = `${names.slice(0, NAMED_MOST).join(", ")}${more}`;
  return [`The configuration has no ${kind}${plural} ${list}: ${consequence}.`];
}
