/**
 * Two tiny schedulers for tests of the engine: strict first come, first served by first fit; and one whose decisions a test
 * writes down as a script of actions at given times, the rest first come, first served.
 */
import { Grant } from "../../src/engine/grant.ts";
import type { Presets } from "../../src/engine/run.ts";
import type { Actions, Explanation, Happened, PoolView, Scheduler } from "../../src/engine/view.ts";
import { StartReasonCode, WaitReasonCode } from "../../src/model/reasons.ts";

export interface QueueState {
  queue: number[];
}

const grant = new Grant();

/** Puts members on nodes in order, as many as fit; false when fewer than `atLeast` members of a component fit. */
export function fitMembers(view: PoolView, jobIdx: number, into: Grant, all: boolean): boolean {
  into.clear();
  const { at, components } = view.jobs;
  const first = at.firstComponent[jobIdx]!;
  const gpusLeft = new Map<number, number>();
  for (let row = first; row < at.firstComponent[jobIdx + 1]!; row++) {
    let left = components.members[row]!;
    for (const node of view.nodes) {
      if (left === 0) break;
      if (view.nodeState[node] !== 0) continue;
      let members = membersThatFit(view, row, node, gpusLeft);
      if (components.ownNode[row] === 1) members = Math.min(1, members);
      members = Math.min(members, left);
      if (members === 0) continue;
      pushMembers(view, row, row - first, node, members, into);
      gpusLeft.set(
        node,
        (gpusLeft.get(node) ?? view.gpusFree[node]!) - members * components.gpus[row]!,
      );
      left -= members;
    }
    const placed = components.members[row]! - left;
    if (placed < (all ? components.members[row]! : 1)) return false;
  }
  return true;
}

function membersThatFit(
  view: PoolView,
  row: number,
  node: number,
  gpusLeft: ReadonlyMap<number, number>,
): number {
  const { components } = view.jobs;
  let members = components.members[row]!;
  const cpu = components.cpuMilli[row]!;
  const mem = components.memMiB[row]!;
  if (cpu > 0) members = Math.min(members, Math.floor(view.cpuMilliFree[node]! / cpu));
  if (mem > 0) members = Math.min(members, Math.floor(view.memMiBFree[node]! / mem));
  if (components.shareMilli[row]! > 0) {
    let room = 0;
    for (let d = view.cluster.deviceBase[node]!; d < view.cluster.deviceBase[node + 1]!; d++) {
      room += Math.floor((1_000 - view.deviceUsed[d]!) / components.shareMilli[row]!);
    }
    return Math.min(members, room);
  }
  const gpus = components.gpus[row]!;
  if (gpus > 0)
    members = Math.min(members, Math.floor((gpusLeft.get(node) ?? view.gpusFree[node]!) / gpus));
  return members;
}

function pushMembers(
  view: PoolView,
  row: number,
  component: number,
  node: number,
  members: number,
  into: Grant,
): void {
  const { components } = view.jobs;
  const share = components.shareMilli[row]!;
  if (share === 0) {
    view.takeDevices(node, members * components.gpus[row]!, component, members, into);
    return;
  }
  let left = members;
  for (
    let d = view.cluster.deviceBase[node]!;
    d < view.cluster.deviceBase[node + 1]! && left > 0;
    d++
  ) {
    let room = Math.floor((1_000 - view.deviceUsed[d]!) / share);
    for (; room > 0 && left > 0; room--, left--)
      into.push(component, node, d - view.cluster.deviceBase[node]!, 1, share, 1);
  }
}

function startInOrder(view: PoolView, state: QueueState, act: Actions): void {
  while (state.queue.length > 0) {
    const head = state.queue[0]!;
    if (view.jobs.at.gpuTotal[head]! > view.cluster.deviceCount) {
      act.refuse(head, WaitReasonCode.never);
    } else if (fitMembers(view, head, grant, true)) {
      act.place(head, grant, StartReasonCode.inOrder);
    } else {
      act.wait(head, WaitReasonCode.resources);
      for (const jobIdx of state.queue.slice(1)) act.wait(jobIdx, WaitReasonCode.priority);
      return;
    }
    state.queue.shift();
  }
}

function hear(happened: Happened, state: QueueState): void {
  for (let i = 0; i < happened.queued.length; i++) {
    if (!state.queue.includes(happened.queued.at[i]!)) state.queue.push(happened.queued.at[i]!);
  }
  for (let i = 0; i < happened.withdrawn.length; i++) {
    state.queue = state.queue.filter((jobIdx) => jobIdx !== happened.withdrawn.at[i]);
  }
  state.queue.sort((a, b) => a - b);
}

function explainInOrder(view: PoolView, state: QueueState, jobIdx: number): Explanation {
  const position = state.queue.indexOf(jobIdx);
  return {
    reason: position === 0 ? WaitReasonCode.resources : WaitReasonCode.priority,
    gpusNeeded: view.jobs.at.gpuTotal[jobIdx]!,
    gpusFree: view.gpusFreeTotal,
    unit: "devices",
    unitsNeeded: view.jobs.at.gpuTotal[jobIdx]!,
    unitsFree: view.gpusFreeTotal,
    position,
    headJobIdx: state.queue[0] ?? -1,
    reservedForJobIdx: -1,
    plannedMs: Number.POSITIVE_INFINITY,
    plannedNodes: [],
    frees: [],
  };
}

export const fcfs: Scheduler<QueueState> = {
  init: (view) => ({ queue: Array.from(view.waiting().at.subarray(0, view.waiting().length)) }),
  decide(view, happened, state, act) {
    hear(happened, state);
    startInOrder(view, state, act);
    return Number.POSITIVE_INFINITY;
  },
  explain: explainInOrder,
  snapshot: (state) => ({ queue: [...state.queue] }),
};

export type Step = (view: PoolView, act: Actions, happened: Happened) => void;

/** First come, first served, and at given times (ms) what the script says, before the queue is served. */
export function scripted(
  steps: Readonly<Record<number, Step>>,
  serve = true,
): Scheduler<QueueState> {
  const times = Object.keys(steps)
    .map(Number)
    .sort((a, b) => a - b);
  return {
    ...fcfs,
    decide(view, happened, state, act) {
      hear(happened, state);
      steps[view.nowMs]?.(view, act, happened);
      state.queue = state.queue.filter(
        (jobIdx) => view.jobState[jobIdx] === 2 || view.jobState[jobIdx] === 3,
      );
      if (serve) startInOrder(view, state, act);
      return times.find((time) => time > view.nowMs) ?? Number.POSITIVE_INFINITY;
    },
  };
}

export const testPresets: Presets = () => fcfs;
