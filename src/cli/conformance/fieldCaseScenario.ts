/**
 * A run of a field case → a scenario that the page could open. Priorities become tiers, highest first (and stay numbers for the orders that
 * read them); tags become labels; the memory of a node is a number without a unit and becomes GiB.
 */
import type { Problem } from "../../base/problem.ts";
import { LIMITS } from "../../model/limits.ts";
import { readScenario } from "../../scenario/read.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { problemLine } from "../fail.ts";
import {
  CLUSTER_FIELDS,
  type FieldCase,
  type FieldCluster,
  type FieldJob,
  type FieldMaintenance,
  type FieldNode,
  type FieldPolicy,
  type FieldRun,
  JOB_FIELDS,
  MAINTENANCE_FIELDS,
  NODE_FIELDS,
  POLICY_TERMS,
} from "./fieldCaseFile.ts";

import { nodesForNobody } from "./fieldCaseNever.ts";

export const MINUTE_MS = 60_000;
/** So many CPUs, or so much memory, mean that nobody counts them. */
const NOT_MODELLED = 1_000_000;

/** What a run asks for that the product cannot be told; the run is skipped with this sentence. */
export class NotOurs extends Error {}

/** Cluster and jobs of a run, its variant included. */
export function partsOfRun(
  { scenario }: FieldCase,
  run: FieldRun,
): { cluster: FieldCluster; jobs: readonly FieldJob[] } {
  const cluster = withoutNulls(run.variant_cluster ?? scenario.cluster);
  let jobs = withoutNulls(run.variant_jobs ?? scenario.jobs ?? []);
  if (run.scenario_variant === "limits_exact")
    jobs = jobs.map((job) => ({ ...job, limit: job.runtime }));
  if (run.scenario_variant === "all_preemptible")
    jobs = jobs.map((job) => ({ ...job, preemptible: true }));
  return { cluster, jobs };
}

/** A field that is null is one that is absent. */
function withoutNulls<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, field: unknown) => field ?? undefined) as T;
}

/** Throws with the problems that the document has. */
export function scenarioOfRun(one: FieldCase, run: FieldRun): Scenario {
  const { cluster, jobs } = partsOfRun(one, run);
  const policy = withoutNulls(run.policy);
  checkNames(cluster, jobs, policy);
  const open = nodesOf(cluster);
  const closed = nodesForNobody(open, jobs, policy);
  const nodes = [...open, ...closed];
  const flat = cluster.pool !== undefined && closed.length === 0;
  const priorities = [...new Set(jobs.map((job) => job.prio ?? 0))].sort((a, b) => b - a);
  const withTiers = priorities.length <= LIMITS.tiers;
  const document = {
    version: 1,
    title: one.id,
    cluster: { nodeGroups: groupsOf(nodes, flat), flat },
    ...(withTiers ? { tiers: priorities.map(tierOf) } : {}),
    limits: policy.user_max === undefined ? [] : [{ per: "user", members: policy.user_max }],
    windows: windowsOf(cluster),
    pools: [{ id: "all", policy: { preset: "lab", settings: settingsOf(policy) } }],
    workload: { jobs: jobs.map((job) => jobOf(job, policy, withTiers, flat)) },
    interventions: [...closed.map(closedNode), ...outagesOf(cluster)],
  };
  return must(readScenario(document));
}

function checkNames(cluster: FieldCluster, jobs: readonly FieldJob[], policy: FieldPolicy): void {
  const check = (value: object, known: readonly string[], what: string) => {
    const odd = Object.keys(value).find((key) => !known.includes(key));
    if (odd !== undefined) throw new NotOurs(`the ${what} field ${odd} is not known`);
  };
  check(policy, POLICY_TERMS, "policy");
  check(cluster, CLUSTER_FIELDS, "cluster");
  for (const node of cluster.nodes ?? []) check(node, NODE_FIELDS, "node");
  for (const window of cluster.maint ?? []) check(window, MAINTENANCE_FIELDS, "window");
  for (const job of jobs) check(job, JOB_FIELDS, "job");
}

/** A pool is one node. */
function nodesOf({ nodes, pool }: FieldCluster): readonly FieldNode[] {
  return pool === undefined ? (nodes ?? []) : [{ id: "pool", gpus: poolGpus(pool) }];
}

/** Nodes that follow each other and are alike are one group, so that the order of the list stays. */
function groupsOf(list: readonly FieldNode[], flat: boolean): object[] {
  if (flat) return [{ id: "pool", count: 1, gpus: list[0]!.gpus }];
  const groups: { key: string; nodes: FieldNode[] }[] = [];
  for (const node of list) {
    const key = JSON.stringify([node.gpus, node.cpus, node.mem, [...(node.tags ?? [])].sort()]);
    const last = groups.at(-1);
    if (last?.key === key) last.nodes.push(node);
    else groups.push({ key, nodes: [node] });
  }
  return groups.map(({ nodes }, index) => ({
    id: `g${index}`,
    count: nodes.length,
    names: nodes.map((node) => node.id).join(","),
    gpus: nodes[0]!.gpus,
    cpus: nodes[0]!.cpus ?? NOT_MODELLED,
    memGiB: nodes[0]!.mem ?? NOT_MODELLED,
    labels: labelsOf(nodes[0]!.tags),
  }));
}

function poolGpus(pool: NonNullable<FieldCluster["pool"]>): number {
  return typeof pool === "number" ? pool : pool.gpus;
}

function labelsOf(tags: readonly string[] | undefined): Record<string, string> {
  return Object.fromEntries((tags ?? []).map((tag) => [tag, "yes"]));
}

function tierOf(priority: number): object {
  return { id: `p${priority}`, name: `Priority ${priority}`, letter: "P" };
}

function windowsOf({ maint }: FieldCluster): object[] {
  return (maint ?? []).map((window, index) => ({
    name: `maintenance ${index + 1}`,
    kind: "maintenance",
    ...(window.nodes === "all" ? {} : { nodes: window.nodes.join(",") }),
    startMs: window.start * MINUTE_MS,
    durationMs: (window.end - window.start) * MINUTE_MS,
    announcedMs: knownFrom(window) * MINUTE_MS,
    kill: window.kill === true,
  }));
}

/** A window that nobody announced is known when it begins. */
function knownFrom({ announced, start }: FieldMaintenance): number {
  if (announced === true) return 0;
  return typeof announced === "number" ? Math.min(announced, start) : start;
}

function closedNode({ id }: FieldNode): object {
  return { atMs: 0, kind: "drain", nodes: [id] };
}

/** An outage closes a node for what would start; of what runs there the rules say nothing, and it goes on. */
function outagesOf({ nodes }: FieldCluster): object[] {
  return (nodes ?? []).flatMap(({ id, down }) =>
    (down ?? []).flatMap(([from, to]) => [
      { atMs: from * MINUTE_MS, kind: "drain", nodes: [id] },
      { atMs: to * MINUTE_MS, kind: "resume", nodes: [id] },
    ]),
  );
}

const PLACES = { first: "firstFit", pack: "pack", packpod: "packPod", spread: "spread" } as const;
const MODES = { strict: "none", skip: "skip", backfill: "reservations" } as const;
const VICTIMS = { minjobs: "fewestJobs", youngest: "youngest" } as const;

function settingsOf(policy: FieldPolicy): Record<string, string | number | boolean> {
  const { mode, order = "prio", place = "first", victims = "minjobs" } = policy;
  // No reservation, or none later than now: who does not fit is passed over.
  const keepsNothing = mode === "backfill" && (policy.depth === 0 || policy.window === 0);
  const backfill = keepsNothing ? "skip" : told(MODES, mode, "mode");
  return {
    order: told({ prio: "priority", fair: "leastUsage" } as const, order, "order"),
    backfill,
    placement: told(PLACES, place, "place"),
    ...(backfill === "reservations"
      ? {
          reservations: Math.min(policy.depth ?? 1, 1_000_000),
          windowMs: (policy.window ?? 0) * MINUTE_MS,
        }
      : {}),
    ...(policy.max_test === undefined ? {} : { testDepth: policy.max_test }),
    ...(order === "fair"
      ? { halfLifeMs: (policy.half_life ?? 0) * MINUTE_MS, shareOf: "user" }
      : {}),
    ...(policy.cpu_reserve_per_gpu === undefined ? {} : { cpuReserve: policy.cpu_reserve_per_gpu }),
    ...(policy.preempt === "priority"
      ? {
          preemption: "requeue",
          victims: told(VICTIMS, victims, "victims"),
          newerEqual: policy.newer_equal === true,
        }
      : {}),
  };
}

function told<K extends string, V>(table: Readonly<Record<K, V>>, word: K, term: string): V {
  if (!Object.hasOwn(table, word)) throw new NotOurs(`${term} = ${word} is not known`);
  return table[word];
}

function jobOf(job: FieldJob, policy: FieldPolicy, withTiers: boolean, flat: boolean): object {
  const after = typeof job.after === "string" ? [job.after] : (job.after ?? []);
  return {
    id: job.id,
    submitMs: (job.submit ?? 0) * MINUTE_MS,
    components: [
      {
        members: job.tasks ?? 1,
        gpusPerMember: job.gpus ?? 0,
        cpusPerMember: flat ? 0 : (job.cpus ?? 0),
        memGiBPerMember: flat ? 0 : (job.mem ?? 0),
        ownNode: !flat && job.distinct === true,
      },
    ],
    workMs: job.runtime * MINUTE_MS,
    limitMs: Math.max(job.limit ?? job.runtime, job.runtime) * MINUTE_MS,
    priority: job.prio ?? 0,
    ...(withTiers ? { tier: `p${job.prio ?? 0}` } : {}),
    ...(job.user === undefined ? {} : { user: job.user }),
    ...((job.tags ?? []).length === 0 ? {} : { labels: labelsOf(job.tags) }),
    ...(after.length === 0 ? {} : { after: after.map((id) => ({ job: id, kind: "afterAny" })) }),
    preemptible: job.preemptible !== false,
    ...(policy.ckpt === undefined ? {} : { checkpoint: { every: policy.ckpt * MINUTE_MS } }),
  };
}

function must<T>(read: { ok: true; value: T } | { ok: false; error: readonly Problem[] }): T {
  if (!read.ok) throw new Error(read.error.map(problemLine).join("; "));
  return read.value;
}
