/**
 * Backfill, as Volcano means it: pods that ask for nothing are put on any open node that they may use. It has nothing to do with reservations, and no job that asks for a device ever
 * profits from it. O(such pods + lanes). Source: volcano-sh/volcano `pkg/scheduler/actions/backfill`.
 */
import { Grant } from "../../engine/grant.ts";
import { StartReasonCode } from "../../model/reasons.ts";
import { grantPlacing } from "../../scheduling/placement/grantPlacing.ts";
import { Placing } from "../../scheduling/placement/placing.ts";
import { closeLane, groupAt, roomReason } from "../podGroups/session.ts";
import { findPlace } from "./hyperNodes.ts";
import type { Session } from "./session.ts";
import { BOOKS } from "./state.ts";

const place = new Placing();
const grant = new Grant();

export function backfill(session: Session): void {
  const { view, state, act, classes } = session;
  for (const lane of state.waiting.list) {
    if (!classes.list[lane.classIdx]!.bestEffort) continue;
    while (lane.first < lane.jobs.length) {
      const jobIdx = lane.jobs[lane.first]!;
      const group = groupAt(session, jobIdx);
      const members = group.shape.parts.map((part) => part.members);
      const found =
        findPlace(session, session.idle, jobIdx, group, members, place) &&
        grantPlacing(view, group.shape, place, grant);
      if (!found) {
        // What finds no place for one of a class finds none for the others.
        closeLane(session, lane, roomReason(session, group));
        break;
      }
      BOOKS.leave(view, state, jobIdx);
      act.place(jobIdx, grant, StartReasonCode.inOrder);
      BOOKS.takeStock(view, state, jobIdx);
      session.decided++;
    }
  }
}
