/**
 * The tick of priority/multifactor, every `PriorityCalcPeriod` from the start of slurmctld on: old usage fades, running jobs are
 * billed, fair share is computed anew. Between two events of the pool the running jobs do not change, so that all ticks in between
 * may be made up when the next event comes; ticks at which nobody ran cost one multiplication each.
 */

import type { PriorityConfig, SlurmQos } from "../../model/slurm/config.ts";
import type { AssociationTree } from "../accounting/associations.ts";
import { nextResetSec } from "../accounting/resetPeriod.ts";
import type { Usage } from "../accounting/usage.ts";
import {
  billRunning,
  createUsage,
  fadeAll,
  fadeOver,
  resetUsage,
  secondOf,
} from "../accounting/usage.ts";
import { computeAccounts, computeUsers } from "./classicFairShare.ts";
import { computeFairTree } from "./fairTree.ts";

/** The first tick after `nowMs`: start of slurmctld + k × `PriorityCalcPeriod`. `Infinity` where there are none. */
export function nextTickMs(usage: Usage, controllerStartMs: number, nowMs: number): number {
  const periodMs = usage.setup.config.calcPeriodMs;
  if (!usage.setup.counts || periodMs <= 0) return Number.POSITIVE_INFINITY;
  const passed = Math.floor((nowMs - controllerStartMs) / periodMs);
  return controllerStartMs + (Math.max(0, passed) + 1) * periodMs;
}

/**
 * Runs all ticks from `firstMs` (the next one due) up to `nowMs` with the jobs that run now. Returns the next tick due after
 * `nowMs`. Before a job starts or ends, all ticks up to that time must have run. O(running jobs + entries) each, O(1) when idle.
 */
export function runTicks(usage: Usage, firstMs: number, nowMs: number): number {
  let atMs = firstMs;
  const { calcPeriodMs } = usage.setup.config;
  for (; atMs <= nowMs; atMs += calcPeriodMs) tick(usage, atMs, atMs + calcPeriodMs <= nowMs);
  return atMs;
}

/**
 * One tick. After it, and until the next, fair share holds still. `unseen`: another follows before anyone looks, so that Fair Tree,
 * which knows nothing but the usage of its moment, is left to that one.
 */
export function tick(usage: Usage, nowMs: number, unseen = false): void {
  const { setup } = usage;
  const nowSec = secondOf(nowMs);
  if (nowSec >= usage.nextResetSec) {
    resetUsage(usage);
    usage.nextResetSec = nextResetSec(setup.config.usageResetPeriod, usage.nextResetSec);
  }
  if (!setup.config.fairTree && usage.staleTicks > 0) computeAccounts(usage);
  const passedSec = nowSec - usage.lastTickSec;
  if (passedSec > 0) fadeAll(usage, fadeOver(usage, passedSec));
  billRunning(usage, nowSec);
  usage.lastTickSec = nowSec;
  if (usage.staleTicks === 0 || (unseen && setup.config.fairTree)) return;
  if (setup.config.fairTree) computeFairTree(usage);
  else computeUsers(usage);
  usage.staleTicks--;
}

/** Usage of nobody when slurmctld starts (`startMs`), with the fair share that follows: everybody's is the best. */
export function startUsage(
  tree: AssociationTree,
  config: PriorityConfig,
  qos: readonly SlurmQos[],
  tres: readonly string[],
  startMs: number,
): Usage {
  const usage = createUsage(tree, config, qos, tres, startMs);
  if (config.fairTree) computeFairTree(usage);
  else {
    computeAccounts(usage);
    computeUsers(usage);
  }
  usage.staleTicks = 0;
  return usage;
}
