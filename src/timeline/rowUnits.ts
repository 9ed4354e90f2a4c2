/**
 * What a row of the sheet belongs to. A *unit* is a run of at most 64 devices drawn as one line of hardware: a node, or a band
 * of 16 processors of a flat machine. A *block* is what folds and opens as one: a leaf, or eight nodes where no fabric is
 * given, or eight bands; by choice a node, or an NVSwitch domain. Both are runs of rows, because nodes are ordered by leaf.
 * Where rows are no devices but lanes of jobs (`jobRows.ts`), `groups` says what its blocks stand for, and no unit has a node.
 *
 *     devices  0 … 7 | 8 … 15 | 16 … 23        unitFirst  = [0, 8, 16, 24]
 *     units        0 |      1 |       2        blockFirst = [0, 2, 3]
 */
import type { Cluster } from "../model/cluster.ts";

export const UNIT_ROWS_MAX = 64;
const FLAT_BAND = 16;
const NODES_A_BLOCK = 8;

/** What a block of devices is. */
export type PlaceGrouping = "leaf" | "node" | "domain";

/** What a block of lanes stands for: teams or tiers by their index, or runs of jobs in order. */
export interface RowGroups {
  readonly by: "team" | "tier" | "job";
  /** Team or tier of each block; the first job of each block by job. */
  readonly ofBlock: Int32Array;
}

export interface RowUnits {
  readonly unitCount: number;
  /** First device of each unit; one more entry ends the last. */
  readonly unitFirst: Int32Array;
  readonly unitNode: Int32Array;
  readonly unitOfDevice: Int32Array;
  readonly blockCount: number;
  /** First unit of each block; one more entry ends the last. */
  readonly blockFirst: Int32Array;
  readonly blockOfUnit: Int32Array;
  readonly blockNames: readonly string[];
  /** True where a block is a leaf switch of a given fabric. */
  readonly leaves: boolean;
  /** What a block of devices is; lanes have none. */
  readonly by?: PlaceGrouping;
  /** Rows are lanes of jobs, and not devices. */
  readonly groups?: RowGroups;
}

const cache = new WeakMap<Cluster, Map<PlaceGrouping, RowUnits>>();

/** The units and blocks of a cluster; the same object for the same question. Units are the same whatever the blocks. O(devices) once. */
export function rowUnitsOf(cluster: Cluster, by: PlaceGrouping = "leaf"): RowUnits {
  const known = cache.get(cluster) ?? new Map<PlaceGrouping, RowUnits>();
  cache.set(cluster, known);
  const units = known.get(by) ?? build(cluster, by);
  known.set(by, units);
  return units;
}

/** Whether blocks of this kind say more than leaves do: a flat machine has no nodes, few clusters have domains of several nodes. */
export function canGroupBy(cluster: Cluster, by: PlaceGrouping): boolean {
  if (by === "leaf") return true;
  return !cluster.flat && (by === "node" || cluster.nvswitchCount > 0);
}

/** Key of the block of node `n`, unit `u`; −1 − n where it is alone. */
function keyOf(cluster: Cluster, by: PlaceGrouping, n: number, u: number): number {
  if (by === "node") return n;
  if (by === "domain") return cluster.nvswitchOfNode[n]! < 0 ? -2 - n : cluster.nvswitchOfNode[n]!;
  return cluster.hasFabric && !cluster.flat
    ? cluster.leafOfNode[n]!
    : Math.floor(u / NODES_A_BLOCK);
}

function build(cluster: Cluster, asked: PlaceGrouping): RowUnits {
  const by = canGroupBy(cluster, asked) ? asked : "leaf";
  const first: number[] = [];
  const node: number[] = [];
  const blockFirst: number[] = [];
  const blockNames: string[] = [];
  const leaves = by === "leaf" && cluster.hasFabric && !cluster.flat;
  let blockKey = -1;
  for (let n = 0; n < cluster.nodeCount; n++) {
    const base = cluster.deviceBase[n]!;
    const devices = cluster.deviceBase[n + 1]! - base;
    const band = devices > UNIT_ROWS_MAX ? FLAT_BAND : Math.max(1, devices);
    for (let from = 0; from === 0 || from < devices; from += band) {
      const key = keyOf(cluster, by, n, first.length);
      if (key !== blockKey) {
        blockKey = key;
        blockFirst.push(first.length);
        blockNames.push(leaves ? shortLeafName(cluster.leafNames[key] ?? "", key) : "");
      }
      first.push(base + from);
      node.push(n);
    }
  }
  const unitCount = first.length;
  const blockCount = blockFirst.length;
  first.push(cluster.deviceCount);
  blockFirst.push(unitCount);
  const unitOfDevice = new Int32Array(cluster.deviceCount);
  for (let u = 0; u < unitCount; u++) unitOfDevice.fill(u, first[u]!, first[u + 1]!);
  const blockOfUnit = new Int32Array(unitCount);
  for (let b = 0; b < blockCount; b++) {
    blockOfUnit.fill(b, blockFirst[b]!, blockFirst[b + 1]!);
    if (!leaves)
      blockNames[b] = plainName(cluster, by, first, node, blockFirst[b]!, blockFirst[b + 1]! - 1);
  }
  return {
    unitCount,
    unitFirst: Int32Array.from(first),
    unitNode: Int32Array.from(node),
    unitOfDevice,
    blockCount,
    blockFirst: Int32Array.from(blockFirst),
    blockOfUnit,
    blockNames,
    leaves,
    by,
  };
}

function plainName(
  cluster: Cluster,
  by: PlaceGrouping,
  first: number[],
  node: number[],
  from: number,
  to: number,
): string {
  const name = cluster.nodeNames[node[from]!] ?? "";
  if (by === "node" && name !== "") return name;
  if (by === "domain" && cluster.nvswitchOfNode[node[from]!]! >= 0)
    return `NVS ${cluster.nvswitchOfNode[node[from]!]! + 1}`;
  if (cluster.flat) return `${first[from]! + 1}–${first[to + 1]!}`;
  return from === to ? `${node[from]! + 1}` : `${node[from]! + 1}–${node[to]! + 1}`;
}

/** At most four characters, for the box of the switch: the name itself, or "L" and its number. */
function shortLeafName(name: string, key: number): string {
  if (name.length > 0 && name.length <= 4) return name;
  return `L${/\d{1,3}$/.exec(name)?.[0] ?? key + 1}`;
}

/** Rows (devices) of unit `u`; 0 for a node without devices. */
export function rowsOfUnit(units: RowUnits, u: number): number {
  return units.unitFirst[u + 1]! - units.unitFirst[u]!;
}

/** Rows (devices) of block `b`; 0 where no node of it has devices. */
export function rowsOfBlock(units: RowUnits, b: number): number {
  return units.unitFirst[units.blockFirst[b + 1]!]! - units.unitFirst[units.blockFirst[b]!]!;
}
