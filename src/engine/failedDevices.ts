/**
 * Single devices that have failed: nobody can have them until they are back, and the members on them are lost; the rest of the node works on. The
 * ledger shows them as used, no job holds them, and the record has the decision at each end. A device that fails while it is cut anew is out when
 * that is over.
 */
import { nodeOfDevice } from "../model/cluster.ts";
import type { World } from "../model/world.ts";
import type { Recorder } from "../record/recorder.ts";
import { DecisionKindCode } from "../record/shapes.ts";
import type { Allocations } from "./allocations.ts";
import type { Clock } from "./clock.ts";
import { covers, isolateMember } from "./entryRuns.ts";
import type { PoolNews } from "./happened.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Repartitions } from "./repartitions.ts";

export class FailedDevices {
  readonly #failed = new Set<number>();
  readonly #world: World;
  readonly #allocations: Allocations;
  readonly #lifecycle: Lifecycle;
  readonly #repartitions: Repartitions;
  readonly #recorder: Recorder;
  readonly #news: readonly PoolNews[];
  readonly #clock: Clock;

  constructor(
    world: World,
    allocations: Allocations,
    lifecycle: Lifecycle,
    repartitions: Repartitions,
    recorder: Recorder,
    news: readonly PoolNews[],
    clock: Clock,
  ) {
    this.#world = world;
    this.#allocations = allocations;
    this.#lifecycle = lifecycle;
    this.#repartitions = repartitions;
    this.#recorder = recorder;
    this.#news = news;
    this.#clock = clock;
  }

  has(device: number): boolean {
    return this.#failed.has(device);
  }

  /** Out with the device and with the members on it. Nothing where it is out already. O(what its node held). */
  fail(device: number): void {
    if (this.#failed.has(device)) return;
    const node = nodeOfDevice(this.#world.cluster, device);
    this.#failed.add(device);
    this.#recorder.decision(this.#clock.nowMs, DecisionKindCode.failDevice, 0, device, 0);
    for (const jobIdx of this.#jobsOn(node, device)) this.#lose(jobIdx, node, device);
    if (!this.#repartitions.has(device)) this.#allocations.ledger.block(node, device);
    this.#newsOf(node).nodesChanged();
  }

  /** The device is back. */
  resume(device: number): void {
    if (!this.#failed.delete(device)) return;
    const node = nodeOfDevice(this.#world.cluster, device);
    this.#recorder.decision(this.#clock.nowMs, DecisionKindCode.resumeDevice, 0, device, 0);
    if (!this.#repartitions.has(device)) this.#allocations.ledger.unblock(node, device);
    this.#newsOf(node).nodesChanged();
  }

  /** A repartition is over: a device that failed meanwhile is out from now on. */
  repartitioned(device: number): void {
    if (this.#failed.has(device))
      this.#allocations.ledger.block(nodeOfDevice(this.#world.cluster, device), device);
  }

  /** In order of failure. */
  copy(): Int32Array {
    return Int32Array.from(this.#failed);
  }

  /** After the holdings are booked and repartitions are there again. */
  restore(copy: Int32Array): void {
    for (const device of copy) {
      this.#failed.add(device);
      if (!this.#repartitions.has(device)) this.repartitioned(device);
    }
  }

  #lose(jobIdx: number, node: number, device: number): void {
    const { live, losses } = this.#lifecycle;
    const slot = live.slotOf[jobIdx]!;
    if (slot < 0) return;
    const gpusOf = this.#world.jobs.components.gpus;
    const alone = isolateMember(this.#allocations.holdings, live, slot, device, gpusOf);
    losses.loseNode(jobIdx, node, alone ? device : -1, true);
  }

  /** Jobs that hold the device or a part of it, ascending. */
  #jobsOn(node: number, device: number): number[] {
    const { holdings } = this.#allocations;
    const jobs = new Set<number>();
    for (let entry = holdings.firstOnNode(node); entry >= 0; entry = holdings.at.nodeNext[entry]!)
      if (covers(holdings.at, entry, device)) jobs.add(holdings.at.jobIdx[entry]!);
    return [...jobs].sort((a, b) => a - b);
  }

  #newsOf(node: number): PoolNews {
    return this.#news[this.#allocations.ledger.poolOfNode[node]!]!;
  }
}
