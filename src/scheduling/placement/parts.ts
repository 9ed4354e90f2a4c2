/**
 * Members that ask for a part of a device, on a node that has been chosen: which device each of them gets. Shares of several jobs add up
 * to 1,000 at most; slices have fixed places (`slices.ts`); no device carries both.
 *
 * - first used (default): the devices in use with room, in order of number, each as far as it goes; then free ones.
 * - tightest: member by member, the device with least left that has room; - spread: the one with most left. Ties: the lower device.
 *   Spreading keeps every job's neighbours few and leaves no device whole.
 */

import { sliceMask } from "../../model/mig.ts";
import { WHOLE_DEVICE } from "../../model/units.ts";
import type { Capacity } from "./capacity.ts";
import type { Placing } from "./placing.ts";
import type { Part } from "./shapes.ts";
import { choosePlace, chosen, FIRST_SLICE, slicesOn } from "./slices.ts";

/** Gives each of `members` members a share; there is room for them. Returns how many. O(devices of the node × members). */
export function takeShares(
  capacity: Capacity,
  partIdx: number,
  part: Part,
  node: number,
  members: number,
  into: Placing,
): number {
  if (part.rules.sharePacking === "firstUsed") {
    takeInOrder(capacity, partIdx, part, node, members, into);
    return members;
  }
  const taken = new Map<number, number>();
  for (let member = 0; member < members; member++) {
    const device = byLeft(capacity, part, node, part.rules.sharePacking === "tightest", taken);
    taken.set(device, (taken.get(device) ?? 0) + part.shareMilli);
    into.push(partIdx, node, 1, device, part.shareMilli);
  }
  return members;
}

/** First fit over the devices of a node: those in use with room first, so that whole ones stay whole. */
function takeInOrder(
  capacity: Capacity,
  partIdx: number,
  part: Part,
  node: number,
  members: number,
  into: Placing,
): void {
  const first = capacity.cluster.deviceBase[node]!;
  const end = capacity.cluster.deviceBase[node + 1]!;
  let left = members;
  for (const wantUsed of [true, false]) {
    if (wantUsed && part.freeDevicesOnly) continue;
    for (let device = first; device < end && left > 0; device++) {
      const used = capacity.deviceUsed[device]!;
      if (used > 0 !== wantUsed || capacity.sliceUsed[device] !== 0) continue;
      for (
        let room = WHOLE_DEVICE - used;
        room >= part.shareMilli && left > 0;
        room -= part.shareMilli
      ) {
        into.push(partIdx, node, 1, device, part.shareMilli);
        left--;
      }
    }
  }
}

/** The device with least (or most) left that has room for one more member, counting what this job has taken already. */
function byLeft(
  capacity: Capacity,
  part: Part,
  node: number,
  least: boolean,
  taken: ReadonlyMap<number, number>,
): number {
  const end = capacity.cluster.deviceBase[node + 1]!;
  let best = -1;
  let bestLeft = 0;
  for (let device = capacity.cluster.deviceBase[node]!; device < end; device++) {
    if (capacity.sliceUsed[device] !== 0) continue;
    if (part.freeDevicesOnly && capacity.deviceUsed[device] !== 0) continue;
    const left = WHOLE_DEVICE - capacity.deviceUsed[device]! - (taken.get(device) ?? 0);
    if (left < part.shareMilli) continue;
    if (best >= 0 && (least ? left >= bestLeft : left <= bestLeft)) continue;
    best = device;
    bestLeft = left;
  }
  return best;
}

/** Gives each of `members` members a slice; there is room for them. Returns how many. O(members × places of the node). */
export function takeSlices(
  capacity: Capacity,
  partIdx: number,
  part: Part,
  node: number,
  members: number,
  into: Placing,
): number {
  const rows = into.length;
  // A rule that spares others may block its own members where any start is allowed: then the lowest places do, which hold most.
  for (const packing of [part.rules.slicePacking, "firstFit"] as const) {
    const used = new Map<number, number>();
    const size = slicesOn(part, capacity.cluster, node);
    const usedOf = (device: number) => used.get(device) ?? capacity.sliceUsed[device]!;
    into.length = rows;
    while (into.length - rows < members && choosePlace(capacity, node, part, packing, usedOf)) {
      const { device, start } = chosen;
      used.set(device, usedOf(device) | sliceMask(size, start));
      into.push(partIdx, node, 1, device, FIRST_SLICE + start);
    }
    if (into.length - rows === members) break;
  }
  return into.length - rows;
}
