/**
 * Volcano: a session every period, each with the actions of the list. So a job's start latency is the wait for the next session, one more for its pods (they are made only once its group
 * is let in), and its place among the binds. Source: volcano-sh/volcano `pkg/scheduler/scheduler.go`, `actions`, `plugins`.
 */
import type { VolcanoAction } from "../../model/kubernetes/volcanoConfig.ts";
import { kubeReasonCode } from "../../model/reasons.ts";
import { NEVER_MS } from "../../model/units.ts";
import { GPU } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import { countWaiting } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { closeLane, closeSession } from "../podGroups/session.ts";
import { type GroupRules, groupScheduler } from "../podGroups/sessions.ts";
import { allocate } from "./allocate.ts";
import { backfill } from "./backfill.ts";
import { enqueue } from "./enqueue.ts";
import { explain } from "./explain.ts";
import { jobFacts, queues, tell } from "./facts.ts";
import { preempt } from "./preempt.ts";
import { reclaim } from "./reclaim.ts";
import { openSession, type Session } from "./session.ts";
import { BOOKS, copyState, createState, podsMade, type VolcanoState } from "./state.ts";

const ACTIONS: Readonly<Record<VolcanoAction, (session: Session) => void>> = {
  enqueue,
  allocate,
  backfill,
  preempt,
  reclaim,
};

/** Who waits for an action that is not in the list is told so. O(lanes) without it. */
function tellForgotten(session: Session): void {
  const { actions } = session.setup;
  const [allocates, backfills] = [actions.includes("allocate"), actions.includes("backfill")];
  if (allocates && backfills) return;
  for (const lane of session.state.waiting.list) {
    if (lane.first === lane.jobs.length) continue;
    const { bestEffort } = session.classes.list[lane.classIdx]!;
    if (!(bestEffort ? backfills : allocates)) closeLane(session, lane, kubeReasonCode("noAction"));
  }
}

/** `everySearch`: also those searches for room and for victims are made that cannot end well. */
export const volcanoRules = (everySearch = false): GroupRules<VolcanoState> => ({
  create: createState,
  copy: copyState,
  books: BOOKS,
  /** Pods are being made. */
  dueMs: (_view, { creating }) => creating[0]?.atMs ?? NEVER_MS,
  ripen: podsMade,
  nobodyWaits: ({ partial, entered, pending }) =>
    partial.size === 0 && entered.size === 0 && countWaiting(pending) === 0,
  lanes: ({ waiting, pending }) => [waiting, pending],
  session(view, state, act) {
    const session = openSession(view, state, act, everySearch);
    for (const action of state.setup.actions) ACTIONS[action](session);
    tellForgotten(session);
    closeSession(session);
    state.deserved = session.deserved.map((amounts) => amounts[GPU]!);
    return session.decided;
  },
  tell,
  queues,
  jobFacts,
  explain,
});

export const volcano = groupScheduler(volcanoRules());
