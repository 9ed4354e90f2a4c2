/**
 * Reclaim: queues below what they deserve take pods back from queues above theirs, pod by pod, without asking whether the whole group will fit on the nodes in the end. What is freed
 * is no more than room: in the next session anybody may come first. A group that its queue may not have whole takes nothing back: its victims would return, and leave again, for ever. Off by default. O(pods of waiting groups × running pods). Source: volcano-sh/volcano `pkg/scheduler/actions/reclaim`.
 */
import { StopReasonCode } from "../../model/reasons.ts";
import { addAmounts } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import { type Lane, nextLane, openLanes } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { fitsWithin } from "../../scheduling/kubernetes/volcano/deserved.ts";
import { reclaimVictims } from "../../scheduling/kubernetes/volcano/reclaim.ts";
import { groupAt, setAside } from "../podGroups/session.ts";
import {
  countOff,
  evictPods,
  futureRoom,
  type Pods,
  runningPods,
  shiftFuture,
  type VictimPod,
} from "./pods.ts";
import { isOverused, queueCouldAllow, queueOrder, type Session } from "./session.ts";

export function reclaim(session: Session): void {
  const { view, state, setup } = session;
  if (setup.queuePlugin === "none") return;
  openLanes(state.waiting);
  let pods: Pods | null = null;
  const open = new Set(setup.queues.keys());
  while (open.size > 0) {
    const queueIdx = queueOrder(session).find((idx) => open.has(idx))!;
    const lane = isOverused(session, queueIdx)
      ? null
      : nextLane(state.waiting, queueIdx, view.jobs.at.submitMs);
    if (lane === null) {
      open.delete(queueIdx);
      continue;
    }
    pods ??= runningPods(session);
    if (!reclaimFor(session, pods, lane)) lane.closed = true;
  }
}

/** Makes room for the pods of the first group of a lane, as far as it goes; true where all of its least members have room. */
function reclaimFor(session: Session, pods: Pods, lane: Lane): boolean {
  const { view, setup } = session;
  const jobIdx = lane.jobs[lane.first]!;
  const group = groupAt(session, jobIdx);
  if (group.bestEffort) return false;
  // What its queue holds stays: victims are of other queues.
  if (!queueCouldAllow(session, lane.queueIdx, group.leastRequest, "stays")) return false;
  const never =
    view.jobs.kubernetes?.get(jobIdx)?.preemptionPolicy === "Never" ||
    !setup.tierEvicts[view.tierOfJob[jobIdx]!]!;
  for (const [at, least] of group.least.entries()) {
    const apart = new Set<number>();
    for (let member = 0; member < least; member++) {
      const node = roomFor(session, pods, lane, jobIdx, at, never, apart);
      if (node < 0) return false;
      if (group.shape.parts[at]!.ownNode) apart.add(node);
      shiftFuture(session, node, group.each[at]!, -1);
      addAmounts(session.allocated[lane.queueIdx]!, group.each[at]!);
    }
  }
  setAside(session, lane);
  return true;
}

/** The node that one pod will get, its victims told to leave; −1 if there is none. */
function roomFor(
  session: Session,
  pods: Pods,
  lane: Lane,
  jobIdx: number,
  at: number,
  never: boolean,
  apart: ReadonlySet<number>,
): number {
  const { view } = session;
  const group = groupAt(session, jobIdx);
  const part = group.shape.parts[at]!;
  const request = group.each[at]!;
  const queue = pods.queues[lane.queueIdx]!;
  for (const node of view.nodes) {
    if (view.nodeState[node] !== 0 || apart.has(node)) continue;
    if (part.groupFits[view.cluster.nodeGroup[node]!] === 0) continue;
    const free = futureRoom(session, node);
    const victims = reclaimVictims({ queue, request, never }, [
      { free, tasks: pods.onNode.get(node) ?? [] },
    ]) as VictimPod[];
    for (const pod of victims) addAmounts(free, pod.request);
    if (!fitsWithin(request, free) || (victims.length === 0 && !mayTake(lane, session, request)))
      continue;
    countOff(session, pods, victims);
    evictPods(session, pods, victims, jobIdx, StopReasonCode.reclaimed);
    return node;
  }
  return -1;
}

/** Room that is free needs no victims, but the queue must deserve it. */
function mayTake(
  { queueIdx }: Lane,
  { allocated, deserved }: Session,
  request: readonly number[],
): boolean {
  return request.every(
    (asked, at) =>
      asked <= 0 || allocated[queueIdx]![at]! + asked <= deserved[queueIdx]![at]! + 1e-9,
  );
}
