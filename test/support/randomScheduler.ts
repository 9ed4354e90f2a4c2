/**
 * A scheduler that does at random whatever the engine allows: partial gangs, start-ups, checkpoints, evictions with and without
 * grace, suspensions with and without CPUs, other limits, more devices and other CPUs than asked for,
 * shrinking, moves, speeds, nodes given back and handed over, devices cut anew, holds, refusals, wake-ups. Its dice are in its state, so that it is as
 * deterministic as any other; it exists to lead the engine into corners.
 */
import { Grant } from "../../src/engine/grant.ts";
import type { Actions, LifeRules, PoolView, Scheduler } from "../../src/engine/view.ts";
import { WaitReasonCode } from "../../src/model/reasons.ts";
import { JobStateCode, NodeStateCode } from "../../src/model/states.ts";
import { addMember } from "./members.ts";

interface DiceState {
  seed: number;
  readonly pools: number;
}

const grant = new Grant();

function roll(state: DiceState, sides: number): number {
  state.seed = (Math.imul(state.seed, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state.seed / 2 ** 32) * sides);
}

/** Rules of a scheduler that keeps jobs back itself, stops runs at checks and notices failures late. */
export const OWN_LIFE: LifeRules = {
  ownHolds: true,
  limitCheckEveryMs: 3_000,
  limitCheckPhaseMs: -1_300,
  overLimitMs: 500,
  killWaitMs: 900,
  noticeAfterMs: 3_000,
  noticeEveryMs: 1_500,
  noticePhaseMs: -200,
};

/** With two pools, nodes are handed to and fro between them. `own`: it keeps jobs back itself. */
export function randomScheduler(seed: number, pools = 1, own = false): Scheduler<DiceState> {
  return {
    ...(own ? { life: () => OWN_LIFE } : {}),
    init: () => ({ seed, pools }),
    decide(view, _happened, state, act) {
      if (view.nodes.length === 0) return Number.POSITIVE_INFINITY;
      for (const jobIdx of copy(view.running())) maybeDisturb(view, state, act, jobIdx);
      maybeChangeNode(view, state, act);
      for (const jobIdx of copy(view.waiting()))
        if (mayStart(view, jobIdx)) maybePlace(view, state, act, jobIdx);
      if (roll(state, 20) === 0) act.pass(roll(state, 2), view.waiting().length, 0);
      return roll(state, 3) === 0 ? view.nowMs + 1 + roll(state, 3_000) : Number.POSITIVE_INFINITY;
    },
    explain() {
      throw new Error("Dice have no reasons");
    },
    snapshot: (state) => ({ ...state }),
  };
}

/** Where the engine keeps jobs back, always. */
function mayStart(view: PoolView, jobIdx: number): boolean {
  return view.dependency(jobIdx) === "met" && view.jobs.at.beginMs[jobIdx]! <= view.nowMs;
}

function copy(list: { readonly length: number; readonly at: Int32Array }): number[] {
  return Array.from(list.at.subarray(0, list.length));
}

function maybeDisturb(view: PoolView, state: DiceState, act: Actions, jobIdx: number): void {
  const jobState = view.jobState[jobIdx]!;
  if (jobState === JobStateCode.ending) return;
  const component = roll(state, componentsOf(view, jobIdx));
  switch (roll(state, 16)) {
    case 0:
      act.evict(
        jobIdx,
        roll(state, 3) === 0 ? "cancel" : "requeue",
        roll(state, 2) * roll(state, 2_000),
        roll(state, 2) - 1,
      );
      break;
    case 1:
      if (jobState === JobStateCode.running) act.suspend(jobIdx, roll(state, 2) === 0);
      break;
    case 2:
    case 3:
      if (jobState === JobStateCode.suspended && hasMinimum(view, jobIdx))
        if (cpusAreFree(view, jobIdx)) act.resume(jobIdx);
      break;
    case 4:
      if (roll(state, 3) === 0) act.setLimit(jobIdx, 1 + roll(state, 20_000));
      act.setSpeed(jobIdx, 1 + roll(state, 200_000));
      break;
    case 5: {
      if (jobState === JobStateCode.suspended) break;
      const held = membersHeld(view, jobIdx, component);
      const others = componentsOf(view, jobIdx) > 1;
      if (held > (others ? 0 : 1))
        act.shrink(jobIdx, component, 1 + roll(state, held - (others ? 0 : 1)));
      if (devicesAndMembers(view, jobIdx) === 0) act.evict(jobIdx, "requeue", 0, -1);
      break;
    }
    case 6:
      maybeMove(view, state, act, jobIdx);
      break;
    case 7:
      if (isGoing(jobState)) maybePlace(view, state, act, jobIdx);
      break;
    case 8:
    case 9:
      if (jobState === JobStateCode.running)
        act.checkpoint(jobIdx, roll(state, 3) * roll(state, 1_000));
      break;
    case 10: {
      if (jobState === JobStateCode.suspended) break;
      grant.clear();
      view.holdings(jobIdx, grant);
      if (grant.length === 0) break;
      const row = roll(state, grant.length);
      const on = [grant.component[row]!, grant.node[row]!] as const;
      act.evictMembers(jobIdx, ...on, 1 + roll(state, 3), roll(state, 2) - 1);
      if (devicesAndMembers(view, jobIdx) === 0) act.evict(jobIdx, "requeue", 0, -1);
      break;
    }
    default:
  }
}

function isGoing(jobState: number): boolean {
  return jobState === JobStateCode.running || jobState === JobStateCode.starting;
}

function maybePlace(view: PoolView, state: DiceState, act: Actions, jobIdx: number): void {
  const waits = !isGoing(view.jobState[jobIdx]!);
  switch (roll(state, 12)) {
    case 0:
      if (view.jobState[jobIdx] === JobStateCode.queued) act.admit(jobIdx);
      return;
    case 1:
      if (waits) act.wait(jobIdx, 1 + roll(state, 5));
      return;
    case 2:
      if (waits) act.plan(jobIdx, view.nowMs + roll(state, 10_000));
      return;
    case 3:
      if (view.jobState[jobIdx] === JobStateCode.queued) maybeGiveUp(state, act, jobIdx);
      return;
    default:
  }
  grant.clear();
  const first = view.jobs.at.firstComponent[jobIdx]!;
  for (let component = 0; component < componentsOf(view, jobIdx); component++) {
    const missing =
      view.jobs.components.members[first + component]! - membersHeld(view, jobIdx, component);
    const wanted = roll(state, 3) === 0 ? roll(state, missing + 1) : missing;
    for (let member = 0; member < wanted; member++) {
      addMember(view, grant, jobIdx, component, view.nodes[roll(state, view.nodes.length)]!);
    }
    maybeGiveMore(view, state, jobIdx, component);
  }
  const startupMs = roll(state, 4) === 0 ? roll(state, 3_000) : 0;
  if (grant.length > 0) act.place(jobIdx, grant, roll(state, 3), startupMs, roll(state, 2) - 1);
}

/** More devices than the members ask for, or none of the CPUs. */
function maybeGiveMore(view: PoolView, state: DiceState, jobIdx: number, component: number): void {
  const last = grant.length - 1;
  if (last < 0 || grant.component[last] !== component || grant.part[last] !== 0) return;
  const row = view.jobs.at.firstComponent[jobIdx]! + component;
  if (view.jobs.components.gpus[row] === 0) return;
  if (roll(state, 6) === 0) view.takeDevices(grant.node[last]!, 1, component, 0, grant);
  if (roll(state, 6) === 0) grant.cpuMilli[last] = 0;
}

function cpusAreFree(view: PoolView, jobIdx: number): boolean {
  const held = new Grant();
  view.holdings(jobIdx, held);
  const need = new Map<number, number>();
  for (let i = 0; i < held.length; i++)
    need.set(held.node[i]!, (need.get(held.node[i]!) ?? 0) + held.cpuMilli[i]!);
  return [...need].every(([node, cpuMilli]) => cpuMilli <= view.cpuMilliFree[node]!);
}

function maybeGiveUp(state: DiceState, act: Actions, jobIdx: number): void {
  const face = roll(state, 12);
  if (face === 0) act.hold(jobIdx);
  if (face === 1) act.refuse(jobIdx, WaitReasonCode.never);
}

function maybeMove(view: PoolView, state: DiceState, act: Actions, jobIdx: number): void {
  const held = new Grant();
  view.holdings(jobIdx, held);
  if (held.length === 0) return;
  const from = held.node[roll(state, held.length)]!;
  const to = view.nodes[roll(state, view.nodes.length)]!;
  if (from === to || view.nodeState[to] !== NodeStateCode.open) return;
  grant.clear();
  let cpu = 0;
  let mem = 0;
  const first = view.jobs.at.firstComponent[jobIdx]!;
  for (let component = 0; component < componentsOf(view, jobIdx); component++) {
    let members = 0;
    for (let i = 0; i < held.length; i++) {
      if (held.part[i] !== 0) return;
      if (held.node[i] === from && held.component[i] === component) members += held.members[i]!;
    }
    if (members === 0) continue;
    const row = first + component;
    cpu += members * view.jobs.components.cpuMilli[row]!;
    mem += members * view.jobs.components.memMiB[row]!;
    if (!view.takeDevices(to, members * view.jobs.components.gpus[row]!, component, members, grant))
      return;
  }
  if (cpu <= view.cpuMilliFree[to]! && mem <= view.memMiBFree[to]!) act.move(jobIdx, from, grant);
}

function maybeChangeNode(view: PoolView, state: DiceState, act: Actions): void {
  if (roll(state, 10) !== 0) return;
  const node = view.nodes[roll(state, view.nodes.length)]!;
  const costMs = roll(state, 2) * roll(state, 5_000);
  const device = roll(state, view.cluster.deviceBase[node + 1]! - view.cluster.deviceBase[node]!);
  if (view.deviceUsed[view.cluster.deviceBase[node]! + device] === 0 && roll(state, 3) === 0)
    act.repartition(node, device, costMs);
  if (view.nodeState[node] === NodeStateCode.silent) return;
  const unborn = view.nodeState[node] === NodeStateCode.unborn;
  if (view.onTheWay(node)) {
    if (unborn && roll(state, 3) === 0) act.closeNode(node);
    return;
  }
  if (unborn) act.openNode(node, costMs);
  else if (roll(state, 2) === 0) act.closeNode(node);
  else if (view.nodeState[node] !== NodeStateCode.down && state.pools > 1)
    act.handNode(node, 1 - view.pool, costMs);
}

function componentsOf(view: PoolView, jobIdx: number): number {
  return view.jobs.at.firstComponent[jobIdx + 1]! - view.jobs.at.firstComponent[jobIdx]!;
}

function membersHeld(view: PoolView, jobIdx: number, component: number): number {
  const held = new Grant();
  view.holdings(jobIdx, held);
  let members = 0;
  for (let i = 0; i < held.length; i++)
    if (held.component[i] === component) members += held.members[i]!;
  return members;
}

function devicesAndMembers(view: PoolView, jobIdx: number): number {
  const held = new Grant();
  view.holdings(jobIdx, held);
  return held.length;
}

function hasMinimum(view: PoolView, jobIdx: number): boolean {
  const first = view.jobs.at.firstComponent[jobIdx]!;
  for (let component = 0; component < componentsOf(view, jobIdx); component++) {
    if (membersHeld(view, jobIdx, component) < view.jobs.components.minMembers[first + component]!)
      return false;
  }
  return true;
}
