/**
 * How many jobs a backfill pass looks at and for how many it keeps nodes: `bf_max_job_test`, `…_user`, `…_part`, `…_assoc`,
 * `bf_max_job_array_resv`, `bf_job_part_count_reserve`, `bf_min_prio_reserve`, `bf_min_age_reserve`, `bf_one_resv_per_job`.
 */
import type { PoolView } from "../../../engine/view.ts";
import { reserveThreshold } from "../../../scheduling/limits/policy.ts";
import type { QueueEntry, SlurmJob, SlurmState } from "../state.ts";

/** Jobs of a lower priority hold up nobody: `MinPrioThreshold` of QOS or association, else `bf_min_prio_reserve`. O(1). */
export function leastToReserve(state: SlurmState, job: SlurmJob): number {
  return reserveThreshold(state.limits, job) || state.setup.config.scheduler.bfMinPrioReserve;
}

export class BackfillCounts {
  /** `bf_max_job_test` jobs were looked at: the pass ends. The head counts. */
  full = false;
  readonly #state: SlurmState;
  #tested = 0;
  readonly #tests = new Map<string, number>();
  readonly #ofPartition: Int32Array;
  readonly #ofArray = new Map<string, number>();
  readonly #reserved = new Set<SlurmJob>();

  constructor(state: SlurmState) {
    this.#state = state;
    this.#ofPartition = new Int32Array(state.setup.partitions.length);
  }

  /** Whether a job is looked at in one of its partitions; counts it. */
  admits(entry: QueueEntry): boolean {
    const { scheduler } = this.#state.setup.config;
    const { job, partition } = entry;
    if (scheduler.bfMaxJobTest > 0 && this.#tested >= scheduler.bfMaxJobTest) {
      this.full = true;
      return false;
    }
    const { arrayId } = job.request;
    if (arrayId !== "" && (this.#ofArray.get(arrayId) ?? 0) >= scheduler.bfMaxJobArrayResv)
      return false;
    if (scheduler.bfOneResvPerJob && this.#reserved.has(job)) return false;
    this.#tested++;
    return (
      this.#below("part", partition, scheduler.bfMaxJobPart) &&
      this.#below("assoc", job.assoc, scheduler.bfMaxJobAssoc) &&
      this.#below("user", job.user, scheduler.bfMaxJobUser) &&
      (scheduler.bfMaxJobUserPart <= 0 ||
        this.#below(`user ${job.user} in`, partition, scheduler.bfMaxJobUserPart))
    );
  }

  /** Whether a job is only started or not: no nodes are kept for it. */
  reservesNothing(view: PoolView, entry: QueueEntry): boolean {
    const { scheduler } = this.#state.setup.config;
    const most = scheduler.bfJobPartCountReserve;
    if (most > 0 && this.#ofPartition[entry.partition]! >= most) return true;
    if (entry.priority < leastToReserve(this.#state, entry.job)) return true;
    return view.nowMs - entry.job.eligibleMs < scheduler.bfMinAgeReserveMs;
  }

  /** Nodes are kept for a job. */
  reserved(entry: QueueEntry): void {
    this.#ofPartition[entry.partition]! += 1;
    this.#reserved.add(entry.job);
    const { arrayId } = entry.job.request;
    if (arrayId !== "") this.#ofArray.set(arrayId, (this.#ofArray.get(arrayId) ?? 0) + 1);
  }

  #below(kind: string, index: number, most: number): boolean {
    if (most <= 0) return true;
    const key = `${kind} ${index}`;
    const count = (this.#tests.get(key) ?? 0) + 1;
    this.#tests.set(key, count);
    return count <= most;
  }
}
