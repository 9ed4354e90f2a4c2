/**
 * What one pool's scheduler may do. Each decision is checked against the rules of its pool and against the state of the job,
 * carried out at once and recorded; physics is checked below, where devices change hands. A decision that breaks a rule is a
 * bug of the scheduler and stops the run.
 */
import { GaugeCode, SUMMED_GAUGES } from "../model/lab/gauges.ts";
import { StopReasonCode } from "../model/reasons.ts";
import { JobStateCode } from "../model/states.ts";
import { NEVER_MS } from "../model/units.ts";
import type { World } from "../model/world.ts";
import type { Recorder } from "../record/recorder.ts";
import { DecisionKindCode, moveValue } from "../record/shapes.ts";
import type { Allocations } from "./allocations.ts";
import type { Clock } from "./clock.ts";
import { dependencyOf } from "./dependencyState.ts";
import type { Grant } from "./grant.ts";
import type { PoolNews } from "./happened.ts";
import { broken } from "./ledger.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { Hold } from "./liveJobs.ts";
import type { NodeLife } from "./nodeLife.ts";
import type { Repartitions } from "./repartitions.ts";
import type { Actions, EvictMode } from "./view.ts";

const QUEUED = bit(JobStateCode.queued) | bit(JobStateCode.admitted);
const WAITING = QUEUED | bit(JobStateCode.placed);
/** States in which members may join. */
const GOING = bit(JobStateCode.running) | bit(JobStateCode.starting);
const HOLDING =
  bit(JobStateCode.placed) |
  GOING |
  bit(JobStateCode.checkpointing) |
  bit(JobStateCode.suspended) |
  bit(JobStateCode.ending);

function bit(state: number): number {
  return 1 << state;
}

function checkDuration(durationMs: number): void {
  if (!Number.isSafeInteger(durationMs) || durationMs < 0)
    broken(`${durationMs} ms is not a whole number of milliseconds`);
}

export class PoolActions implements Actions {
  /** Decisions that changed something, so that the loop can tell when timers ring for nothing. */
  count = 0;
  readonly #pool: number;
  readonly #world: World;
  readonly #lifecycle: Lifecycle;
  readonly #allocations: Allocations;
  readonly #nodes: NodeLife;
  readonly #repartitions: Repartitions;
  readonly #recorder: Recorder;
  readonly #clock: Clock;
  readonly #news: PoolNews;

  constructor(
    world: World,
    pool: number,
    lifecycle: Lifecycle,
    allocations: Allocations,
    nodes: NodeLife,
    repartitions: Repartitions,
    recorder: Recorder,
    clock: Clock,
    news: PoolNews,
  ) {
    this.#news = news;
    this.#world = world;
    this.#pool = pool;
    this.#lifecycle = lifecycle;
    this.#allocations = allocations;
    this.#nodes = nodes;
    this.#repartitions = repartitions;
    this.#recorder = recorder;
    this.#clock = clock;
  }

  admit(jobIdx: number): void {
    const slot = this.#slot(jobIdx, bit(JobStateCode.queued) | bit(JobStateCode.held), "admitted");
    if (this.#stateOf(jobIdx) === JobStateCode.held) this.#releaseOwn(slot, jobIdx);
    if (this.#stateOf(jobIdx) !== JobStateCode.queued) broken(`job ${jobIdx} is held by another`);
    this.#lifecycle.live.jobState[jobIdx] = JobStateCode.admitted;
    this.#record(DecisionKindCode.admit, 0, jobIdx, 0);
  }

  unadmit(jobIdx: number, stopReason: number, forJobIdx = -1): void {
    this.#slot(jobIdx, bit(JobStateCode.admitted), "given back its quota");
    this.#lifecycle.live.jobState[jobIdx] = JobStateCode.queued;
    this.#record(DecisionKindCode.evict, stopReason, jobIdx, forJobIdx);
  }

  plan(jobIdx: number, startMs: number): void {
    const slot = this.#slot(jobIdx, WAITING, "planned");
    const live = this.#lifecycle.live.at;
    if (live.planMs[slot] === startMs) return;
    live.planMs[slot] = startMs;
    if (live.firstPlanMs[slot] === -1) live.firstPlanMs[slot] = startMs;
    this.#record(DecisionKindCode.plan, 0, jobIdx, startMs);
  }

  place(jobIdx: number, grant: Grant, startReason: number, startupMs = 0, fromQueue = -1): void {
    const slot = this.#slot(jobIdx, WAITING | GOING, "placed");
    checkDuration(startupMs);
    const poolOfNode = this.#allocations.ledger.poolOfNode;
    for (let row = 0; row < grant.length; row++) {
      if (poolOfNode[grant.node[row]!] !== this.#pool)
        broken(`pool ${this.#pool} placed on a node of another pool`);
    }
    if (dependencyOf(this.#lifecycle.live, slot) !== "met")
      broken(`job ${jobIdx} was started before what it depends on`);
    const joins = (bit(this.#stateOf(jobIdx)) & GOING) !== 0;
    const started = this.#lifecycle.place(slot, grant, startReason, startupMs);
    if (started) {
      this.#record(DecisionKindCode.start, startReason, jobIdx, 1 + fromQueue);
      this.#judgePromise(slot);
    } else
      this.#record(
        joins ? DecisionKindCode.resize : DecisionKindCode.place,
        startReason,
        jobIdx,
        0,
      );
  }

  evict(
    jobIdx: number,
    mode: EvictMode,
    graceMs: number,
    forJobIdx: number,
    stopReason?: number,
  ): void {
    const slot = this.#slot(jobIdx, HOLDING & ~bit(JobStateCode.ending), "evicted");
    this.#record(DecisionKindCode.evict, stopReason ?? StopReasonCode.preempted, jobIdx, forJobIdx);
    this.#news.ownJobIdx = jobIdx;
    this.#lifecycle.evict(slot, mode === "requeue", graceMs, forJobIdx, stopReason);
    this.#news.ownJobIdx = -1;
  }

  checkpoint(jobIdx: number, durationMs: number): void {
    const slot = this.#slot(jobIdx, bit(JobStateCode.running), "checkpointed");
    checkDuration(durationMs);
    this.#record(DecisionKindCode.checkpoint, 0, jobIdx, durationMs);
    this.#lifecycle.phases.checkpoint(slot, jobIdx, durationMs);
  }

  setLimit(jobIdx: number, limitMs: number): void {
    const slot = this.#slot(jobIdx, WAITING | HOLDING, "given a limit");
    if (!(limitMs > 0)) broken(`${limitMs} ms is no limit of job ${jobIdx}`);
    this.#lifecycle.phases.setLimit(slot, jobIdx, limitMs);
    this.count++;
  }

  /** Says what a pass did; it changes nothing, so it does not count as a decision. */
  pass(kind: number, looked: number, started: number): void {
    this.#recorder.decision(this.#clock.nowMs, DecisionKindCode.pass, kind, looked, started);
  }

  round(gaveWay: number): void {
    this.#recorder.decision(this.#clock.nowMs, DecisionKindCode.round, 0, this.#pool, gaveWay);
  }

  gauge(kind: number, subject: number, value: number): void {
    const { pools, horizonMs } = this.#world;
    const isNew =
      pools.length > 1 && SUMMED_GAUGES.has(kind)
        ? this.#recorder.gaugeOfPool(this.#pool, pools.length, kind, subject, value)
        : this.#recorder.gauge(kind, subject, value);
    // With a horizon, numbers that move are reason enough to go on.
    if (isNew && horizonMs < NEVER_MS) this.count++;
  }

  suspend(jobIdx: number, freesCpus = false, forJobIdx = -1): void {
    const slot = this.#slot(jobIdx, bit(JobStateCode.running), "suspended");
    this.#lifecycle.phases.suspend(slot, jobIdx, freesCpus);
    this.#record(DecisionKindCode.suspend, 0, jobIdx, forJobIdx);
  }

  lend(jobIdx: number): void {
    const slot = this.#slot(jobIdx, bit(JobStateCode.suspended), "lent from");
    this.#allocations.lending.lend(slot);
    this.count++;
  }

  resume(jobIdx: number): void {
    const slot = this.#slot(jobIdx, bit(JobStateCode.suspended), "resumed");
    if (!this.#allocations.hasMinimum(jobIdx))
      broken(`job ${jobIdx} lacks members and cannot be resumed`);
    this.#allocations.lending.takeBack(slot);
    this.#lifecycle.phases.resume(slot, jobIdx);
    this.#record(DecisionKindCode.resume, 0, jobIdx, 0);
  }

  shrink(jobIdx: number, component: number, members: number): void {
    const slot = this.#slot(jobIdx, HOLDING & ~bit(JobStateCode.ending), "shrunk");
    if (this.#lifecycle.live.at.lent[slot] === 1)
      broken(`job ${jobIdx} has lent its devices and cannot shrink`);
    this.#lifecycle.losses.shrink(slot, component, members);
    this.#record(DecisionKindCode.resize, 0, jobIdx, -members);
  }

  evictMembers(
    jobIdx: number,
    component: number,
    node: number,
    members: number,
    forJobIdx: number,
    stopReason?: number,
  ): number {
    const slot = this.#slot(jobIdx, HOLDING & ~bit(JobStateCode.ending), "evicted in part");
    if (this.#lifecycle.live.at.lent[slot] === 1)
      broken(`job ${jobIdx} has lent its devices and cannot lose members`);
    const taken = this.#lifecycle.losses.evictMembers(slot, component, node, members);
    if (taken > 0) {
      const standard = forJobIdx < 0 ? StopReasonCode.none : StopReasonCode.preempted;
      this.#record(DecisionKindCode.resize, stopReason ?? standard, jobIdx, -taken);
    }
    return taken;
  }

  move(jobIdx: number, fromNode: number, grant: Grant, forJobIdx = -1): void {
    const slot = this.#slot(jobIdx, HOLDING, "moved");
    if (this.#lifecycle.live.at.lent[slot] === 1)
      broken(`job ${jobIdx} has lent its devices and cannot move`);
    for (let row = 0; row < grant.length; row++) {
      if (this.#allocations.ledger.poolOfNode[grant.node[row]!] !== this.#pool)
        broken("moved to a node of another pool");
    }
    this.#lifecycle.move(slot, jobIdx, fromNode, grant);
    const reason = forJobIdx < 0 ? StopReasonCode.none : StopReasonCode.migrated;
    this.#record(DecisionKindCode.move, reason, jobIdx, moveValue(fromNode, forJobIdx));
  }

  setSpeed(jobIdx: number, speedQ16: number): void {
    if (!Number.isInteger(speedQ16) || speedQ16 < 0)
      broken(`speed ${speedQ16} of job ${jobIdx} is not a whole number`);
    this.#lifecycle.setSpeed(this.#slot(jobIdx, HOLDING, "given a speed"), speedQ16);
    this.count++;
  }

  openNode(node: number, delayMs = 0): void {
    this.#checkNode(node);
    checkDuration(delayMs);
    this.#nodes.open(node, delayMs);
    this.#record(DecisionKindCode.openNode, 0, node, delayMs);
  }

  closeNode(node: number): void {
    this.#checkNode(node);
    this.#nodes.close(node);
    this.#record(DecisionKindCode.closeNode, 0, node, 0);
  }

  handNode(node: number, toPool: number, costMs: number): void {
    this.#checkNode(node);
    checkDuration(costMs);
    if (toPool === this.#pool || !(toPool >= 0 && toPool < this.#world.pools.length))
      broken(`node ${node} cannot be handed to pool ${toPool}`);
    this.#nodes.hand(node, toPool, costMs);
    this.#record(DecisionKindCode.handNode, 0, node, toPool);
  }

  repartition(node: number, device: number, durationMs: number): void {
    this.#checkNode(node);
    checkDuration(durationMs);
    if (!(device >= 0 && device < this.#allocations.ledger.devicesOf(node)))
      broken(`node ${node} has no device ${device}`);
    const deviceIdx = this.#world.cluster.deviceBase[node]! + device;
    this.#repartitions.begin(node, deviceIdx, durationMs);
    this.#record(DecisionKindCode.repartition, 0, deviceIdx, durationMs);
  }

  hold(jobIdx: number): void {
    this.#lifecycle.queueing.hold(this.#slot(jobIdx, QUEUED, "held"));
    this.#record(DecisionKindCode.hold, 0, jobIdx, 0);
  }

  release(jobIdx: number): void {
    this.#releaseOwn(this.#slot(jobIdx, bit(JobStateCode.held), "released"), jobIdx);
    this.count++;
  }

  refuse(jobIdx: number, waitReason: number): void {
    const slot = this.#slot(jobIdx, QUEUED, "refused");
    this.#record(DecisionKindCode.refuse, waitReason, jobIdx, 0);
    this.#lifecycle.refuse(slot, waitReason);
  }

  wait(jobIdx: number, waitReason: number): void {
    const slot = this.#lifecycle.live.slotOf[jobIdx]!;
    if (slot < 0) broken(`job ${jobIdx} does not wait`);
    if (this.#lifecycle.live.at.waitReason[slot] === waitReason) return;
    this.#slot(jobIdx, WAITING, "said to wait");
    this.#lifecycle.waits.reason(slot, jobIdx, waitReason);
  }

  /** The first start of a job that was promised one: no later, or later. */
  #judgePromise(slot: number): void {
    const live = this.#lifecycle.live.at;
    const promisedMs = live.firstPlanMs[slot]!;
    live.firstPlanMs[slot] = -2;
    if (promisedMs < 0) return;
    const kept = this.#clock.nowMs <= promisedMs;
    this.#recorder.count(kept ? GaugeCode.promisesKept : GaugeCode.promisesBroken, this.#pool);
  }

  #releaseOwn(slot: number, jobIdx: number): void {
    this.#news.ownJobIdx = jobIdx;
    this.#lifecycle.queueing.release(slot, Hold.scheduler);
    this.#news.dealtWith(jobIdx);
    this.#news.ownJobIdx = -1;
  }

  #stateOf(jobIdx: number): number {
    return this.#lifecycle.live.jobState[jobIdx]!;
  }

  #slot(jobIdx: number, allowed: number, what: string): number {
    const { live } = this.#lifecycle;
    const slot = live.slotOf[jobIdx]!;
    const state = live.jobState[jobIdx]!;
    if (!(slot >= 0) || ((1 << state) & allowed) === 0)
      broken(`job ${jobIdx} in state ${state} cannot be ${what}`);
    if (this.#world.poolOfJob[jobIdx] !== this.#pool)
      broken(`job ${jobIdx} belongs to another pool`);
    return slot;
  }

  #checkNode(node: number): void {
    if (this.#allocations.ledger.poolOfNode[node] !== this.#pool)
      broken(`node ${node} belongs to another pool`);
  }

  #record(kind: number, reason: number, jobIdx: number, value: number): void {
    this.count++;
    this.#recorder.decision(this.#clock.nowMs, kind, reason, jobIdx, value);
  }
}
