/**
 * How many nodes one step of Ray's autoscaler (v2) asks for: of each type at most its speed times the nodes there and asked for, rounded up and at least one, never more
 * than are wanted, and all types together no more than may be on their way at once. So from nothing the first step is one node, whatever the speed. Types are
 * served as listed. O(types). Source: ray-project/ray `python/ray/autoscaler/v2/instance_manager`.
 */
export interface NodeType {
  readonly name: string;
  /** Wanted and not asked for yet. */
  readonly queued: number;
  /** Asked for and not there yet. */
  readonly requested: number;
  readonly allocated: number;
}

/** Nodes to ask for, in the order of `types`. */
export function launchesOf(
  types: readonly NodeType[],
  upscalingSpeed: number,
  maxConcurrentLaunches: number,
): number[] {
  let room = types.reduce((left, { requested }) => left - requested, maxConcurrentLaunches);
  return types.map(({ queued, requested, allocated }) => {
    const bySpeed = Math.max(1, Math.ceil(upscalingSpeed * (requested + allocated)));
    const count = Math.max(0, Math.min(queued, bySpeed, room));
    room -= count;
    return count;
  });
}
