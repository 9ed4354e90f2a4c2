/**
 * Nodes over time: open, drained (no new work, running work goes on), down (failed: its members are lost), unborn (not there
 * yet, or given back). Interventions drain, resume and fail; only a pool's scheduler opens and closes. A stretch in any
 * state but open is a span of the record.
 */
import { IntList } from "../base/intList.ts";
import { NodeStateCode } from "../model/states.ts";
import type { Recorder } from "../record/recorder.ts";
import type { Allocations } from "./allocations.ts";
import type { Clock } from "./clock.ts";
import type { PoolNews } from "./happened.ts";
import { broken } from "./ledger.ts";
import type { Lifecycle } from "./lifecycle.ts";

export interface NodesCopy {
  /** Triples of node, state, since (ms), for nodes that are not open. */
  readonly closed: Float64Array;
}

export class NodeLife {
  /** Nodes that are not open, and since when. */
  readonly #sinceMs = new Map<number, number>();
  readonly #allocations: Allocations;
  readonly #lifecycle: Lifecycle;
  readonly #recorder: Recorder;
  readonly #news: readonly PoolNews[];
  readonly #clock: Clock;
  readonly #jobs = new IntList();

  constructor(
    allocations: Allocations,
    lifecycle: Lifecycle,
    recorder: Recorder,
    news: readonly PoolNews[],
    clock: Clock,
  ) {
    this.#allocations = allocations;
    this.#lifecycle = lifecycle;
    this.#recorder = recorder;
    this.#news = news;
    this.#clock = clock;
  }

  drain(node: number): void {
    if (this.#stateOf(node) === NodeStateCode.open) this.#set(node, NodeStateCode.drained);
  }

  resume(node: number): void {
    const state = this.#stateOf(node);
    if (state === NodeStateCode.drained || state === NodeStateCode.down)
      this.#set(node, NodeStateCode.open);
  }

  /** The node goes down and takes the members on it along. O(what it held). */
  fail(node: number): void {
    const state = this.#stateOf(node);
    if (state === NodeStateCode.down || state === NodeStateCode.unborn) return;
    this.#set(node, NodeStateCode.down);
    const { holdings } = this.#allocations;
    const jobs = this.#jobs;
    jobs.clear();
    for (let entry = holdings.firstOnNode(node); entry >= 0; entry = holdings.at.nodeNext[entry]!) {
      jobs.push(holdings.at.jobIdx[entry]!);
    }
    jobs.sort();
    for (let i = 0; i < jobs.length; i++) {
      if (i > 0 && jobs.at[i] === jobs.at[i - 1]) continue;
      this.#lifecycle.loseNode(jobs.at[i]!, node);
    }
  }

  open(node: number): void {
    if (this.#stateOf(node) !== NodeStateCode.unborn) broken(`node ${node} exists already`);
    this.#set(node, NodeStateCode.open);
  }

  /** The node is given back; whatever ran on it must have gone before. */
  close(node: number): void {
    if (this.#allocations.holdings.firstOnNode(node) >= 0)
      broken(`node ${node} was closed with jobs on it`);
    if (this.#stateOf(node) === NodeStateCode.unborn) broken(`node ${node} does not exist`);
    this.#set(node, NodeStateCode.unborn);
  }

  /** Node, state and begin of each stretch that is still open, by node. */
  openSpans(): { node: number; state: number; sinceMs: number }[] {
    return [...this.#sinceMs]
      .map(([node, sinceMs]) => ({ node, state: this.#stateOf(node), sinceMs }))
      .sort((a, b) => a.node - b.node);
  }

  copy(): NodesCopy {
    return {
      closed: Float64Array.from(
        this.openSpans().flatMap((span) => [span.node, span.state, span.sinceMs]),
      ),
    };
  }

  /** Call before the holdings of closed nodes are booked again or after: the ledger keeps both. */
  restore(copy: NodesCopy): void {
    for (let i = 0; i < copy.closed.length; i += 3) {
      this.#allocations.ledger.setNodeState(copy.closed[i]!, copy.closed[i + 1]!);
      this.#sinceMs.set(copy.closed[i]!, copy.closed[i + 2]!);
    }
  }

  #stateOf(node: number): number {
    return this.#allocations.ledger.nodeState[node]!;
  }

  #set(node: number, state: number): void {
    const nowMs = this.#clock.nowMs;
    const sinceMs = this.#sinceMs.get(node);
    if (sinceMs !== undefined && sinceMs < nowMs)
      this.#recorder.nodeSpan(sinceMs, nowMs, node, this.#stateOf(node));
    if (state === NodeStateCode.open) this.#sinceMs.delete(node);
    else this.#sinceMs.set(node, nowMs);
    this.#allocations.ledger.setNodeState(node, state);
    this.#news[this.#allocations.ledger.poolOfNode[node]!]!.nodesChanged();
  }
}
