/**
 * The autoscaler (v2), a step every few seconds: what waits and finds no room on workers that are there or come is put on fresh ones, of the kind that it uses best; as many are asked for as
 * the limits allow, and workers that have held nothing for the idle timeout are given back, down to the least of their group. A step that could decide nothing new is not computed.
 * O(demands × (nodes + kinds)) a step. Source: ray-project/ray `python/ray/autoscaler/v2/{scheduler,autoscaler}.py`, `instance_manager/reconciler.py`.
 */
import type { PoolView } from "../../engine/view.ts";
import { kubeReasonCode } from "../../model/reasons.ts";
import { NodeStateCode } from "../../model/states.ts";
import { NEVER_MS } from "../../model/units.ts";
import { launchesOf } from "../../scheduling/ray/launches.ts";
import {
  type Demand,
  type NodesAsked,
  nodesToAdd,
  type RoomyNode,
} from "../../scheduling/ray/nodeTypes.ts";
import { covers } from "../../scheduling/ray/resources.ts";
import type { Board } from "./board.ts";
import { type CallClass, WIDTH } from "./calls.ts";
import { type Session, tell } from "./session.ts";
import { bootMs, type WorkerGroup } from "./setup.ts";
import { countMissing, type RayState, roomGrew } from "./state.ts";

/** Calls that a step looks at, as upstream bounds what is reported. */
const DEMANDS_MOST = 1_000;
/** GPUs and CPUs are counted in 1/1,000, memory in MiB; uses are compared in GPUs, CPUs and bytes. */
const UNITS = [1e-3, 1e-3, 2 ** 20];

/** Workers whose time has come are there. True where some are. */
export function workersCome(view: PoolView, state: RayState): boolean {
  if (state.launches.length === 0) return false;
  const left = state.launches.filter(({ node, atMs }) => {
    if (atMs < NEVER_MS) return atMs > view.nowMs;
    return view.nodeState[node] === NodeStateCode.unborn && view.onTheWay(node);
  });
  if (left.length === state.launches.length) return false;
  for (const launch of state.launches) if (!left.includes(launch)) state.absent[launch.node] = 0;
  state.launches = left;
  state.stale = true;
  roomGrew(view, state);
  return true;
}

/** Since when each worker that may be given back holds nothing. O(nodes), O(devices) where some job asks for a part of one. */
export function noteIdle(view: PoolView, state: RayState): void {
  for (const { nodes, scales } of state.setup.groups)
    if (scales) for (const node of nodes) noteNode(view, state, node);
}

/** The same for nodes that somebody has left. */
export function noteLeft(view: PoolView, state: RayState, left: ReadonlySet<number>): void {
  for (const node of left)
    if (state.setup.groups[state.setup.groupOf[node]!]?.scales === true)
      noteNode(view, state, node);
}

function noteNode(view: PoolView, state: RayState, node: number): void {
  if (!isThere(view, state, node) || !holdsNothing(view, node)) state.idleSinceMs[node] = -1;
  else if (state.idleSinceMs[node]! < 0) state.idleSinceMs[node] = view.nowMs;
}

function holdsNothing(view: PoolView, node: number): boolean {
  const { deviceBase, groups, nodeGroup } = view.cluster;
  const { cpusPerNode, memMiBPerNode } = groups[nodeGroup[node]!]!;
  if (view.gpusFree[node] !== deviceBase[node + 1]! - deviceBase[node]!) return false;
  return view.cpuMilliFree[node] === cpusPerNode * 1_000 && view.memMiBFree[node] === memMiBPerNode;
}

/** One step. */
export function autoscale(session: Session): void {
  session.state.stale = false;
  const there = roomToCome(session);
  const { gangs, calls } = demandsWaiting(session);
  launch(session, { gangs, calls, there: [...there.values()] });
  giveBack(session, there);
  tellWaiting(session);
}

/** What is free on workers that are there, and all of those that come, by node. */
function roomToCome({ board, state, setup }: Session): Map<number, RoomyNode> {
  const there = new Map<number, RoomyNode>();
  const add = (node: number, amounts: Float64Array) => {
    const room = amounts.slice(node * WIDTH, (node + 1) * WIDTH);
    there.set(node, { kind: setup.groupOf[node]!, room, used: false });
  };
  for (let node = 0; node < board.count; node++)
    if (board.alive[node] === 1) add(node, board.available);
  for (const { node } of state.launches) add(node, board.total);
  return there;
}

/** Groups and calls that wait, so many at most. */
function demandsWaiting(session: Session): { gangs: Demand[][]; calls: Demand[] } {
  const { state, classes } = session;
  const gangs: Demand[][] = [];
  for (const { classIdx, jobs, first } of state.groups.list) {
    if (first === jobs.length) continue;
    const demands = demandsOf(session, classes.list[classIdx]!);
    for (let at = first; at < jobs.length && gangs.length < DEMANDS_MOST; at++) gangs.push(demands);
  }
  const calls: Demand[] = [];
  for (const { classIdx, jobs, first } of state.calls.list) {
    if (first === jobs.length) continue;
    const of = classes.list[classIdx]!;
    let count = 0;
    for (let at = first; at < jobs.length && count < DEMANDS_MOST; at++)
      count += countMissing(state, of, jobs[at]!);
    calls.push({ ...demandsOf(session, of)[0]!, count: Math.min(count, DEMANDS_MOST) });
  }
  return { gangs, calls };
}

/** What a job asks for, by component, and which worker groups can have it. */
function demandsOf({ view, setup }: Session, calls: CallClass): Demand[] {
  const kindsOf = (fits: Uint8Array) =>
    Uint8Array.from(setup.groups, ({ nodes }) =>
      nodes.length > 0 ? fits[view.cluster.nodeGroup[nodes[0]!]!]! : 0,
    );
  const isGroup = calls.kind === "placementGroup";
  if (isGroup && calls.strategy === "STRICT_PACK")
    return [
      {
        request: calls.sum,
        count: 1,
        apart: false,
        kinds: kindsOf(calls.fits[0]!),
      },
    ];
  return calls.requests.map((request, at) => ({
    request,
    count: calls.shape.parts[at]!.members,
    apart: isGroup && calls.strategy === "STRICT_SPREAD",
    kinds: kindsOf(calls.fits[at]!),
  }));
}

/** Asks for as many workers as are wanted and the limits allow. */
function launch(session: Session, waiting: Pick<NodesAsked, "gangs" | "calls" | "there">): void {
  const { view, act, state, setup, board } = session;
  const types = setup.groups.map((group, idx) => {
    const requested = state.launches.filter((launch) => launch.group === idx).length;
    const allocated = group.nodes.filter((node) => board.alive[node] === 1).length;
    const free = group.nodes.filter((node) => isFree(session, node));
    const most = group.scales ? Math.min(free.length, group.most - requested - allocated) : 0;
    const forLeast = Math.max(0, Math.min(most, group.least - requested - allocated));
    return { ...group, requested, allocated, free, most, forLeast };
  });
  const kinds = types.map(({ nodes, most, forLeast }) => ({
    total: totalOf(session, nodes[0]),
    left: Math.max(0, most - forLeast),
  }));
  const added = nodesToAdd({ ...waiting, kinds, units: UNITS });
  const wanted = types.map((type, idx) => ({
    name: type.name,
    queued: type.forLeast + added[idx]!,
    requested: type.requested,
    allocated: type.allocated,
  }));
  const counts = launchesOf(wanted, setup.upscalingSpeed, setup.maxConcurrentLaunches);
  for (const [group, type] of types.entries()) {
    for (const node of type.free.slice(0, counts[group]!)) {
      const boot = bootMs(view, node);
      if (boot >= 0) act.openNode(node, boot + setup.nodeStartMs);
      const atMs = boot >= 0 ? NEVER_MS : view.nowMs + Math.max(1, setup.nodeStartMs);
      state.launches.push({ node, group, atMs });
    }
    // What the limits held back is asked for in the next step.
    if (counts[group]! < wanted[group]!.queued) state.stale = true;
  }
}

/** No worker is there or comes, and one could be: a rented machine that is not there, or a node that is open. */
function isFree({ view, state }: Session, node: number): boolean {
  if (state.launches.some((launch) => launch.node === node)) return false;
  if (view.nodeState[node] === NodeStateCode.unborn) return !view.onTheWay(node);
  return state.absent[node] === 1 && view.nodeState[node] === NodeStateCode.open;
}

function totalOf({ board }: Session, node: number | undefined): Float64Array {
  if (node === undefined) return new Float64Array(WIDTH);
  return board.total.slice(node * WIDTH, (node + 1) * WIDTH);
}

/** Workers that have held nothing for long enough, and that nobody who waits is to go to, the last ones first. */
function giveBack(
  { view, act, state, setup, board }: Session,
  demanded: ReadonlyMap<number, RoomyNode>,
): void {
  for (const group of setup.groups) {
    if (!group.scales) continue;
    let there = group.nodes.filter((node) => board.alive[node] === 1).length;
    for (const node of [...group.nodes].reverse()) {
      if (there <= group.least || board.alive[node] === 0) continue;
      if (demanded.get(node)?.used === true) continue;
      const sinceMs = state.idleSinceMs[node]!;
      if (sinceMs < 0 || view.nowMs - sinceMs < group.idleTimeoutMs) continue;
      there--;
      board.alive[node] = 0;
      state.idleSinceMs[node] = -1;
      if (bootMs(view, node) >= 0) act.closeNode(node);
      else state.absent[node] = 1;
    }
  }
}

/** Heads of lines hear that workers are on their way, as long as some are that could start one of theirs. O(lines × workers on their way). */
function tellWaiting({ view, act, state, board, classes }: Session): void {
  if (state.launches.length === 0) return;
  const reason = kubeReasonCode("rayWorkers");
  for (const [lanes, blocked] of [
    [state.calls, state.blockedCalls],
    [state.groups, state.blockedGroups],
  ] as const)
    for (const { jobs, first, classIdx } of lanes.list) {
      const jobIdx = jobs[first];
      if (jobIdx === undefined) continue;
      const calls = classes.list[classIdx]!;
      if (areComing(state, board, calls, blocked.get(classIdx) ?? 0))
        tell(view, act, jobIdx, reason);
    }
}

/** Is a worker on its way that could start one of these calls, whose line waits for this reason? */
export function areComing(
  { launches }: RayState,
  board: Board,
  { requests, fits }: CallClass,
  reason: number,
): boolean {
  if (reason === kubeReasonCode("rayGroupNever")) return false;
  return launches.some(({ node }) =>
    requests.some(
      (request, component) =>
        board.fits(fits[component]!, node) && covers(board, board.total, node, request),
    ),
  );
}

/** When the autoscaler has something to decide. */
export function nextStepMs(view: PoolView, state: RayState): number {
  const { setup } = state;
  if (!setup.scales) return NEVER_MS;
  let firstMs = state.stale ? view.nowMs : NEVER_MS;
  if (!state.stale)
    for (const group of setup.groups)
      if (group.scales) firstMs = Math.min(firstMs, firstIdleMs(view, state, group));
  if (firstMs === NEVER_MS) return NEVER_MS;
  const { autoscalerPeriodMs } = setup;
  const afterMs = state.lastStepMs >= view.nowMs ? view.nowMs + 1 : view.nowMs;
  const sinceMs = Math.max(firstMs, afterMs) - state.originMs;
  return state.originMs + Math.ceil(sinceMs / autoscalerPeriodMs) * autoscalerPeriodMs;
}

/** When the first worker that may be given back has been idle long enough. O(nodes). */
function firstIdleMs(
  view: PoolView,
  state: RayState,
  { nodes, idleTimeoutMs, least }: WorkerGroup,
): number {
  let sinceMs = NEVER_MS;
  let there = 0;
  for (const node of nodes) {
    if (isThere(view, state, node)) there++;
    const idleMs = state.idleSinceMs[node]!;
    if (idleMs >= 0 && idleMs < sinceMs) sinceMs = idleMs;
  }
  return there > least ? sinceMs + idleTimeoutMs : NEVER_MS;
}

function isThere(view: PoolView, state: RayState, node: number): boolean {
  return view.nodeState[node] === NodeStateCode.open && state.absent[node] === 0;
}
