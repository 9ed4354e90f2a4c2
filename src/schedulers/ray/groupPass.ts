/**
 * Placement groups: one at a time, in the order in which they came; each is reserved whole on nodes that agree (prepare, then commit: a round trip each), or stays pending. A pending group holds
 * nothing and nothing is held for it: it is tried again after room has come, at the retry interval. New groups are tried at once. O(groups tried × bundles × nodes), groups of one class
 * once. Source: ray-project/ray `src/ray/gcs/gcs_placement_group_manager.cc`, `gcs_placement_group_scheduler.cc`.
 */
import { kubeReasonCode } from "../../model/reasons.ts";
import { JobStateCode } from "../../model/states.ts";
import type { Lane } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { isInfeasible, placeGroup } from "../../scheduling/ray/placementGroup.ts";
import type { CallClass } from "./calls.ts";
import { grantOn } from "./devices.ts";
import { isNeverHeld } from "./neverHeld.ts";
import { block, classAt, give, grant, openLines, type Session } from "./session.ts";

/** To GCS and back; prepare and commit; then leases of the calls in it. */
const ASK_TRIPS = 1;
const RESERVE_TRIPS = 2;
const LEASE_TRIPS = 2;

export function groupPass(session: Session): void {
  const { state, view } = session;
  const lanes = openLines(session, state.groups, state.blockedGroups);
  const closed = new Set<Lane>();
  for (;;) {
    const lane = oldest(session, lanes, closed);
    if (lane === null) return;
    const jobIdx = lane.jobs[lane.first]!;
    const now = view.jobState[jobIdx]!;
    if (now === JobStateCode.checkpointing || now === JobStateCode.suspended) {
      closed.add(lane);
      continue;
    }
    const reason = reserve(session, classAt(session, lane), jobIdx);
    if (reason === 0) continue;
    closed.add(lane);
    block(session, state.blockedGroups, lane, reason);
  }
}

/** The line whose head came first; null where none is left. O(lines). */
function oldest({ view }: Session, lanes: readonly Lane[], closed: ReadonlySet<Lane>): Lane | null {
  const { submitMs } = view.jobs.at;
  let best: Lane | null = null;
  for (const lane of lanes) {
    if (closed.has(lane) || lane.first >= lane.jobs.length) continue;
    if (best !== null) {
      const one = lane.jobs[lane.first]!;
      const other = best.jobs[best.first]!;
      if (submitMs[one]! - submitMs[other]! > 0) continue;
      if (submitMs[one] === submitMs[other] && one > other) continue;
    }
    best = lane;
  }
  return best;
}

/** All bundles that a job lacks; 0 = reserved, else why not. */
function reserve(session: Session, calls: CallClass, jobIdx: number): number {
  const { view, state, setup, board } = session;
  const lacking = bundlesLacking(session, calls, jobIdx);
  const ask = {
    strategy: calls.strategy,
    bundles:
      lacking === calls.allBundles
        ? calls.bundles
        : lacking.map((bundle) => calls.bundles[bundle]!),
    softTarget: calls.node === "" ? -1 : view.cluster.nodeNames.indexOf(calls.node),
    mask: calls.alike ? board.maskOf(calls, 0) : board.alive,
    ...(calls.alike
      ? {}
      : {
          maskOf: (idx: number) => board.maskOf(calls, calls.componentOf[lacking[idx]!]!),
        }),
  };
  if (lacking === calls.allBundles && !board.mayHold(calls, ask.mask))
    return kubeReasonCode(
      isInfeasible(ask, board) || isNeverHeld(state, board, calls) ? "rayGroupNever" : "rayGroup",
    );
  const placed = placeGroup(ask, board);
  if (placed.status !== "placed")
    return kubeReasonCode(
      placed.status === "pending" && !isNeverHeld(state, board, calls)
        ? "rayGroup"
        : "rayGroupNever",
    );
  if (!grantBundles(session, calls, lacking, placed.nodes)) return kubeReasonCode("rayParts");
  const startMs = Math.max(view.nowMs, state.gcsFreeMs);
  state.gcsFreeMs = startMs + RESERVE_TRIPS * setup.rpcMs;
  const trips = ASK_TRIPS + RESERVE_TRIPS + LEASE_TRIPS;
  const startupMs = startMs - view.nowMs + trips * setup.rpcMs + setup.workerStartMs;
  give(session, jobIdx, startupMs, state.blockedGroups.size > 0);
  return 0;
}

/** Indexes of the bundles without a node: all, but after the loss of some. */
function bundlesLacking({ state }: Session, calls: CallClass, jobIdx: number): readonly number[] {
  const held = state.held.get(jobIdx);
  if (held === undefined) return calls.allBundles;
  const has = [...held.members];
  const lacking: number[] = [];
  for (const [bundle, component] of calls.componentOf.entries()) {
    if ((has[component] ?? 0) > 0) has[component] = has[component]! - 1;
    else lacking.push(bundle);
  }
  return lacking;
}

/** The devices of each bundle; false where a node's GPUs do not hold what its sum does. */
function grantBundles(
  { view }: Session,
  calls: CallClass,
  bundles: readonly number[],
  nodes: readonly number[],
): boolean {
  const counts = new Map<string, { component: number; node: number; members: number }>();
  for (const [idx, bundle] of bundles.entries()) {
    const component = calls.componentOf[bundle]!;
    const node = nodes[idx]!;
    const key = `${component}|${node}`;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { component, node, members: 1 });
    else known.members++;
  }
  grant.clear();
  for (const { component, node, members } of counts.values())
    if (!grantOn(view, calls, component, node, members, grant)) return false;
  return true;
}
