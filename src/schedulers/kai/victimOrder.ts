/** In which order runs are asked to leave: queues that come last in the order of turns first, in a queue the least important and youngest run first. O(queues) a victim. */
import { JobStateCode } from "../../model/states.ts";
import { queueOf } from "../podGroups/state.ts";
import type { Session } from "./session.ts";
import { FIXED_FROM } from "./setup.ts";
import { comesBefore } from "./turns.ts";
import { type Victim, victimsOf } from "./victims.ts";

const NOBODY = [0, 0, 0];

/** Whose work is left alone. */
interface Protection {
  readonly leastRun?: "preemptMinMs" | "reclaimMinMs";
  readonly belowPriority?: number;
}

export interface WhoMay extends Protection {
  readonly queue: (queueIdx: number) => boolean;
  /** Jobs go whole. */
  readonly whole?: boolean;
}

/** Victims one by one: from the queue that comes last now among those allowed, its least important and youngest run first. */
export function victimsInOrder(session: Session, who: WhoMay): () => Victim | null {
  const { setup } = session;
  const next = setup.queues.map(() => 0);
  let rest: Victim[] = [];
  return () => {
    const queueOfRest =
      rest[0] === undefined ? -1 : queueOf(session.view, session.state, rest[0].jobIdx);
    if (queueOfRest >= 0 && who.queue(queueOfRest)) return rest.shift()!;
    rest = [];
    let last = -1;
    for (let queueIdx = 0; queueIdx < setup.queues.length; queueIdx++) {
      if (candidateOf(session, who, next, queueIdx) < 0 || !who.queue(queueIdx)) continue;
      if (last < 0 || comesBefore(session, last, NOBODY, queueIdx, NOBODY)) last = queueIdx;
    }
    if (last < 0) return null;
    const jobIdx = candidateOf(session, who, next, last);
    next[last] = next[last]! + 1;
    rest = victimsOf(session, jobIdx, who.whole === true);
    return rest.shift() ?? null;
  };
}

/** The next run of a queue that may be a victim; −1 if there is none. `next` is moved on over those that may not. */
export function candidateOf(
  { view, state, setup }: Session,
  who: Protection,
  next: number[],
  queueIdx: number,
): number {
  const jobs = state.victims[queueIdx]!;
  for (; next[queueIdx]! < jobs.length; next[queueIdx] = next[queueIdx]! + 1) {
    const jobIdx = jobs[next[queueIdx]!]!;
    if (state.runs.get(jobIdx)!.priority >= (who.belowPriority ?? FIXED_FROM)) return -1;
    const at = view.jobState[jobIdx];
    const runs = at === JobStateCode.running || at === JobStateCode.starting;
    const ranMs = view.nowMs - view.startMs(jobIdx);
    const isOld = who.leastRun === undefined || ranMs >= setup.queues[queueIdx]![who.leastRun];
    if (runs && isOld) return jobIdx;
  }
  return -1;
}
