/**
 * The cluster as the map draws it: spines, leaves (blocks of `rowUnits`), groups within a leaf (the part of an NVSwitch domain of several nodes that stands
 * there, or the nodes without one), nodes (units), and kinds of nodes by how many devices they have and how those share NUMA domains. All of it are
 * runs of units, because nodes are ordered by leaf; nothing here depends on the time.
 */
import type { Cluster } from "../../model/cluster.ts";
import { gpusPerDomain } from "../../model/numa.ts";
import { type RowUnits, rowsOfUnit, rowUnitsOf } from "../rowUnits.ts";

export interface MapSpine {
  /** Index of the spine; −1 where no fabric is given. */
  readonly spine: number;
  readonly firstBlock: number;
  readonly endBlock: number;
}

/** Nodes of one kind have their devices in the same places. */
export interface UnitKind {
  readonly devices: number;
  /** Devices of a NUMA domain; as many as devices where there is one. */
  readonly numaSize: number;
}

export interface MapTree {
  readonly cluster: Cluster;
  readonly units: RowUnits;
  readonly spines: readonly MapSpine[];
  /** First group of each block, first unit of each group; one more entry ends the last. */
  readonly blockGroup: Int32Array;
  readonly groupFirst: Int32Array;
  readonly groupOfUnit: Int32Array;
  /** NVSwitch domain of several nodes that a group is a part of, −1 = none. */
  readonly groupDomain: Int32Array;
  readonly kinds: readonly UnitKind[];
  readonly kindOfUnit: Uint8Array;
  /** The most leaves of a spine, groups of a leaf, nodes of a group. */
  readonly mostBlocks: number;
  readonly mostGroups: number;
  readonly mostUnits: number;
}

const cache = new WeakMap<Cluster, MapTree>();

/** The tree of a cluster; the same object for the same cluster. O(nodes) once. */
export function mapTreeOf(cluster: Cluster): MapTree {
  const known = cache.get(cluster);
  if (known) return known;
  const tree = build(cluster, rowUnitsOf(cluster));
  cache.set(cluster, tree);
  return tree;
}

function build(cluster: Cluster, units: RowUnits): MapTree {
  const wide = wideDomains(cluster);
  const groupFirst: number[] = [];
  const groupDomain: number[] = [];
  const blockGroup: number[] = [];
  const groupOfUnit = new Int32Array(units.unitCount);
  for (let b = 0; b < units.blockCount; b++) {
    blockGroup.push(groupFirst.length);
    for (let u = units.blockFirst[b]!; u < units.blockFirst[b + 1]!; u++) {
      const domain = cluster.nvswitchOfNode[units.unitNode[u]!] ?? -1;
      const group = domain >= 0 && wide.has(domain) ? domain : -1;
      if (u === units.blockFirst[b] || groupDomain.at(-1) !== group) {
        groupFirst.push(u);
        groupDomain.push(group);
      }
      groupOfUnit[u] = groupFirst.length - 1;
    }
  }
  blockGroup.push(groupFirst.length);
  groupFirst.push(units.unitCount);
  const spines = spinesOf(cluster, units);
  const { kinds, kindOfUnit } = kindsOf(cluster, units);
  return {
    cluster,
    units,
    spines,
    blockGroup: Int32Array.from(blockGroup),
    groupFirst: Int32Array.from(groupFirst),
    groupOfUnit,
    groupDomain: Int32Array.from(groupDomain),
    kinds,
    kindOfUnit,
    mostBlocks: spines.reduce((most, one) => Math.max(most, one.endBlock - one.firstBlock), 1),
    mostGroups: mostStep(blockGroup),
    mostUnits: mostStep(groupFirst),
  };
}

/** Domains that join several nodes. */
function wideDomains(cluster: Cluster): ReadonlySet<number> {
  const counts = new Map<number, number>();
  if (!cluster.flat)
    for (const domain of cluster.nvswitchOfNode)
      if (domain >= 0) counts.set(domain, (counts.get(domain) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count > 1).map(([domain]) => domain));
}

function spinesOf(cluster: Cluster, units: RowUnits): MapSpine[] {
  const spines: MapSpine[] = [];
  for (let b = 0; b < units.blockCount; b++) {
    const spine = units.leaves ? (cluster.spineOfLeaf[b] ?? 0) : -1;
    const last = spines.at(-1);
    if (last?.spine === spine) spines[spines.length - 1] = { ...last, endBlock: b + 1 };
    else spines.push({ spine, firstBlock: b, endBlock: b + 1 });
  }
  return spines;
}

function kindsOf(cluster: Cluster, units: RowUnits) {
  const kinds: UnitKind[] = [];
  const placeOf = new Map<string, number>();
  const kindOfUnit = new Uint8Array(units.unitCount);
  for (let u = 0; u < units.unitCount; u++) {
    const devices = rowsOfUnit(units, u);
    const numaSize = cluster.flat ? devices : gpusPerDomain(cluster, units.unitNode[u]!);
    const key = `${devices} ${numaSize}`;
    let place = placeOf.get(key);
    if (place === undefined) {
      place = kinds.length;
      kinds.push({ devices, numaSize: Math.max(1, numaSize) });
      placeOf.set(key, place);
    }
    kindOfUnit[u] = place;
  }
  return { kinds, kindOfUnit };
}

function mostStep(first: readonly number[]): number {
  let most = 1;
  for (let i = 1; i < first.length; i++) most = Math.max(most, first[i]! - first[i - 1]!);
  return most;
}
