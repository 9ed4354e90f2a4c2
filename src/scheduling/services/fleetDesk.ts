/** The fleet controller of one pool, whoever schedules it: after a pass it may hand nodes to the other pool. Replicas on such a node leave it at once, batch jobs are left to end. O(what runs) where a node goes. Rules: `fleet.ts`. */
import { Grant } from "../../engine/grant.ts";
import type { Actions, PoolView } from "../../engine/view.ts";
import { GaugeCode } from "../../model/lab/gauges.ts";
import type { FleetRule } from "../../model/lab/services.ts";
import { StopReasonCode } from "../../model/reasons.ts";
import { JobStateCode, NodeStateCode } from "../../model/states.ts";
import { type FleetState, nextLookMs, nodesToGive } from "./fleet.ts";
import { isReplica } from "./services.ts";

const held = new Grant();

function ruleOf(view: PoolView): FleetRule {
  return view.world.fleet!;
}

/** Whether nodes may leave or come to this pool. */
export function isOfFleet({ world: { fleet }, pool }: PoolView): boolean {
  return fleet !== undefined && fleet !== null && (fleet.serving === pool || fleet.batch === pool);
}

export function createFleet(): FleetState {
  return { sinceMs: -1, lookMs: -1 };
}

/** When it looks next. */
export function fleetWakeMs(view: PoolView): number {
  return nextLookMs(ruleOf(view), view.nowMs);
}

/** After a pass; how many nodes it gave. */
export function giveNodes(state: FleetState, view: PoolView, act: Actions): number {
  const rule = ruleOf(view);
  const toPool = view.pool === rule.serving ? rule.batch : rule.serving;
  const given = nodesToGive(view, rule, state);
  for (const node of given) {
    act.handNode(node, toPool, rule.handOverMs);
    for (const jobIdx of replicasOn(view, node))
      act.evict(jobIdx, "requeue", 0, -1, StopReasonCode.migrated);
  }
  let open = 0;
  for (const node of view.nodes) if (view.nodeState[node] === NodeStateCode.open) open++;
  act.gauge(GaugeCode.poolNodes, view.pool, open);
  return given.length;
}

/** Replicas on a node that leaves: nobody waits for them to end. O(what runs). */
function replicasOn(view: PoolView, node: number): number[] {
  const running = view.running();
  const found: number[] = [];
  for (let i = 0; i < running.length; i++) {
    const jobIdx = running.at[i]!;
    if (!isReplica(view, jobIdx) || view.jobState[jobIdx] === JobStateCode.ending) continue;
    held.clear();
    view.holdings(jobIdx, held);
    if (held.node.subarray(0, held.length).includes(node)) found.push(jobIdx);
  }
  return found;
}
