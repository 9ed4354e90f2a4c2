/** Stopping victims, each as its tier says, and the claim of the job they give way to. */
import { assert } from "../../../base/assert.ts";
import type { Actions, PoolView } from "../../../engine/view.ts";
import { JobStateCode } from "../../../model/states.ts";
import { NEVER_MS } from "../../../model/units.ts";
import { noteEviction } from "../../../scheduling/preemption/protection.ts";
import { mayPreempt } from "../../../scheduling/preemption/relation.ts";
import type { RoomMade } from "./parts.ts";
import { holdsDevices, type PreemptionState, unlistRun } from "./preemptionState.ts";

/** Stops the victims of a job. O(victims). */
export function stopVictims(
  state: PreemptionState,
  view: PoolView,
  jobIdx: number,
  victims: readonly number[],
  act: Actions,
): RoomMade {
  const claimed = victims.map((victimIdx) => ({ jobIdx: victimIdx, run: view.runs(victimIdx) }));
  let untilMs = Number.NEGATIVE_INFINITY;
  for (const victimIdx of victims)
    untilMs = Math.max(untilMs, stopVictim(state, view, jobIdx, victimIdx, act));
  if (untilMs <= view.nowMs) return "now";
  state.claims.set(jobIdx, { untilMs, victims: claimed });
  return "later";
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
  const allowed = mayPreempt(view, rules.relation, rules.newerEqual, jobIdx, victimIdx);
  assert(allowed, `job ${victimIdx} is stopped for job ${jobIdx}, which the tiers do not allow`);
  const mode = rules.modeOfTier[tier]!;
  if (mode === "wait") return NEVER_MS;
  if (mode === "suspend") {
    unlistRun(state, victimIdx);
    act.suspend(victimIdx);
    act.lend(victimIdx);
    return view.nowMs;
  }
  state.evictions.set(victimIdx, (state.evictions.get(victimIdx) ?? 0) + 1);
  noteEviction(state.log, view, victimIdx);
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
