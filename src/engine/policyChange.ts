/** A change of a pool's policy in the middle of a run, and changes that a run from a snapshot has to know of. */
import { quotaCells } from "../model/kubernetes/quotaCells.ts";
import { GaugeCode } from "../model/lab/gauges.ts";
import type { PoolSettings } from "../model/policy.ts";
import { NEVER_MS } from "../model/units.ts";
import { handOver } from "./handOver.ts";
import { lifeOf, noticeMs, stopsDiffer } from "./lifeRules.ts";
import type { Presets } from "./pool.ts";
import type { Run } from "./run.ts";

/**
 * The new scheduler meets the waiting and holding jobs of this moment in `init` and runs a pass at this instant; news of the
 * instant so far are in what it meets, later ones reach it in that pass. O(living jobs).
 */
export function changePolicy(
  run: Run,
  presets: Presets,
  poolIdx: number,
  settings: PoolSettings,
): void {
  const pool = run.pools[poolIdx]!;
  const before = pool.settings.preset === settings.preset ? pool.state : undefined;
  pool.settings = settings;
  pool.scheduler = presets(settings.preset);
  const rulesBefore = run.rules[poolIdx]!;
  run.rules[poolIdx] = lifeOf(pool.scheduler, settings);
  handOver(run.world, run.lifecycle, poolIdx);
  if (stopsDiffer(rulesBefore, run.rules[poolIdx]!)) rearmRuns(run, poolIdx);
  if (noticeMs(run.rules[poolIdx]!, 0) === 0) run.nodes.noticeAll(poolIdx);
  pool.news.next.clear();
  pool.news.due = true;
  pool.state = pool.scheduler.init(pool.desk, settings, before);
  pool.wakeMs = NEVER_MS;
  pool.wakeVersion++;
  endQuotas(run, poolIdx);
}

const QUOTAS = [
  GaugeCode.quotaNominal,
  GaugeCode.quotaUsed,
  GaugeCode.quotaBorrowed,
  GaugeCode.quotaLent,
];

/** Gauges of queues end with the policy that had them; the pass at this instant tells those that are there now. O(quotas of all policies). */
function endQuotas({ world, recorder }: Run, poolIdx: number): void {
  for (const [subject, { pool }] of quotaCells(world.pools, world.changes).entries())
    if (pool === poolIdx) for (const kind of QUOTAS) recorder.gauge(kind, subject, Number.NaN);
}

/** The first `count` changes, of jobs that had not come: their tier, or that they will never come. O(changes). */
export function replayOnUnsubmitted(run: Run, count: number): void {
  for (let i = 0; i < count; i++) {
    const change = run.world.changes[i]!;
    if (change.kind === "cancel") run.lifecycle.cancelUnsubmitted(change.jobIdx);
    if (change.kind === "retier") run.live.tierOfJob[change.jobIdx] = change.tier;
  }
}

function rearmRuns(run: Run, poolIdx: number): void {
  const holding = run.live.holdingOfPool[poolIdx]!;
  for (const jobIdx of holding.copy().sort())
    run.lifecycle.phases.rearm(run.live.slotOf[jobIdx]!, jobIdx);
}
