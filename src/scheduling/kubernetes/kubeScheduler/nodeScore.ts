/**
 * How kube-scheduler's NodeResourcesFit scores a node: an integer 0..100, worked out as if the pod were already there. LeastAllocated spreads, MostAllocated
 * packs, RequestedToCapacityRatio follows a curve. Every division is one of integers and drops the rest, except the last of the curve, which rounds half up; rounding
 * changes winners. Resources the node has none of are left out with their weight, and so is an extended resource that the pod does not ask for: a GPU node neither gains nor
 * loses for a pod without GPU. On the curve a resource that scores 0 is left out as well. O(resources). Source: kubernetes/kubernetes
 * `pkg/scheduler/framework/plugins/noderesources`; kubernetes.io "Resource Bin Packing".
 */

/** A point of the curve: per cent used, score 0..10. */
export interface CurvePoint {
  readonly utilization: number;
  readonly score: number;
}

export type ScoreStrategy =
  | { readonly type: "LeastAllocated" | "MostAllocated" }
  | { readonly type: "RequestedToCapacityRatio"; readonly shape: readonly CurvePoint[] };

/** A resource that takes part in the score. */
export interface ScoredResource {
  readonly weight: number;
  /** Anything but CPU, memory and local storage: counts only for pods that ask for it. */
  readonly extended: boolean;
}

const FULL = 100;

/** Curves are drawn in scores of 0..10. */
const CURVE_SCALE = 10;

/**
 * Score of one node. All lists are by resource, as `resources` has them: what the node has, what its pods request, what the pod asks for.
 */
export function nodeScore(
  strategy: ScoreStrategy,
  resources: readonly ScoredResource[],
  allocatable: ArrayLike<number>,
  requested: ArrayLike<number>,
  request: ArrayLike<number>,
): number {
  const curve = strategy.type === "RequestedToCapacityRatio" ? strategy.shape : null;
  let total = 0;
  let weights = 0;
  for (const [at, { weight, extended }] of resources.entries()) {
    const capacity = allocatable[at]!;
    if (capacity === 0 || (extended && request[at] === 0)) continue;
    const used = requested[at]! + request[at]!;
    const score = curve
      ? onCurve(curve, Math.min(FULL, whole(used * FULL, capacity)))
      : byAmount(strategy.type === "MostAllocated", used, capacity);
    if (curve && score <= 0) continue;
    total += score * weight;
    weights += weight;
  }
  if (weights === 0) return 0;
  return curve ? Math.floor(total / weights + 0.5) : whole(total, weights);
}

function byAmount(packing: boolean, used: number, capacity: number): number {
  if (packing) return whole(Math.min(used, capacity) * FULL, capacity);
  return used > capacity ? 0 : whole((capacity - used) * FULL, capacity);
}

/** Height of the curve at a utilisation: level before the first and after the last point, straight and cut towards zero between two. */
function onCurve(shape: readonly CurvePoint[], utilization: number): number {
  const after = shape.findIndex((point) => utilization <= point.utilization);
  if (after < 0) return (shape.at(-1)?.score ?? 0) * CURVE_SCALE;
  const right = shape[after]!;
  if (after === 0) return right.score * CURVE_SCALE;
  const left = shape[after - 1]!;
  const rise = (right.score - left.score) * CURVE_SCALE * (utilization - left.utilization);
  return left.score * CURVE_SCALE + whole(rise, right.utilization - left.utilization);
}

/** Quotient of integers, cut towards zero. */
function whole(amount: number, by: number): number {
  return Math.trunc(amount / by);
}
