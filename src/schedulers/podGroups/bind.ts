/** Places become real: now, or kept from others until those who hold them have left. O(rows of the place × log nodes). */
import { assert } from "../../base/assert.ts";
import { Grant } from "../../engine/grant.ts";
import { StartReasonCode } from "../../model/reasons.ts";
import { addAmounts, noAmounts } from "../../scheduling/kubernetes/podGroups/amounts.ts";
import type { GroupClass } from "../../scheduling/kubernetes/podGroups/classes.ts";
import type { Lane } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { lessenOn, takePlacing } from "../../scheduling/placement/capacity.ts";
import { grantPlacing } from "../../scheduling/placement/grantPlacing.ts";
import type { Placing } from "../../scheduling/placement/placing.ts";
import type { GroupSession } from "./session.ts";
import type { Books, GroupState } from "./state.ts";

const grant = new Grant();

/** The place that was found becomes real; what is bound later starts later. Returns what it comes to. */
export function bind<S extends GroupState>(
  session: GroupSession & { readonly state: S },
  books: Books<S>,
  jobIdx: number,
  group: GroupClass,
  place: Placing,
  reason: number,
): number[] {
  const { view, state, act, setup, idle, future } = session;
  assert(grantPlacing(view, group.shape, place, grant), "a place was found that is not free");
  if (!state.runs.has(jobIdx)) books.leave(view, state, jobIdx);
  session.decided++;
  session.bounds.clear();
  const perSecond = setup.bindsPerSecond;
  const bindsMs = perSecond > 0 ? Math.floor((session.bound * 1_000) / perSecond) : 0;
  const amounts = noAmounts();
  for (let row = 0; row < place.length; row++) {
    session.bound += place.members[row]!;
    addAmounts(amounts, group.each[place.part[row]!]!, place.members[row]!);
  }
  act.place(jobIdx, grant, reason, bindsMs + setup.podStartMs);
  books.takeStock(view, state, jobIdx);
  if (future === null) {
    for (let row = 0; row < place.length; row++) idle.refresh(view, place.node[row]!);
    return amounts;
  }
  // What is free now is free in the future too.
  takePlacing(future.sketch, place, group.shape.parts);
  for (let row = 0; row < place.length; row++) future.changed(place.node[row]!);
  return amounts;
}

/** Why the head of a lane starts: room was made for it, or others of the same rank or above were passed, or its turn came. */
export function startReason({ state }: GroupSession, { priority }: Lane, jobIdx: number): number {
  const { list, busy } = state.waiting;
  const isPassed = (idx: number) => list[idx]!.closed && list[idx]!.priority >= priority;
  const skipped = busy.some((order) => order.some(isPassed));
  const reason = state.awaited.has(jobIdx) ? "preempting" : skipped ? "skipped" : "inOrder";
  return StartReasonCode[reason];
}

/** Keeps a place that is not free yet from the others of this session. */
export function keepPlace({ idle, future }: GroupSession, placing: Placing): void {
  lessenOn(idle.sketch, idle.sketch, future!.sketch, placing);
  for (let row = 0; row < placing.length; row++) idle.changed(placing.node[row]!);
}
