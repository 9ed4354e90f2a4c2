/**
 * Stretches of time resolved: which nodes, which pool, who may use them. A window without a pool holds in every pool that has some of its nodes; without nodes, a
 * maintenance window is of all nodes of its pool, and a reserved one of as many as it says, which the scheduler picks.
 */
import type { Cluster } from "../../model/cluster.ts";
import type { WindowRule } from "../../model/lab/tenancy.ts";
import type { Scenario, WindowEntry } from "../../scenario/schema.ts";
import { expandHostlist } from "../../scenario/slurm/hostlist.ts";

interface Ground {
  readonly cluster: Cluster;
  readonly poolOfNode: Uint8Array;
  readonly tiers: readonly string[];
  readonly teams: readonly string[];
  readonly queues: readonly string[];
  readonly users: readonly string[];
}

/** O(windows × nodes). */
export function windowsOf(scenario: Scenario, ground: Ground): WindowRule[] {
  if (scenario.windows.length === 0) return [];
  const nodeOf = new Map(ground.cluster.nodeNames.map((name, node) => [name, node]));
  const pools = scenario.pools.map((pool) => pool.id);
  return scenario.windows.flatMap((entry) => {
    const named = namedNodes(entry, nodeOf, ground.cluster.nodeCount);
    const wanted = entry.pool === undefined ? [...pools.keys()] : [pools.indexOf(entry.pool)];
    if (named === null) return [ruleOf(entry, ground, Math.max(0, wanted[0]!), null)];
    return wanted.flatMap((pool) => {
      const nodes = named.filter((node) => ground.poolOfNode[node] === pool);
      return nodes.length === 0 ? [] : [ruleOf(entry, ground, pool, nodes)];
    });
  });
}

/** Nodes that a window names, ascending; null = the scheduler picks. */
function namedNodes(
  entry: WindowEntry,
  nodeOf: ReadonlyMap<string, number>,
  nodeCount: number,
): number[] | null {
  if (entry.nodes === undefined) {
    if (entry.kind === "reserved" || entry.nodeCount !== undefined) return null;
    return Array.from({ length: nodeCount }, (_, node) => node);
  }
  const names = expandHostlist(entry.nodes);
  const nodes = (names.ok ? names.value : []).flatMap((name) => nodeOf.get(name) ?? []);
  return [...new Set(nodes)].sort((a, b) => a - b);
}

function ruleOf(
  entry: WindowEntry,
  { tiers, teams, queues, users }: Ground,
  pool: number,
  nodes: readonly number[] | null,
): WindowRule {
  // A name that no job has stays in the list, as −1: a list with it admits fewer, never more.
  const indexes = (names: readonly string[], list: readonly string[]) =>
    names.map((name) => list.indexOf(name));
  return {
    name: entry.name,
    kind: entry.kind,
    pool,
    nodes,
    nodeCount: nodes?.length ?? entry.nodeCount ?? 0,
    startMs: entry.startMs,
    durationMs: entry.durationMs,
    everyMs: entry.everyMs ?? Number.POSITIVE_INFINITY,
    tiers: indexes(entry.tiers, tiers),
    teams: indexes(entry.teams, teams),
    queues: indexes(entry.queues, queues),
    ...(entry.users.length === 0 ? {} : { users: indexes(entry.users, users) }),
    announcedMs: entry.announcedMs ?? 0,
    kill: entry.kill,
  };
}
