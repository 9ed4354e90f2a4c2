/**
 * Logical resources of Ray in columns: node `n` has `available[n × width + r]` of resource `r`. GPUs, CPUs, memory and object store have fixed places, custom resources follow. Amounts
 * are multiples of 0.0001, so smaller differences are rounding; 0 is not asked for. Ray measures nothing: what is booked is what is used.
 */

export const GPU = 0;
export const CPU = 1;
export const MEMORY = 2;
export const STORE = 3;
/** Custom resources from here on. */
export const FIRST_CUSTOM = 4;

export type RayRequest = ArrayLike<number>;

export interface RayNodes {
  readonly count: number;
  /** Resources of each node. */
  readonly width: number;
  readonly available: Float64Array;
  readonly total: Float64Array;
}

/** Nodes that may be looked at, by index: labels, life; null = all. */
export type NodeMask = Uint8Array | null;

const ROUNDING = 1e-9;

/** Do these amounts of a node hold the request? O(width). */
export function covers(
  { width }: RayNodes,
  amounts: Float64Array,
  node: number,
  request: RayRequest,
): boolean {
  const base = node * width;
  for (let r = 0; r < width; r++) {
    const asked = request[r]!;
    if (asked > 0 && asked > amounts[base + r]! + ROUNDING) return false;
  }
  return true;
}

/** The sum of several requests. */
export function sumOf(requests: readonly RayRequest[], width: number): Float64Array {
  const sum = new Float64Array(width);
  for (const request of requests) for (let r = 0; r < width; r++) sum[r] = sum[r]! + request[r]!;
  return sum;
}

/** Whether a node is among those that may be looked at. */
export const isIn = (mask: NodeMask, node: number): boolean => mask === null || mask[node] === 1;
