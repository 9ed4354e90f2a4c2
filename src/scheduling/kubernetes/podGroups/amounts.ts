/** Sums by resource: devices, CPUs in 1/1,000, MiB, in this order. Shares and slices count as their part of a device. All O(resources). */
import type { Grant } from "../../../engine/grant.ts";
import type { Cluster } from "../../../model/cluster.ts";
import { WHOLE_DEVICE } from "../../../model/units.ts";

export type Amounts = readonly number[];

export const GPU = 0;
export const CPU = 1;
export const MEMORY = 2;

export const noAmounts = (): number[] => [0, 0, 0];

/** Parts of a device are whole thousandths, so sums are too: whatever is added and taken away again, in whatever order, comes to the same number to the bit. */
export function addAmounts(into: number[], amounts: Amounts, times = 1): void {
  for (let at = 0; at < into.length; at++) {
    const sum = into[at]! + amounts[at]! * times;
    into[at] = Number.isInteger(sum) ? sum : Math.round(sum * WHOLE_DEVICE) / WHOLE_DEVICE;
  }
}

export function isNothing(amounts: Amounts): boolean {
  return amounts.every((amount) => amount === 0);
}

/** What one entry of a job's holdings comes to. A slice counts as its eighths. */
export function heldAmounts(held: Grant, row: number, eighths: number): number[] {
  const part = held.part[row]!;
  const gpus =
    part === 0 ? held.count[row]! : part <= WHOLE_DEVICE ? part / WHOLE_DEVICE : eighths / 8;
  return [gpus, held.cpuMilli[row]!, held.memMiB[row]!];
}

/** What the open nodes of a list have in all. O(nodes). */
export function totalOf(
  cluster: Cluster,
  nodes: ArrayLike<number>,
  open: (node: number) => boolean,
): number[] {
  const total = noAmounts();
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]!;
    if (!open(node)) continue;
    const group = cluster.groups[cluster.nodeGroup[node]!]!;
    total[GPU] = total[GPU]! + cluster.deviceBase[node + 1]! - cluster.deviceBase[node]!;
    total[CPU] = total[CPU]! + group.cpusPerNode * 1_000;
    total[MEMORY] = total[MEMORY]! + group.memMiBPerNode;
  }
  return total;
}
