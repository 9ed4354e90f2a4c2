/**
 * Rules that go by what single jobs have had. Ties: submit time, job index. All are preemptive in their papers: with the setting `roundMs` they
 * are here too (`rounds.ts`); with 0 they only order those that wait.
 *
 * `leastAttained`: least device time so far first (Nuyens and Wierman, The foreground-background queue, 2008). Starves a long job
 * while new ones keep coming.
 * `tiresias`: discretised two-dimensional attained service: device time (devices × time) sorts jobs into few queues with growing
 * thresholds, first come first served in each; who has waited `promoteFactor` times as long as it ran goes back to the first (Gu et al.:
 * Tiresias, NSDI 2019). Pathology: just below a threshold long jobs pass as short ones; too many queues bring back time slicing.
 * `themis`: finish-time fairness: time since submission plus work left, over the work with its devices alone; the largest first
 * (Mahajan et al.: Themis, NSDI 2020). Here all jobs meet the same contention, which cancels out; Themis' partial auction and
 * placement scores are not modelled: what it offers to the farthest-behind fraction of jobs, the order gives to the first in line.
 */
import type { PoolView } from "../../engine/view.ts";
import type { Settings } from "../../model/policy.ts";
import { SPEED_ONE } from "../../model/units.ts";
import {
  type AttainedBook,
  attainedBefore,
  attainedMs,
  copyAttained,
  noteAttained,
} from "./attained.ts";
import type { JobRule } from "./jobRule.ts";

const HOUR_MS = 3_600_000;

export interface AttainedBooks {
  readonly attained: AttainedBook;
  /** Tiresias: device time at which a job went back to the first queue last; it counts from there. */
  readonly forgiven: Map<number, { readonly deviceMs: number; readonly ranMs: number }>;
  readonly queues: number;
  readonly firstDeviceMs: number;
  readonly promoteFactor: number;
}

const roundOf = ({ roundMs }: Settings): number =>
  Number(roundMs ?? 0) > 0 ? Number(roundMs) : Number.POSITIVE_INFINITY;

const attainedRule: Pick<JobRule<AttainedBooks>, "create" | "copy" | "held"> = {
  create: (view, { settings }) => ({
    attained: attainedBefore(view),
    forgiven: new Map(),
    queues: Math.max(1, Number(settings["attainedQueues"] ?? 2)),
    firstDeviceMs: Number(settings["attainedHours"] ?? 1) * HOUR_MS,
    promoteFactor: Number(settings["promoteFactor"] ?? 0),
  }),
  copy: (books) => ({
    ...books,
    attained: copyAttained(books.attained),
    forgiven: new Map(books.forgiven),
  }),
  held(books, view, jobIdx) {
    noteAttained(books.attained, view, jobIdx);
    if (books.forgiven.size > 0 && !books.attained.of.has(jobIdx)) books.forgiven.delete(jobIdx);
  },
};

export const leastAttainedRule: JobRule<AttainedBooks> = {
  ...attainedRule,
  everyMs: () => Number.POSITIVE_INFINITY,
  key: ({ attained }, view, jobIdx) => Math.round(attainedMs(attained, jobIdx, view.nowMs)),
};

/** The queue, 0 = first, by device time since the job was last put back. O(queues). */
function queueOf(books: AttainedBooks, view: PoolView, jobIdx: number): number {
  const countsMs =
    attainedMs(books.attained, jobIdx, view.nowMs) - (books.forgiven.get(jobIdx)?.deviceMs ?? 0);
  let queue = 0;
  for (let most = books.firstDeviceMs; queue < books.queues - 1; most *= 10) {
    if (countsMs < most) break;
    queue++;
  }
  return queue;
}

/** Whether a job that has run has waited so long since, in its run times, that it goes back to the first queue. */
function isDueBack(
  { attained, forgiven, promoteFactor }: AttainedBooks,
  jobIdx: number,
  nowMs: number,
): boolean {
  const entry = attained.of.get(jobIdx);
  if (entry === undefined || entry.devices > 0) return false;
  const ranMs = entry.ranMs - (forgiven.get(jobIdx)?.ranMs ?? 0);
  return ranMs > 0 && nowMs - entry.sinceMs >= promoteFactor * ranMs;
}

export const tiresiasRule: JobRule<AttainedBooks> = {
  ...attainedRule,
  everyMs: roundOf,
  prepare(books, view, active) {
    if (books.promoteFactor <= 0) return;
    // Only who has run and waits again can go back to the first queue: mostly nobody, and then nobody else need be listed.
    let isAny = false;
    for (const jobIdx of books.attained.idle) isAny ||= isDueBack(books, jobIdx, view.nowMs);
    if (!isAny) return;
    for (const jobIdx of active()) {
      if (!isDueBack(books, jobIdx, view.nowMs)) continue;
      const { deviceMs, ranMs } = books.attained.of.get(jobIdx)!;
      books.forgiven.set(jobIdx, { deviceMs, ranMs });
    }
  },
  key: queueOf,
};

/**
 * Finish-time fairness of a job if it had its devices from now on: 1 = as if it had been alone. Its work is known, as the paper's jobs
 * report theirs. O(1).
 */
function finishTimeFairness(view: PoolView, jobIdx: number): number {
  const { submitMs, workQ16 } = view.jobs.at;
  const aloneMs = Math.max(1, workQ16[jobIdx]! / SPEED_ONE);
  const endMs = view.workEndMs(jobIdx);
  const leftMs =
    endMs === Number.POSITIVE_INFINITY ? view.workLeftQ16(jobIdx) / SPEED_ONE : endMs - view.nowMs;
  return (view.nowMs - submitMs[jobIdx]! + leftMs) / aloneMs;
}

export const themisRule: JobRule<Record<string, never>> = {
  create: () => ({}),
  copy: () => ({}),
  everyMs: roundOf,
  key: (_books, view, jobIdx) => -finishTimeFairness(view, jobIdx),
  held: () => undefined,
};
