/**
 * Upper bounds of what a search for victims can make of each node, so that one that cannot end well is not begun. Victims of a queue leave in a fixed order and only while its branch is
 * above what it is entitled to: so at most the first of them leave, up to there. Kept until a search succeeds. O(nodes + those victims) once for each queue that asks, then O(nodes) a job.
 * Looser than the search everywhere (elastic jobs count whole, others' victims are not counted off), never tighter.
 */
import { isAbove, staysWithinQuota } from "../../scheduling/kubernetes/kai/reclaim.ts";
import {
  type Amounts,
  addAmounts,
  noAmounts,
} from "../../scheduling/kubernetes/podGroups/amounts.ts";
import { addDevices, type Bound, boundOf, fitsBound } from "../podGroups/heldOn.ts";
import { futureOf, groupAt, keptBound } from "../podGroups/session.ts";
import { queueOf } from "../podGroups/state.ts";
import { chargeUp, type Session } from "./session.ts";
import { heldOnOf } from "./state.ts";
import type { Turn } from "./turns.ts";
import { candidateOf, victimsInOrder } from "./victimOrder.ts";

/** Sums of parts of devices are taken in another order here than in a search; sums of whole ones are exact. */
const ROUNDING = 1e-6;

/** Would every component of the job fit if all went as well as it can? */
export function inReach(session: Session, { jobIdx, wanted }: Turn, bound: () => Bound): boolean {
  if (session.everySearch) return true;
  const { sketch } = futureOf(session);
  return groupAt(session, jobIdx).shape.parts.every(
    (part, at) =>
      wanted[at] === 0 || part.gpus === 0 || fitsBound(sketch, bound(), part, wanted[at]!),
  );
}

export function reclaimBound(session: Session, queueIdx: number, request: Amounts): Bound {
  const within = staysWithinQuota(session.shares[queueIdx]!, request);
  return keptBound(session, `reclaim ${queueIdx} ${within}`, () => {
    const bound = futureOf(session).sketch.gpusFree.slice();
    for (const [other, parting] of session.setup.partings[queueIdx]!.entries())
      if (parting !== null)
        addReclaimable(session, bound, other, parting.theirs, within || parting.mine !== queueIdx);
    return bound;
  });
}

/** The first victims of a queue, while its branch is above what it may keep. */
function addReclaimable(
  session: Session,
  bound: Bound,
  queueIdx: number,
  branch: number,
  byQuota: boolean,
): void {
  const allocated = [...session.held[branch]!];
  const share = { ...session.shares[branch]!, allocated };
  const next = session.setup.queues.map(() => 0);
  let exact = allocated.every(Number.isInteger);
  while (isAbove(share, byQuota, exact ? 0 : ROUNDING)) {
    const jobIdx = candidateOf(session, { leastRun: "reclaimMinMs" }, next, queueIdx);
    if (jobIdx < 0) return;
    next[queueIdx] = next[queueIdx]! + 1;
    const { devices, members } = session.state.runs.get(jobIdx)!;
    addDevices(bound, devices);
    const amounts = sumOf(session, jobIdx, members);
    addAmounts(allocated, amounts, -1);
    exact &&= amounts.every(Number.isInteger);
  }
}

function sumOf(session: Session, jobIdx: number, members: readonly number[]): number[] {
  const amounts = noAmounts();
  for (const [at, each] of groupAt(session, jobIdx).each.entries())
    addAmounts(amounts, each, members[at]!);
  return amounts;
}

/** The jobs that a consolidation would move: the same whoever asks. */
export function consolidateBound(session: Session): Bound {
  return keptBound(session, "consolidate", () => {
    const { view, state, setup } = session;
    const bound = futureOf(session).sketch.gpusFree.slice();
    const before = session.held.map((amounts) => [...amounts]);
    const next = victimsInOrder(session, { queue: () => true, whole: true });
    for (let count = 0; count < setup.consolidateMost; count++) {
      const victim = next();
      if (victim === null) break;
      addDevices(bound, state.runs.get(victim.jobIdx)!.devices);
      chargeUp(session, queueOf(view, state, victim.jobIdx), victim.amounts, -1, false);
    }
    restore(session, before);
    return bound;
  });
}

/** What queues hold is again what it was, to the bit. */
export function restore({ held }: Session, before: readonly Amounts[]): void {
  for (const [queueIdx, amounts] of before.entries())
    for (const [at, amount] of amounts.entries()) held[queueIdx]![at] = amount;
}

export function preemptBound(session: Session, queueIdx: number, below: number): Bound {
  return keptBound(session, `preempt ${queueIdx} ${below}`, () =>
    boundOf(
      futureOf(session).sketch,
      heldOnOf(session.view, session.state),
      (other, priority) => other === queueIdx && priority < below,
    ),
  );
}
