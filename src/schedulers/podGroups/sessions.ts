/**
 * The clock of a scheduler of pod groups: a session every period. One that could decide nothing new is not computed: nothing has happened since the last one and nothing has changed by
 * itself (`dueMs`), so it would refuse again what it refused, or nobody waits. A session that decided something is followed by another, since shares have moved. With
 * `everySession` none is left out: for the proof that this makes no difference.
 */
import type { Actions, Explanation, PoolView, Scheduler } from "../../engine/view.ts";
import type { KueueJobFacts, QueueFacts } from "../../model/kubernetes/queueFacts.ts";
import type { PoolSettings } from "../../model/policy.ts";
import { JobStateCode } from "../../model/states.ts";
import { tellBehind } from "../../scheduling/kubernetes/podGroups/behind.ts";
import type { Lanes } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { nextLeavingMs, takeAway } from "../../scheduling/kubernetes/podGroups/leaving.ts";
import { takeNews } from "./news.ts";
import type { Books, GroupState } from "./state.ts";

export interface GroupRules<S extends GroupState> {
  readonly create: (view: PoolView, pool: PoolSettings) => S;
  readonly copy: (state: S) => S;
  readonly books: Books<S>;
  /** Before the news of a pass are taken in. */
  readonly before?: (view: PoolView, state: S) => void;
  /** When something changes by itself: at most now where a session has to be computed for it, `NEVER_MS` where nothing will. */
  readonly dueMs: (view: PoolView, state: S) => number;
  /** Just before a session. */
  readonly ripen?: (view: PoolView, state: S) => void;
  readonly nobodyWaits: (state: S) => boolean;
  /** All in which jobs wait. */
  readonly lanes: (state: S) => readonly Lanes[];
  /** One session; the number of things it decided. */
  readonly session: (view: PoolView, state: S, act: Actions) => number;
  /** At the end of a pass: gauges. */
  readonly tell: (state: S, act: Actions) => void;
  readonly queues: (view: PoolView, state: S) => readonly QueueFacts[];
  readonly jobFacts: (view: PoolView, state: S, jobIdx: number) => KueueJobFacts | null;
  readonly explain: (view: PoolView, state: S, jobIdx: number) => Explanation;
}

export function groupScheduler<S extends GroupState>(
  rules: GroupRules<S>,
  everySession = false,
): Scheduler<S> {
  return {
    init: rules.create,
    decide(view, happened, state, act) {
      rules.before?.(view, state);
      takeNews(view, happened, state, rules.books);
      podsLeave(view, state, act, rules.books);
      if (everySession) state.stale = true;
      const isTick = (view.nowMs - state.originMs) % state.setup.periodMs === 0;
      if (isTick && state.lastSessionMs < view.nowMs) runSession(view, state, act, rules);
      // Those without a grace period go at once.
      podsLeave(view, state, act, rules.books);
      if (everySession && !rules.nobodyWaits(state)) state.stale = true;
      tellBehind(view, act, happened.queued, rules.lanes(state));
      rules.tell(state, act);
      return Math.min(nextWakeMs(view, state, rules), nextLeavingMs(state.leaving));
    },
    explain: rules.explain,
    queues: rules.queues,
    kueueFacts: rules.jobFacts,
    snapshot: rules.copy,
  };
}

/** Pods whose grace is over go, whenever that is. */
function podsLeave<S extends GroupState>(
  view: PoolView,
  state: S,
  act: Actions,
  books: Books<S>,
): void {
  const { left, jobs } = takeAway(view, act, state.leaving);
  if (jobs.length === 0) return;
  state.leaving = left;
  for (const jobIdx of jobs) books.takeStock(view, state, jobIdx);
  state.grown++;
  state.stale = true;
}

function runSession<S extends GroupState>(
  view: PoolView,
  state: S,
  act: Actions,
  rules: GroupRules<S>,
): void {
  if (!state.stale && rules.dueMs(view, state) > view.nowMs) return;
  rules.ripen?.(view, state);
  state.stale = false;
  // Nobody to decide about: whoever arrives at this very time still finds this session.
  if (rules.nobodyWaits(state)) return;
  state.lastSessionMs = view.nowMs;
  if (rules.session(view, state, act) > 0 || writesCheckpoint(view, state)) state.stale = true;
}

/** Does a job that wants more members write a checkpoint? Nobody says when it is done: the next session sees. O(such jobs). */
function writesCheckpoint(view: PoolView, { partial }: GroupState): boolean {
  for (const jobIdx of partial)
    if (view.jobState[jobIdx] === JobStateCode.checkpointing) return true;
  return false;
}

/** The next session that has something to decide. */
function nextWakeMs<S extends GroupState>(
  view: PoolView,
  state: S,
  { dueMs }: GroupRules<S>,
): number {
  const firstMs = state.stale ? view.nowMs : dueMs(view, state);
  if (firstMs === Number.POSITIVE_INFINITY) return firstMs;
  const { originMs } = state;
  const { periodMs } = state.setup;
  const sinceMs = state.lastSessionMs === view.nowMs ? Math.max(firstMs, view.nowMs + 1) : firstMs;
  return originMs + Math.ceil((sinceMs - originMs) / periodMs) * periodMs;
}
