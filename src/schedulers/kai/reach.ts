/**
 * Upper bounds of what a search for victims can make of each node, so that one that cannot end well is not begun. Victims of a queue leave in a fixed order and only while its branch is
 * above what it is entitled to: so at most the first of them leave, up to there. Kept until a search succeeds. O(nodes + those victims) once for each queue that asks, then O(1) a job.
 * Looser than the search everywhere (elastic jobs count whole, others' victims are not counted off), never tighter.
 */
import { isAbove, staysWithinQuota } from "../../scheduling/kubernetes/kai/reclaim.ts";
import {
  type Amounts,
  addAmounts,
  noAmounts,
} from "../../scheduling/kubernetes/podGroups/amounts.ts";
import type { Bound } from "../podGroups/heldOn.ts";
import { futureOf, groupAt } from "../podGroups/session.ts";
import { chargeUp, restore, type Session } from "./session.ts";
import { heldOnOf } from "./state.ts";
import type { Turn } from "./turns.ts";
import { candidateOf, candidatesOf, type WhoMay } from "./victimOrder.ts";

/** Sums of parts of devices are taken in another order here than in a search; sums of whole ones are exact. */
const ROUNDING = 1e-6;

/** Would every component of the job fit if all went as well as it can? */
export function inReach(session: Session, { jobIdx, wanted }: Turn, bound: () => Bound): boolean {
  const { parts } = groupAt(session, jobIdx).shape;
  for (let at = 0; at < wanted.length; at++) {
    const asks = wanted[at]! > 0 && parts[at]!.gpus > 0;
    if (asks && !bound().couldHold(parts[at]!, wanted[at]!)) return false;
  }
  return true;
}

export function reclaimBound(session: Session, queueIdx: number, request: Amounts): Bound {
  const within = staysWithinQuota(session.shares[queueIdx]!, request);
  return kept(session, within ? 1 : 2, queueIdx, 0, (into) => {
    const partings = session.setup.partings[queueIdx]!;
    for (let other = 0; other < partings.length; other++) {
      const parting = partings[other]!;
      if (parting !== null)
        addReclaimable(session, into, other, parting.theirs, within || parting.mine !== queueIdx);
    }
  });
}

const allocated = noAmounts();
const next = new Int32Array(1);
const LEAST_RUN = { leastRun: "reclaimMinMs" } as const;

/** The first victims of a queue, while its branch is above what it may keep. */
function addReclaimable(
  session: Session,
  into: Bound,
  queueIdx: number,
  branch: number,
  byQuota: boolean,
): void {
  const held = session.held[branch]!;
  for (let at = 0; at < held.length; at++) allocated[at] = held[at]!;
  const share = session.shares[branch]!;
  let slack = allocated.every(Number.isInteger) ? 0 : ROUNDING;
  next[0] = 0;
  while (isAbove(share, byQuota, slack, allocated)) {
    const run = candidateOf(session, LEAST_RUN, queueIdx, next, 0);
    if (run === null) return;
    next[0] = next[0]! + 1;
    into.addDevices(run.devices);
    addAmounts(allocated, run.amounts, -1);
    if (!run.isExact) slack = ROUNDING;
  }
}

/** The jobs that a consolidation would move: the same whoever asks. */
export function consolidateBound(session: Session): Bound {
  return kept(session, 0, 0, 0, (into) => {
    const before = session.held.flat();
    const next = candidatesOf(session, { queue: () => true });
    for (let count = 0; count < session.setup.consolidateMost; count++) {
      const run = next();
      if (run === null) break;
      into.addDevices(run.devices);
      chargeUp(session, run.queueIdx, run.amounts, -1, false);
    }
    restore(session, before);
  });
}

/**
 * All the victims that a search would go through, in its own order and with the books as they would be, but without looking for places. An elastic job gives pod by pod and may stop
 * half-way: then this tells nothing.
 */
export function victimsBound(session: Session, jobIdx: number, who: WhoMay): Bound {
  return kept(session, 4, 0, jobIdx, (into) => {
    const before = session.held.flat();
    const next = candidatesOf(session, who);
    for (let run = next(); run !== null; run = next()) {
      if (run.spares) {
        for (const node of session.view.nodes) into.add(node, ANY);
        break;
      }
      into.addDevices(run.devices);
      chargeUp(session, run.queueIdx, run.amounts, -1, false);
    }
    restore(session, before);
  });
}
const ANY = 0xffff;

export function preemptBound(session: Session, queueIdx: number, below: number): Bound {
  return kept(session, 3, queueIdx, below, (into) =>
    into.addHeld(
      heldOnOf(session.view, session.state),
      (other, priority) => other === queueIdx && priority < below,
    ),
  );
}

/** One number for each question. */
function kept(
  session: Session,
  action: 0 | 1 | 2 | 3 | 4,
  queueIdx: number,
  which: number,
  fill: (into: Bound) => void,
): Bound {
  const key = (which * session.setup.queues.length + queueIdx) * 5 + action;
  return session.bounds.kept(key, futureOf(session), fill);
}
