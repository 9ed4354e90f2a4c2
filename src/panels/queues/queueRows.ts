/**
 * The rows of the queue table: everybody who waits at the cursor, with the reason recorded last and the promise made last. Plain
 * numbers; words are made when a row is shown. The order of the queue follows the rule of the pool's policy at that time.
 */
import { LAB_ORDERS, type LabOrder } from "../../model/policy.ts";
import { goesByLimits, queueKey } from "../../model/queueOrder.ts";
import { WaitReasonCode } from "../../model/reasons.ts";
import { WAIT_WORDS, waitWords } from "../../model/sentences.ts";
import type { Stage } from "../../protocol/messages.ts";
import { policyAt } from "../../scenario/policyAt.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { presetOf } from "../../scenario/settings.ts";
import type { Future } from "../../store/runData.ts";
import { type TierAt, tierLookup } from "../../timeline/jobNames.ts";
import { LatestReasons } from "../../timeline/latestReasons.ts";
import { type StepSeries, StepWalk, stepSeriesOf } from "../../timeline/stepSeries.ts";
import { waitersAt } from "../../timeline/waits.ts";

export interface QueueRow {
  readonly jobIdx: number;
  /** 1 = next in its pool's queue; 0 = only the scheduler knows (the order goes by usage, or by what the page has not). */
  readonly position: number;
  readonly tier: number;
  readonly gpus: number;
  readonly waitedMs: number;
  readonly limitMs: number;
  readonly reason: number;
  /** It asks for more than is free at all, whatever it waits for besides. */
  readonly tooFewFree: boolean;
  /** `Infinity` where nothing is promised. */
  readonly plannedMs: number;
}

/** Orders that follow from the table of jobs. */
const PLAIN_ORDERS: ReadonlySet<LabOrder> = new Set([
  "fcfs",
  "shortest",
  "tiers",
  "smallest",
  "largest",
  "aging",
]);

interface PoolOrder {
  readonly order: LabOrder;
  readonly tiersFirst: boolean;
  readonly agingMs: number;
  /** The page can tell it from the job table alone. */
  readonly plain: boolean;
}

/** The order of each pool's queue at a time; a preset without the setting `order` is shown in order of submit time, without places: it has an order of its own. */
function ordersAt(scenario: Scenario, atMs: number): PoolOrder[] {
  return scenario.pools.map((pool) => {
    const { preset, settings } = policyAt(scenario, pool.id, atMs);
    const specs = presetOf(preset)?.settings ?? [];
    const setting = (key: string) =>
      settings[key] ?? specs.find((spec) => spec.key === key)?.standard;
    const given = setting("order");
    const order = LAB_ORDERS.find((one) => one === given) ?? "fcfs";
    return {
      order,
      tiersFirst: setting("tiersFirst") === true,
      agingMs: Number(setting("agingMs") ?? 0),
      plain: order === given && PLAIN_ORDERS.has(order) && goesByLimits(order, setting("runTimes")),
    };
  });
}

/** Keeps what it read of the decision log, so that a later cursor costs only what lies between. */
export class QueueReader {
  #reasons: LatestReasons | null = null;
  #series: StepSeries | null = null;
  #walk: StepWalk | null = null;
  #tiers: {
    readonly stage: Stage;
    readonly interventions: Scenario["interventions"];
    readonly tierAt: TierAt;
  } | null = null;

  /** O(jobs waiting · log + decisions passed). */
  rowsAt(stage: Stage, future: Future, scenario: Scenario, atMs: number): QueueRow[] {
    if (this.#reasons?.reason.length !== stage.jobs.count)
      this.#reasons = new LatestReasons(stage.jobs.count);
    this.#reasons.moveTo(future.chunks, atMs);
    const { reason, plannedMs } = this.#reasons;
    const { at } = stage.jobs;
    const tierAt = this.#tierAt(stage, scenario.interventions);
    const waiters = waitersAt(future, atMs);
    // A part of a device may be all that a job asks for: it counts as one.
    const free = Math.ceil(stage.cluster.deviceCount - this.#heldAt(stage, future, atMs));
    const orders = ordersAt(scenario, atMs);
    const order = queueOrder(stage, orders, waiters.jobIdx, (jobIdx) => tierAt(jobIdx, atMs));
    const placeInPool = new Map<number, number>();
    return order.map((index) => {
      const jobIdx = waiters.jobIdx[index]!;
      const pool = stage.poolOfJob[jobIdx]!;
      const position = (placeInPool.get(pool) ?? 0) + 1;
      placeInPool.set(pool, position);
      const promised = plannedMs[jobIdx]!;
      return {
        jobIdx,
        position: orders[pool]?.plain ? position : 0,
        tier: tierAt(jobIdx, atMs),
        gpus: at.gpuTotal[jobIdx]!,
        waitedMs: atMs - waiters.fromMs[index]!,
        limitMs: at.limitMs[jobIdx]!,
        reason: reason[jobIdx]!,
        tooFewFree: at.gpuTotal[jobIdx]! > free,
        plannedMs: promised >= atMs ? promised : Number.POSITIVE_INFINITY,
      };
    });
  }

  /** Looks the moved jobs up once for a stage and its list of changes. */
  #tierAt(stage: Stage, interventions: Scenario["interventions"]): TierAt {
    if (this.#tiers?.stage !== stage || this.#tiers.interventions !== interventions) {
      const tierIds = stage.tiers.map((tier) => tier.id);
      const tierAt = tierLookup(stage.jobs.at.tier, stage.jobs.ids, tierIds, interventions);
      this.#tiers = { stage, interventions, tierAt };
    }
    return this.#tiers.tierAt;
  }

  #heldAt(stage: Stage, future: Future, atMs: number): number {
    const series = stepSeriesOf(future.chunks, stage.tiers.length);
    if (!this.#walk || this.#series !== series) this.#walk = new StepWalk(series);
    this.#series = series;
    this.#walk.moveTo(atMs);
    return this.#walk.heldByAll;
  }
}

/** Why a row waits, in words: a job that would not fit anyway is not only behind others. */
export function rowWords({ reason, tooFewFree }: QueueRow): string {
  const behind = reason === WaitReasonCode.priority;
  return behind && tooFewFree
    ? `${WAIT_WORDS.resources}, ${WAIT_WORDS.priority}`
    : waitWords(reason);
}

/** Indexes into `jobs` in the order of their pools' rules; ties by submit time, then by number. */
function queueOrder(
  stage: Stage,
  orders: readonly PoolOrder[],
  jobs: Uint32Array,
  tierOf: (jobIdx: number) => number,
): number[] {
  const { at } = stage.jobs;
  const lane = new Uint8Array(jobs.length);
  const key = Float64Array.from(jobs, (jobIdx, index) => {
    const { order, tiersFirst, agingMs, plain } = orders[stage.poolOfJob[jobIdx]!]!;
    const tier = tierOf(jobIdx);
    if (tiersFirst) lane[index] = tier;
    return queueKey(plain ? order : "fcfs", stage.jobs, tier, jobIdx, agingMs);
  });
  return Array.from(jobs, (_, index) => index).sort((a, b) => {
    const first = jobs[a]!;
    const second = jobs[b]!;
    if (lane[a] !== lane[b]) return lane[a]! - lane[b]!;
    if (key[a] !== key[b]) return key[a]! - key[b]!;
    return at.submitMs[first]! - at.submitMs[second]! || first - second;
  });
}
