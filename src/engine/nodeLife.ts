/**
 * Nodes over time: open, drained (no new work, running work goes on), down (failed: its members are lost), unborn (not there
 * yet, or given back), silent (failed, and nobody has noticed: no new work, no progress). Interventions drain, resume and fail; only a pool's scheduler opens, closes and hands over, which
 * takes time: booting, waiting for running work, the cost of changing sides. A stretch in any state but open is a span of the record.
 */
import { IntList } from "../base/intList.ts";
import { NodeStateCode } from "../model/states.ts";
import type { Recorder } from "../record/recorder.ts";
import type { Allocations } from "./allocations.ts";
import type { Clock } from "./clock.ts";
import { EventClass, type EventQueue } from "./eventQueue.ts";
import type { PoolNews } from "./happened.ts";
import { broken } from "./ledger.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { noticeMs } from "./lifeRules.ts";
import type { LifeRules } from "./view.ts";

/** What a node is on its way to: it boots, leaves once it is empty, or changes pool once it is empty. */
const Way = { boot: 0, leave: 1, hand: 2 } as const;
/** Version of the event at which somebody notices that a node has failed. */
const NOTICE = 3;

interface Journey {
  readonly way: number;
  readonly toPool: number;
  readonly costMs: number;
  /** When the boot or the change of sides is over; −1 = the node is not empty yet. */
  untilMs: number;
  /** An intervention drained the node meanwhile: it arrives drained. */
  staysDrained: boolean;
}

export interface NodesCopy {
  /** Triples of node, state, since (ms), for nodes that are not open. */
  readonly closed: Float64Array;
  /** Pairs of node and pool, for nodes that have changed sides. */
  readonly moved: Float64Array;
  /** Rows of node, way, pool, cost, until, stays drained. */
  readonly journeys: Float64Array;
  /** Pairs of node and when it is noticed that it has failed. */
  readonly silent: Float64Array;
}

export class NodeLife {
  /** Nodes that are not open, and since when. */
  readonly #sinceMs = new Map<number, number>();
  readonly #journeys = new Map<number, Journey>();
  /** Nodes with a journey that waits for their running work, ascending. */
  readonly #emptying = new IntList();
  /** Nodes that have failed unnoticed, and when somebody notices. */
  readonly #noticeMs = new Map<number, number>();
  readonly #allocations: Allocations;
  readonly #lifecycle: Lifecycle;
  readonly #recorder: Recorder;
  readonly #events: EventQueue;
  readonly #news: readonly PoolNews[];
  readonly #clock: Clock;
  readonly #rules: readonly LifeRules[];
  readonly #jobs = new IntList();

  constructor(
    allocations: Allocations,
    lifecycle: Lifecycle,
    recorder: Recorder,
    events: EventQueue,
    news: readonly PoolNews[],
    clock: Clock,
    rules: readonly LifeRules[],
  ) {
    this.#rules = rules;
    this.#allocations = allocations;
    this.#lifecycle = lifecycle;
    this.#recorder = recorder;
    this.#events = events;
    this.#news = news;
    this.#clock = clock;
  }

  /** Whether some node waits for its running work to end. */
  get anyEmptying(): boolean {
    return this.#emptying.length > 0;
  }

  /** Nodes that do not exist yet, at time 0. */
  startUnborn(nodes: readonly number[]): void {
    for (const node of nodes) {
      this.#allocations.ledger.setNodeState(node, NodeStateCode.unborn);
      this.#sinceMs.set(node, this.#clock.nowMs);
    }
  }

  /** See `PoolView.onTheWay`. */
  onTheWay(node: number): boolean {
    return this.#journeys.has(node);
  }

  drain(node: number): void {
    const journey = this.#journeys.get(node);
    if (journey) journey.staysDrained = true;
    else if (this.#stateOf(node) === NodeStateCode.open) this.#set(node, NodeStateCode.drained);
  }

  /** A node on its way somewhere goes on, and arrives open. One that has failed unnoticed goes on as if nothing had been. */
  resume(node: number): void {
    if (this.#noticeMs.delete(node)) {
      this.#set(node, NodeStateCode.open);
      this.#refreshJobsOn(node);
      return;
    }
    const journey = this.#journeys.get(node);
    if (journey) {
      journey.staysDrained = false;
      return;
    }
    const state = this.#stateOf(node);
    if (state === NodeStateCode.drained || state === NodeStateCode.down)
      this.#set(node, NodeStateCode.open);
  }

  /** The node stops working. Until somebody notices, the jobs on it hold what they have and get nothing done. */
  crash(node: number): void {
    const state = this.#stateOf(node);
    const closed = state === NodeStateCode.down || state === NodeStateCode.unborn;
    if (closed || state === NodeStateCode.silent) return;
    const { nowMs } = this.#clock;
    const atMs = noticeMs(this.#rules[this.#allocations.ledger.poolOfNode[node]!]!, nowMs);
    if (atMs <= nowMs) {
      this.fail(node);
      return;
    }
    this.#forget(node);
    this.#noticeMs.set(node, atMs);
    this.#events.push(atMs, EventClass.node, node, NOTICE);
    this.#set(node, NodeStateCode.silent);
    this.#refreshJobsOn(node);
  }

  /** Every failed node of a pool is noticed now. */
  noticeAll(pool: number): void {
    for (const node of [...this.#noticeMs.keys()].sort((a, b) => a - b))
      if (this.#allocations.ledger.poolOfNode[node] === pool) this.fail(node);
  }

  /** The node goes down, takes the members on it along and stays where it is: a journey ends. O(what it held). */
  fail(node: number): void {
    const state = this.#stateOf(node);
    if (state === NodeStateCode.down || state === NodeStateCode.unborn) return;
    this.#forget(node);
    this.#noticeMs.delete(node);
    this.#set(node, NodeStateCode.down);
    this.#lifecycle.application?.saved.nodeLost(node);
    for (const jobIdx of this.#jobsOn(node)) {
      this.#lifecycle.losses.loseNode(jobIdx, node);
      if (state === NodeStateCode.silent) this.#refresh(jobIdx);
    }
  }

  /** Jobs that hold something on a node, ascending. */
  #jobsOn(node: number): Int32Array {
    const { holdings } = this.#allocations;
    const jobs = this.#jobs;
    jobs.clear();
    for (let entry = holdings.firstOnNode(node); entry >= 0; entry = holdings.at.nodeNext[entry]!)
      jobs.push(holdings.at.jobIdx[entry]!);
    return jobs
      .copy()
      .sort()
      .filter((jobIdx, i, all) => i === 0 || jobIdx !== all[i - 1]);
  }

  #refreshJobsOn(node: number): void {
    for (const jobIdx of this.#jobsOn(node)) this.#refresh(jobIdx);
  }

  #refresh(jobIdx: number): void {
    const slot = this.#lifecycle.live.slotOf[jobIdx]!;
    if (slot >= 0) this.#lifecycle.refreshSilent(slot);
  }

  /** The node is there after `delayMs`; until then it is unborn. */
  open(node: number, delayMs: number): void {
    if (this.#stateOf(node) !== NodeStateCode.unborn) broken(`node ${node} exists already`);
    if (this.#journeys.has(node)) broken(`node ${node} boots already`);
    this.#begin(node, Way.boot, 0, delayMs);
    this.#depart(node);
  }

  /** The node is given back as soon as nothing runs on it; until then it is drained. A boot is called off. */
  close(node: number): void {
    const journey = this.#journeys.get(node);
    if (journey?.way === Way.boot) {
      this.#forget(node);
      return;
    }
    if (this.#stateOf(node) === NodeStateCode.unborn) broken(`node ${node} does not exist`);
    if (journey) broken(`node ${node} is leaving already`);
    if (this.#isEmpty(node)) this.#set(node, NodeStateCode.unborn);
    else this.#drainFor(node, Way.leave, 0, 0);
  }

  /** The node changes pool: drained until nothing runs on it, closed for `costMs` more, then open on the other side. */
  hand(node: number, toPool: number, costMs: number): void {
    const state = this.#stateOf(node);
    if (this.#journeys.has(node)) broken(`node ${node} is leaving already`);
    if (state !== NodeStateCode.open && state !== NodeStateCode.drained)
      broken(`node ${node} is not there to be handed over`);
    this.#drainFor(node, Way.hand, toPool, costMs);
    if (this.#isEmpty(node)) this.#depart(node);
  }

  /** Nodes that have become empty set out. O(nodes that wait for it). */
  settle(): void {
    for (let i = 0; i < this.#emptying.length; ) {
      const node = this.#emptying.at[i]!;
      if (this.#isEmpty(node)) this.#depart(node);
      else i++;
    }
  }

  /** Whether the event of a node is still meant. */
  expects(node: number, version: number): boolean {
    if (version === NOTICE) return this.#noticeMs.has(node);
    return this.#journeys.get(node)?.way === version;
  }

  /** A boot or a change of sides may be over, or a failure is noticed. */
  arrive(node: number): void {
    if (this.#noticeMs.has(node)) {
      if (this.#noticeMs.get(node) === this.#clock.nowMs) this.fail(node);
      return;
    }
    const journey = this.#journeys.get(node)!;
    if (journey.untilMs !== this.#clock.nowMs) return;
    this.#journeys.delete(node);
    if (journey.way === Way.hand) {
      this.#newsOf(node).nodesChanged();
      this.#allocations.ledger.setPool(node, journey.toPool);
      this.#newsOf(node).nodesChanged();
    }
    this.#set(node, journey.staysDrained ? NodeStateCode.drained : NodeStateCode.open);
  }

  /** Node, state and begin of each stretch that is still open, by node. */
  openSpans(): { node: number; state: number; sinceMs: number }[] {
    return [...this.#sinceMs]
      .map(([node, sinceMs]) => ({ node, state: this.#stateOf(node), sinceMs }))
      .sort((a, b) => a.node - b.node);
  }

  copy(): NodesCopy {
    const journeys = [...this.#journeys].sort(([a], [b]) => a - b);
    return {
      closed: Float64Array.from(
        this.openSpans().flatMap((span) => [span.node, span.state, span.sinceMs]),
      ),
      silent: Float64Array.from([...this.#noticeMs].sort(([a], [b]) => a - b).flat()),
      moved: Float64Array.from(this.#allocations.ledger.movedNodes().flat()),
      journeys: Float64Array.from(
        journeys.flatMap(([node, { way, toPool, costMs, untilMs, staysDrained }]) => [
          node,
          way,
          toPool,
          costMs,
          untilMs,
          staysDrained ? 1 : 0,
        ]),
      ),
    };
  }

  /** Call before the holdings of closed nodes are booked again or after: the ledger keeps both. */
  restore(copy: NodesCopy): void {
    const { ledger } = this.#allocations;
    for (let i = 0; i < copy.moved.length; i += 2) {
      ledger.setNodeState(copy.moved[i]!, NodeStateCode.drained);
      ledger.setPool(copy.moved[i]!, copy.moved[i + 1]!);
      ledger.setNodeState(copy.moved[i]!, NodeStateCode.open);
    }
    for (let i = 0; i < copy.closed.length; i += 3) {
      ledger.setNodeState(copy.closed[i]!, copy.closed[i + 1]!);
      this.#sinceMs.set(copy.closed[i]!, copy.closed[i + 2]!);
    }
    for (let i = 0; i < copy.silent.length; i += 2)
      this.#noticeMs.set(copy.silent[i]!, copy.silent[i + 1]!);
    for (let i = 0; i < copy.journeys.length; i += 6) {
      const [node, way, toPool, costMs, untilMs, staysDrained] = copy.journeys.subarray(i, i + 6);
      this.#journeys.set(node!, {
        way: way!,
        toPool: toPool!,
        costMs: costMs!,
        untilMs: untilMs!,
        staysDrained: staysDrained === 1,
      });
      if (untilMs! < 0) this.#emptying.push(node!);
    }
  }

  #isEmpty(node: number): boolean {
    return this.#allocations.holdings.firstOnNode(node) < 0;
  }

  #drainFor(node: number, way: number, toPool: number, costMs: number): void {
    this.#begin(node, way, toPool, costMs);
    this.#emptying.push(node);
    this.#emptying.sort();
    if (this.#stateOf(node) === NodeStateCode.open) this.#set(node, NodeStateCode.drained);
    else this.#journeys.get(node)!.staysDrained = true;
  }

  #begin(node: number, way: number, toPool: number, costMs: number): void {
    this.#journeys.set(node, { way, toPool, costMs, untilMs: -1, staysDrained: false });
  }

  /** Nothing runs on the node: what it is on its way to begins. */
  #depart(node: number): void {
    const journey = this.#journeys.get(node)!;
    this.#emptying.remove(node);
    if (journey.way === Way.leave) {
      this.#journeys.delete(node);
      this.#set(node, NodeStateCode.unborn);
      return;
    }
    journey.untilMs = this.#clock.nowMs + journey.costMs;
    if (journey.costMs === 0) this.arrive(node);
    else this.#events.push(journey.untilMs, EventClass.node, node, journey.way);
  }

  #forget(node: number): void {
    this.#emptying.remove(node);
    this.#journeys.delete(node);
  }

  #stateOf(node: number): number {
    return this.#allocations.ledger.nodeState[node]!;
  }

  #newsOf(node: number): PoolNews {
    return this.#news[this.#allocations.ledger.poolOfNode[node]!]!;
  }

  #set(node: number, state: number): void {
    const nowMs = this.#clock.nowMs;
    const before = this.#stateOf(node);
    const sinceMs = this.#sinceMs.get(node);
    if (state === before) return;
    if (sinceMs !== undefined && sinceMs < nowMs)
      this.#recorder.nodeSpan(sinceMs, nowMs, node, before);
    if (state === NodeStateCode.open) this.#sinceMs.delete(node);
    else this.#sinceMs.set(node, nowMs);
    this.#allocations.ledger.setNodeState(node, state);
    this.#newsOf(node).nodesChanged();
  }
}
