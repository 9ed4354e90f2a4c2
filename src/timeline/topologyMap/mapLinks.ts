/**
 * What the links carry, as far as places tell: a link carries a job's traffic when the job also stands beyond it, so its width is the share of the devices
 * below it that are held by such jobs. O(devices).
 */
import type { RowUnits } from "../rowUnits.ts";

/** Fills the share of each node's devices in jobs of several nodes, and of each leaf's in jobs of several leaves: 0 to 1. */
export function readCrossings(
  jobOfDevice: Int32Array,
  units: RowUnits,
  unitLink: Float32Array,
  blockLink: Float32Array,
): void {
  const { unitOfDevice, blockOfUnit, unitFirst, blockFirst, leaves } = units;
  unitLink.fill(0);
  blockLink.fill(0);
  if (!leaves) return;
  const firstUnit = new Map<number, number>();
  const leavesUnit = new Set<number>();
  const leavesBlock = new Set<number>();
  for (let d = 0; d < jobOfDevice.length; d++) {
    const job = jobOfDevice[d]!;
    if (job < 0) continue;
    const unit = unitOfDevice[d]!;
    const first = firstUnit.get(job);
    if (first === undefined) firstUnit.set(job, unit);
    else if (first !== unit) {
      leavesUnit.add(job);
      if (blockOfUnit[first] !== blockOfUnit[unit]) leavesBlock.add(job);
    }
  }
  for (let d = 0; d < jobOfDevice.length; d++) {
    const job = jobOfDevice[d]!;
    if (job < 0 || !leavesUnit.has(job)) continue;
    const unit = unitOfDevice[d]!;
    const block = blockOfUnit[unit]!;
    unitLink[unit]! += 1 / Math.max(1, unitFirst[unit + 1]! - unitFirst[unit]!);
    if (leavesBlock.has(job))
      blockLink[block]! +=
        1 / Math.max(1, unitFirst[blockFirst[block + 1]!]! - unitFirst[blockFirst[block]!]!);
  }
}
