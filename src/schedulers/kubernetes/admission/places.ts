/**
 * Topology: the domains of each flavor that has a Topology, and what is in use of their lowest ones. A workload's places are taken with its quota and given back with it, so that two workloads admitted
 * before their pods are bound do not count on the same node. What a node has is what its group says while it is open; CPUs and memory that nobody counts are no bound. O(domains) a question. Rules:
 * `scheduling/kubernetes/kueue/topology.ts`.
 */
import type { PoolView } from "../../../engine/view.ts";
import type { Topology } from "../../../model/kubernetes/kueueConfig.ts";
import type { TopologyWish } from "../../../model/kubernetes/request.ts";
import { NodeStateCode } from "../../../model/states.ts";
import { assignTopology, type DomainPods } from "../../../scheduling/kubernetes/kueue/topology.ts";
import {
  freeStart,
  type TopologyTree,
  topologyTree,
} from "../../../scheduling/kubernetes/kueue/topologyDomains.ts";
import type { PodSetAsk } from "./asks.ts";
import { labelOf } from "./nodeLabels.ts";
import type { KueueSetup } from "./setup.ts";
import type { Entry, PodsPlan } from "./state.ts";

export interface TopologyPlan {
  readonly levels: readonly string[];
  readonly tree: TopologyTree;
  /** Nodes by lowest domain. */
  readonly nodesOfLeaf: readonly (readonly number[])[];
  /** The lowest level is the node itself: its name stands for all of its path. */
  readonly leafOfPath: ReadonlyMap<string, number>;
}

/** CPUs in 1/1,000, MiB, devices, pods. */
const RESOURCES = 4;
/** What a kubelet takes unless told otherwise. */
const PODS_PER_NODE = 110;

/** Once; nodes without one of the labels are in no domain. O(nodes × levels). */
export function topologyPlan(view: PoolView, topology: Topology, nodes: Uint8Array): TopologyPlan {
  const members: number[] = [];
  const paths: string[][] = [];
  for (let node = 0; node < nodes.length; node++) {
    if (nodes[node] === 0) continue;
    const path = topology.levels.map((label) => labelOf(view, node, label));
    if (path.includes("")) continue;
    members.push(node);
    paths.push(path);
  }
  const { tree, leafOfNode } = topologyTree(topology.levels.length, paths);
  const leaves = tree.domains.length - (tree.firstOfLevel[tree.levels - 1] ?? 0);
  const nodesOfLeaf: number[][] = Array.from({ length: leaves }, () => []);
  const leafOfPath = new Map<string, number>();
  for (const [at, node] of members.entries()) {
    nodesOfLeaf[leafOfNode[at]!]!.push(node);
    leafOfPath.set(keyOf(paths[at]!), leafOfNode[at]!);
  }
  return { levels: topology.levels, tree, nodesOfLeaf, leafOfPath };
}

const keyOf = (path: readonly string[]): string => path.join("\u0000");

/** By topology: amounts in use, by lowest domain × resource. */
export interface PlacesInUse {
  readonly used: readonly Float64Array[];
}

export function noPlaces({ topologies }: KueueSetup): PlacesInUse {
  return {
    used: topologies.map(({ nodesOfLeaf }) => new Float64Array(nodesOfLeaf.length * RESOURCES)),
  };
}

export function copyPlaces({ used }: PlacesInUse): PlacesInUse {
  return { used: used.map((list) => list.slice()) };
}

/** Takes the places of a workload, or gives them back. */
export function chargePlaces(
  places: PlacesInUse,
  entry: Pick<Entry, "ask" | "plan">,
  sign: 1 | -1,
): void {
  for (const [set, plan] of entry.plan.entries())
    takePods(places, entry.ask.sets[set]!, plan, sign);
}

function takePods({ used }: PlacesInUse, set: PodSetAsk, plan: PodsPlan, sign: 1 | -1): void {
  if (plan.domains === null) return;
  const list = used[plan.topologyIdx]!;
  const perPod = podOf(set);
  for (const { leaf, pods } of plan.domains)
    for (let at = 0; at < RESOURCES; at++)
      list[leaf * RESOURCES + at]! += sign * pods * perPod[at]!;
}

const podOf = ({ node }: PodSetAsk): number[] => [...node, 1];

/** What is free of each lowest domain. `empty`: as if nothing were admitted. O(nodes of the flavor). */
export function freePlaces(
  view: PoolView,
  setup: KueueSetup,
  places: PlacesInUse,
  topologyIdx: number,
  empty = false,
): Float64Array {
  const { nodesOfLeaf } = setup.topologies[topologyIdx]!;
  const free = new Float64Array(nodesOfLeaf.length * RESOURCES);
  for (const [leaf, nodes] of nodesOfLeaf.entries())
    for (const node of nodes) {
      if (view.nodeState[node] !== NodeStateCode.open) continue;
      const group = view.cluster.groups[view.cluster.nodeGroup[node]!]!;
      const at = leaf * RESOURCES;
      free[at]! += group.cpusPerNode === 0 ? Number.POSITIVE_INFINITY : group.cpusPerNode * 1000;
      free[at + 1]! += group.memMiBPerNode === 0 ? Number.POSITIVE_INFINITY : group.memMiBPerNode;
      free[at + 2]! += group.gpusPerNode;
      free[at + 3]! += PODS_PER_NODE;
    }
  if (!empty) {
    const used = places.used[topologyIdx]!;
    for (let at = 0; at < free.length; at++) free[at]! -= used[at]!;
  }
  return free;
}

/** Lowest domains for pods of one kind; null where there is no room. `free` is as before afterwards. */
function findPlaces(
  setup: KueueSetup,
  topologyIdx: number,
  free: Float64Array,
  set: PodSetAsk,
  count: number,
  wish: TopologyWish | null,
): PodsPlan["domains"] {
  const plan = setup.topologies[topologyIdx]!;
  const { mode, level, sliceSize, sliceLevel } = wish ?? UNCONSTRAINED;
  const levelIdx = plan.levels.indexOf(level);
  if (mode !== "unconstrained" && levelIdx < 0) return null;
  const lowest = plan.levels.length - 1;
  const sliceIdx = sliceSize > 1 ? plan.levels.indexOf(sliceLevel) : lowest;
  if (sliceIdx < 0 || count % sliceSize !== 0 || plan.nodesOfLeaf.length === 0) return null;
  const found = assignTopology(plan.tree, free, {
    mode,
    level: mode === "unconstrained" ? freeStart(lowest + 1, sliceSize > 1) : levelIdx,
    count,
    perPod: podOf(set),
    sliceSize,
    sliceLevel: sliceIdx,
  });
  return found === null
    ? null
    : found.map((domain) => ({ leaf: leafOf(plan, domain), pods: domain.pods }));
}

const UNCONSTRAINED: TopologyWish = {
  mode: "unconstrained",
  level: "",
  sliceSize: 1,
  sliceLevel: "",
};

function leafOf(plan: TopologyPlan, { path }: DomainPods): number {
  return plan.leafOfPath.get(keyOf(path))!;
}

/** Takes pods out of a list of free amounts, so that the next kind of pods of the workload finds what is left. */
function takeFree(free: Float64Array, set: PodSetAsk, domains: PodsPlan["domains"]): void {
  const perPod = podOf(set);
  for (const { leaf, pods } of domains ?? [])
    for (let at = 0; at < RESOURCES; at++) free[leaf * RESOURCES + at]! -= pods * perPod[at]!;
}

/** What of a state is asked here. */
type Placed = { readonly setup: KueueSetup; readonly places: PlacesInUse };

/** Places for all of its pods beside those of others; null where there are none. */
export function placesOf(
  view: PoolView,
  state: Placed,
  entry: Pick<Entry, "ask">,
  plan: readonly PodsPlan[],
  empty = false,
): PodsPlan[] | null {
  const freeOf = new Map<number, Float64Array>();
  const placed: PodsPlan[] = [];
  for (const [at, pods] of plan.entries()) {
    const set = entry.ask.sets[at]!;
    const topologyIdx = topologyOf(state, pods);
    if (topologyIdx < 0) {
      // Only a flavor with a topology can keep a promise about it.
      if (entry.ask.topology !== null) return null;
      placed.push(pods);
      continue;
    }
    const free =
      freeOf.get(topologyIdx) ?? freePlaces(view, state.setup, state.places, topologyIdx, empty);
    freeOf.set(topologyIdx, free);
    const domains = findPlaces(state.setup, topologyIdx, free, set, pods.count, entry.ask.topology);
    if (domains === null) return null;
    takeFree(free, set, domains);
    placed.push({ ...pods, domains, topologyIdx });
  }
  return placed;
}

function topologyOf({ setup }: Placed, { flavors }: PodsPlan): number {
  for (const flavorIdx of flavors) {
    const { topologyIdx } = setup.flavors[flavorIdx]!;
    if (topologyIdx >= 0) return topologyIdx;
  }
  return -1;
}
