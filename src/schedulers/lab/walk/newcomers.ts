/**
 * After arrivals alone: whether a pass need look at nobody but the newcomers (`testNewcomers` of `pass.ts`). All others have failed, and since then room has only become less; so it
 * does as long as the newcomers stand behind what is kept, and nothing but starts, and reservations behind all others, can come of them. O(newcomers + kept).
 */
import type { PoolView } from "../../../engine/view.ts";
import { WaitReasonCode } from "../../../model/reasons.ts";
import { NEVER_MS } from "../../../model/units.ts";
import { CLOSURES } from "./closures/closures.ts";
import { isCutting } from "./cuts.ts";
import { GATES } from "./gates/gates.ts";
import { type Desk, isDeferred, keep, newcomerMakesRoom, verdictOf } from "./pass.ts";
import { PREEMPTIONS } from "./preemption/preemption.ts";
import { mayGatesMakeRoom, mayMakeRoom, mayPreempt } from "./roomMaker.ts";
import type { WalkState } from "./state.ts";

const NONE = WaitReasonCode.none;

/** Whether testing the newcomers would do: all stand behind what is kept, and nothing can come of them but starts. */
export function newcomersSuffice(desk: Desk): boolean {
  if (!othersFail(desk)) return false;
  const { view, state, newcomers } = desk;
  // In strict order it is not asked.
  if (
    state.preemption.length + state.gates.length === 0 ||
    state.rules.strict ||
    desk.ahead ||
    !mayMakeRoom(state, view, nobody(view))
  )
    return true;
  for (const jobIdx of newcomers) if (newcomerMakesRoom(desk, jobIdx)) return false;
  return true;
}

/** Whether nobody but newcomers can start, and they stand behind what is kept. */
function othersFail(desk: Desk): boolean {
  const { view, state, newcomers } = desk;
  const { rules, kept, headJobIdx: head } = state;
  const { order } = desk;
  if (state.fresh || state.stale || rules.testDepth !== NEVER_MS) return false;
  if (rules.loose) return false;
  if (head < 0 || !state.waiting.has(head) || state.nominated.length > 0) return false;
  if (isCutting(state.cuts)) return false;
  if (rules.windowMs !== NEVER_MS || isAnyClosed(state, view) || mayOthersMakeRoom(desk))
    return false;
  const none = kept.length === 0 && allOthersHeld(desk);
  if (kept.length < rules.reservations && !none && !allOthersKept(desk)) return false;
  if (kept.some(({ startMs }) => startMs <= view.nowMs)) return false;
  // A start may have taken what a gate had for a job with a reservation: then it has none any more.
  if (state.gates.length > 0 && kept.some(({ jobIdx }) => verdictOf(desk, jobIdx) !== NONE))
    return false;
  // One alone has its turn after all others anyhow.
  if (newcomers.size > 1)
    for (const jobIdx of newcomers) if (isDeferred(desk, jobIdx)) return false;
  if (order.fixed !== true) return headStays(desk);
  const skips = rules.reservations === 0 && !rules.strict && state.preemption.length === 0;
  const last = rules.strict || none || kept.length === 0 ? head : kept.at(-1)!.jobIdx;
  for (const jobIdx of newcomers) {
    if (order.isBefore(state.order, view, last, jobIdx)) continue;
    return skips ? skipsFirst(desk, jobIdx) : startsFirst(desk, jobIdx);
  }
  return true;
}

/**
 * A newcomer stands before the one job for which room is kept. If it starts there, where it takes nothing from that room, all that was found still holds: the same start, since before it there
 * is less room than there was and at it as much beside what is kept, and on the same nodes. What is known of a job with a life of its own may move its end.
 */
function startsFirst(desk: Desk, jobIdx: number): boolean {
  const { view, state, shapes, newcomers, corrected } = desk;
  const { one, kept, gates, headJobIdx: head } = state;
  if (newcomers.size > 1 || gates.length > 0 || corrected || shapes.hasParts) return false;
  if (kept.length !== 1 || one.jobIdx !== head || kept[0]!.jobIdx !== head) return false;
  if (view.jobs.lab.has(jobIdx) || shapes.list[shapes.shapeOfJob[head]!]!.parts.length > 1)
    return false;
  keep.resume(view, state, shapes);
  if (!keep.canStartFirst(jobIdx)) return false;
  desk.ahead = true;
  return true;
}

/** A newcomer stands before all who wait, and no room is kept for anybody: if it starts, the head stays the first that is passed over. */
function skipsFirst(desk: Desk, jobIdx: number): boolean {
  const { view, state, shapes, newcomers } = desk;
  if (newcomers.size > 1 || state.gates.length > 0) return false;
  keep.resume(view, state, shapes);
  if (!keep.canStart(jobIdx)) return false;
  desk.ahead = true;
  return true;
}

function mayOthersMakeRoom({ view, state, shapes, newcomers, corrected }: Desk): boolean {
  if (state.preemption.length + state.gates.length === 0) return false;
  // One that starts may have to give way to the next.
  if (state.preemption.length > 0 && newcomers.size > 1) return true;
  // Where rooms move with what is asked for, an arrival may let in somebody who was held.
  if (state.gates.some(({ part, state: own }) => GATES[part]!.parking?.moves?.(own) === true))
    return true;
  const [one = -1] = newcomers.size === 1 ? newcomers : [];
  if (mayGatesMakeRoom(state, view, one)) return true;
  if (!mayPreempt(state, view, nobody(view))) return false;
  // Where ends have moved, reservations that were in the way may be later. With shares of devices less room for one job may be more for another.
  if (state.gates.length > 0 || corrected || shapes.hasParts) return true;
  return !state.preemption.every(({ part, state: own }) => PREEMPTIONS[part]!.failsAgain(own));
}

/** Of each tier nobody has been asked. */
const nobody = ({ tiers }: PoolView): readonly number[] => tiers.map(() => 0);

/** Whether room is kept for everybody who waited before, so that the next reservations are the newcomers'. */
function allOthersKept({ state, newcomers }: Desk): boolean {
  const { gates, kept, waiting } = state;
  return gates.length === 0 && kept.length > 0 && kept.length + newcomers.size === waiting.size;
}

/**
 * Whether gates hold everybody who waited before, and the ceilings that do have got no room since: so nobody has a reservation, and the first one may be a newcomer's. Not
 * for ceilings that widen with time, by what others ask for, or for some jobs.
 */
function allOthersHeld({ state, order, newcomers }: Desk): boolean {
  const { gates, parked, waiting, rules, one } = state;
  if (gates.length === 0 || rules.strict || order.fixed !== true || one.jobIdx >= 0) return false;
  if (parked.placeOf.size + newcomers.size !== waiting.size) return false;
  return gates.every(({ part, state: own }) => {
    const { parking } = GATES[part]!;
    if (parking?.touchedBy === undefined || parking.moves?.(own) === true) return false;
    return parking.letsIn === undefined && parking.waitsFor === undefined;
  });
}

/**
 * An order whose places change, after arrivals: those that failed fail again, wherever they stand now, as long as the same job stands first of all: it alone has
 * a reservation. What gates allow may hang on the order.
 */
function headStays(desk: Desk): boolean {
  const { view, state, newcomers } = desk;
  const { rules, kept, headJobIdx: head } = state;
  if (state.gates.length > 0 || newcomers.size > NEWCOMERS_MOST || desk.corrected) return false;
  const { order } = desk;
  if (order.first === undefined || rules.reservations > 1) return false;
  if (rules.reservations === 1 && kept[0]!.jobIdx !== head) return false;
  order.begin(state.order, view);
  desk.begun = true;
  const first = order.first(state.order, view);
  if (first === head) return true;
  // The only newcomer stands first, and the head next to it.
  if (rules.strict || newcomers.size > 1 || !newcomers.has(first)) return false;
  if (state.preemption.length > 0 || order.second?.(state.order, view) !== head) return false;
  return rules.reservations === 0 ? skipsFirst(desk, first) : startsFirst(desk, first);
}

/** Newcomers of one moment that are tested by themselves where each start may move the others. */
const NEWCOMERS_MOST = 16;

/** Whether a window is known that may keep jobs away. */
function isAnyClosed({ closures }: WalkState, view: PoolView): boolean {
  return closures.some(({ part, state: own }) => CLOSURES[part]!.known(own, view).length > 0);
}
