/**
 * The largest gang that still fits: on a node its free devices, in an NVSwitch domain and under a leaf all that are free in it (members of one device each),
 * and beside that how many whole nodes are free, because many gangs ask for those. Devices of nodes out of service and failed devices are not free; a device that
 * is shared is not either. O(devices).
 */
import type { MapTree } from "./mapTree.ts";

export interface MapFits {
  readonly unit: Int32Array;
  readonly group: Int32Array;
  readonly block: Int32Array;
  /** Most free devices on one node of the leaf, and nodes of it with all devices free. */
  readonly blockNode: Int32Array;
  readonly blockWhole: Int32Array;
}

export function createFits(tree: MapTree): MapFits {
  const { units, groupDomain } = tree;
  return {
    unit: new Int32Array(units.unitCount),
    group: new Int32Array(groupDomain.length),
    block: new Int32Array(units.blockCount),
    blockNode: new Int32Array(units.blockCount),
    blockWhole: new Int32Array(units.blockCount),
  };
}

export function readFits(
  tree: MapTree,
  jobOfDevice: Int32Array,
  closedUnit: Uint8Array,
  failedDevice: Uint8Array,
  out: MapFits,
): void {
  const { units, groupOfUnit } = tree;
  out.group.fill(0);
  out.block.fill(0);
  out.blockNode.fill(0);
  out.blockWhole.fill(0);
  for (let u = 0; u < units.unitCount; u++) {
    let free = 0;
    const first = units.unitFirst[u]!;
    const end = units.unitFirst[u + 1]!;
    if (closedUnit[u] === 0)
      for (let d = first; d < end; d++) if (jobOfDevice[d]! < 0 && failedDevice[d] === 0) free += 1;
    const block = units.blockOfUnit[u]!;
    out.unit[u] = free;
    out.group[groupOfUnit[u]!]! += free;
    out.block[block]! += free;
    if (free > out.blockNode[block]!) out.blockNode[block] = free;
    if (free > 0 && free === end - first) out.blockWhole[block]! += 1;
  }
}
