/**
 * The books of the rented nodes of one pool: since when each is open and idle, and when the cloud takes it. A node is given back once it has stood
 * idle for the time-out; one that the cloud takes is given notice, drained at once, and everything on it is told to stop within the notice. O(rented nodes) a pass.
 */
import type { PoolView } from "../../engine/view.ts";
import type { BurstRule } from "../../model/lab/services.ts";
import { NodeStateCode } from "../../model/states.ts";

export interface Rented {
  readonly node: number;
  /** Index into `World.burst`. */
  readonly rule: number;
  /** When it was there; −1 = it boots. */
  openMs: number;
  /** −1 = in use. */
  idleSinceMs: number;
  /** The cloud has given notice, or it goes for want of work. */
  leaving: boolean;
}

const NEVER = Number.POSITIVE_INFINITY;

/** Notes which nodes have come, are idle, or are gone. */
export function lookAtRented<R extends Rented>(view: PoolView, rented: R[]): R[] {
  const { nowMs } = view;
  return rented.filter((one) => {
    const state = view.nodeState[one.node];
    if (state === NodeStateCode.unborn) return view.onTheWay(one.node) && !one.leaving;
    if (one.openMs < 0) one.openMs = nowMs;
    const idle = state === NodeStateCode.open && isIdle(view, one.node);
    if (!idle) one.idleSinceMs = -1;
    else if (one.idleSinceMs < 0) one.idleSinceMs = nowMs;
    return true;
  });
}

function isIdle(view: PoolView, node: number): boolean {
  const { cluster } = view;
  const gpus = cluster.deviceBase[node + 1]! - cluster.deviceBase[node]!;
  const group = cluster.groups[cluster.nodeGroup[node]!]!;
  if (view.gpusFree[node] !== gpus || view.cpuMilliFree[node] !== group.cpusPerNode * 1_000)
    return false;
  return view.memMiBFree[node] === group.memMiBPerNode;
}

/**
 * When the cloud takes a node that is there since `openMs`; `Infinity` = never. A node that it would announce at once is not one that it rents out, so
 * what is announced comes after the opening: else a node would open and close in circles. O(log times).
 */
export function takenMs(rule: BurstRule, { node, openMs }: Rented): number {
  const times = rule.takenMs?.[rule.nodes.indexOf(node)];
  if (times === undefined || openMs < 0) return NEVER;
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! - rule.noticeMs > openMs) high = middle;
    else low = middle + 1;
  }
  return times[low] ?? NEVER;
}

/** When the cloud says that it takes the node. */
export function noticeAtMs(rule: BurstRule, one: Rented): number {
  return takenMs(rule, one) - rule.noticeMs;
}

/** The next time at which something is to be done about a node. */
export function nextRentedMs(rule: BurstRule, one: Rented): number {
  if (one.leaving || one.openMs < 0) return NEVER;
  const idleMs = one.idleSinceMs < 0 ? NEVER : one.idleSinceMs + rule.idleTimeoutMs;
  return Math.min(idleMs, noticeAtMs(rule, one));
}
