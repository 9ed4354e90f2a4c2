/** Interventions resolved to indexes: what happens from outside, in order of time and then of the document. */
import type { Problem } from "../base/problem.ts";
import type { Cluster } from "../model/cluster.ts";
import type { Reservation } from "../model/slurm/reservation.ts";
import type { Change, JobCommand } from "../model/world.ts";
import type { Intervention, Scenario } from "../scenario/schema.ts";
import { expandHostlist } from "../scenario/slurm/hostlist.ts";
import { resolvePolicy } from "./policies.ts";
import { nodesOfPool } from "./pools.ts";
import { unknownJob } from "./problems.ts";
import { changedOptions } from "./slurmRequest.ts";

/** Finds the jobs that an id stands for: one, or all members of an array; empty where there is none. */
export type FindJobs = (id: string) => readonly number[];

/** What stands before any job comes: the cluster, and which pool each node is in. */
export interface Ground {
  readonly cluster: Cluster;
  readonly poolOfNode: Uint8Array;
}

/** O(interventions log interventions + nodes named). Injected jobs are in the job table and give no change. */
export function resolveChanges(
  scenario: Scenario,
  ground: Ground,
  findJobs: FindJobs,
  problems: Problem[],
): Change[] {
  const nodeOf = new Map(ground.cluster.nodeNames.map((name, node) => [name, node]));
  const changes = scenario.interventions.flatMap((intervention, source) =>
    changesOf(scenario, ground, intervention, source, nodeOf, findJobs, problems),
  );
  return changes.sort((a, b) => a.atMs - b.atMs || a.source - b.source);
}

function changesOf(
  scenario: Scenario,
  ground: Ground,
  intervention: Intervention,
  source: number,
  nodeOf: ReadonlyMap<string, number>,
  findJobs: FindJobs,
  problems: Problem[],
): Change[] {
  if (intervention.off) return [];
  const place = `/interventions/${source}`;
  const base = { atMs: intervention.atMs, source };
  switch (intervention.kind) {
    case "inject":
      return [];
    case "policy":
      return policyChanges(scenario, ground, intervention, base, place, problems);
    case "cancel":
    case "retier":
      return jobChanges(scenario, intervention, base, findJobs, place, problems);
    case "drain":
    case "resume":
    case "fail": {
      const nodes = findNodes(intervention.nodes, nodeOf, place, problems);
      const noticed = intervention.kind === "fail" && intervention.noticed;
      return [{ ...base, kind: intervention.kind, nodes, ...(noticed ? { noticed } : {}) }];
    }
    case "label": {
      const nodes = findNodes(intervention.nodes, nodeOf, place, problems);
      const { labels, remove = [] } = intervention;
      return [{ ...base, kind: "label", nodes, labels, remove }];
    }
    case "reserve":
    case "unreserve":
      return reservationChanges(scenario, intervention, base, place, problems);
    default:
      return commandChanges(intervention, base, findJobs, place, problems);
  }
}

type Base = { readonly atMs: number; readonly source: number };

function policyChanges(
  scenario: Scenario,
  ground: Ground,
  intervention: Extract<Intervention, { kind: "policy" }>,
  base: Base,
  place: string,
  problems: Problem[],
): Change[] {
  const pool = scenario.pools.findIndex((entry) => entry.id === intervention.pool);
  if (intervention.pool === undefined || pool >= 0) {
    const pools = pool >= 0 ? [pool] : [...scenario.pools.keys()];
    return pools.flatMap((each) => {
      const nodes = nodesOfPool(ground.poolOfNode, each);
      const { policy } = intervention;
      const settings = resolvePolicy(policy, ground.cluster, nodes, `${place}/policy`, problems);
      return settings === null ? [] : [{ ...base, kind: "policy", pool: each, settings }];
    });
  }
  const remedy = `Use one of: ${scenario.pools.map((entry) => entry.id).join(", ")}.`;
  problems.push({
    place: `${place}/pool`,
    message: `There is no pool "${intervention.pool}".`,
    remedy,
  });
  return [];
}

function jobChanges(
  scenario: Scenario,
  intervention: Extract<Intervention, { kind: "cancel" | "retier" }>,
  base: Base,
  findJobs: FindJobs,
  place: string,
  problems: Problem[],
): Change[] {
  const jobs = findJobs(intervention.job);
  if (jobs.length === 0) problems.push(unknownJob(intervention.job, `${place}/job`));
  if (intervention.kind === "cancel")
    return jobs.map((jobIdx) => ({ ...base, kind: "cancel", jobIdx }));
  const tier = scenario.tiers.findIndex((entry) => entry.id === intervention.tier);
  if (tier >= 0) return jobs.map((jobIdx) => ({ ...base, kind: "retier", jobIdx, tier }));
  const remedy = `Use one of: ${scenario.tiers.map((entry) => entry.id).join(", ")}.`;
  problems.push({
    place: `${place}/tier`,
    message: `There is no tier "${intervention.tier}".`,
    remedy,
  });
  return [];
}

type CommandEntry = Extract<
  Intervention,
  { kind: "hold" | "release" | "requeue" | "suspend" | "unsuspend" | "update" | "top" }
>;

/** One command for each job that the id stands for. */
function commandChanges(
  entry: CommandEntry,
  base: Base,
  findJobs: FindJobs,
  place: string,
  problems: Problem[],
): Change[] {
  const jobs = findJobs(entry.job);
  if (jobs.length === 0) problems.push(unknownJob(entry.job, `${place}/job`));
  return jobs.map((jobIdx) => ({ ...base, ...commandOf(entry, jobIdx) }));
}

function commandOf(entry: CommandEntry, jobIdx: number): JobCommand {
  switch (entry.kind) {
    case "hold":
      return { kind: entry.kind, jobIdx, by: entry.by };
    case "requeue":
      return { kind: entry.kind, jobIdx, hold: entry.hold };
    case "update": {
      const { kind, limitMs = null, nice = null, priority = null, beginMs, slurm } = entry;
      return {
        kind,
        jobIdx,
        limitMs,
        nice,
        priority,
        ...(beginMs === undefined ? {} : { beginMs }),
        ...(slurm === undefined ? {} : { options: changedOptions(slurm) }),
      };
    }
    default:
      return { kind: entry.kind, jobIdx };
  }
}

function reservationChanges(
  scenario: Scenario,
  entry: Extract<Intervention, { kind: "reserve" | "unreserve" }>,
  base: Base,
  place: string,
  problems: Problem[],
): Change[] {
  const pools = scenario.pools.map((pool) => pool.id);
  const pool = entry.pool === undefined ? firstSlurmPool(scenario) : pools.indexOf(entry.pool);
  if (pool < 0) {
    problems.push({
      place: `${place}/pool`,
      message: `There is no pool "${entry.pool}".`,
      remedy: `Use one of: ${pools.join(", ")}.`,
    });
    return [];
  }
  if (entry.kind === "unreserve") return [{ ...base, kind: entry.kind, pool, name: entry.name }];
  const nodes = entry.nodes === undefined ? "" : entry.nodes.trim();
  const allNodes = nodes.toUpperCase() === "ALL";
  const names = expandHostlist(allNodes ? "" : nodes);
  const reservation: Reservation = {
    name: entry.name,
    startMs: entry.startMs,
    endMs: entry.endMs,
    nodes: names.ok ? names.value : [],
    allNodes,
    nodeCount: entry.nodeCount ?? 0,
    users: entry.users,
    accounts: entry.accounts,
    partition: entry.partition ?? "",
    flags: entry.flags.map((flag) => flag.toUpperCase()),
  };
  return [{ ...base, kind: entry.kind, pool, reservation }];
}

/** The pool that a reservation without one is for. */
function firstSlurmPool(scenario: Scenario): number {
  return Math.max(
    0,
    scenario.pools.findIndex((pool) => pool.policy.preset === "slurm"),
  );
}

function findNodes(
  names: readonly string[],
  nodeOf: ReadonlyMap<string, number>,
  place: string,
  problems: Problem[],
): number[] {
  return names.flatMap((name, index) => {
    const node = nodeOf.get(name);
    if (node !== undefined) return [node];
    const [first] = nodeOf.keys();
    problems.push({
      place: `${place}/nodes/${index}`,
      message: `There is no node "${name}".`,
      remedy: `Nodes are named by their group and number, such as "${first}".`,
    });
    return [];
  });
}
