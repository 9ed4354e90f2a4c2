/** The numbers of a run that the column shows, in order, each with what it is. Their definitions in full: `docs/metrics.md`. */
import type { RunMetrics } from "../../metrics/runMetrics.ts";
import type { TierInfo } from "../../model/world.ts";

export interface Measure {
  readonly key: string;
  readonly label: string;
  readonly meaning: string;
  /** Position of the tier that it is about; −1 = all. */
  readonly tier: number;
  readonly unit: "duration" | "percent" | "hours" | "ratio" | "count";
  readonly better: "less" | "more";
  /** A row only where it is not 0. */
  readonly whereAny?: boolean;
  /** One of those that are folded away at first. */
  readonly further?: boolean;
  /** Null where it means nothing. */
  readonly of: (metrics: RunMetrics) => number | null;
  /** How many jobs it is taken over, where that differs between runs: over other jobs it is neither better nor worse. Null where it is not known. */
  readonly over?: (metrics: RunMetrics) => number | null;
}

/** Replicas of services start and end as demand goes, and their waits count for nothing: with services the number of jobs that started says nothing of the waits. */
const withoutServices =
  (of: (metrics: RunMetrics) => number | undefined) =>
  (metrics: RunMetrics): number | null =>
    Object.keys(metrics.slo.services).length > 0 ? null : (of(metrics) ?? null);

const ofStarted = withoutServices(({ started }) => started);
const ofFinished = withoutServices(({ finished }) => finished);
const ofCompleted = withoutServices(({ completed }) => completed);

/** All measures; which of them mean something the numbers tell. */
export function measures(tiers: readonly TierInfo[], word: string): Measure[] {
  const short = word === "GPU" ? "GPU-h" : "processor-h";
  const all = (
    key: string,
    label: string,
    meaning: string,
    unit: Measure["unit"],
    better: Measure["better"],
    of: Measure["of"],
    over?: Measure["over"],
  ): Measure => ({ key, label, meaning, tier: -1, unit, better, of, ...(over && { over }) });
  const any = (...parts: Parameters<typeof all>): Measure => ({ ...all(...parts), whereAny: true });
  const further = (...parts: Parameters<typeof all>): Measure => ({
    ...all(...parts),
    further: true,
  });
  return [
    ...tiers.map(waitOf),
    ...tiers.map(targetOf),
    all(
      "p95",
      "p95 wait, all",
      "95 of 100 jobs waited at most so long",
      "duration",
      "less",
      ({ waitSec }) => milliseconds(waitSec.p95),
      ofStarted,
    ),
    all(
      "allocated",
      "allocated",
      `part of all ${word}s × time that jobs held`,
      "percent",
      "more",
      ({ utilization }) => utilization.allocated * 100,
    ),
    all(
      "idle",
      `${short} idle, work waits`,
      `${word}s that nobody held while a job waited`,
      "hours",
      "less",
      ({ gpuHours }) => gpuHours.idleWhileWaiting,
    ),
    any(
      "lost",
      `${short} lost`,
      "whose work was thrown away: of runs that were stopped or failed, back to their last save",
      "hours",
      "less",
      ({ gpuHours }) => gpuHours.lostWork,
    ),
    any(
      "overhead",
      `${short} overhead`,
      "held to start up, to write and read checkpoints, and to end",
      "hours",
      "less",
      ({ gpuHours }) => gpuHours.overhead,
    ),
    any(
      "communication",
      `${short} communicating`,
      "that jobs took beyond their work because members wait for each other",
      "hours",
      "less",
      ({ gpuHours }) => gpuHours.communication,
    ),
    any(
      "preemptions",
      "preemptions",
      "runs ended for another job",
      "count",
      "less",
      ({ preemptions }) => preemptions,
    ),
    any(
      "suspensions",
      "suspensions",
      "times that a run was suspended",
      "count",
      "less",
      ({ suspensions }) => suspensions,
    ),
    any(
      "shrinks",
      "members taken",
      "times that a job gave members to others and kept the rest",
      "count",
      "less",
      ({ shrinks }) => shrinks,
    ),
    any(
      "broken",
      "promises broken",
      "jobs that started later than first planned",
      "count",
      "less",
      ({ promises }) => promises.broken,
    ),
    all(
      "services",
      "requests in time",
      "part of the requests that came while the latency was within the target, mean of the services",
      "percent",
      "more",
      inTime,
    ),
    all(
      "deadlines",
      "deadlines met",
      "part of the jobs with a deadline that completed by it",
      "percent",
      "more",
      deadlinesMet,
    ),
    all(
      "shareError",
      "share error",
      `part of the ${word} time that other teams would have to hold, if all held what is due to them`,
      "percent",
      "less",
      ({ fairness }) => percent(fairness.shareError),
    ),
    all(
      "jain",
      "Jain index of teams",
      "held ÷ due: 1 where it is alike for all teams",
      "ratio",
      "more",
      ({ fairness }) => fairness.jain,
    ),
    all(
      "fragmentation",
      "fragmentation",
      `part of the free ${word}s that a job of this workload cannot use, mean over time`,
      "percent",
      "less",
      ({ fragmentation }) => percent(fragmentation),
    ),
    any(
      "cost",
      "cost",
      "price of the nodes × time; rented ones while they are there",
      "count",
      "less",
      ({ cost }) => cost?.total ?? null,
    ),
    further(
      "turnaround",
      "mean turnaround",
      "from submission to the last end, of the jobs that finished",
      "duration",
      "less",
      ({ turnaroundSec }) => milliseconds(turnaroundSec.mean),
      ofFinished,
    ),
    further(
      "slowdown",
      "slowdown, 10 s",
      "turnaround ÷ length of the run, runs below 10 s counted as 10 s; mean of the jobs that finished",
      "ratio",
      "less",
      ({ boundedSlowdown }) => boundedSlowdown.mean,
      ofFinished,
    ),
    further(
      "slowdown10",
      "slowdown, 10 min",
      "the same with runs below 10 min counted as 10 min",
      "ratio",
      "less",
      ({ boundedSlowdown10Min }) => boundedSlowdown10Min.mean,
      ofFinished,
    ),
    further(
      "jobsPerHour",
      "jobs an hour",
      "jobs that finished, an hour of the makespan",
      "ratio",
      "more",
      ({ throughput }) => throughput.jobsPerHour,
    ),
    further(
      "usefulPerHour",
      `useful ${short} an hour`,
      `${word}-hours of work that counts, an hour of the makespan`,
      "ratio",
      "more",
      ({ throughput }) => throughput.usefulGpuHoursPerHour,
    ),
    further(
      "useful",
      "useful",
      `part of all ${word}s × time in which work went on that counts`,
      "percent",
      "more",
      ({ utilization }) => utilization.useful * 100,
    ),
    further("goodput", "goodput", "useful ÷ held", "percent", "more", ({ goodput }) =>
      percent(goodput),
    ),
    further(
      "finishTime",
      "finish-time fairness",
      "turnaround ÷ turnaround alone on an equal part of the machine, mean of the jobs that completed",
      "ratio",
      "less",
      ({ fairness }) => fairness.finishTime.mean,
      ofCompleted,
    ),
    further(
      "kept",
      "promises kept",
      "jobs that started no later than first planned",
      "count",
      "more",
      ({ promises }) => (promises.kept + promises.broken > 0 ? promises.kept : null),
    ),
    further(
      "costPerHour",
      `cost of a useful ${short}`,
      `cost ÷ ${word}-hours of work that counts`,
      "ratio",
      "less",
      ({ cost }) => cost?.perUsefulGpuHour ?? null,
    ),
  ];
}

function waitOf(tier: TierInfo, index: number): Measure {
  return {
    key: `wait ${tier.id}`,
    label: "mean wait",
    meaning: "from submission to the first start",
    tier: index,
    unit: "duration",
    better: "less",
    of: (metrics) => milliseconds(metrics.byTier[tier.id]?.waitSec.mean),
    over: withoutServices(({ byTier }) => byTier[tier.id]?.started),
  };
}

function targetOf(tier: TierInfo, index: number): Measure {
  return {
    key: `target ${tier.id}`,
    label: "in target wait",
    meaning: "part of the jobs that started within the target wait of their tier",
    tier: index,
    unit: "percent",
    better: "more",
    of: (metrics) => percent(metrics.byTier[tier.id]?.targetWaitMet),
  };
}

function inTime({ slo }: RunMetrics): number | null {
  const parts = Object.values(slo.services).filter((part) => part !== null);
  if (parts.length === 0) return null;
  return (parts.reduce((sum, part) => sum + part, 0) / parts.length) * 100;
}

function deadlinesMet({ slo: { deadlinesMet: met, deadlinesMissed: missed } }: RunMetrics) {
  return met + missed === 0 ? null : (met / (met + missed)) * 100;
}

function percent(part: number | null | undefined): number | null {
  return part === null || part === undefined ? null : part * 100;
}

function milliseconds(seconds: number | null | undefined): number | null {
  return seconds === null || seconds === undefined ? null : seconds * 1_000;
}
