/**
 * Enqueue: pod groups are let in, in order of queue and job, while their queue could really have them and the cluster is not promised too often: what has been let in and does
 * not run yet stays within the whole cluster times a factor, less what is in use. Only then are pods made. Pathology: a job that is not let in never gets to preempt or
 * reclaim. O(jobs let in × lanes). Source: volcano-sh/volcano `pkg/scheduler/actions/enqueue`, `plugins/{proportion,overcommit}`.
 */
import { kubeReasonCode } from "../../model/reasons.ts";
import {
  type Amounts,
  addAmounts,
  noAmounts,
} from "../../scheduling/kubernetes/podGroups/amounts.ts";
import { nextLane, openLanes } from "../../scheduling/kubernetes/podGroups/lanes.ts";
import { mayEnqueue } from "../../scheduling/kubernetes/volcano/queueGate.ts";
import { closeLane, groupAt } from "../podGroups/session.ts";
import { leaveLane } from "../podGroups/state.ts";
import { gatedQueue, queueOrder, type Session } from "./session.ts";
import { enter } from "./state.ts";

export function enqueue(session: Session): void {
  const { view, state, setup } = session;
  openLanes(state.pending);
  const promised = noAmounts();
  for (const book of state.books) addAmounts(promised, book.inqueue);
  const room = overcommitted(session);
  for (const queueIdx of queueOrder(session)) {
    for (;;) {
      const lane = nextLane(state.pending, queueIdx);
      if (lane === null) break;
      const jobIdx = lane.jobs[lane.first]!;
      const { leastRequest } = groupAt(session, jobIdx);
      const queueLets =
        setup.queuePlugin === "none" || mayEnqueue(gatedQueue(session, queueIdx), leastRequest);
      if (!queueLets) closeLane(session, lane, kubeReasonCode("queueMost"));
      else if (setup.overcommit > 0 && !within(leastRequest, promised, room))
        closeLane(session, lane, kubeReasonCode("notLetIn"));
      else {
        leaveLane(view, state.pending, jobIdx);
        enter(view, state, jobIdx);
        session.decided++;
        addAmounts(promised, leastRequest);
      }
    }
  }
}

/** All that there is, times the factor, less what is in use. O(nodes). */
function overcommitted({ view, setup, total }: Session): Amounts {
  let [gpus, cpuMilli, memMiB] = [0, 0, 0];
  for (let i = 0; i < view.nodes.length; i++) {
    const node = view.nodes[i]!;
    if (view.nodeState[node] !== 0) continue;
    gpus += view.gpusFree[node]!;
    cpuMilli += view.cpuMilliFree[node]!;
    memMiB += view.memMiBFree[node]!;
  }
  const room = total.map((amount) => amount * (setup.overcommit - 1));
  addAmounts(room, [gpus, cpuMilli, memMiB]);
  return room;
}

const ROUNDING = 1e-6;

/** On what is asked for. */
function within(request: Amounts, promised: Amounts, room: Amounts): boolean {
  for (let at = 0; at < request.length; at++) {
    const asked = request[at]!;
    if (asked > 0 && promised[at]! + asked > room[at]! + ROUNDING) return false;
  }
  return true;
}
