/**
 * Kueue above a half that places pods. A pass: what happened to jobs, what is due, cycles of admission, then the pods. The two halves speak through the state of the job: admission hands a workload
 * over when its pods have been made, and hears of it again when it has ended or was not ready in time. So a workload can be admitted and fit on no node. Rules and their sources:
 * `docs/policies/kueue.md`.
 */

import type { Actions, Happened, PoolView, Scheduler } from "../../../engine/view.ts";
import { budgetFacts } from "../placement/budgets.ts";
import {
  type Below,
  copyBelow,
  createBelow,
  explainBelow,
  goneAtOnce,
  hearBelow,
  offer as offerBelow,
  runBelow,
  toldToEnd,
  withdraw,
} from "./below.ts";
import { carryOver } from "./carryOver.ts";
import { runCycles } from "./cycles.ts";
import { nextDueMs, nextReadyMs, timersDue } from "./due.ts";
import { explainWorkload } from "./explain.ts";
import { queueFacts, workloadFacts } from "./facts.ts";
import type { Leaving } from "./leave.ts";
import { nextSampleMs, sampleUse } from "./localUse.ts";
import { takeNews } from "./news.ts";
import { drain, resume } from "./resume.ts";
import { setupOf } from "./setup.ts";
import { copyAdmission, createAdmission, type KueueState } from "./state.ts";
import { takeOver } from "./takeOver.ts";
import { tellQuotas } from "./told.ts";

export interface KueueMemory {
  readonly admission: KueueState;
  readonly below: Below;
  /** Its first pass is still to come: it has met what others ran, or goes on under other objects. */
  begins: "takesOver" | "goesOn" | null;
}

/** The scheduler; `everySearch` (tests only) makes also searches that sums rule out. */
export function kueueWith({
  everySearch,
}: {
  readonly everySearch: boolean;
}): Scheduler<KueueMemory> {
  return {
    init(view, pool, before) {
      const setup = setupOf(view, pool);
      const admission = before
        ? carryOver(view, setup, before.admission)
        : createAdmission(setup, view.nowMs, everySearch);
      const begins = before ? (before.begins ?? "goesOn") : "takesOver";
      return { admission, below: createBelow(view, pool), begins };
    },

    decide(view, happened, memory, act) {
      const { admission, below } = memory;
      const offer = (jobIdx: number) => offerBelow(view, admission, below, jobIdx);
      const leaving = {
        withdraw: (jobIdx: number, goneMs: number) => withdraw(view, below, jobIdx, goneMs),
        told: (jobIdx: number) => toldToEnd(view, below, jobIdx),
        gone: (jobIdx: number) => goneAtOnce(view, below, jobIdx),
      };
      hearBelow(view, happened, below);
      if (memory.begins === "takesOver") takeOver(view, admission, act, offer);
      if (memory.begins === "goesOn") resume(view, admission, act, offer);
      if (memory.begins !== null) drain(view, admission, act, leaving);
      memory.begins = null;
      takeNews(view, admission, happened, act, offer);
      if (sampleUse(admission.setup, admission.use, view.nowMs)) noteOrder(admission);
      let news = happened;
      for (;;) {
        const nextMs = admitDue(view, admission, act, offer, leaving);
        const podsMs = runBelow(view, news, below, act);
        const readyMs = nextReadyMs(view, admission);
        // Pods that others wait for run at once: the next is looked at in the same pass.
        if (readyMs > view.nowMs) {
          tellQuotas(admission, act);
          return Math.min(nextMs, podsMs, readyMs, nextUseMs(admission));
        }
        news = NO_NEWS;
      }
    },

    queues: (_view, { admission }) => queueFacts(admission),
    kueueFacts: (view, { admission }, jobIdx) => workloadFacts(view, admission, jobIdx),
    budgetFacts: (view, { below }, jobIdx) =>
      below.kind === "pods" ? budgetFacts(view, below.state, jobIdx) : null,

    explain: (view, { admission, below }, jobIdx) =>
      explainWorkload(view, admission, jobIdx) ?? explainBelow(view, below, jobIdx),

    snapshot: ({ admission, below, begins }) => ({
      admission: copyAdmission(admission),
      below: copyBelow(below),
      begins,
    }),
  };
}

export const kueue: Scheduler<KueueMemory> = kueueWith({ everySearch: false });

/** What a pass below hears that is not its first at this moment. */
const NOBODY = { length: 0, at: new Int32Array(0) };
const NO_NEWS: Happened = {
  queued: NOBODY,
  withdrawn: NOBODY,
  released: NOBODY,
  retiered: NOBODY,
  nodesChanged: false,
  timer: false,
  depended: NOBODY,
  commands: [],
};

/** Without latency an admission has its pods in the same pass, and the next cycle follows. When admission has to come back (ms). */
function admitDue(
  view: PoolView,
  admission: KueueState,
  act: Actions,
  offer: (jobIdx: number) => void,
  leaving: Leaving,
): number {
  for (;;) {
    timersDue(view, admission, act, offer, leaving);
    const nextMs = Math.min(runCycles(view, admission, act, leaving), nextDueMs(admission));
    if (nextMs > view.nowMs) return nextMs;
  }
}

function nextUseMs({ entries, setup, use }: KueueState): number {
  return entries.size > 0 ? nextSampleMs(setup, use) : Number.POSITIVE_INFINITY;
}

/** Use has been sampled: other heads may stand first where it orders them. */
function noteOrder(state: KueueState): void {
  for (const { sharesByUse, rootIdx } of state.setup.queues)
    if (sharesByUse) state.dirty.add(rootIdx);
}
