/** Pools of a scenario: which nodes belong to each, and to which one a job is routed (the first whose lists all hold it). */
import type { Problem } from "../base/problem.ts";
import type { Cluster } from "../model/cluster.ts";
import type { JobTable } from "../model/jobs.ts";
import { JOB_KINDS } from "../model/jobs.ts";
import type { PoolInfo } from "../model/world.ts";
import type { Scenario } from "../scenario/schema.ts";
import { resolvePolicy } from "./policies.ts";

type PoolEntry = Scenario["pools"][number];

/** The pools with complete settings. `poolOfNode` as `poolsOfNodes` gives it. */
export function resolvePools(
  scenario: Scenario,
  cluster: Cluster,
  poolOfNode: Uint8Array,
  problems: Problem[],
): PoolInfo[] {
  return scenario.pools.map(({ id, policy }, pool) => {
    const nodes = nodesOfPool(poolOfNode, pool);
    const settings = resolvePolicy(policy, cluster, nodes, `/pools/${pool}/policy`, problems);
    return { id, settings: settings ?? { preset: policy.preset, settings: policy.settings } };
  });
}

export function nodesOfPool(poolOfNode: Uint8Array, pool: number): number[] {
  return [...poolOfNode.keys()].filter((node) => poolOfNode[node] === pool);
}

/** Pool of each node: the first one that names the node's group, or that names none. */
export function poolsOfNodes(
  scenario: Scenario,
  cluster: Cluster,
  problems: Problem[],
): Uint8Array {
  const poolOfGroup = scenario.cluster.nodeGroups.map((group, index) => {
    const pool = scenario.pools.findIndex((entry) => entry.nodeGroups?.includes(group.id) ?? true);
    if (pool >= 0) return pool;
    problems.push({
      place: `/cluster/nodeGroups/${index}`,
      message: `The nodes of "${group.id}" belong to no pool.`,
      remedy:
        "Name the group in a pool, or leave out nodeGroups in one pool so that it takes all others.",
    });
    return 0;
  });
  return Uint8Array.from(cluster.nodeGroup, (group) => poolOfGroup[group]!);
}

interface RouteNumbers {
  readonly tiers: Uint8Array | null;
  readonly kinds: Uint8Array | null;
  readonly queues: Uint8Array | null;
  readonly teams: Uint8Array | null;
}

/** Pool of each job. O(jobs × pools), one pass without allocation where there is one open pool. */
export function poolsOfJobs(
  scenario: Scenario,
  jobs: Pick<JobTable, "count" | "at">,
  lists: {
    readonly tiers: readonly string[];
    readonly teams: readonly string[];
    readonly queues: readonly string[];
  },
  problems: Problem[],
): Uint8Array {
  const poolOfJob = new Uint8Array(jobs.count);
  const routes = scenario.pools.map((pool) => routeNumbers(pool, lists));
  if (routes[0] !== undefined && isOpen(routes[0])) return poolOfJob;
  let homeless = 0;
  for (let job = 0; job < jobs.count; job++) {
    const pool = routes.findIndex((route) => admits(route, jobs.at, job));
    if (pool < 0) homeless++;
    else poolOfJob[job] = pool;
  }
  if (homeless > 0) {
    problems.push({
      place: "/pools",
      message: `${homeless} jobs are routed to no pool.`,
      remedy:
        "Leave the route of the last pool empty, so that it takes every job that no other pool took.",
    });
  }
  return poolOfJob;
}

function routeNumbers(
  pool: PoolEntry,
  lists: {
    readonly tiers: readonly string[];
    readonly teams: readonly string[];
    readonly queues: readonly string[];
  },
): RouteNumbers {
  return {
    tiers: flagsOf(pool.route.tiers, lists.tiers),
    kinds: flagsOf(pool.route.kinds, JOB_KINDS),
    queues: flagsOf(pool.route.queues, lists.queues),
    teams: flagsOf(pool.route.teams, lists.teams),
  };
}

function flagsOf(
  wanted: readonly string[] | undefined,
  list: readonly string[],
): Uint8Array | null {
  if (wanted === undefined) return null;
  const set = new Set(wanted);
  return Uint8Array.from(list, (name) => (set.has(name) ? 1 : 0));
}

function isOpen(route: RouteNumbers): boolean {
  return (
    route.tiers === null && route.kinds === null && route.queues === null && route.teams === null
  );
}

function admits(route: RouteNumbers, at: JobTable["at"], job: number): boolean {
  return (
    (route.tiers === null || route.tiers[at.tier[job]!] === 1) &&
    (route.kinds === null || route.kinds[at.kind[job]!] === 1) &&
    (route.queues === null || route.queues[at.queue[job]!] === 1) &&
    (route.teams === null || route.teams[at.team[job]!] === 1)
  );
}
