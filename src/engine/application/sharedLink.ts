/**
 * Transfers that share one bandwidth evenly (processor sharing): with n under way each goes at 1/n of the whole. A transfer is measured by the
 * time it would take alone, in 1/65,536 ms. One clock runs for all of them: it advances by (time passed ÷ n), and a transfer that joined when the
 * clock said v is over when it says v + its size. So a change costs O(log n) or O(n) for a list of n writers, and there is one event ahead, whatever n.
 *
 * Integers only; the clock is rounded down at each change, so that n transfers lose less than 1/65,536 ms a change. Ties: in order of joining.
 */
import { SPEED_ONE } from "../../model/units.ts";

export interface SharedLinkCopy {
  readonly clockQ16: number;
  readonly settledMs: number;
  readonly version: number;
  readonly jobs: readonly number[];
  readonly overQ16: readonly number[];
}

export class SharedLink {
  #clockQ16 = 0;
  #settledMs = 0;
  /** Counts changes: the event of an older one is void. */
  version = 0;
  /** Transfers in order of their ends, equal ones in order of joining. */
  #jobs: number[] = [];
  #overQ16: number[] = [];

  get count(): number {
    return this.#jobs.length;
  }

  has(jobIdx: number): boolean {
    return this.#jobs.includes(jobIdx);
  }

  /** A transfer of this size begins. */
  join(jobIdx: number, sizeQ16: number, nowMs: number): void {
    this.#settle(nowMs);
    if (this.#jobs.length === 0) this.#clockQ16 = 0;
    const overQ16 = this.#clockQ16 + sizeQ16;
    let place = this.#jobs.length;
    while (place > 0 && this.#overQ16[place - 1]! > overQ16) place--;
    this.#jobs.splice(place, 0, jobIdx);
    this.#overQ16.splice(place, 0, overQ16);
    this.version++;
  }

  /** A transfer is broken off; false where there is none. */
  leave(jobIdx: number, nowMs: number): boolean {
    const place = this.#jobs.indexOf(jobIdx);
    if (place < 0) return false;
    this.#settle(nowMs);
    this.#jobs.splice(place, 1);
    this.#overQ16.splice(place, 1);
    this.version++;
    return true;
  }

  /** Takes out a transfer that is over by now; −1 where none is. */
  takeOver(nowMs: number): number {
    if (this.#jobs.length === 0) return -1;
    this.#settle(nowMs);
    if (this.#overQ16[0]! > this.#clockQ16) return -1;
    this.#overQ16.shift();
    this.version++;
    return this.#jobs.shift()!;
  }

  /** When the next transfer is over, if nothing changes until then; `Infinity` without any. */
  get nextMs(): number {
    if (this.#jobs.length === 0) return Number.POSITIVE_INFINITY;
    // One that is over at this very moment may not have been taken out yet.
    const left = Math.max(0, this.#overQ16[0]! - this.#clockQ16);
    return this.#settledMs + Math.ceil((left * this.#jobs.length) / SPEED_ONE);
  }

  copy(): SharedLinkCopy {
    return {
      clockQ16: this.#clockQ16,
      settledMs: this.#settledMs,
      version: this.version,
      jobs: [...this.#jobs],
      overQ16: [...this.#overQ16],
    };
  }

  restore(copy: SharedLinkCopy): void {
    this.#clockQ16 = copy.clockQ16;
    this.#settledMs = copy.settledMs;
    this.version = copy.version;
    this.#jobs = [...copy.jobs];
    this.#overQ16 = [...copy.overQ16];
  }

  #settle(nowMs: number): void {
    if (this.#jobs.length > 0 && nowMs > this.#settledMs) {
      const passedQ16 = (nowMs - this.#settledMs) * SPEED_ONE;
      this.#clockQ16 += Math.floor(passedQ16 / this.#jobs.length);
    }
    this.#settledMs = nowMs;
  }
}
