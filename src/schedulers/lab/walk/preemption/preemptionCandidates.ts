/** Who could be stopped for a job: the running jobs that the relation names, apart those that are safe for now. O(running of these tiers). */
import { Grant } from "../../../../engine/grant.ts";
import type { PoolView } from "../../../../engine/view.ts";
import { JobFlag } from "../../../../model/jobs.ts";
import { JobStateCode } from "../../../../model/states.ts";
import { NEVER_MS } from "../../../../model/units.ts";
import { safeUntilMs } from "../../../../scheduling/preemption/protection.ts";
import { mayPreempt, priorityOf } from "../../../../scheduling/preemption/relation.ts";
import type { Candidate } from "../../../../scheduling/preemption/victimChoice.ts";
import type { OrderView } from "../parts.ts";
import { holdsDevices, mayTouch, type PreemptionState } from "./preemptionState.ts";

export interface Candidates {
  readonly open: number[];
  readonly safe: number[];
  /** When the first of the safe ones is safe no longer; `Infinity` = none while it runs. */
  readonly againMs: number;
}

/** Jobs that could be stopped for a job, in no particular order. */
export function gatherCandidates(
  state: PreemptionState,
  view: PoolView,
  jobIdx: number,
): Candidates {
  const { relation, equal } = state.rules;
  const open: number[] = [];
  const safe: number[] = [];
  let againMs = NEVER_MS;
  for (let other = 0; other < view.tiers.length; other++) {
    if (!mayTouch(state, view, view.tierOfJob[jobIdx]!, other)) continue;
    for (const victimIdx of state.runs[other]!.keys()) {
      // Told to end by somebody else, which is no news: nothing is left to stop.
      if (!holdsDevices(view, victimIdx)) continue;
      if (!mayPreempt(view, relation, equal, jobIdx, victimIdx)) continue;
      const untilMs = safeUntilMs(state.rules, view, victimIdx, state.evicted);
      if (untilMs < 0 && canGiveWay(state, view, victimIdx)) open.push(victimIdx);
      else safe.push(victimIdx);
      if (untilMs > view.nowMs) againMs = Math.min(againMs, untilMs);
    }
  }
  return { open, safe, againMs };
}

const held = new Grant();

/**
 * Only a run that makes progress can be suspended: not one that has lost members and hangs; and slices of a device cannot be lent. A gang that holds some of its members has no
 * run yet: it is queued again instead. Nobody waits for such a gang, or for a service, to end.
 */
function canGiveWay(state: PreemptionState, view: PoolView, jobIdx: number): boolean {
  const mode = state.rules.modeOfTier[view.tierOfJob[jobIdx]!];
  const isPlaced = view.jobState[jobIdx] === JobStateCode.placed;
  if (mode === "wait") {
    const isService = (view.jobs.at.flags[jobIdx]! & JobFlag.service) !== 0;
    return !isPlaced && !isService;
  }
  if (mode !== "suspend" || isPlaced) return true;
  if (view.jobState[jobIdx] !== JobStateCode.running) return false;
  held.clear();
  view.holdings(jobIdx, held);
  const { at, components } = view.jobs;
  const first = at.firstComponent[jobIdx]!;
  for (let row = first; row < at.firstComponent[jobIdx + 1]!; row++) {
    let members = 0;
    for (let i = 0; i < held.length; i++)
      if (first + held.component[i]! === row) members += held.members[i]!;
    if (components.mig[row] !== 0 || members < components.minMembers[row]!) return false;
  }
  return true;
}

/** What the choice of victims goes by. */
export function candidateOf(
  state: PreemptionState,
  view: PoolView,
  order: OrderView,
  jobIdx: number,
): Candidate {
  const { victims } = state.rules;
  const tier = view.tierOfJob[jobIdx]!;
  const lostMs = losesWork(state, view, jobIdx) ? view.unsavedMs(jobIdx) : 0;
  return {
    jobIdx,
    listed: view.jobs.listed?.[jobIdx] ?? jobIdx,
    tier,
    priority: priorityOf(view, jobIdx),
    startMs: view.startMs(jobIdx),
    endMs: view.limitEndMs[jobIdx]!,
    lostGpuMs: lostMs * state.runs[tier]!.get(jobIdx)!,
    overShare: victims === "mostOverShare" ? order.overShare(view, jobIdx) : 0,
  };
}

/** Suspended, waited for, or told early enough to save, a victim keeps what it has done. */
function losesWork(state: PreemptionState, view: PoolView, jobIdx: number): boolean {
  const tier = view.tierOfJob[jobIdx]!;
  const mode = state.rules.modeOfTier[tier];
  if (mode === "suspend" || mode === "wait") return false;
  if (mode !== "graceful") return true;
  const checkpoint = view.jobs.lab.get(jobIdx)?.checkpoint;
  return !checkpoint?.onSignal || checkpoint.costMs > state.rules.graceOfTier[tier]!;
}
