/**
 * Two tiny schedulers for tests of the engine: strict first come, first served by first fit; and one whose decisions a test
 * writes down as a script of actions at given times, the rest first come, first served.
 */
import { Grant } from "../../src/engine/grant.ts";
import type { Presets } from "../../src/engine/pool.ts";
import type { Actions, Explanation, Happened, PoolView, Scheduler } from "../../src/engine/view.ts";
import { StartReasonCode, WaitReasonCode } from "../../src/model/reasons.ts";
import { JobStateCode } from "../../src/model/states.ts";
import { addMember } from "./members.ts";

export interface QueueState {
  queue: number[];
  /** When the script was last followed: once an instant. */
  steppedMs: number;
}

const grant = new Grant();

/** Puts members on nodes in order, first fit; false when not all of them fit. */
export function fitMembers(view: PoolView, jobIdx: number, into: Grant): boolean {
  into.clear();
  const { at, components } = view.jobs;
  const first = at.firstComponent[jobIdx]!;
  for (let row = first; row < at.firstComponent[jobIdx + 1]!; row++) {
    let left = components.members[row]!;
    for (const node of view.nodes) {
      while (left > 0 && addMember(view, into, jobIdx, row - first, node)) left--;
    }
    if (left > 0) return false;
  }
  return true;
}

function startInOrder(view: PoolView, state: QueueState, act: Actions): void {
  while (state.queue.length > 0) {
    const head = state.queue[0]!;
    if (view.jobState[head] === JobStateCode.placed) act.evict(head, "requeue", 0, -1);
    if (view.jobs.at.gpuTotal[head]! > view.cluster.deviceCount) {
      act.refuse(head, WaitReasonCode.never);
    } else if (fitMembers(view, head, grant)) {
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
  for (let i = 0; i < happened.withdrawn.length; i++) {
    state.queue = state.queue.filter((jobIdx) => jobIdx !== happened.withdrawn.at[i]);
  }
  for (let i = 0; i < happened.queued.length; i++) {
    if (!state.queue.includes(happened.queued.at[i]!)) state.queue.push(happened.queued.at[i]!);
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
  init: (view) => ({ queue: waitingOf(view), steppedMs: -1 }),
  decide(view, happened, state, act) {
    hear(happened, state);
    startInOrder(view, state, act);
    return Number.POSITIVE_INFINITY;
  },
  explain: explainInOrder,
  snapshot: (state) => ({ ...state, queue: [...state.queue] }),
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
      if (state.steppedMs !== view.nowMs) steps[view.nowMs]?.(view, act, happened);
      state.steppedMs = view.nowMs;
      state.queue = waitingOf(view).filter((jobIdx) => isWaiting(view, jobIdx));
      if (serve) startInOrder(view, state, act);
      return times.find((time) => time > view.nowMs) ?? Number.POSITIVE_INFINITY;
    },
  };
}

function waitingOf(view: PoolView): number[] {
  return Array.from(view.waiting().at.subarray(0, view.waiting().length));
}

function isWaiting(view: PoolView, jobIdx: number): boolean {
  const state = view.jobState[jobIdx];
  return state === JobStateCode.queued || state === JobStateCode.admitted;
}

export const testPresets: Presets = () => fcfs;
