/**
 * Preempt: inside one queue, groups that lack their least members make room for themselves. Each of their pods needs a node on which running pods of less important jobs give way; what is
 * merely free does not count for a node without victims; they leave until the queue, too, allows the pod. Nothing is evicted unless the whole group finds room. Off by default. Groups
 * with a network topology are skipped, soft or hard (`ContainsNetworkTopology`). O(groups × nodes × pods of a node). Source: volcano-sh/volcano `pkg/scheduler/actions/preempt`, `plugins/{gang,priority}`, #3291, #4374.
 */
import { StopReasonCode } from "../../model/reasons.ts";
import { addAmounts } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import type { GroupClass } from "../../scheduling/kubernetes/podGroups/classes.ts";
import { type Lane, nextLane, openLanes } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { fitsWithin } from "../../scheduling/kubernetes/volcano/deserved.ts";
import { evictableFor } from "../../scheduling/kubernetes/volcano/gang.ts";
import { type Bound, isWhole } from "../podGroups/heldOn.ts";
import { futureOf, groupAt, setAside } from "../podGroups/session.ts";
import {
  countOff,
  countOn,
  createPods,
  evictPods,
  futureRoom,
  type Pods,
  podsOn,
  shiftFuture,
  type VictimPod,
} from "./pods.ts";
import { queueAllows, queueCouldAllow, queueOrder, type Session } from "./session.ts";
import { addVictims } from "./state.ts";

export function preempt(session: Session): void {
  const { state } = session;
  openLanes(state.waiting);
  let pods: Pods | null = null;
  for (const queueIdx of queueOrder(session)) {
    for (;;) {
      const lane = nextLane(state.waiting, queueIdx);
      if (lane === null) break;
      const jobIdx = lane.jobs[lane.first]!;
      const group = groupAt(session, jobIdx);
      if (!mayPreempt(session, lane, jobIdx, group) || !inReach(session, lane, group)) {
        lane.closed = true;
        continue;
      }
      pods ??= createPods(session);
      const victims = victimsFor(session, pods, lane, group);
      if (victims === null) {
        lane.closed = true;
        continue;
      }
      evictPods(session, pods, victims, jobIdx, StopReasonCode.preempted);
      setAside(session, lane);
    }
  }
}

function mayPreempt(session: Session, lane: Lane, jobIdx: number, group: GroupClass): boolean {
  const { view, setup } = session;
  const never = view.jobs.kubernetes?.get(jobIdx)?.preemptionPolicy === "Never";
  const evicts = setup.tierEvicts[view.tierOfJob[jobIdx]!]!;
  const mode = group.topology?.mode ?? "unconstrained";
  const near = mode !== "unconstrained" || group.shape.wish !== "none";
  if (never || !evicts || near || group.bestEffort) return false;
  return queueCouldAllow(session, lane.queueIdx, group.leastRequest, "leaves");
}

/** What nodes could have free if all of lower priority in the queue left; a node where nobody does takes nobody. */
function reachOf(session: Session, { queueIdx, priority }: Lane): Bound {
  const { view, state, setup, bounds } = session;
  const key = (priority * setup.queues.length + queueIdx) * 2;
  const may = (other: number, theirs: number) => other === queueIdx && theirs < priority;
  return bounds.kept(
    key,
    futureOf(session),
    (into) => addVictims(into, view, state, setup.gangPreempt, may),
    true,
  );
}

/** Would every component of the group fit then? */
function inReach(session: Session, lane: Lane, group: GroupClass): boolean {
  if (session.everySearch) return true;
  return group.shape.parts.every((part, at) =>
    reachOf(session, lane).couldHold(part, group.least[at]!),
  );
}

/** Victims for all least members of a group, these charged to its queue; null, and nothing changed, where there are not enough. */
function victimsFor(
  session: Session,
  pods: Pods,
  lane: Lane,
  group: GroupClass,
): VictimPod[] | null {
  const { view } = session;
  const victims: VictimPod[] = [];
  const places: { node: number; at: number }[] = [];
  for (const [at, least] of group.least.entries()) {
    const apart = new Set<number>();
    let from = 0;
    for (let member = 0; member < least; member++) {
      // Nodes before that of the last member have no more to give.
      if (session.everySearch) from = 0;
      from = roomFor(session, pods, lane, group, at, apart, victims, from);
      const node = view.nodes[from] ?? -1;
      if (node < 0) {
        for (const place of places) {
          shiftFuture(session, place.node, group.each[place.at]!, 1);
          addAmounts(session.allocated[lane.queueIdx]!, group.each[place.at]!, -1);
        }
        countOn(session, pods, victims);
        return null;
      }
      shiftFuture(session, node, group.each[at]!, -1);
      addAmounts(session.allocated[lane.queueIdx]!, group.each[at]!);
      places.push({ node, at });
      if (group.shape.parts[at]!.ownNode) apart.add(node);
    }
  }
  return victims;
}

/** Place among the pool's nodes, from `from` on, of the first on which enough give way. Its victims are counted off, and those of nodes before it that had room while the queue still refused. −1 if there is none. */
function roomFor(
  session: Session,
  pods: Pods,
  lane: Lane,
  group: GroupClass,
  at: number,
  apart: ReadonlySet<number>,
  victims: VictimPod[],
  from: number,
): number {
  const { view, setup } = session;
  const part = group.shape.parts[at]!;
  const request = group.each[at]!;
  const queue = setup.queues[lane.queueIdx]!.name;
  const preemptor = { name: "", queue, priority: lane.priority, minAvailable: 0, running: 0 };
  const bound = isWhole(part) && !session.everySearch ? reachOf(session, lane).free : null;
  for (let i = from; i < view.nodes.length; i++) {
    const node = view.nodes[i]!;
    if (apart.has(node) || (bound !== null && bound[node]! < part.gpus)) continue;
    if (view.nodeState[node] !== 0 || part.groupFits[view.cluster.nodeGroup[node]!] === 0) continue;
    const there = podsOn(session, pods, node);
    if (there.length === 0) continue;
    const offered = setup.gangPreempt
      ? (evictableFor(preemptor, there) as VictimPod[])
      : there.filter(
          (pod) => pod.preemptable && pod.queue.name === queue && pod.job.priority < lane.priority,
        );
    const inOrder = [...offered].sort(
      (one, other) => one.job.priority - other.job.priority || other.job.jobIdx - one.job.jobIdx,
    );
    if (!couldFit(inOrder, futureRoom(session, node), request)) continue;
    for (const pod of inOrder) {
      countOff(session, pods, [pod]);
      victims.push(pod);
      if (!fitsWithin(request, futureRoom(session, node))) continue;
      if (queueAllows(session, lane.queueIdx, request)) return i;
    }
  }
  return -1;
}

/** Would the request fit if all of these, and one at least, gave way? */
function couldFit(
  offered: readonly VictimPod[],
  free: number[],
  request: readonly number[],
): boolean {
  for (const pod of offered) addAmounts(free, pod.request);
  return offered.length > 0 && fitsWithin(request, free);
}
