/**
 * When a node changes sides between a pool with services and one with a batch queue. Looked at at multiples of `everyMs`; each pool gives its own nodes.
 *
 *     to serving   replicas wait for devices, or services miss their target and no further replica has room; for `upAfterMs` without a break
 *     to batch     jobs wait there for more than `queueAbove` devices, nothing of the above holds, every service meets its target, and without the nodes serving would use at most `spare`
 *                  of its devices; for `downAfterMs` without a break
 *
 * Each pool keeps its least number of nodes, at most `nodesAtOnce` are on their way, and after a decision both stretches begin anew: that is the hysteresis.
 * With both delays 0 a wave makes nodes flap, and each change costs the drain and `handOverMs`. Given are the nodes that are empty soonest: idle ones, then by the end of their last run
 * (by time limit), ties by highest number. A serving node that is not idle is left by its replicas, which start again elsewhere. A batch node drains: nobody is stopped there, so what a
 * wave of demand waits for is the longest job on the best node. O(replicas + running jobs) a look.
 */
import type { PoolView } from "../../engine/view.ts";
import type { FleetRule } from "../../model/lab/services.ts";
import { JobStateCode, NodeStateCode } from "../../model/states.ts";
import { lastEndByNode } from "../windows/pickNodes.ts";
import { meetsTarget } from "./services.ts";

export interface FleetState {
  /** Since when the condition to give has held; −1 = it does not. */
  sinceMs: number;
  /** Last look; −1 = none yet. */
  lookMs: number;
}

/** How the services of a pool do, as the formula says of demand and serving replicas now (a backlog aside). */
interface Need {
  readonly gpusWaiting: number;
  readonly missed: boolean;
  readonly largestReplica: number;
}

function needOf(view: PoolView, pool: number): Need {
  let gpusWaiting = 0;
  let missed = false;
  let largestReplica = 1;
  for (const service of view.world.services ?? []) {
    if (view.world.poolOfJob[service.replicas[0]!] !== pool) continue;
    let serving = 0;
    for (const jobIdx of service.replicas) {
      const state = view.jobState[jobIdx]!;
      if (state === JobStateCode.running) serving++;
      if (state === JobStateCode.queued || state === JobStateCode.admitted)
        gpusWaiting += service.gpusPerReplica;
    }
    const { atMs, perSec } = service.demand;
    let row = 0;
    while (row + 1 < atMs.length && atMs[row + 1]! <= view.nowMs) row++;
    missed ||= serving < service.maxReplicas && !meetsTarget(service, perSec[row]!, serving, 0);
    largestReplica = Math.max(largestReplica, service.gpusPerReplica);
  }
  return { gpusWaiting, missed, largestReplica };
}

/** Nodes of this pool that are leaving it. O(nodes). */
function leaving(view: PoolView): number {
  let count = 0;
  for (const node of view.nodes) if (view.onTheWay(node)) count++;
  return count;
}

/** Nodes to hand over now, best first; empty = none. Only at ticks, and once a tick. */
export function nodesToGive(view: PoolView, rule: FleetRule, state: FleetState): number[] {
  const { nowMs } = view;
  if (nowMs % rule.everyMs !== 0 || nowMs === state.lookMs) return [];
  state.lookMs = nowMs;
  const serving = view.pool === rule.serving;
  const wanted = serving ? spareNodes(view, rule) : nodesForServing(view, rule);
  if (wanted <= 0) {
    state.sinceMs = -1;
    return [];
  }
  if (state.sinceMs < 0) state.sinceMs = nowMs;
  if (nowMs - state.sinceMs < (serving ? rule.downAfterMs : rule.upAfterMs)) return [];
  const most = Math.min(
    wanted,
    rule.nodesAtOnce - leaving(view),
    view.nodes.length - leaving(view) - (serving ? rule.servingMin : rule.batchMin),
  );
  if (most <= 0) return [];
  state.sinceMs = -1;
  return bestNodes(view).slice(0, most);
}

/** Nodes that the services of the other pool want of this one, those on their way left aside. */
function nodesForServing(view: PoolView, rule: FleetRule): number {
  const need = needOf(view, rule.serving);
  const { gpusFree } = view.glance(rule.serving);
  const full = gpusFree < need.largestReplica;
  const gpus = need.gpusWaiting > 0 ? need.gpusWaiting : need.missed && full ? 1 : 0;
  return Math.ceil(gpus / gpusOfNode(view)) - leaving(view);
}

/** Nodes of this pool that its services could do without while the other one queues, those on their way left aside. */
function spareNodes(view: PoolView, rule: FleetRule): number {
  const { gpusWaiting } = view.glance(rule.batch);
  if (gpusWaiting <= rule.queueAbove) return 0;
  const need = needOf(view, rule.serving);
  if (need.missed || need.gpusWaiting > 0) return 0;
  const used = view.gpusOpenTotal - view.gpusFreeTotal;
  const least = Math.max(used / rule.spare, used + 1e-9);
  const spare = Math.floor((view.gpusOpenTotal - least) / gpusOfNode(view));
  return Math.min(spare, Math.ceil(gpusWaiting / gpusOfNode(view)) - leaving(view));
}

function gpusOfNode(view: PoolView): number {
  const node = view.nodes[0]!;
  return Math.max(1, view.cluster.deviceBase[node + 1]! - view.cluster.deviceBase[node]!);
}

/** Open nodes, those that are empty soonest first. Rented nodes stay: who rented them gives them back. */
function bestNodes(view: PoolView): number[] {
  const rented = new Set((view.world.burst ?? []).flatMap((rule) => rule.nodes));
  const endMs = lastEndByNode(view);
  const gpusHeld = (node: number) =>
    view.cluster.deviceBase[node + 1]! - view.cluster.deviceBase[node]! - view.gpusFree[node]!;
  const open = [...view.nodes].filter(
    (node) =>
      view.nodeState[node] === NodeStateCode.open && !view.onTheWay(node) && !rented.has(node),
  );
  return open.sort((a, b) => {
    const aMs = endMs.get(a) ?? 0;
    const bMs = endMs.get(b) ?? 0;
    if (aMs !== bMs) return aMs < bMs ? -1 : 1;
    return gpusHeld(a) - gpusHeld(b) || b - a;
  });
}

/** The next look after now. */
export function nextLookMs(rule: FleetRule, nowMs: number): number {
  return (Math.floor(nowMs / rule.everyMs) + 1) * rule.everyMs;
}
