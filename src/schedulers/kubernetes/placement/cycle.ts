/**
 * Scheduling cycles: one pod each, one after the other, each taking its time. A pod that finds a node is bound: its place is taken at once, it runs when the binding
 * call (so many a second) has gone through and its containers have started. A pod that finds none looks for victims; where there are none either, its crowd has failed.
 * At each wake-up as many cycles are run as have begun by then. Source: kubernetes/kubernetes `pkg/scheduler/schedule_one.go`.
 */
import { Grant } from "../../../engine/grant.ts";
import type { Actions, PoolView } from "../../../engine/view.ts";
import { kubeReasonCode, StartReasonCode } from "../../../model/reasons.ts";
import { JobStateCode } from "../../../model/states.ts";
import { NEVER_MS } from "../../../model/units.ts";
import { takeShares, takeSlices } from "../../../scheduling/placement/parts.ts";
import { Placing } from "../../../scheduling/placement/placing.ts";
import { noNodeWord } from "./autoscaler.ts";
import { domainOf } from "./pin.ts";
import { addPod } from "./pods.ts";
import { makeRoom } from "./preempt.ts";
import {
  ALL_KINDS,
  backOff,
  joinCrowd,
  type Next,
  nextMayUs,
  nextUp,
  onePlaced,
  reveal,
  topPriority,
  wake,
} from "./queue.ts";
import { findNode, touchNode } from "./search.ts";
import type { PodShape, PodShapes } from "./shapes.ts";
import type { Crowd, Entry, PlacementState } from "./state.ts";

const MICROS = 1_000;
const grant = new Grant();
const placing = new Placing();

/** Runs the cycles that have begun by now. Returns when to come back (ms), `Infinity` where only news can help. */
export function runCycles(
  view: PoolView,
  state: PlacementState,
  shapes: PodShapes,
  act: Actions,
): number {
  const nowUs = view.nowMs * MICROS;
  for (;;) {
    reveal(state, nowUs);
    if (state.burn !== null && !settleBurn(state, shapes, nowUs))
      return wakeAt(burnStops(state, nowUs));
    if (state.busyUntilUs > nowUs) return wakeAt(state.busyUntilUs);
    const next = nextUp(state, nowUs);
    if (next === null) return wakeAt(nextMayUs(state, nowUs));
    // Back to back while there is work; after a pause the next cycle begins with the news.
    if (!mayJoin(view, next.entry.jobIdx)) {
      joinCrowd(state, shapes, next.entry, nowUs).woken = true;
      continue;
    }
    const startUs = nowUs - state.busyUntilUs < MICROS ? state.busyUntilUs : nowUs;
    cycle(view, state, shapes, act, next, startUs);
  }
}

/** While a job writes a checkpoint or is suspended nobody joins it: its pods are tried again after a back-off. */
function mayJoin(view: PoolView, jobIdx: number): boolean {
  const now = view.jobState[jobIdx]!;
  return now !== JobStateCode.checkpointing && now !== JobStateCode.suspended;
}

function wakeAt(us: number): number {
  return us === Number.POSITIVE_INFINITY ? NEVER_MS : Math.ceil(us / MICROS);
}

function cycle(
  view: PoolView,
  state: PlacementState,
  shapes: PodShapes,
  act: Actions,
  next: Next,
  startUs: number,
): void {
  const { entry, crowd } = next;
  state.busyUntilUs = startUs + state.config.cycleUs;
  const node = findNode(view, state, shapes, entry);
  if (node >= 0) {
    bind(view, state, shapes, act, entry, node);
    wakeFreed(view, state, shapes);
    return;
  }
  if (makeRoom(view, state, shapes, act, entry)) {
    // The next pod of the component has a cycle of its own.
    if (entry.left > entry.nominated.length) {
      wakeFreed(view, state, shapes);
      return;
    }
    joinCrowd(state, shapes, entry, state.busyUntilUs);
    say(view, state, act, entry);
    wakeFreed(view, state, shapes);
    return;
  }
  fail(view, state, shapes, act, entry, crowd, startUs);
  wakeOthers(view, state, shapes, entry);
}

/** What was kept for a pod that has failed is free for others; to itself that is no news. */
function wakeOthers(view: PoolView, state: PlacementState, shapes: PodShapes, entry: Entry): void {
  if (state.freed === 0) return;
  const own = state.crowds.get(entry.crowd);
  const { burn } = state;
  const [crowdWoken, burnWoken] = [own?.woken, burn?.woken];
  wakeFreed(view, state, shapes);
  if (own !== undefined) own.woken = crowdWoken!;
  if (burn !== null) burn.woken = burnWoken!;
}

/** Room that came free within a cycle: that of victims without a grace period, and what was kept for a pod that is nominated no longer. */
export function wakeFreed(view: PoolView, state: PlacementState, shapes: PodShapes): void {
  if (state.freed === 0) return;
  wake(state, shapes, state.freed, view.nowMs * MICROS);
  state.freed = 0;
}

/** Gives one pod its node. */
function bind(
  view: PoolView,
  state: PlacementState,
  shapes: PodShapes,
  act: Actions,
  entry: Entry,
  node: number,
): void {
  const { jobIdx, row } = entry;
  const component = row - view.jobs.at.firstComponent[jobIdx]!;
  grantPod(view, shapes.list[shapes.ofRow[row]!]!, component, node);
  const readyUs = bindUs(state) + state.config.afterBindUs;
  const startupMs = Math.max(0, Math.ceil(readyUs / MICROS) - view.nowMs);
  const passes = state.crowds.size > (entry.crowd === 0 ? 0 : 1);
  const why =
    entry.nominated.length > 0
      ? StartReasonCode.preempting
      : passes
        ? StartReasonCode.skipped
        : StartReasonCode.inOrder;
  dropNomination(state, entry, node);
  act.place(jobIdx, grant, why, startupMs);
  addPod(state.pods, shapes, jobIdx, row, node, view.nowMs);
  touchNode(state.known, node, false);
  const domain = entry.pin === null ? -1 : domainOf(entry.pin, node);
  if (domain >= 0) entry.domainsLeft[domain]!--;
  onePlaced(state, entry);
}

function grantPod(view: PoolView, { part }: PodShape, component: number, node: number): void {
  grant.clear();
  if (part.shareMilli === 0 && part.mig === 0) {
    view.takeDevices(node, part.gpus, component, 1, grant);
    return;
  }
  placing.clear();
  if (part.mig > 0) takeSlices(view, component, part, node, 1, placing);
  else takeShares(view, component, part, node, 1, placing);
  const first = placing.device[0]! - view.cluster.deviceBase[node]!;
  grant.push(component, node, first, 1, placing.milli[0]!, 1);
}

/** When the binding call of the pod whose cycle ends now goes out: at once within the burst, else at the rate of the client. */
function bindUs(state: PlacementState): number {
  const { bindEveryUs, bindBurst } = state.config;
  const readyUs = state.busyUntilUs;
  if (bindEveryUs === 0) return readyUs;
  const atUs = Math.max(readyUs, state.bindTatUs - (bindBurst - 1) * bindEveryUs);
  state.bindTatUs = Math.max(state.bindTatUs, atUs) + bindEveryUs;
  return atUs;
}

function dropNomination(state: PlacementState, entry: Entry, node: number): void {
  if (entry.nominated.length === 0) return;
  const at = Math.max(0, entry.nominated.indexOf(node));
  const [gone] = entry.nominated.splice(at, 1);
  const index = state.nominations.findIndex((one) => one.row === entry.row && one.node === gone);
  if (index >= 0) state.nominations.splice(index, 1);
  if (gone === undefined) return;
  touchNode(state.known, gone, gone !== node);
  if (gone !== node) state.freed |= ALL_KINDS;
}

/** No node has room for a pod of the entry: nor for any other of its crowd. Their cycles pass. */
function fail(
  view: PoolView,
  state: PlacementState,
  shapes: PodShapes,
  act: Actions,
  entry: Entry,
  from: Crowd | null,
  startUs: number,
): void {
  say(view, state, act, entry);
  if (from === null || entry.nominated.length > 0) {
    // Its other pods have no better luck; those of a crowd that failed before are not tried again for it.
    const pods = Math.max(1, entry.left - entry.nominated.length - entry.charged);
    state.busyUntilUs = startUs + pods * state.config.cycleUs;
    if (pods > 1 && from === null)
      state.burn = { crowd: 0, row: entry.row, startUs, pods, woken: false };
    else joinCrowd(state, shapes, entry, state.busyUntilUs);
    return;
  }
  const pods = from.toBurn > 0 ? Math.min(from.toBurn, from.pods) : from.pods;
  state.busyUntilUs = startUs + pods * state.config.cycleUs;
  from.woken = false;
  if (pods > 1) state.burn = { crowd: from.id, row: -1, startUs, pods, woken: false };
  else backOff(state, from, state.busyUntilUs, false);
}

function say(view: PoolView, placement: PlacementState, act: Actions, entry: Entry): void {
  const state = view.jobState[entry.jobIdx]!;
  if (
    state !== JobStateCode.queued &&
    state !== JobStateCode.admitted &&
    state !== JobStateCode.placed
  )
    return;
  const word =
    entry.nominated.length > 0
      ? "nominated"
      : state === JobStateCode.placed
        ? "partBound"
        : noNodeWord(view, placement, entry.jobIdx);
  act.wait(entry.jobIdx, kubeReasonCode(word));
}

/** True once the burn is over: run down, or interrupted at the end of a cycle by somebody more important or by news that might help. */
function settleBurn(state: PlacementState, shapes: PodShapes, nowUs: number): boolean {
  const { cycleUs } = state.config;
  const burn = state.burn!;
  const crowd = burn.crowd === 0 ? undefined : state.crowds.get(burn.crowd);
  const entry = burn.crowd === 0 ? state.entries.get(burn.row) : undefined;
  const priority = crowd?.priority ?? entry?.priority ?? Number.NEGATIVE_INFINITY;
  const endUs = burn.startUs + burn.pods * cycleUs;
  const runs = nowUs < endUs;
  if (runs && !burn.woken && topPriority(state, nowUs) <= priority) return false;
  const done = runs ? Math.max(1, Math.ceil((nowUs - burn.startUs) / cycleUs)) : burn.pods;
  if (runs) state.busyUntilUs = burn.startUs + done * cycleUs;
  state.burn = null;
  if (crowd !== undefined) {
    crowd.toBurn = burn.pods - done;
    if (crowd.toBurn > 0) crowd.woken = true;
    else backOff(state, crowd, state.busyUntilUs, burn.woken);
  } else if (entry !== undefined) {
    entry.charged += done;
    if (burn.pods > done) return true;
    entry.charged = 0;
    const joined = joinCrowd(state, shapes, entry, state.busyUntilUs);
    if (burn.woken) joined.woken = true;
  }
  return true;
}

/** When somebody may interrupt, or the burn is over. */
function burnStops(state: PlacementState, nowUs: number): number {
  return Math.min(state.busyUntilUs, nextMayUs(state, nowUs));
}
