/**
 * A service request by request: requests in order of arrival, each taken by the server that is free first; and the same requests as the formula of
 * `src/model/lab/latency.ts` sees them, step by step of demand. Times in ms.
 */
import { backlogAfter, type Serving, withinTarget } from "../../src/model/lab/latency.ts";

export interface Requests {
  readonly arrivalMs: Float64Array;
  readonly serviceMs: Float64Array;
}

/** Time from arrival to end of each request with so many servers, first come, first served. O(requests · log servers). */
export function responsesMs({ arrivalMs, serviceMs }: Requests, servers: number): Float64Array {
  const free = new Float64Array(servers);
  return arrivalMs.map((arrival, i) => {
    const end = Math.max(arrival, free[0]!) + serviceMs[i]!;
    siftDown(free, end);
    return end - arrival;
  });
}

/** Replaces the least of a heap. */
function siftDown(heap: Float64Array, value: number): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
    if (child >= heap.length || heap[child]! >= value) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = value;
}

export interface Moments {
  readonly mean: number;
  readonly cv2: number;
}

export function momentsOf(values: Float64Array): Moments {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, cv2: square / (mean * mean) };
}

/** What the formula says of the requests: the part of them within a time. Demand is the rate of each step; the backlog goes on from step to step. */
export function formulaWithin(requests: Requests, servers: number, stepMs: number) {
  const { mean, cv2 } = momentsOf(requests.serviceMs);
  const steps: { serving: Serving; weight: number }[] = [];
  const counts = countsOf(requests.arrivalMs, stepMs);
  let backlog = 0;
  for (const count of counts) {
    const perSec = (count * 1_000) / stepMs;
    const serving = { perSec, servers, requestMs: mean, requestCv2: cv2, backlog };
    if (count > 0) steps.push({ serving, weight: count / requests.arrivalMs.length });
    backlog = backlogAfter(serving, stepMs);
  }
  return (ms: number): number =>
    steps.reduce((sum, { serving, weight }) => sum + weight * withinTarget(serving, ms), 0);
}

function countsOf(arrivalMs: Float64Array, stepMs: number): number[] {
  const counts: number[] = [];
  for (const atMs of arrivalMs) {
    const step = Math.floor(atMs / stepMs);
    while (counts.length <= step) counts.push(0);
    counts[step]!++;
  }
  return counts;
}

/** The least time that this part of the requests keeps within. */
export function percentileOf(within: (ms: number) => number, part: number): number {
  let low = 0;
  let high = 1;
  while (within(high) < part) high *= 2;
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2;
    if (within(middle) < part) low = middle;
    else high = middle;
  }
  return high;
}
