/**
 * The numbers that `queuescope run` prints and the page shows, each with its definition; `docs/metrics.md` explains them in
 * words. Times are seconds, GPU-hours are device-hours (processor-hours on a flat machine).
 */
import type { Distribution } from "./quantiles.ts";

export interface RunMetrics {
  /** Jobs of the workload, injected ones included. */
  readonly jobs: number;
  /** Jobs whose last run completed its work with exit code 0. */
  readonly completed: number;
  /** Jobs that have ended for good after running: completed or failed by exit code, or killed at their limit. */
  readonly finished: number;
  /** Jobs of which work went on at least once; to hold devices while members are missing is not enough. */
  readonly started: number;
  /** Jobs that the scheduler turned away, by wait reason. */
  readonly refused: Readonly<Record<string, number>>;
  /** Last end of a run, counted from time 0; the end of the record where something still runs. */
  readonly makespanSec: number;
  /** First start − submit, over the jobs that started. */
  readonly waitSec: Distribution;
  /** max(1, (last end − submit) / max(length of the last run from its first device, 10 s)), over the finished jobs (Feitelson 2001). */
  readonly boundedSlowdown: MeanAndTail;
  /** The same with runs below 10 min counted as 10 min. */
  readonly boundedSlowdown10Min: MeanAndTail;
  /** Last end − submit, over the finished jobs. */
  readonly turnaroundSec: Distribution;
  /** Finished jobs, and useful device-hours, an hour of the makespan. */
  readonly throughput: { readonly jobsPerHour: number; readonly usefulGpuHoursPerHour: number };
  readonly gpuHours: GpuHours;
  /** Parts of all devices × makespan, devices of drained and failed nodes included. */
  readonly utilization: Utilization;
  /** Useful ÷ allocated; null where nothing was held. */
  readonly goodput: number | null;
  /** Mean over time of the part of free devices that the workload cannot use; null where no pool says it. */
  readonly fragmentation: number | null;
  readonly fairness: FairnessMetrics;
  readonly slo: SloMetrics;
  /** Runs that a scheduler ended for another job. */
  readonly preemptions: number;
  /** Times that a run was suspended. */
  readonly suspensions: number;
  /** Times that members were taken from a job that keeps the others. */
  readonly shrinks: number;
  /** Runs that ended otherwise than by their work, their limit or their user, and members evicted by name from a job that keeps others: by stop reason. */
  readonly evictions: Readonly<Record<string, number>>;
  /** First planned starts, of jobs that were given one: started no later, or later (or not, and it is past). */
  readonly promises: { readonly kept: number; readonly broken: number };
  /** In the money of the document; null where no devices have a price. */
  readonly cost: CostMetrics | null;
  /** Credits that the teams with a budget paid; null without auction. */
  readonly auctionPaid: number | null;
  readonly byTier: Readonly<Record<string, TierMetrics>>;
  readonly byTeam: Readonly<Record<string, GroupMetrics>>;
}

export interface GpuHours {
  /** Devices asked for × work, over all jobs that were not refused. */
  readonly offered: number;
  /** Devices held × time, whatever the run did with them; and those that were cut anew meanwhile. */
  readonly allocated: number;
  /** Of these, while work went on in runs that completed, and in earlier runs of these jobs up to their last checkpoint. */
  readonly useful: number;
  /** Of these, in runs whose work was thrown away: preempted, requeued, or hit by a node failure; less what a checkpoint kept. */
  readonly lost: number;
  /** Devices that nobody held × time, while at least one job waited; without those of rented nodes that are away. */
  readonly idleWhileWaiting: number;
  /** Of `lost`, the time in which work went on; and what restarts within a run threw away. */
  readonly lostWork: number;
  /** Work that is neither: of jobs that were killed, cancelled or failed, or still go on. */
  readonly unfinished: number;
  /** Start-up, checkpoint, restore and grace together, in all runs, and cutting. `allocated` = useful + lostWork + unfinished + overhead + withoutProgress. */
  readonly overhead: number;
  readonly startup: number;
  readonly checkpoint: number;
  readonly restore: number;
  readonly grace: number;
  /** MIG devices that were cut anew: nobody could have them. */
  readonly cutting: number;
  /** Held while members were missing, suspended, or hung. */
  readonly withoutProgress: number;
  /** Of `useful`, beyond the reference work of jobs with traffic. */
  readonly communication: number;
}

export interface Utilization {
  readonly allocated: number;
  readonly useful: number;
  readonly lost: number;
  readonly overhead: number;
  readonly communication: number;
  readonly idleWhileWaiting: number;
}

export interface MeanAndTail {
  readonly mean: number | null;
  readonly p95: number | null;
}

export interface FairnessMetrics {
  /** Jain's index of device time held ÷ due, over the teams; null below two teams with demand. */
  readonly jain: number | null;
  /** Half the sum of |part held − part due|. */
  readonly shareError: number | null;
  /** Turnaround ÷ turnaround alone on 1/n of the machine, over the completed jobs. */
  readonly finishTime: Distribution;
}

export interface SloMetrics {
  /** Of each service: the part of its requests that came while its latency was within the target. */
  readonly services: Readonly<Record<string, number | null>>;
  readonly deadlinesMet: number;
  readonly deadlinesMissed: number;
}

export interface CostMetrics {
  readonly total: number;
  readonly perUsefulGpuHour: number | null;
}

export interface TierMetrics extends GroupMetrics {
  /** Part of the jobs that started within the tier's target wait; null where it has none. */
  readonly targetWaitMet: number | null;
}

export interface GroupMetrics {
  readonly jobs: number;
  readonly started: number;
  readonly finished: number;
  readonly waitSec: Distribution;
  readonly gpuHoursAllocated: number;
}
