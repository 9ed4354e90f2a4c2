/**
 * The objects of Kueue in a policy, resolved once: the quota tree, its cells (a flavor and a resource), queues with their groups of flavors, who may use which nodes, and the settings.
 * Immutable, so snapshots share it. Where the YAML describes no ClusterQueue there is one, of all that the pool has, for everybody. ClusterQueues are the first nodes of the tree. Source:
 * kueue.sigs.k8s.io "Cluster Queue", "Cohort", "Resource Flavor".
 */
import type { PoolView } from "../../../engine/view.ts";
import { type KubernetesConfig, objectsOf } from "../../../model/kubernetes/config.ts";
import type {
  ClusterQueue,
  LocalQueue,
  ResourceFlavor,
  ResourceGroup,
} from "../../../model/kubernetes/kueueConfig.ts";
import type { PoolSettings, Settings } from "../../../model/policy.ts";
import {
  SHARE_RULES,
  type ShareRule,
} from "../../../scheduling/kubernetes/kueue/fairPreemption.ts";
import type { Fungibility } from "../../../scheduling/kubernetes/kueue/flavors.ts";
import {
  type CellQuota,
  type QuotaNode,
  type QuotaTree,
  quotaTree,
  rootOf,
} from "../../../scheduling/kubernetes/kueue/quotaTree.ts";
import type { RequeueRule } from "../../../scheduling/kubernetes/kueue/requeueBackoff.ts";
import type { PreemptionRules } from "../../../scheduling/kubernetes/kueue/workloads.ts";
import { ALL_QUEUE, everythingQueue } from "./defaultQueue.ts";
import { nodesWithLabels } from "./nodeLabels.ts";
import { type TopologyPlan, topologyPlan } from "./places.ts";
import { gaugesOf } from "./told.ts";

export interface KueueTimes {
  readonly cycleMs: number;
  /** From a job's creation until it stands in its queue; from a decision until there are pods. */
  readonly queueMs: number;
  readonly admitMs: number;
  readonly graceMs: number;
  /** 0 = nobody waits for pods. */
  readonly readyMs: number;
  readonly recoveryMs: number;
  readonly blockAdmission: boolean;
  readonly requeue: RequeueRule;
  readonly requeuedByEviction: boolean;
  readonly halfLifeMs: number;
  readonly samplingMs: number;
}

export interface FlavorSetup {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** By node of the cluster: bears the labels. */
  readonly nodes: Uint8Array;
  readonly anyNode: boolean;
  /** Index into `KueueSetup.topologies`; −1 = none. */
  readonly topologyIdx: number;
}

/** Resources that get their flavor together. */
export interface GroupSetup {
  /** By resource: 1 = covered. */
  readonly covers: Uint8Array;
  readonly flavors: readonly { readonly flavorIdx: number; readonly cellOf: Int32Array }[];
}

export interface QueueSetup {
  readonly name: string;
  readonly strict: boolean;
  readonly rules: PreemptionRules;
  readonly fungibility: Fungibility;
  readonly groups: readonly GroupSetup[];
  readonly sharesByUse: boolean;
  readonly stopped: boolean;
  readonly drained: boolean;
  readonly rootIdx: number;
}

export interface LocalSetup {
  readonly name: string;
  readonly namespace: string;
  /** Index of its ClusterQueue; −1 = there is none of that name. */
  readonly queueIdx: number;
  readonly weight: number;
  readonly stopped: boolean;
  readonly drained: boolean;
}

export interface KueueSetup {
  readonly tree: QuotaTree;
  /** Resources by number, in alphabetical order, and cells by number. */
  readonly resources: readonly string[];
  readonly cells: readonly { readonly flavorIdx: number; readonly resourceIdx: number }[];
  readonly flavors: readonly FlavorSetup[];
  readonly queues: readonly QueueSetup[];
  readonly locals: readonly LocalSetup[];
  readonly topologies: readonly TopologyPlan[];
  /** Priority of each tier's workloads. */
  readonly tierPriority: readonly number[];
  /** There is one queue for everybody, because the YAML describes none. */
  readonly everything: boolean;
  readonly fairSharing: boolean;
  readonly shareRules: readonly ShareRule[];
  /** What places pods takes whole groups only: nothing is cut on admission. */
  readonly wholeGroups: boolean;
  readonly times: KueueTimes;
  /** Some ClusterQueue orders its LocalQueues by use. */
  readonly anyUse: boolean;
  /** By ClusterQueue × cell: subject of its gauges; −1 = none. */
  readonly gauges: Int32Array;
}

/** O(objects × cells + nodes × flavors). */
export function setupOf(view: PoolView, pool: PoolSettings): KueueSetup {
  const config = described(view, pool.kubernetes);
  const names = [...config.flavors.map(({ name }) => name)];
  const flavorIdx = new Map(names.map((name, idx) => [name, idx]));
  const topologies = objectsOf(pool.kubernetes, "Topology");
  const plans: TopologyPlan[] = [];
  const flavors = config.flavors.map(({ name, nodeLabels, topology }): FlavorSetup => {
    const nodes = nodesWithLabels(view, nodeLabels);
    const plan = topologies.find((one) => one.name === topology);
    const topologyIdx = plan ? plans.push(topologyPlan(view, plan, nodes)) - 1 : -1;
    const anyNode = view.nodes.every((node) => nodes[node] === 1);
    return { name, labels: nodeLabels, nodes, anyNode, topologyIdx };
  });
  const groups = [...config.queues, ...config.cohorts];
  const resources = [...new Set(groups.flatMap((one) => one.groups.flatMap((g) => g.resources)))];
  resources.sort();
  const cells = cellsOf(groups, resources, flavorIdx);
  const cellAt = new Map(cells.map((cell, idx) => [keyOf(cell.flavorIdx, cell.resourceIdx), idx]));
  const nodes = groups.map((one, idx) => {
    const parent = one.kind === "ClusterQueue" ? one.cohort : one.parent;
    const parentIdx = parent === null ? -1 : config.cohorts.findIndex((c) => c.name === parent);
    return {
      name: one.name,
      parentIdx: parentIdx < 0 ? -1 : parentIdx + config.queues.length,
      weight: one.weight,
      isQueue: idx < config.queues.length,
      quotas: quotasOf(one.groups, resources, flavorIdx, cellAt),
    } satisfies QuotaNode;
  });
  const tree = quotaTree(
    nodes,
    cells.map(({ resourceIdx }) => resourceIdx),
  );
  const queues = config.queues.map((queue, idx) =>
    queueSetup(queue, rootOf(tree, idx), resources, flavorIdx, cellAt),
  );
  const shares = pool.settings["shareRules"];
  const setup = {
    tree,
    resources,
    cells,
    flavors,
    queues,
    locals: config.locals.map((local) => localSetup(local, queues)),
    topologies: plans,
    tierPriority: tierPriorities(view, pool.kubernetes),
    everything: config.everything,
    fairSharing: pool.settings["fairSharing"] === true,
    shareRules:
      shares === "final"
        ? SHARE_RULES.slice(0, 1)
        : shares === "initial"
          ? SHARE_RULES.slice(1)
          : SHARE_RULES,
    wholeGroups: pool.settings["placement"] === "volcano",
    times: timesOf(pool.settings),
    anyUse: queues.some(({ sharesByUse }) => sharesByUse),
  };
  return { ...setup, gauges: gaugesOf(view, setup) };
}

interface Described {
  readonly flavors: readonly Pick<ResourceFlavor, "name" | "nodeLabels" | "topology">[];
  readonly queues: readonly ClusterQueue[];
  readonly cohorts: readonly {
    readonly kind: "Cohort";
    readonly name: string;
    readonly parent: string | null;
    readonly weight: number;
    readonly groups: readonly ResourceGroup[];
  }[];
  readonly locals: readonly LocalQueue[];
  readonly everything: boolean;
}

/** What the YAML describes, with cohorts that are only named and flavors that are only used; without any ClusterQueue one for everything. */
function described(view: PoolView, config: KubernetesConfig | undefined): Described {
  const given = objectsOf(config, "ClusterQueue");
  const everything = given.length === 0;
  const queues = everything ? [everythingQueue(view)] : given;
  const cohorts: Described["cohorts"][number][] = objectsOf(config, "Cohort");
  for (const parent of [...queues.map(({ cohort }) => cohort), ...cohorts.map((c) => c.parent)]) {
    if (parent === null || cohorts.some(({ name }) => name === parent)) continue;
    cohorts.push({ kind: "Cohort", name: parent, parent: null, weight: 1, groups: [] });
  }
  const flavors: Described["flavors"][number][] = objectsOf(config, "ResourceFlavor");
  for (const { groups } of [...queues, ...cohorts])
    for (const { flavor } of groups.flatMap((group) => group.flavors))
      if (!flavors.some(({ name }) => name === flavor))
        flavors.push({ name: flavor, nodeLabels: {}, topology: null });
  const locals = everything ? [ALL_QUEUE] : objectsOf(config, "LocalQueue");
  return { flavors, queues, cohorts, locals, everything };
}

function cellsOf(
  groups: readonly { readonly groups: readonly ResourceGroup[] }[],
  resources: readonly string[],
  flavorIdx: ReadonlyMap<string, number>,
): KueueSetup["cells"] {
  const keys = new Set<number>();
  for (const { flavors } of groups.flatMap((one) => one.groups))
    for (const { flavor, resources: quotas } of flavors)
      for (const { resource } of quotas)
        keys.add(keyOf(flavorIdx.get(flavor)!, resources.indexOf(resource)));
  return [...keys]
    .sort((left, right) => left - right)
    .map((key) => ({
      flavorIdx: Math.floor(key / RESOURCES_MOST),
      resourceIdx: key % RESOURCES_MOST,
    }));
}

const RESOURCES_MOST = 4_096;
const keyOf = (flavorIdx: number, resourceIdx: number): number =>
  flavorIdx * RESOURCES_MOST + resourceIdx;

function quotasOf(
  groups: readonly ResourceGroup[],
  resources: readonly string[],
  flavorIdx: ReadonlyMap<string, number>,
  cellAt: ReadonlyMap<number, number>,
): (CellQuota | null)[] {
  const quotas = new Array<CellQuota | null>(cellAt.size).fill(null);
  for (const { flavor, resources: list } of groups.flatMap((group) => group.flavors))
    for (const { resource, nominal, borrowingLimit, lendingLimit } of list) {
      const cell = cellAt.get(keyOf(flavorIdx.get(flavor)!, resources.indexOf(resource)))!;
      quotas[cell] = { nominal, borrowingLimit, lendingLimit };
    }
  return quotas;
}

function queueSetup(
  queue: ClusterQueue,
  rootIdx: number,
  resources: readonly string[],
  flavorIdx: ReadonlyMap<string, number>,
  cellAt: ReadonlyMap<number, number>,
): QueueSetup {
  const { withinClusterQueue, reclaimWithinCohort, borrowUpTo } = queue.preemption;
  return {
    name: queue.name,
    strict: queue.strategy === "StrictFIFO",
    rules: { withinQueue: withinClusterQueue, reclaim: reclaimWithinCohort, borrowUpTo },
    fungibility: queue.fungibility,
    groups: queue.groups.map(({ resources: covered, flavors }) => ({
      covers: Uint8Array.from(resources, (name) => (covered.includes(name) ? 1 : 0)),
      flavors: flavors.map(({ flavor }) => ({
        flavorIdx: flavorIdx.get(flavor)!,
        cellOf: Int32Array.from(
          resources,
          (_, resourceIdx) => cellAt.get(keyOf(flavorIdx.get(flavor)!, resourceIdx)) ?? -1,
        ),
      })),
    })),
    sharesByUse: queue.sharesByUse,
    stopped: queue.stop !== "None",
    drained: queue.stop === "HoldAndDrain",
    rootIdx,
  };
}

function localSetup(local: LocalQueue, queues: readonly QueueSetup[]): LocalSetup {
  return {
    name: local.name,
    namespace: local.namespace,
    queueIdx: queues.findIndex(({ name }) => name === local.clusterQueue),
    weight: local.weight,
    stopped: local.stop !== "None",
    drained: local.stop === "HoldAndDrain",
  };
}

/** WorkloadPriorityClass of the tier's name, else its PriorityClass, else by the order of the tiers: the last is 0. */
function tierPriorities(view: PoolView, config: KubernetesConfig | undefined): number[] {
  const own = objectsOf(config, "WorkloadPriorityClass");
  const pods = objectsOf(config, "PriorityClass");
  return view.tiers.map(({ id, name }, tier) => {
    const isNamed = (one: { readonly name: string }) => one.name === id || one.name === name;
    return (own.find(isNamed) ?? pods.find(isNamed))?.value ?? view.tiers.length - 1 - tier;
  });
}

function timesOf(settings: Settings): KueueTimes {
  const number = (key: string): number => Number(settings[key] ?? 0);
  const limit = number("requeueLimit");
  return {
    cycleMs: number("admissionCycleMs"),
    queueMs: number("roundTripMs") * number("queueRoundTrips"),
    admitMs: number("roundTripMs") * number("admitRoundTrips"),
    graceMs: number("graceMs"),
    readyMs: settings["waitForPodsReady"] === true ? number("podsReadyTimeoutMs") : 0,
    recoveryMs: number("recoveryTimeoutMs"),
    blockAdmission: settings["waitForPodsReady"] === true && settings["blockAdmission"] === true,
    requeue: {
      baseMs: number("requeueBaseMs"),
      maxMs: number("requeueMostMs"),
      limit: limit < 0 ? Number.POSITIVE_INFINITY : limit,
    },
    requeuedByEviction: settings["requeueOrder"] !== "Creation",
    halfLifeMs: number("usageHalfLifeMs"),
    samplingMs: number("usageSamplingMs"),
  };
}
