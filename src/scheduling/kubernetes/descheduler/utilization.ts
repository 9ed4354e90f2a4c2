/**
 * How much of a node is asked for, and what counts as too little or too much. Use is the sum of requests, not what is really used, as a part of what the node has, in per cent
 * that are not rounded. A node is underused where no resource with a threshold is above it, overused where one is above its target: between the two it is left alone. With
 * deviations the thresholds lie so far from the average of the nodes, within 0 and 100. O(resources). Source: kubernetes-sigs/descheduler
 * `pkg/framework/plugins/nodeutilization/nodeutilization.go`.
 */

/** Per cent by resource; null = the resource has no threshold. */
export type Percents = readonly (number | null)[];

/** A node as the plugins see it; all lists are by resource. */
export interface UsedNode {
  /** Sum of the requests of its pods, those that leave included. */
  readonly usage: readonly number[];
  readonly capacity: readonly number[];
  /** New pods may come. */
  readonly isOpen: boolean;
}

const FULL = 100;
const PER_CENT = 0.01;

/** Part of each resource that is asked for; 0 of what the node does not have. */
export function usedPercents({ usage, capacity }: Pick<UsedNode, "usage" | "capacity">): number[] {
  return usage.map((used, at) => (capacity[at]! > 0 ? (used / capacity[at]!) * FULL : 0));
}

/** No resource is above its threshold. */
export function isUnderused(percents: readonly number[], thresholds: Percents): boolean {
  return thresholds.every((threshold, at) => threshold === null || percents[at]! <= threshold);
}

/** Some resource is above its target. */
export function isOverused(percents: readonly number[], targets: Percents): boolean {
  return targets.some((target, at) => target !== null && percents[at]! > target);
}

/** Thresholds `by` per cent below (−1) or above (1) the average of the nodes. O(nodes × resources). */
export function aroundAverage(
  nodes: readonly (readonly number[])[],
  by: Percents,
  side: -1 | 1,
): (number | null)[] {
  return by.map((distance, at) => {
    if (distance === null) return null;
    const average = nodes.reduce((sum, percents) => sum + percents[at]!, 0) / nodes.length;
    return Math.min(FULL, Math.max(0, average + side * distance));
  });
}

/** Amounts up to which a node may be filled: its thresholds as amounts, cut to whole ones, and all it has of the others. */
export function cappedTo(capacity: readonly number[], thresholds: Percents): number[] {
  return capacity.map((amount, at) => {
    const threshold = thresholds[at] ?? null;
    return threshold === null ? amount : Math.trunc(threshold * PER_CENT * amount);
  });
}
