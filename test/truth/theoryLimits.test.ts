/**
 * What is known exactly beside mean waits: how long a wide job starves behind small ones that pass it, how much of a machine strict FCFS can fill, and what preemption
 * costs a job with checkpoints. Arrivals and services are drawn here, with dice of their own.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { dice } from "../../bench/studies/labRuns.ts";
import { simulate } from "../../src/cli/simulate.ts";
import { intervalOf } from "../../src/metrics/replications.ts";
import { readScenario } from "../../src/scenario/read.ts";

const UNIT_MS = 1_000_000;
const golden = JSON.parse(readFileSync("test/truth/theory/golden-queueing.json", "utf8"));

interface JobInput {
  readonly id: string;
  readonly submitMs: number;
  readonly gpus: number;
  readonly workMs: number;
}

function metricsOf(gpus: number, settings: object, jobs: readonly object[], more: object = {}) {
  const scenario = readScenario({
    version: 1,
    killAtLimit: false,
    cluster: { flat: true, nodeGroups: [{ id: "m", count: 1, gpus }] },
    pools: [{ id: "all", policy: { settings } }],
    workload: { jobs },
    ...more,
  } as Parameters<typeof readScenario>[0]);
  if (!scenario.ok) throw new Error(JSON.stringify(scenario.error[0]));
  return simulate(scenario.value, undefined, { checks: false }).metrics;
}

const exponentialMs = (roll: () => number, mean: number): number =>
  Math.max(1, Math.round(-Math.log(1 - roll()) * mean * UNIT_MS));

const starving: {
  gpus_c: number;
  small_job_load_rho: string;
  E_time_all_busy_to_all_idle: string;
}[] = golden.starvation_first_passage.rows;

test.each(
  starving.filter(
    ({ gpus_c: c, small_job_load_rho: rho }) => (c === 2 || c === 4) && rho === "0.5",
  ),
)(
  "a job that needs all $gpus_c GPUs and keeps none waits for all of them to be idle at once (load $small_job_load_rho)",
  ({ gpus_c: c, small_job_load_rho: rho, E_time_all_busy_to_all_idle: exact }) => {
    /** What the wide job waits where small ones arrive until then, in mean services. */
    const waited = (seed: number, untilMs: number): number => {
      const roll = dice(seed);
      const jobs: JobInput[] = [];
      const small = (submitMs: number) =>
        jobs.push({ id: `s${jobs.length}`, submitMs, gpus: 1, workMs: exponentialMs(roll, 1) });
      for (let busy = 0; busy < c; busy++) small(0);
      jobs.push({ id: "wide", submitMs: 0, gpus: c, workMs: 1 });
      let atMs = 0;
      while (atMs < untilMs) {
        atMs += exponentialMs(roll, 1 / (c * Number(rho)));
        small(atMs);
      }
      const tiers = [
        { id: "wide", name: "Wide", letter: "W" },
        { id: "small", name: "Small", letter: "S" },
      ];
      const told = jobs.map((job) => ({ ...job, tier: job.id === "wide" ? "wide" : "small" }));
      const { byTier } = metricsOf(c, { backfill: "skip" }, told, { tiers });
      return byTier["wide"]!.waitSec.mean! / (UNIT_MS / 1_000);
    };
    // Twelve times the mean is past what a first passage takes in all but one of 100,000 draws. Arrivals after the wide job's start
    // do not bear on it, and the same seed draws the same: a shorter run decides as well wherever it sees the start.
    const waits = Array.from({ length: 200 }, (_, index) => {
      let services = 1.5 * Number(exact);
      let wait = waited(index + 1, services * UNIT_MS);
      while (wait >= services && services < 12 * Number(exact)) {
        services *= 2;
        wait = waited(index + 1, services * UNIT_MS);
      }
      return wait;
    });
    const { mean, halfWidth } = intervalOf(waits);
    expect(Math.abs(mean - Number(exact))).toBeLessThanOrEqual(2 * halfWidth);
    expect(2 * halfWidth).toBeLessThan(Number(exact) / 3);
  },
  120_000,
);

const saturated: {
  gpus: number;
  share_of_jobs_whole_cluster: string;
  utilisation_saturated_FCFS: string;
}[] = golden.fcfs_saturated_two_class.rows;

test.each(
  saturated.filter(
    ({ gpus, share_of_jobs_whole_cluster: share }) => gpus <= 64 && ["0.1", "0.5"].includes(share),
  ),
)(
  "strict FCFS with an endless queue fills no more of $gpus GPUs than where jobs for all of them are $share_of_jobs_whole_cluster of all",
  ({ gpus, share_of_jobs_whole_cluster: share, utilisation_saturated_FCFS: exact }) => {
    const used = Array.from({ length: 8 }, (_, seed) => {
      const roll = dice(seed + 1);
      const jobs = Array.from({ length: 4_000 }, (_job, index) => ({
        id: `j${index}`,
        submitMs: 0,
        gpus: roll() < Number(share) ? gpus : 1,
        workMs: exponentialMs(roll, 1),
      }));
      return metricsOf(gpus, { backfill: "none" }, jobs).utilization.useful;
    });
    const { mean, halfWidth } = intervalOf(used);
    expect(Math.abs(mean - Number(exact))).toBeLessThanOrEqual(2 * halfWidth);
    expect(2 * halfWidth).toBeLessThan(Number(exact) / 10);
  },
  60_000,
);

const losses: {
  checkpoint_interval_s: number;
  mean_time_between_preemptions_h: number;
  restart_s: number;
  expected_lost_fraction: string;
}[] = golden.preemption_loss.rows;

// The closed form is of first order: good where an interval is short against the time between two stops.
test.each(
  losses.filter(
    ({ checkpoint_interval_s: interval, mean_time_between_preemptions_h: hours }) =>
      interval === 900 && (hours === 4 || hours === 24),
  ),
)(
  "stopped every $mean_time_between_preemptions_h h, a checkpoint every 15 min and a restart of $restart_s s lose (τ/2 + R) ÷ MTBP",
  ({
    mean_time_between_preemptions_h: hours,
    restart_s: restart,
    expected_lost_fraction: exact,
  }) => {
    const stopMs = hours * 3_600_000;
    const lost = Array.from({ length: 6 }, (_, seed) => {
      const roll = dice(seed + 1);
      const train = { id: "train", submitMs: 0, gpus: 1, tier: "low", workMs: 300 * stopMs };
      const checkpoint = { every: 900_000, costMs: 0, restoreMs: restart * 1_000 };
      const jobs: object[] = [{ ...train, checkpoint }];
      for (let atMs = 0; atMs < 330 * stopMs; ) {
        atMs += Math.round(-Math.log(1 - roll()) * stopMs) + 1_000;
        jobs.push({ id: `u${jobs.length}`, submitMs: atMs, gpus: 1, tier: "high", workMs: 1_000 });
      }
      const tiers = [
        { id: "high", name: "High", letter: "H" },
        { id: "low", name: "Low", letter: "L" },
      ];
      const { gpuHours, byTier } = metricsOf(1, { order: "tiers", preemption: "requeue" }, jobs, {
        tiers,
      });
      return (gpuHours.lostWork + gpuHours.restore) / byTier["low"]!.gpuHoursAllocated;
    });
    const { mean, halfWidth } = intervalOf(lost);
    const off = Math.abs(mean - Number(exact));
    expect(off).toBeLessThanOrEqual(2 * halfWidth + 0.05 * Number(exact));
    expect(2 * halfWidth).toBeLessThan(Number(exact) / 4);
  },
  60_000,
);
