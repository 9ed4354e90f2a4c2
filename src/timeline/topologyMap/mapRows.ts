/** The map as rows of a table: leaves, the NVSwitch domains in them that join several nodes, and nodes, in the order of the map. O(devices). */
import { NODE_STATES, type NodeState } from "../../model/states.ts";
import type { MapPlace } from "./mapPlaces.ts";
import type { MapState } from "./mapState.ts";

export interface MapRow {
  readonly place: MapPlace;
  readonly kind: "leaf" | "domain" | "node";
  /** Domain of several nodes, −1 = none. */
  readonly domain: number;
  readonly devices: number;
  readonly held: number;
  readonly fits: number;
  /** Most free on one node, and whole nodes free. */
  readonly onOneNode: number;
  readonly wholeNodes: number;
  /** Of a leaf: 0 to 1; −1 = has no uplinks. */
  readonly uplink: number;
  readonly state: NodeState;
}

export function mapRows(state: MapState): MapRow[] {
  const { units, blockGroup, groupFirst, groupDomain } = state.tree;
  const rows: MapRow[] = [];
  for (let b = 0; b < units.blockCount; b++) {
    const { fits } = state;
    rows.push({
      place: { kind: "block", block: b },
      kind: "leaf",
      domain: -1,
      ...sumOf(state, units.blockFirst[b]!, units.blockFirst[b + 1]!),
      fits: fits.block[b]!,
      uplink: units.leaves ? Math.min(1, state.blockLink[b]!) : -1,
      state: "open",
    });
    for (let g = blockGroup[b]!; g < blockGroup[b + 1]!; g++) {
      if (groupDomain[g]! >= 0)
        rows.push({
          place: { kind: "unit", unit: groupFirst[g]! },
          kind: "domain",
          domain: groupDomain[g]!,
          ...sumOf(state, groupFirst[g]!, groupFirst[g + 1]!),
          fits: fits.group[g]!,
          uplink: -1,
          state: "open",
        });
      for (let u = groupFirst[g]!; u < groupFirst[g + 1]!; u++)
        rows.push({
          place: { kind: "unit", unit: u },
          kind: "node",
          domain: -1,
          ...sumOf(state, u, u + 1),
          fits: fits.unit[u]!,
          uplink: -1,
          state: NODE_STATES[state.holders.stateOfNode[units.unitNode[u]!]!] ?? "open",
        });
    }
  }
  return rows;
}

function sumOf(state: MapState, fromUnit: number, toUnit: number) {
  const { unitFirst } = state.tree.units;
  let held = 0;
  let onOneNode = 0;
  let wholeNodes = 0;
  for (let u = fromUnit; u < toUnit; u++) {
    const fits = state.fits.unit[u]!;
    onOneNode = Math.max(onOneNode, fits);
    if (fits > 0 && fits === unitFirst[u + 1]! - unitFirst[u]!) wholeNodes += 1;
    for (let d = unitFirst[u]!; d < unitFirst[u + 1]!; d++)
      if (state.holders.jobOfDevice[d]! >= 0) held += 1;
  }
  return { devices: unitFirst[toUnit]! - unitFirst[fromUnit]!, held, onOneNode, wholeNodes };
}
