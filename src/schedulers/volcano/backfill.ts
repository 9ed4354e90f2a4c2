/**
 * Backfill, as Volcano means it: pods that ask for nothing are put on the first open node. It has nothing to do with reservations, and no job that asks for a device ever
 * profits from it. O(such pods). Source: volcano-sh/volcano `pkg/scheduler/actions/backfill`.
 */
import { Grant } from "../../engine/grant.ts";
import { StartReasonCode } from "../../model/reasons.ts";
import { NodeStateCode } from "../../model/states.ts";
import { groupAt, type Session } from "./session.ts";
import { leave, takeStock } from "./state.ts";

const grant = new Grant();

export function backfill(session: Session): void {
  const { view, state, act } = session;
  const node = view.nodes.find((idx) => view.nodeState[idx] === NodeStateCode.open) ?? -1;
  if (node < 0) return;
  const waiting = state.inqueue.list.flatMap((lane) => lane.jobs.slice(lane.first));
  for (const jobIdx of waiting) {
    const group = groupAt(session, jobIdx);
    if (!group.bestEffort) continue;
    grant.clear();
    for (const [at, part] of group.shape.parts.entries())
      grant.push(at, node, -1, 0, 0, part.members);
    leave(view, state, jobIdx);
    act.place(jobIdx, grant, StartReasonCode.inOrder);
    takeStock(view, state, jobIdx);
    session.decided++;
  }
}
