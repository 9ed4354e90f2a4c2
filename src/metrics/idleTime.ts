/**
 * Device time that nobody held while somebody waited, up to the end of the makespan. Where that is, is known only at the end: jobs may wait, and be admitted and requeued, for days after the last
 * run. So stretches after the last end of a run that is known are kept apart until a run ends later, and count no further than the makespan does. O(1) a
 * stretch; 24 bytes a stretch between two ends of runs.
 */
import { AwayTime } from "./awayTime.ts";
import { CutTime } from "./cutTime.ts";

interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
  readonly devices: number;
}

export class IdleTime {
  readonly cuts = new CutTime();
  readonly away = new AwayTime();
  #late: Stretch[] = [];
  #deviceMs = 0;

  /** Somebody waits, and nobody holds so many devices. Stretches come in order of time. */
  waits(fromMs: number, toMs: number, devices: number): void {
    this.away.waits(fromMs, toMs);
    this.#late.push({ fromMs, toMs, devices });
  }

  /** The makespan ends no earlier than at this time. */
  lastsUntil(ms: number): void {
    const late: Stretch[] = [];
    for (const { fromMs, toMs, devices } of this.#late) {
      const untilMs = Math.min(ms, toMs);
      if (untilMs > fromMs)
        this.#deviceMs += (untilMs - fromMs) * devices - this.cuts.over(fromMs, untilMs);
      if (toMs > ms) late.push({ fromMs: Math.max(ms, fromMs), toMs, devices });
    }
    this.#late = late;
  }

  /** Device-ms of a makespan that ends at this time: no earlier than any told before. */
  total(makespanMs: number): number {
    this.lastsUntil(makespanMs);
    return this.#deviceMs - this.away.whileWaiting(makespanMs);
  }
}
