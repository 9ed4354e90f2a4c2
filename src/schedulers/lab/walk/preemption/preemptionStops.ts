/** Stopping victims, each as its tier says, and the claim of the job they give way to. */
import { assert } from "../../../../base/assert.ts";
import type { Actions, PoolView } from "../../../../engine/view.ts";
import { JobStateCode } from "../../../../model/states.ts";
import { NEVER_MS } from "../../../../model/units.ts";
import type { Losses } from "../../../../scheduling/preemption/memberVictims.ts";
import { mayPreempt } from "../../../../scheduling/preemption/relation.ts";
import type { RoomMade } from "../parts.ts";
import { holdsDevices, type PreemptionState, unlistRun } from "./preemptionState.ts";

/** Takes members from the victims, or stops them; `losses` names them by their place in `jobs`. O(victims). */
export function stopVictims(
  state: PreemptionState,
  view: PoolView,
  jobIdx: number,
  jobs: readonly number[],
  losses: Losses,
  act: Actions,
): RoomMade {
  const victims = losses.whole.map((at) => jobs[at]!);
  const claimed = victims.map((victimIdx) => ({ jobIdx: victimIdx, run: view.runs(victimIdx) }));
  for (const [at, members] of losses.members) {
    checkRelation(state, view, jobIdx, jobs[at]!);
    act.shrink(jobs[at]!, 0, members);
  }
  let untilMs = Number.NEGATIVE_INFINITY;
  for (const victimIdx of victims)
    untilMs = Math.max(untilMs, stopVictim(state, view, jobIdx, victimIdx, act));
  if (untilMs <= view.nowMs) return "now";
  let readyMs = view.nowMs;
  for (const victimIdx of victims) readyMs = Math.max(readyMs, goneMs(state, view, victimIdx));
  state.claims.set(jobIdx, { untilMs, readyMs, victims: claimed });
  return "later";
}

/** When a victim that was stopped or is waited for has gone at the latest; `Infinity`: it ends when it likes. */
function goneMs({ rules }: PreemptionState, view: PoolView, victimIdx: number): number {
  if (view.jobState[victimIdx] === JobStateCode.ending) {
    const graceMs = rules.graceOfTier[view.tierOfJob[victimIdx]!]!;
    return graceMs > 0 ? view.nowMs + graceMs : NEVER_MS;
  }
  return holdsDevices(view, victimIdx) ? view.limitEndMs[victimIdx]! : view.nowMs;
}

/** Nobody is a victim whom the policy does not declare one: asked again where it happens, whoever chose. O(1). */
function checkRelation(
  state: PreemptionState,
  view: PoolView,
  jobIdx: number,
  victimIdx: number,
): void {
  const { relation, equal } = state.rules;
  const allowed = mayPreempt(view, relation, equal, jobIdx, victimIdx);
  assert(allowed, `job ${victimIdx} gives way to job ${jobIdx}, which the tiers do not allow`);
}

/** Stops one victim. Returns until when its room is waited for; now = it is free. */
function stopVictim(
  state: PreemptionState,
  view: PoolView,
  jobIdx: number,
  victimIdx: number,
  act: Actions,
): number {
  const { rules } = state;
  const tier = view.tierOfJob[victimIdx]!;
  checkRelation(state, view, jobIdx, victimIdx);
  const mode = rules.modeOfTier[tier]!;
  if (mode === "wait") return NEVER_MS;
  if (mode === "suspend" && view.jobState[victimIdx] !== JobStateCode.placed) {
    unlistRun(state, victimIdx);
    act.suspend(victimIdx, false, jobIdx);
    act.lend(victimIdx);
    return view.nowMs;
  }
  unlistRun(state, victimIdx);
  const graceMs = mode === "graceful" ? rules.graceOfTier[tier]! : 0;
  act.evict(victimIdx, mode === "cancel" ? "cancel" : "requeue", graceMs, jobIdx);
  if (view.jobState[victimIdx] !== JobStateCode.ending) return view.nowMs;
  return rules.giveUpMs > 0 ? view.nowMs + graceMs + rules.giveUpMs : NEVER_MS;
}

/** Whether the victims of a job's claim have not all gone, and are not given up. O(victims). */
export function claimStands(state: PreemptionState, view: PoolView, jobIdx: number): boolean {
  const claim = state.claims.get(jobIdx);
  if (claim === undefined || claim.untilMs <= view.nowMs) return false;
  return claim.victims.some(
    (victim) =>
      view.runs(victim.jobIdx) === victim.run &&
      (holdsDevices(view, victim.jobIdx) || view.jobState[victim.jobIdx] === JobStateCode.ending),
  );
}
