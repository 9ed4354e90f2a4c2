/** A job's waits: from submission (or from losing its run) to its start, with the reason recorded whenever it changes. */
import { askedParts } from "../model/deviceWeight.ts";
import { WaitReasonCode } from "../model/reasons.ts";
import type { World } from "../model/world.ts";
import type { Recorder } from "../record/recorder.ts";
import { DecisionKindCode } from "../record/shapes.ts";
import type { Clock } from "./clock.ts";
import { Hold, type LiveJobs } from "./liveJobs.ts";

export class Waits {
  readonly #world: World;
  readonly #live: LiveJobs;
  readonly #recorder: Recorder;
  readonly #clock: Clock;

  constructor(world: World, live: LiveJobs, recorder: Recorder, clock: Clock) {
    this.#world = world;
    this.#live = live;
    this.#recorder = recorder;
    this.#clock = clock;
  }

  start(slot: number, jobIdx: number): void {
    this.#live.at.waitFromMs[slot] = this.#clock.nowMs;
    this.#recorder.waiting(this.#live.tierOfJob[jobIdx]!, 1, askedParts(this.#world.jobs, jobIdx));
  }

  /** A wait of no length leaves no row; one that is over already is left alone. */
  end(slot: number, jobIdx: number): void {
    const fromMs = this.#live.at.waitFromMs[slot]!;
    if (fromMs < 0) return;
    if (fromMs < this.#clock.nowMs) this.#recorder.wait(fromMs, this.#clock.nowMs, jobIdx);
    this.#live.at.waitFromMs[slot] = -1;
    this.#live.at.waitReason[slot] = 0;
    this.#recorder.waiting(
      this.#live.tierOfJob[jobIdx]!,
      -1,
      -askedParts(this.#world.jobs, jobIdx),
    );
  }

  /** Recorded when it differs from the last one. */
  reason(slot: number, jobIdx: number, reason: number): void {
    if (this.#live.at.waitReason[slot] === reason) return;
    this.#live.at.waitReason[slot] = reason;
    this.#recorder.decision(this.#clock.nowMs, DecisionKindCode.wait, reason, jobIdx, 0);
  }

  /** The wait counts for another tier from now on. */
  moveTier(slot: number, jobIdx: number, from: number, to: number): void {
    if (this.#live.at.waitFromMs[slot]! < 0) return;
    const parts = askedParts(this.#world.jobs, jobIdx);
    this.#recorder.waiting(from, -1, -parts);
    this.#recorder.waiting(to, 1, parts);
  }
}

/** Why a job with these bits of `Hold` waits: what it depends on comes before its begin time. */
export function holdReason(holds: number): number {
  if ((holds & Hold.dependency) !== 0) return WaitReasonCode.dependency;
  return (holds & Hold.beginTime) !== 0 ? WaitReasonCode.beginTime : WaitReasonCode.held;
}
