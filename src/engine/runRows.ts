/** The rows of runs that closed, in the record, in the digest, and in what later schedulers may know of the past. */
import type { RunDigest } from "../record/digest.ts";
import type { Recorder } from "../record/recorder.ts";
import type { Clock } from "./clock.ts";
import type { LiveJobs } from "./liveJobs.ts";
import { PastRuns } from "./pastRuns.ts";

export class RunRows {
  readonly digest: RunDigest;
  readonly past = new PastRuns();
  readonly #live: LiveJobs;
  readonly #recorder: Recorder;
  readonly #clock: Clock;

  constructor(live: LiveJobs, recorder: Recorder, digest: RunDigest, clock: Clock) {
    this.#live = live;
    this.#recorder = recorder;
    this.digest = digest;
    this.#clock = clock;
  }

  /** The run of a slot ends now. */
  close(slot: number, jobIdx: number, endState: number, stopReason: number): void {
    const live = this.#live.at;
    const nowMs = this.#clock.nowMs;
    const run = live.run[slot]!;
    const reason = live.startReason[slot]!;
    const devices = live.devicesMost[slot]!;
    const startMs = live.runStartMs[slot]!;
    this.#recorder.run(startMs, nowMs, jobIdx, run, devices, endState, reason, stopReason);
    this.digest.row(
      jobIdx,
      run,
      endState,
      reason,
      stopReason,
      devices,
      live.allocation[slot]!,
      startMs,
      nowMs,
    );
    this.past.add({
      jobIdx,
      endState,
      tier: this.#live.tierOfJob[jobIdx]!,
      fromMs: startMs,
      toMs: nowMs,
      milliMs: live.heldMilliMs[slot]!,
    });
    live.runStartMs[slot] = -1;
    live.heldMilliMs[slot] = 0;
  }

  /** A job leaves without a run: run 0, no devices. */
  leave(jobIdx: number, endState: number, stopReason: number): void {
    const nowMs = this.#clock.nowMs;
    this.#recorder.run(nowMs, nowMs, jobIdx, 0, 0, endState, 0, stopReason);
    this.digest.row(jobIdx, 0, endState, 0, stopReason, 0, 0, nowMs, nowMs);
  }
}
