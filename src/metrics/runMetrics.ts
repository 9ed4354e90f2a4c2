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
  readonly boundedSlowdown: { readonly mean: number | null; readonly p95: number | null };
  readonly gpuHours: GpuHours;
  /** Parts of all devices × makespan, devices of drained and failed nodes included. */
  readonly utilization: { readonly allocated: number; readonly useful: number };
  /** Runs that a scheduler ended for another job. */
  readonly preemptions: number;
  readonly byTier: Readonly<Record<string, GroupMetrics>>;
  readonly byTeam: Readonly<Record<string, GroupMetrics>>;
}

export interface GpuHours {
  /** Devices asked for × work, over all jobs that were not refused. */
  readonly offered: number;
  /** Devices held × time, whatever the run did with them. */
  readonly allocated: number;
  /** Of these, while work went on in runs that completed, and in earlier runs of these jobs up to their last checkpoint. */
  readonly useful: number;
  /** Of these, in runs whose work was thrown away: preempted, requeued, or hit by a node failure; less what a checkpoint kept. */
  readonly lost: number;
  /** Devices that nobody held × time, while at least one job waited. */
  readonly idleWhileWaiting: number;
}

export interface GroupMetrics {
  readonly jobs: number;
  readonly started: number;
  readonly finished: number;
  readonly waitSec: Distribution;
  readonly gpuHoursAllocated: number;
}
