/**
 * Reclaim: queues below what they deserve take pods back from queues above theirs, pod by pod, and nobody is told to leave unless all least members of the group find room. What is
 * freed is no more than room: in the next session anybody may come first. A group that must be near each other takes nothing back, where upstream asks for it as for any other and does
 * not look at where its nodes are (#4374, open): its victims would return, and leave again, for ever. Off by default. O(pods of waiting groups × running pods).
 * Source: volcano-sh/volcano `pkg/scheduler/actions/reclaim` (`Statement`, kept if `JobPipelined`: #3673, #5520).
 */
import { StopReasonCode } from "../../model/reasons.ts";
import { type Amounts, addAmounts } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import { type Lane, nextLane, openLanes } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { fitsWithin } from "../../scheduling/kubernetes/volcano/deserved.ts";
import { reclaimVictims } from "../../scheduling/kubernetes/volcano/reclaim.ts";
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
import { firstQueue, isOverused, queueCouldAllow, type Session } from "./session.ts";
import { addVictims } from "./state.ts";

export function reclaim(session: Session): void {
  const { state, setup } = session;
  if (setup.queuePlugin === "none") return;
  openLanes(state.waiting);
  let pods: Pods | null = null;
  const open = new Set(setup.queues.keys());
  while (open.size > 0) {
    const queueIdx = firstQueue(session, open);
    const lane = isOverused(session, queueIdx) ? null : nextLane(state.waiting, queueIdx);
    if (lane === null) {
      open.delete(queueIdx);
      continue;
    }
    pods ??= createPods(session);
    if (!reclaimFor(session, pods, lane)) lane.closed = true;
  }
}

/** Makes room for the first group of a lane: true where all of its least members have it; else nothing has changed. */
function reclaimFor(session: Session, pods: Pods, lane: Lane): boolean {
  const { view, setup } = session;
  const jobIdx = lane.jobs[lane.first]!;
  const group = groupAt(session, jobIdx);
  const near = group.topology?.mode === "required" || group.shape.wish !== "none";
  if (group.bestEffort || near) return false;
  const empty = ifEmpty(session);
  if (!group.shape.parts.every((part, at) => empty.couldHold(part, group.least[at]!))) return false;
  // What its queue holds stays: victims are of other queues.
  if (!queueCouldAllow(session, lane.queueIdx, group.leastRequest, "stays")) return false;
  const never =
    view.jobs.kubernetes?.get(jobIdx)?.preemptionPolicy === "Never" ||
    !setup.tierEvicts[view.tierOfJob[jobIdx]!]!;
  const victims: VictimPod[] = [];
  const places: { node: number; request: Amounts }[] = [];
  for (const [at, least] of group.least.entries()) {
    const request = group.each[at]!;
    const search = { lane, jobIdx, at, never, apart: new Set<number>() };
    let from = 0;
    for (let member = 0; member < least; member++) {
      // What had no room has none now.
      from = roomFor(session, pods, search, victims, session.everySearch ? 0 : from);
      if (from < 0) {
        giveBack(session, pods, lane, places, victims);
        return false;
      }
      const node = view.nodes[from]!;
      if (group.shape.parts[at]!.ownNode) search.apart.add(node);
      shiftFuture(session, node, request, -1);
      addAmounts(session.allocated[lane.queueIdx]!, request);
      places.push({ node, request });
    }
  }
  evictPods(session, pods, victims, jobIdx, StopReasonCode.reclaimed);
  setAside(session, lane);
  return true;
}

/** As if nobody had been asked. */
function giveBack(
  session: Session,
  pods: Pods,
  { queueIdx }: Lane,
  places: readonly { readonly node: number; readonly request: Amounts }[],
  victims: readonly VictimPod[],
): void {
  for (const { node, request } of places) {
    shiftFuture(session, node, request, 1);
    addAmounts(session.allocated[queueIdx]!, request, -1);
  }
  countOn(session, pods, victims);
}

/** What nodes have free when nobody holds anything. O(nodes) after each eviction. */
function ifEmpty(session: Session): Bound {
  const { view, bounds } = session;
  const { deviceBase } = view.cluster;
  return bounds.kept(EMPTY, futureOf(session), (into) => {
    for (const node of view.nodes)
      into.add(node, deviceBase[node + 1]! - deviceBase[node]! - into.free[node]!);
  });
}

/** No other question about bounds has this key. */
const EMPTY = -1;

interface Search {
  readonly lane: Lane;
  readonly jobIdx: number;
  /** The component. */
  readonly at: number;
  readonly never: boolean;
  readonly apart: ReadonlySet<number>;
}

/** The node that one pod would get, by its place in the pool from `from` on, its victims counted off; −1 if there is none. */
function roomFor(
  session: Session,
  pods: Pods,
  { lane, jobIdx, at, never, apart }: Search,
  victims: VictimPod[],
  from: number,
): number {
  const { view } = session;
  const group = groupAt(session, jobIdx);
  const part = group.shape.parts[at]!;
  const request = group.each[at]!;
  const queue = pods.queues[lane.queueIdx]!;
  // Above what the queue deserves it may neither take room that is free nor anybody's.
  if (!mayTake(lane, session, request)) return -1;
  const bound = isWhole(part) && !session.everySearch ? reachOf(session, lane.queueIdx).free : null;
  for (let i = from; i < view.nodes.length; i++) {
    const node = view.nodes[i]!;
    if (bound !== null && bound[node]! < part.gpus) continue;
    if (view.nodeState[node] !== 0 || apart.has(node)) continue;
    if (part.groupFits[view.cluster.nodeGroup[node]!] === 0) continue;
    const free = futureRoom(session, node);
    const tasks = podsOn(session, pods, node);
    const there = reclaimVictims(
      { queue, request, never },
      [{ free, tasks }],
      session.setup.gangReclaim,
    ) as VictimPod[];
    for (const pod of there) addAmounts(free, pod.request);
    if (!fitsWithin(request, free)) continue;
    countOff(session, pods, there);
    victims.push(...there);
    return i;
  }
  return -1;
}

/** What nodes could have free if all left that queues hold who are above what they deserve. */
function reachOf(session: Session, queueIdx: number): Bound {
  const { view, state, setup, allocated, deserved, bounds } = session;
  return bounds.kept(queueIdx * 2 + 1, futureOf(session), (into) =>
    addVictims(
      into,
      view,
      state,
      setup.gangReclaim,
      (other) =>
        other !== queueIdx &&
        setup.queues[other]!.reclaimable &&
        !fitsWithin(allocated[other]!, deserved[other]!),
    ),
  );
}

/** The queue deserves what is asked for. */
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
