/**
 * A log replayed on the cluster that is open, so that somebody's slurm.conf and their sacct output meet: partitions, QOS and accounts
 * are matched by name, and what finds no match is told.
 */
import { sameJson } from "../../base/json.ts";
import { LIMITS } from "../../model/limits.ts";
import { DEFAULT_TIERS } from "../defaultTiers.ts";
import type { Scenario } from "../schema.ts";
import { slurmFilesOf } from "./joinFile.ts";
import { keyOf } from "./lex.ts";
import { setValues } from "./setValues.ts";

export interface Replay {
  readonly scenario: Scenario;
  /** What of the log has no match, and what becomes of it: one sentence each. */
  readonly unmatched: readonly string[];
}

const NAMED_MOST = 8;

/** The open cluster and policy under the jobs of a log. O(texts + names). */
export function replayOn(open: Scenario, log: Scenario): Replay {
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
