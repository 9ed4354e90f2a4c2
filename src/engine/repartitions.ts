/**
 * Devices that are being cut anew: a change of MIG layout needs an idle device and takes time, in which nobody can have it. The
 * ledger shows it as used; no job holds it and the record has no rectangle, only the decision.
 */
import type { Clock } from "./clock.ts";
import { EventClass, type EventQueue } from "./eventQueue.ts";
import type { PoolNews } from "./happened.ts";
import type { Ledger } from "./ledger.ts";

export class Repartitions {
  /** Node of each device (global index) that is under way. */
  readonly #nodeOf = new Map<number, number>();
  readonly #ledger: Ledger;
  readonly #events: EventQueue;
  readonly #news: readonly PoolNews[];
  readonly #clock: Clock;

  constructor(ledger: Ledger, events: EventQueue, news: readonly PoolNews[], clock: Clock) {
    this.#ledger = ledger;
    this.#events = events;
    this.#news = news;
    this.#clock = clock;
  }

  /** Throws when somebody uses the device. */
  begin(node: number, device: number, durationMs: number): void {
    this.#ledger.block(node, device);
    this.#nodeOf.set(device, node);
    this.#events.push(this.#clock.nowMs + durationMs, EventClass.device, device, 0);
  }

  /** The device is there again, and its pool hears of it. */
  end(device: number): void {
    const node = this.#nodeOf.get(device)!;
    this.#nodeOf.delete(device);
    this.#ledger.unblock(node, device);
    this.#news[this.#ledger.poolOfNode[node]!]!.nodesChanged();
  }

  has(device: number): boolean {
    return this.#nodeOf.has(device);
  }

  /** Pairs of device and node, in order of begin. */
  copy(): Int32Array {
    return Int32Array.from([...this.#nodeOf].flat());
  }

  restore(copy: Int32Array): void {
    for (let i = 0; i < copy.length; i += 2) {
      this.#nodeOf.set(copy[i]!, copy[i + 1]!);
      this.#ledger.block(copy[i + 1]!, copy[i]!);
    }
  }
}
