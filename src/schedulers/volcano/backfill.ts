/**
 * Backfill, as Volcano means it: pods that ask for nothing are put on any open node that they may use. It has nothing to do with reservations, and no job that asks for a device ever
 * profits from it. O(such pods + lanes). Source: volcano-sh/volcano `pkg/scheduler/actions/backfill`.
 */
import { Grant } from "../../engine/grant.ts";
import { StartReasonCode } from "../../model/reasons.ts";
import { grantPlacing } from "../../scheduling/placement/grantPlacing.ts";
import { Placing } from "../../scheduling/placement/placing.ts";
import { groupAt } from "../podGroups/session.ts";
import { findPlace } from "./hyperNodes.ts";
import type { Session } from "./session.ts";
import { BOOKS } from "./state.ts";

const place = new Placing();
const grant = new Grant();

export function backfill(session: Session): void {
  const { view, state, act, classes } = session;
  const lanes = state.waiting.list.filter(({ classIdx }) => classes.list[classIdx]!.bestEffort);
  const waiting = lanes.flatMap((lane) => lane.jobs.slice(lane.first));
  for (const jobIdx of waiting) {
    const group = groupAt(session, jobIdx);
    const members = group.shape.parts.map((part) => part.members);
    if (!findPlace(session, session.idle, jobIdx, group, members, place)) continue;
    if (!grantPlacing(view, group.shape, place, grant)) continue;
    BOOKS.leave(view, state, jobIdx);
    act.place(jobIdx, grant, StartReasonCode.inOrder);
    BOOKS.takeStock(view, state, jobIdx);
    session.decided++;
  }
}
