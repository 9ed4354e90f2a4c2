/**
 * Admission's side of placement: pods of an admitted workload are offered with pins (the nodes of their flavor, their domains, their number), and deleted when it is evicted. Where only quota is asked
 * for, placement is the same without latencies and without preemption.
 */
import type { PoolView } from "../../../engine/view.ts";
import type { PoolSettings } from "../../../model/policy.ts";
import type { PodsPin } from "../placement/pin.ts";
import { createPlacement, offerJob } from "../placement/placement.ts";
import type { PlacementState } from "../placement/state.ts";
import type { Entry, KueueState, PodsPlan } from "./state.ts";

/** Knows what runs; hears of what waits by `offerPods`. */
export function createPods(view: PoolView, pool: PoolSettings): PlacementState {
  return createPlacement(view, pool.settings["placement"] === "quotaOnly" ? atOnce(pool) : pool);
}

/** The same scores, at once: no time passes and nobody is preempted. */
function atOnce({ kubernetes, ...pool }: PoolSettings): PoolSettings {
  const objects = (kubernetes?.objects ?? []).filter(
    ({ kind }) => kind !== "KubeSchedulerConfiguration",
  );
  const settings = {
    ...pool.settings,
    preemption: false,
    watchDelayMs: 0,
    cycleMicros: 0,
    bindsPerSecond: 0,
    bindMs: 0,
    podStartMs: 0,
    backoffMs: 0,
    backoffMostMs: 0,
  };
  return { ...pool, settings, kubernetes: { objects } };
}

export function offerPods(
  view: PoolView,
  state: KueueState,
  pods: PlacementState,
  jobIdx: number,
): void {
  const entry = state.entries.get(jobIdx);
  offerJob(view, pods, jobIdx, entry ? pinsOf(state, entry) : null);
}

/** Null where all of its pods may go anywhere. */
function pinsOf(state: KueueState, entry: Entry): readonly PodsPin[] | null {
  if (entry.plan.length === 0) return null;
  const pins = entry.plan.map((plan) => pinOf(state, plan));
  const free = pins.every(
    ({ domains, pods }, at) => domains === null && pods === entry.ask.sets[at]!.count,
  );
  return free ? null : pins;
}

function pinOf({ setup }: KueueState, plan: PodsPlan): PodsPin {
  const { count: pods } = plan;
  if (plan.domains !== null) {
    const { nodesOfLeaf } = setup.topologies[plan.topologyIdx]!;
    const nodeCount = setup.flavors[0]!.nodes.length;
    return {
      pods,
      domains: plan.domains.map(({ leaf, pods: inLeaf }) => {
        const nodes = new Uint8Array(nodeCount);
        for (const node of nodesOfLeaf[leaf]!) nodes[node] = 1;
        return { nodes, pods: inLeaf };
      }),
      key: `t${plan.topologyIdx}:${plan.domains.map(({ leaf, pods: n }) => `${leaf}x${n}`).join(",")}`,
    };
  }
  const bound = plan.flavors.filter((flavorIdx) => !setup.flavors[flavorIdx]!.anyNode);
  const [first, ...others] = bound.map((flavorIdx) => setup.flavors[flavorIdx]!.nodes);
  if (!first) return { pods, domains: null, key: "" };
  const nodes =
    others.length === 0
      ? first
      : first.map((open, node) => (others.every((list) => list[node] === 1) ? open : 0));
  return { pods, domains: [{ nodes, pods }], key: `f${bound.join(",")}` };
}
