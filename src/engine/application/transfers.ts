/**
 * Checkpoints on their way to the shared filesystem, and back: one link each way, its bandwidth shared by all that use it at the time. Only states
 * whose size is known and that do not lie on the job's own nodes go over it, and only where the world has such a filesystem (`World.storage`).
 */

import { GaugeCode } from "../../model/lab/gauges.ts";
import type { Checkpointing } from "../../model/lab/jobLife.ts";
import { SPEED_ONE } from "../../model/units.ts";
import type { World } from "../../model/world.ts";
import type { Recorder } from "../../record/recorder.ts";
import type { Clock } from "../clock.ts";
import { EventClass, type EventQueue } from "../eventQueue.ts";
import { SharedLink, type SharedLinkCopy } from "./sharedLink.ts";

export const Direction = { write: 0, read: 1 } as const;
const BYTES_PER_GIB = 2 ** 30;
const BYTES_PER_MS_PER_GBPS = 1_000_000;

export class Transfers {
  readonly #links = [new SharedLink(), new SharedLink()] as const;
  readonly #world: World;
  readonly #events: EventQueue;
  readonly #recorder: Recorder;
  readonly #clock: Clock;

  constructor(world: World, events: EventQueue, recorder: Recorder, clock: Clock) {
    this.#world = world;
    this.#events = events;
    this.#recorder = recorder;
    this.#clock = clock;
  }

  /** Time that one way would take alone, in 1/65,536 ms; −1 where the state does not go over the shared filesystem. */
  aloneQ16(checkpoint: Checkpointing, direction: number): number {
    const { storage } = this.#world;
    if (!storage || checkpoint.sizeGiB === 0 || checkpoint.location === "node") return -1;
    const GBps = direction === Direction.write ? storage.writeGBps : storage.readGBps;
    const bytes = checkpoint.sizeGiB * BYTES_PER_GIB;
    return Math.max(1, Math.round((bytes / (GBps * BYTES_PER_MS_PER_GBPS)) * SPEED_ONE));
  }

  begin(jobIdx: number, direction: number, sizeQ16: number): void {
    this.#link(direction).join(jobIdx, sizeQ16, this.#clock.nowMs);
    this.#changed(direction);
  }

  /** Whether the job is on its way either way. O(transfers). */
  has(jobIdx: number): boolean {
    return this.#links.some((link) => link.count > 0 && link.has(jobIdx));
  }

  /** What the job has on its way is broken off. O(transfers). */
  drop(jobIdx: number): void {
    for (let direction = 0; direction < this.#links.length; direction++)
      if (this.#link(direction).leave(jobIdx, this.#clock.nowMs)) this.#changed(direction);
  }

  /** A job whose transfer is over now, taken out; −1 where there is none. */
  takeOver(direction: number): number {
    const jobIdx = this.#link(direction).takeOver(this.#clock.nowMs);
    if (jobIdx >= 0) this.#changed(direction);
    return jobIdx;
  }

  /** Whether the event of a direction is still meant. */
  expects(direction: number, version: number): boolean {
    return this.#link(direction).version === version;
  }

  copy(): readonly SharedLinkCopy[] {
    return this.#links.map((link) => link.copy());
  }

  restore(copy: readonly SharedLinkCopy[]): void {
    this.#links.forEach((link, direction) => {
      link.restore(copy[direction]!);
    });
  }

  #link(direction: number): SharedLink {
    return this.#links[direction]!;
  }

  #changed(direction: number): void {
    const link = this.#link(direction);
    if (link.count > 0) this.#events.push(link.nextMs, EventClass.link, direction, link.version);
    if (direction === Direction.write) this.#recorder.gauge(GaugeCode.writers, 0, link.count);
  }
}
