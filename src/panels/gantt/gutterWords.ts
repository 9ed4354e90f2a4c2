/** What the map in the gutter says of a place under the pointer: what a mark without room for words means. */
import { NBSP, numberText } from "../../base/format.ts";
import type { RowUnits } from "../../timeline/rowUnits.ts";
import type { TopologyState } from "./topologyState.ts";

export interface GutterWords {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Unit and block under the pointer, −1 = none. O(devices of the place). */
export function gutterWords(
  topology: TopologyState,
  units: RowUnits,
  unit: number,
  block: number,
): GutterWords | null {
  if (block < 0) return null;
  const word = topology.cluster.deviceWord;
  const from = units.blockFirst[block]!;
  const to = units.blockFirst[block + 1]!;
  const lines: string[] = [];
  if (unit >= 0) {
    const label = topology.cluster.flat ? "" : `${topology.unitLabels[unit]}: `;
    lines.push(`${label}${heldText(topology, units, unit, unit + 1, word)}`);
  }
  lines.push(`${units.blockNames[block]}: ${heldText(topology, units, from, to, word)}`);
  const share = Math.round(topology.blockLink[block]! * 100);
  if (units.leaves && units.blockCount > 1)
    lines.push(
      topology.uplinksKnown
        ? `Uplink: ${share}${NBSP}% of its bandwidth is in use${share >= 100 ? ": it is full" : ""}.`
        : `Uplink: ${share}${NBSP}% of its ${word}s are in jobs that reach beyond this leaf.`,
    );
  const [title = "", ...rest] = lines;
  return { title, lines: rest };
}

function heldText(
  topology: TopologyState,
  units: RowUnits,
  fromUnit: number,
  toUnit: number,
  word: string,
): string {
  const first = units.unitFirst[fromUnit]!;
  const end = units.unitFirst[toUnit]!;
  let held = 0;
  for (let device = first; device < end; device++) held += topology.heldOfDevice[device]!;
  const tenths = Math.round(held * 10);
  return `${numberText(tenths / 10, tenths % 10 === 0 ? 0 : 1)} of ${end - first} ${word}s held`;
}
