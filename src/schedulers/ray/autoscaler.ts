/**
 * The autoscaler (v2), a step every few seconds: what waits and finds no room on workers that are there or come is put on fresh ones, of the kind that it uses best; as many are asked for as
 * the limits allow, and workers that have held nothing for the idle timeout are given back, down to the least of their group. A step that could decide nothing new is not computed.
 * O(demands × (nodes + kinds)) a step. Source: ray-project/ray `python/ray/autoscaler/v2/{scheduler,autoscaler}.py`, `instance_manager/reconciler.py`.
 */
import type { PoolView } from "../../engine/view.ts";
import { kubeReasonCode } from "../../model/reasons.ts";
import { JobStateCode, NodeStateCode } from "../../model/states.ts";
import { NEVER_MS } from "../../model/units.ts";
import { launchesOf } from "../../scheduling/ray/launches.ts";
import { type Demand, nodesToAdd } from "../../scheduling/ray/nodeTypes.ts";
import { placeGroup } from "../../scheduling/ray/placementGroup.ts";
import { covers, type RayNodes } from "../../scheduling/ray/resources.ts";
import { type CallClass, WIDTH } from "./calls.ts";
import type { Session } from "./session.ts";
import { bootMs } from "./setup.ts";
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

/** Since when each worker that may be given back holds nothing. O(nodes). */
export function noteIdle({ view, state, setup, board }: Session): void {
  for (const { nodes, scales } of setup.groups) {
    if (!scales) continue;
    for (const node of nodes) {
      if (board.alive[node] === 0 || !board.isIdle(node)) state.idleSinceMs[node] = -1;
      else if (state.idleSinceMs[node]! < 0) state.idleSinceMs[node] = view.nowMs;
    }
  }
}

/** One step. */
export function autoscale(session: Session): void {
  const { state } = session;
  state.stale = false;
  const room = roomToCome(session);
  const { gangs, calls } = unserved(session, room);
  launch(session, gangs, calls);
  giveBack(session, room.used);
  tellWaiting(session);
}

interface ComingRoom {
  readonly nodes: RayNodes;
  readonly mask: Uint8Array;
  /** 1 where somebody who waits is to go. */
  readonly used: Uint8Array;
}

/** What is free on workers that are there, and all of those that come. */
function roomToCome({ board, state }: Session): ComingRoom {
  const available = board.available.slice();
  const mask = board.alive.slice();
  for (const { node } of state.launches) {
    mask[node] = 1;
    available.set(board.total.subarray(node * WIDTH, (node + 1) * WIDTH), node * WIDTH);
  }
  const nodes = { count: board.count, width: WIDTH, available, total: board.total };
  return { nodes, mask, used: new Uint8Array(board.count) };
}

/** Groups and calls that find no room there, as the types of nodes see them. */
function unserved(session: Session, room: ComingRoom): { gangs: Demand[][]; calls: Demand[] } {
  const { state, classes } = session;
  const gangs: Demand[][] = [];
  let looked = 0;
  for (const { classIdx, jobs, first } of state.groups.list) {
    const group = classes.list[classIdx]!;
    for (let at = first; at < jobs.length && looked < DEMANDS_MOST; at++, looked++)
      if (!fitsGroup(session, group, room)) gangs.push(demandsOf(session, group, 1));
  }
  const calls: Demand[] = [];
  for (const { classIdx, jobs, first } of state.calls.list) {
    const of = classes.list[classIdx]!;
    let members = 0;
    for (let at = first; at < jobs.length && members < DEMANDS_MOST; at++)
      members += countMissing(state, of, jobs[at]!);
    const left = fillCalls(session, of, members, room);
    if (left > 0) calls.push({ ...demandsOf(session, of, 1)[0]!, count: left });
  }
  return { gangs, calls };
}

function fitsGroup(session: Session, group: CallClass, { nodes, mask, used }: ComingRoom): boolean {
  const masks = group.fits.map((fits) => maskFor(session, fits, mask));
  const placed = placeGroup(
    {
      strategy: group.strategy,
      bundles: group.bundles,
      softTarget: -1,
      mask: masks[0]!,
      ...(group.alike ? {} : { maskOf: (bundle) => masks[group.componentOf[bundle]!]! }),
    },
    nodes,
  );
  if (placed.status !== "placed") return false;
  for (const [bundle, node] of placed.nodes.entries())
    take(nodes, node, group.bundles[bundle]!, used);
  return true;
}

/** Calls of a class go to the first nodes that hold them; how many are left. */
function fillCalls(session: Session, of: CallClass, members: number, room: ComingRoom): number {
  const request = of.requests[0]!;
  const mask = maskFor(session, of.fits[0]!, room.mask);
  let left = members;
  for (let node = 0; node < room.nodes.count && left > 0; node++) {
    if (mask[node] === 0) continue;
    while (left > 0 && covers(room.nodes, room.nodes.available, node, request)) {
      take(room.nodes, node, request, room.used);
      left--;
    }
  }
  return left;
}

function take(
  { available }: RayNodes,
  node: number,
  request: Float64Array,
  used: Uint8Array,
): void {
  for (let r = 0; r < WIDTH; r++)
    available[node * WIDTH + r] = available[node * WIDTH + r]! - request[r]!;
  used[node] = 1;
}

function maskFor({ view }: Session, fits: Uint8Array, mask: Uint8Array): Uint8Array {
  if (!fits.includes(0)) return mask;
  return mask.map((there, node) => (fits[view.cluster.nodeGroup[node]!] === 0 ? 0 : there));
}

/** What a job asks for, by component, and which worker groups can have it. */
function demandsOf({ view, setup }: Session, calls: CallClass, times: number): Demand[] {
  const kindsOf = (fits: Uint8Array) =>
    Uint8Array.from(setup.groups, ({ nodes }) =>
      nodes.length > 0 ? fits[view.cluster.nodeGroup[nodes[0]!]!]! : 0,
    );
  if (calls.kind === "placementGroup" && calls.strategy === "STRICT_PACK") {
    const all = new Float64Array(WIDTH);
    for (const bundle of calls.bundles)
      for (let r = 0; r < WIDTH; r++) all[r] = all[r]! + bundle[r]!;
    return [{ request: all, count: 1, apart: false, kinds: kindsOf(calls.fits[0]!) }];
  }
  return calls.requests.map((request, at) => ({
    request,
    count: times * calls.shape.parts[at]!.members,
    apart: calls.kind === "placementGroup" && calls.strategy === "STRICT_SPREAD",
    kinds: kindsOf(calls.fits[at]!),
  }));
}

/** Asks for as many workers as are wanted and the limits allow. */
function launch(session: Session, gangs: readonly Demand[][], calls: readonly Demand[]): void {
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
  const added = nodesToAdd(gangs, calls, kinds, UNITS);
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
      const atMs = boot >= 0 ? NEVER_MS : view.nowMs + setup.nodeStartMs;
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
function giveBack({ view, act, state, setup, board }: Session, used: Uint8Array): void {
  for (const group of setup.groups) {
    if (!group.scales) continue;
    let there = group.nodes.filter((node) => board.alive[node] === 1).length;
    for (const node of [...group.nodes].reverse()) {
      if (there <= group.least || board.alive[node] === 0 || used[node] === 1) continue;
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

/** Heads of lines hear that workers are on their way, as long as some are. */
function tellWaiting({ view, act, state }: Session): void {
  const coming = state.launches.length > 0;
  const reason = kubeReasonCode("rayWorkers");
  for (const lanes of [state.calls, state.groups])
    for (const { jobs, first } of lanes.list) {
      const jobIdx = jobs[first];
      if (jobIdx === undefined || view.jobState[jobIdx] !== JobStateCode.queued) continue;
      if (coming && view.waitReason(jobIdx) !== reason) act.wait(jobIdx, reason);
    }
}

/** When the autoscaler has something to decide. */
export function nextStepMs(view: PoolView, state: RayState): number {
  const { setup } = state;
  if (!setup.scales) return NEVER_MS;
  let firstMs = state.stale ? view.nowMs : NEVER_MS;
  for (const { nodes, scales, idleTimeoutMs, least } of setup.groups) {
    if (!scales) continue;
    const there = nodes.filter((node) => isThere(view, state, node)).length;
    if (there <= least) continue;
    for (const node of nodes)
      if (state.idleSinceMs[node]! >= 0)
        firstMs = Math.min(firstMs, state.idleSinceMs[node]! + idleTimeoutMs);
  }
  if (firstMs === NEVER_MS) return NEVER_MS;
  const { autoscalerPeriodMs } = setup;
  const afterMs = state.lastStepMs >= view.nowMs ? view.nowMs + 1 : view.nowMs;
  const sinceMs = Math.max(firstMs, afterMs) - state.originMs;
  return state.originMs + Math.ceil(sinceMs / autoscalerPeriodMs) * autoscalerPeriodMs;
}

function isThere(view: PoolView, state: RayState, node: number): boolean {
  return view.nodeState[node] === NodeStateCode.open && state.absent[node] === 0;
}
