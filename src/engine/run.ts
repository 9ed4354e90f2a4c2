/**
 * One run of a world: the event loop over the state it owns. `Simulation` wraps it with chunks, snapshots, rewinding and
 * explanations; each of those makes a new run, so a run itself only ever goes forward.
 *
 *     at each instant:  ends → members, nodes, devices ready → node changes → other interventions → begin times, arrivals → wake-ups
 *                       → one pass of every pool that something happened in, in order of the pools
 *
 * Several rounds may share an instant (work of no length; a start that meets another job's dependency); an instant is complete when nothing is left at its time, and only
 * then do series, checks, chunks and snapshots look at the state.
 */

import { JobStateCode } from "../model/states.ts";
import type { Change, World } from "../model/world.ts";
import { RunDigest } from "../record/digest.ts";
import { Recorder } from "../record/recorder.ts";
import { Allocations } from "./allocations.ts";
import { Arrivals } from "./arrivals.ts";
import { Clock } from "./clock.ts";
import { applyCommand } from "./commands.ts";
import { EdgeState } from "./dependencies.ts";
import { applyOneByOne, eventOrderOf } from "./eventByEvent.ts";
import { EventClass, EventQueue } from "./eventQueue.ts";
import { FailedDevices } from "./failedDevices.ts";
import { PoolNews } from "./happened.ts";
import { clusterAfter, relabel } from "./labels.ts";
import { broken } from "./ledger.ts";
import { Lifecycle } from "./lifecycle.ts";
import { lifeOf } from "./lifeRules.ts";
import { Hold, LiveJobs } from "./liveJobs.ts";
import { NodeLife } from "./nodeLife.ts";
import { changePolicy, replayOnUnsubmitted } from "./policyChange.ts";
import { makePool, type Pool, type Presets } from "./pool.ts";
import { Repartitions } from "./repartitions.ts";
import { bytesOf, type Snapshot } from "./snapshot.ts";
import type { LifeRules } from "./view.ts";

const NEVER = Number.POSITIVE_INFINITY;
/** Passes in a row that change nothing while nothing else is to come: then the run is over. */
const IDLE_PASSES_MOST = 10_000;
const ROUNDS_MOST = 1_000_000;

let check: ((run: Run) => void) | null = null;

/** Makes the invariants of a whole state known to this engine: what is only shown to people never asks for them. */
export function addChecks(checkRun: (run: Run) => void): void {
  check = checkRun;
}

export class Run {
  readonly world: World;
  readonly clock = new Clock();
  readonly live: LiveJobs;
  readonly allocations: Allocations;
  readonly lifecycle: Lifecycle;
  readonly nodes: NodeLife;
  readonly repartitions: Repartitions;
  readonly failedDevices: FailedDevices;
  readonly recorder: Recorder;
  readonly arrivals: Arrivals;
  readonly events = new EventQueue();
  readonly pools: readonly Pool[];
  /** Of each pool, as its scheduler sets them. */
  readonly rules: LifeRules[];
  eventCount = 0;
  passCount = 0;
  done = false;
  readonly #presets: Presets;
  readonly #check: ((run: Run) => void) | null;
  #nextChange = 0;
  #idlePasses = 0;

  /** At time 0, or where a snapshot of the same world (equal up to its time) was taken. O(jobs + devices). */
  constructor(world: World, presets: Presets, checks: boolean, snapshot: Snapshot | null) {
    this.world = world;
    this.#presets = presets;
    this.#check = checks ? (check ?? broken("the checks are not there")) : null;
    this.live = new LiveJobs(world);
    this.recorder = new Recorder(world.tiers.length);
    this.arrivals = new Arrivals(world.jobs);
    this.allocations = new Allocations(world, this.live, this.recorder, this.clock);
    const news = world.pools.map(() => new PoolNews());
    this.rules = world.pools.map((pool, index) => {
      const settings = snapshot?.pools[index]?.settings ?? pool.settings;
      return lifeOf(presets(settings.preset), settings);
    });
    const digest = snapshot ? snapshot.digest.copy() : new RunDigest();
    this.lifecycle = new Lifecycle(
      world,
      this.live,
      this.allocations,
      this.events,
      this.recorder,
      digest,
      news,
      this.clock,
      this.rules,
    );
    this.nodes = new NodeLife(
      this.allocations,
      this.lifecycle,
      this.recorder,
      this.events,
      news,
      this.clock,
      this.rules,
    );
    this.repartitions = new Repartitions(this.allocations.ledger, this.events, news, this.clock);
    this.failedDevices = new FailedDevices(
      world,
      this.allocations,
      this.lifecycle,
      this.repartitions,
      this.recorder,
      news,
      this.clock,
    );
    if (snapshot) this.#restoreState(snapshot);
    else this.nodes.startUnborn(world.unbornNodes ?? []);
    this.pools = news.map((poolNews, pool) => makePool(this, presets, pool, poolNews, snapshot));
    for (let pool = 0; !snapshot && pool < this.pools.length; pool++) this.#setWake(pool, 0);
  }

  /** Time of the next event; `Infinity` when nothing is to come. */
  get nextMs(): number {
    const changeMs = this.world.changes[this.#nextChange]?.atMs ?? NEVER;
    return Math.min(this.events.nextMs, this.arrivals.nextMs, changeMs);
  }

  /**
   * Runs complete instants up to `untilMs` (inclusive) and about `maxEvents` events. True when the run is over: at its
   * horizon, when the last job has ended, or when nothing can happen any more.
   */
  advance(untilMs: number, maxEvents: number): boolean {
    const stopAt = this.eventCount + maxEvents;
    while (!this.done) {
      const nextMs = this.nextMs;
      if (this.#isOver(nextMs)) {
        this.done = true;
        if (this.world.horizonMs < NEVER) this.clock.nowMs = this.world.horizonMs;
        break;
      }
      if (nextMs > untilMs || this.eventCount >= stopAt) return false;
      this.#instant(nextMs);
    }
    return true;
  }

  snapshot(): Snapshot {
    const body = {
      atMs: this.clock.nowMs,
      eventCount: this.eventCount,
      passCount: this.passCount,
      jobsDone: this.lifecycle.jobsDone,
      refused: this.lifecycle.refused.slice(),
      arrivals: this.arrivals.copy(),
      nextChange: this.#nextChange,
      idlePasses: this.#idlePasses,
      live: this.live.copy(),
      past: this.lifecycle.rows.past.copy(),
      holdings: this.allocations.holdings.copy(),
      events: this.events.copy(),
      nodes: this.nodes.copy(),
      repartitions: this.repartitions.copy(),
      failedDevices: this.failedDevices.copy(),
      application: this.lifecycle.application?.copy() ?? null,
      edges: this.lifecycle.dependencies.edges.copy(
        (jobIdx) => this.live.jobState[jobIdx] === JobStateCode.done,
      ),
      tiers: this.recorder.copyTiers(),
      gauges: this.recorder.copyGauges(),
      pools: this.pools.map((pool) => ({
        settings: pool.settings,
        state: pool.scheduler.snapshot(pool.state),
        wakeMs: pool.wakeMs,
        wakeVersion: pool.wakeVersion,
        news: pool.news.next.copy(),
      })),
    };
    return { ...body, digest: this.lifecycle.rows.digest.copy(), bytes: bytesOf(body) };
  }

  #isOver(nextMs: number): boolean {
    const { horizonMs } = this.world;
    if (nextMs === NEVER || nextMs > horizonMs) return true;
    if (horizonMs === NEVER && this.live.count === 0 && this.arrivals.left === 0) return true;
    if (this.#idlePasses < IDLE_PASSES_MOST) return false;
    this.#idlePasses = 0;
    this.#compactEvents();
    const wakes = this.pools.reduce((count, pool) => count + (pool.wakeMs < NEVER ? 1 : 0), 0);
    return (
      this.events.size === wakes &&
      this.arrivals.left === 0 &&
      this.#nextChange === this.world.changes.length
    );
  }

  #instant(atMs: number): void {
    if (atMs < this.clock.nowMs) broken("time ran backwards");
    this.clock.nowMs = atMs;
    let rounds = 0;
    const order = eventOrderOf(this.rules);
    do {
      if (order) applyOneByOne(this, order, atMs, this.#endOne, this.#passAfterEach);
      this.#applyEvents(atMs);
      if (this.nodes.anyEmptying) this.nodes.settle();
      for (let pool = 0; pool < this.pools.length; pool++)
        if (this.pools[pool]!.news.due) this.#pass(pool);
      if (this.nodes.anyEmptying) this.nodes.settle();
      this.lifecycle.respeed.refresh();
      if (++rounds > ROUNDS_MOST) broken(`the schedulers go round in circles at ${atMs} ms`);
    } while (this.nextMs === atMs || this.#anyDue());
    this.recorder.endInstant(atMs);
    if (this.events.size > 1_024 + 4 * this.live.count) this.#compactEvents();
    if (this.live.sparse) this.#compactSlots();
    this.#check?.(this);
  }

  /** The next job arrives. */
  submitNext(): void {
    this.#count();
    this.lifecycle.submit(this.arrivals.take());
  }

  readonly #endOne = (slot: number, version: number): void => {
    if (this.live.at.version[slot] !== version) return;
    this.#count();
    this.lifecycle.end(slot);
  };

  /** Passes that are due in the pools that have one after each event. */
  readonly #passAfterEach = (): void => {
    for (let pool = 0; pool < this.pools.length; pool++)
      if (this.rules[pool]!.passPer && this.pools[pool]!.news.due) this.#pass(pool);
  };

  /** Something happened from outside. */
  #count(): void {
    this.eventCount++;
    this.#idlePasses = 0;
  }

  #anyDue(): boolean {
    return this.pools.some((pool) => pool.news.due);
  }

  #applyEvents(atMs: number): void {
    while (this.events.nextMs === atMs && this.events.nextClass < EventClass.begin)
      this.#applyEvent();
    const firstChange = this.#nextChange;
    const { changes } = this.world;
    while (this.#nextChange < changes.length && changes[this.#nextChange]!.atMs === atMs)
      this.#nextChange++;
    for (let i = firstChange; i < this.#nextChange; i++) this.#applyNodeChange(changes[i]!);
    for (let i = firstChange; i < this.#nextChange; i++) this.#applyJobOrPolicyChange(changes[i]!);
    while (this.events.nextMs === atMs && this.events.nextClass < EventClass.wake)
      this.#applyEvent();
    while (this.arrivals.nextMs === atMs) this.submitNext();
    // After the arrivals of the instant, so that a command can be about a job that has just come.
    for (let i = firstChange; i < this.#nextChange; i++)
      if (applyCommand(this, changes[i]!)) this.#count();
    while (this.events.nextMs === atMs && this.events.nextClass === EventClass.wake)
      this.#applyEvent();
  }

  #applyEvent(): void {
    const eventClass = this.events.nextClass;
    const subject = this.events.nextSubject;
    const version = this.events.nextVersion;
    this.events.pop();
    if (!this.#isAlive(eventClass, subject, version)) return;
    this.eventCount++;
    if (eventClass === EventClass.wake) {
      const pool = this.pools[subject]!;
      pool.wakeMs = NEVER;
      pool.news.next.timer = true;
      pool.news.due = true;
      return;
    }
    this.#idlePasses = 0;
    if (eventClass === EventClass.end) this.lifecycle.end(subject);
    else if (eventClass === EventClass.link) this.lifecycle.application?.linkOver(subject);
    else if (eventClass === EventClass.ready) this.lifecycle.phases.ready(subject);
    else if (eventClass === EventClass.node) this.nodes.arrive(subject);
    else if (eventClass === EventClass.device) {
      this.repartitions.end(subject);
      this.failedDevices.repartitioned(subject);
    } else if (eventClass === EventClass.dependency) this.lifecycle.dependencies.delayed(subject);
    else this.lifecycle.queueing.release(this.live.slotOf[subject]!, Hold.beginTime);
  }

  #isAlive(eventClass: number, subject: number, version: number): boolean {
    if (eventClass === EventClass.end) return this.live.at.version[subject] === version;
    if (eventClass === EventClass.wake) return this.pools[subject]!.wakeVersion === version;
    if (eventClass === EventClass.device) return true;
    if (eventClass === EventClass.link)
      return this.lifecycle.application?.transfers.expects(subject, version) === true;
    if (eventClass === EventClass.node) return this.nodes.expects(subject, version);
    if (eventClass === EventClass.dependency)
      return this.lifecycle.dependencies.edges.state[subject] === EdgeState.counting;
    const slot = this.live.slotOf[subject]!;
    if (eventClass === EventClass.ready) return slot >= 0 && this.live.at.run[slot] === version;
    return slot >= 0 && (this.live.at.holds[slot]! & Hold.beginTime) !== 0;
  }

  #compactEvents(): void {
    this.events.compact((eventClass, subject, version) =>
      this.#isAlive(eventClass, subject, version),
    );
  }

  #compactSlots(): void {
    this.#compactEvents();
    this.events.renumberEnds(this.live.compact());
  }

  #applyNodeChange(change: Change): void {
    if (change.kind === "failDevices" || change.kind === "resumeDevices") {
      this.#count();
      const way = change.kind === "failDevices" ? "fail" : "resume";
      for (const device of change.devices) this.failedDevices[way](device);
      return;
    }
    if (change.kind !== "drain" && change.kind !== "resume" && change.kind !== "fail") return;
    this.#count();
    for (const node of change.nodes) {
      if (change.kind === "fail" && !change.noticed) this.nodes.crash(node);
      else this.nodes[change.kind](node);
    }
  }

  #applyJobOrPolicyChange(change: Change): void {
    switch (change.kind) {
      case "policy":
        changePolicy(this, this.#presets, change.pool, change.settings);
        break;
      case "label":
        relabel(this, this.#presets, change);
        break;
      case "cancel":
        this.lifecycle.cancel(change.jobIdx);
        break;
      case "retier":
        this.lifecycle.retier(change.jobIdx, change.tier);
        break;
      default:
        return;
    }
    this.eventCount++;
    this.#idlePasses = 0;
  }

  #pass(poolIdx: number): void {
    const pool = this.pools[poolIdx]!;
    const before = pool.actions.count;
    this.passCount++;
    const wakeMs = pool.scheduler.decide(pool.desk, pool.news.turn(), pool.state, pool.actions);
    this.#setWake(poolIdx, wakeMs);
    this.#idlePasses = pool.actions.count === before ? this.#idlePasses + 1 : 0;
  }

  #setWake(poolIdx: number, wakeMs: number): void {
    const pool = this.pools[poolIdx]!;
    if (pool.wakeMs === wakeMs) return;
    if (this.passCount > 0 && !(wakeMs > this.clock.nowMs))
      broken(`pool ${poolIdx} asked to be woken at ${wakeMs} ms`);
    pool.wakeMs = wakeMs;
    pool.wakeVersion++;
    if (wakeMs < NEVER) this.events.push(wakeMs, EventClass.wake, poolIdx, pool.wakeVersion);
  }

  /** Arrived and not alive is done; the rest of the state is in the snapshot. */
  #restoreState(snapshot: Snapshot): void {
    this.clock.nowMs = snapshot.atMs;
    this.eventCount = snapshot.eventCount;
    this.passCount = snapshot.passCount;
    this.lifecycle.jobsDone = snapshot.jobsDone;
    this.lifecycle.refused.set(snapshot.refused);
    this.#nextChange = snapshot.nextChange;
    this.#idlePasses = snapshot.idlePasses;
    this.arrivals.restore(snapshot.arrivals);
    this.arrivals.forEachArrived((jobIdx) => {
      this.live.jobState[jobIdx] = JobStateCode.done;
    });
    replayOnUnsubmitted(this, this.#nextChange);
    this.allocations.ledger.cluster = clusterAfter(this.world, this.#nextChange);
    this.live.restore(snapshot.live);
    this.lifecycle.rows.past.restore(snapshot.past);
    this.allocations.holdings.restore(snapshot.holdings);
    this.allocations.rebook();
    this.repartitions.restore(snapshot.repartitions);
    this.failedDevices.restore(snapshot.failedDevices);
    this.nodes.restore(snapshot.nodes);
    this.events.restore(snapshot.events);
    if (snapshot.application) this.lifecycle.application?.restore(snapshot.application);
    this.lifecycle.respeed.restore();
    this.lifecycle.dependencies.edges.restore(snapshot.edges);
    this.recorder.restoreTiers(snapshot.tiers);
    this.recorder.restoreGauges(snapshot.gauges);
  }
}
