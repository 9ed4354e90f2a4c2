/** The fleet controller in the walk: after each pass, this pool may hand nodes to the other one. Rules: `scheduling/services/fleet.ts`. */
import { Grant } from "../../../../engine/grant.ts";
import type { PoolView } from "../../../../engine/view.ts";
import { GaugeCode } from "../../../../model/lab/gauges.ts";
import type { FleetRule } from "../../../../model/lab/services.ts";
import { StopReasonCode } from "../../../../model/reasons.ts";
import { JobStateCode, NodeStateCode } from "../../../../model/states.ts";
import { type FleetState, nextLookMs, nodesToGive } from "../../../../scheduling/services/fleet.ts";
import { isReplica } from "../../../../scheduling/services/services.ts";
import type { StepPart } from "../parts.ts";

const held = new Grant();

function ruleOf(view: PoolView): FleetRule {
  return view.world.fleet!;
}

export const fleetStep: StepPart<FleetState> = {
  applies({ world: { fleet }, pool }) {
    return (
      fleet !== undefined && fleet !== null && (fleet.serving === pool || fleet.batch === pool)
    );
  },

  create: () => ({ sinceMs: -1, lookMs: -1 }),
  copy: (state) => ({ ...state }),
  wakeMs: (_state, view) => nextLookMs(ruleOf(view), view.nowMs),

  run(state, view, _pool, _shapes, act) {
    const rule = ruleOf(view);
    const toPool = view.pool === rule.serving ? rule.batch : rule.serving;
    for (const node of nodesToGive(view, rule, state)) {
      act.handNode(node, toPool, rule.handOverMs);
      for (const jobIdx of replicasOn(view, node))
        act.evict(jobIdx, "requeue", 0, -1, StopReasonCode.migrated);
    }
    let open = 0;
    for (const node of view.nodes) if (view.nodeState[node] === NodeStateCode.open) open++;
    act.gauge(GaugeCode.poolNodes, view.pool, open);
  },
};

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
