/**
 * One `requestAnimationFrame` for the whole page. Painters register, mark themselves dirty, and are called once in the next
 * frame in order of registration; when nothing is dirty no frame runs. `idle()` resolves when nothing is left to draw.
 *
 * While results stream in, everything could be drawn anew with each part of them. `Dirty.more` asks for less: such paintings
 * go in rounds. A round takes whoever asked before it began, over as many frames as its budget needs, and the next one begins after a rest; so
 * strips differ within a round at most and rest on the same record. What people do never waits. Another record, and a strip that is painted for the first time, go over
 * to the next frame where one has spent what it may, so that none is as long as all strips together.
 */
export const Dirty = {
  /** New or other record. */
  data: 1,
  camera: 2,
  theme: 4,
  /** Hover, selection, cursor: only the overlay layer. */
  overlay: 8,
  size: 16,
  all: 31,
  /** More of the same record: becomes `data` in a frame that has time for it. */
  more: 32,
} as const;

/** Script that a frame spends before it leaves `Dirty.more` to the next. */
const BUDGET_MS = 5;
/** Script that a frame spends before it leaves another record to the next. */
const ASKED_MS = 24;
/** Between two rounds of `Dirty.more` lies this many times what the last one took. */
const REST = 6;
const REST_MOST_MS = 250;

export interface Painter {
  readonly name: string;
  /** Draws; `dirty` says what changed since the last call. Returns the bits it wants to be called with again next frame. */
  paint(dirty: number, nowMs: number): number;
}

export interface PainterHandle {
  mark(bits: number): void;
  remove(): void;
}

/** What one painter cost since the log was cleared. */
export interface PainterCost {
  readonly paints: number;
  readonly sumMs: number;
  readonly maxMs: number;
}

/** Milliseconds of script of each painted frame, newest last; kept for `?bench=` and tests. */
export interface FrameLog {
  readonly frames: number;
  readonly costsMs: readonly number[];
  /** By name of painter; what runs before the painters (play) is `steps`. */
  readonly painters: Readonly<Record<string, PainterCost>>;
}

interface Entry {
  readonly painter: Painter;
  dirty: number;
  /** Still to paint in this round. */
  inRound: boolean;
  /** Never painted, or left over by the last frame. */
  isNew: boolean;
  isLate: boolean;
}

interface Cost {
  paints: number;
  sumMs: number;
  maxMs: number;
}

export class FrameLoop {
  readonly #entries: Entry[] = [];
  readonly #before = new Set<(nowMs: number) => boolean>();
  readonly #waiters: (() => void)[] = [];
  /** The frame that was asked for; 0 = none. */
  #request = 0;
  /** Runs while all that is dirty waits for the next round: until then no frame is asked for. */
  #rests: ReturnType<typeof setTimeout> | null = null;
  readonly #beginRound = new Set<() => void>();
  /** No round of `Dirty.more` begins before. */
  #roundFromMs = 0;
  /** What this round has cost. */
  #roundCostMs = 0;
  #frames = 0;
  #costs: number[] = [];
  readonly #painterCosts = new Map<string, Cost>();

  register(painter: Painter): PainterHandle {
    const waits = this.#entries.some((other) => (other.dirty & Dirty.more) !== 0);
    const entry: Entry = {
      painter,
      dirty: waits ? Dirty.all | Dirty.more : Dirty.all,
      inRound: false,
      isNew: true,
      isLate: false,
    };
    this.#entries.push(entry);
    this.#schedule();
    return {
      mark: (bits) => {
        entry.dirty |= bits;
        if (bits !== 0) this.#schedule();
      },
      remove: () => {
        const index = this.#entries.indexOf(entry);
        if (index >= 0) this.#entries.splice(index, 1);
      },
    };
  }

  /** Calls `begin` whenever a round of `Dirty.more` begins: what painters then read, all of them read. */
  onRound(begin: () => void): () => void {
    this.#beginRound.add(begin);
    return () => this.#beginRound.delete(begin);
  }

  /** Calls `step` before the painters of each frame until it returns false: play, easing, inertia. */
  animate(step: (nowMs: number) => boolean): () => void {
    this.#before.add(step);
    this.#schedule();
    return () => this.#before.delete(step);
  }

  markAll(bits: number): void {
    for (const entry of this.#entries) entry.dirty |= bits;
    this.#schedule();
  }

  /** Draws what is dirty now instead of in the next frame: after a change of size, so that nothing empty is shown. */
  flush(): void {
    if (this.#request === 0 && this.#rests === null) return;
    if (this.#request !== 0) cancelAnimationFrame(this.#request);
    this.#frame(performance.now(), true);
  }

  idle(): Promise<void> {
    if (this.#request === 0 && this.#rests === null) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  log(): FrameLog {
    return {
      frames: this.#frames,
      costsMs: this.#costs,
      painters: Object.fromEntries(
        [...this.#painterCosts].map(([name, cost]) => [name, { ...cost }]),
      ),
    };
  }

  clearLog(): void {
    this.#frames = 0;
    this.#costs = [];
    this.#painterCosts.clear();
  }

  /** Begins a round with all who wait for one, if the last is over and rested. */
  #nextRound(nowMs: number): void {
    if (nowMs < this.#roundFromMs || this.#entries.some(({ inRound }) => inRound)) return;
    let begins = false;
    for (const entry of this.#entries) {
      if ((entry.dirty & Dirty.more) === 0) continue;
      entry.dirty &= ~Dirty.more;
      entry.inRound = true;
      begins = true;
    }
    if (!begins) return;
    this.#roundCostMs = 0;
    for (const begin of this.#beginRound) begin();
  }

  /** What was asked for by hand, size or another record; who is in the round takes in more of the record along with it. */
  #paintAsked(nowMs: number, untilMs: number): void {
    const lateFirst = [...this.#entries].sort((a, b) => Number(b.isLate) - Number(a.isLate));
    for (const entry of lateFirst) {
      const asked = entry.dirty & Dirty.all;
      entry.isLate = false;
      if (asked === 0) continue;
      if (performance.now() >= untilMs && mayWait(entry)) {
        entry.isLate = true;
        continue;
      }
      entry.isNew = false;
      const along = (asked & ~Dirty.overlay) !== 0 && entry.inRound;
      entry.dirty &= ~Dirty.all;
      if (along) entry.inRound = false;
      const costMs = this.#paint(entry, along ? asked | Dirty.data : asked, nowMs);
      if (along) this.#rest(nowMs, costMs);
    }
  }

  /** More of the record, while the frame has time. */
  #paintMore(nowMs: number, startMs: number): void {
    for (const entry of [...this.#entries]) {
      if (!entry.inRound) continue;
      if (performance.now() - startMs >= BUDGET_MS) return;
      entry.inRound = false;
      this.#rest(nowMs, this.#paint(entry, Dirty.data, nowMs));
    }
  }

  #rest(nowMs: number, costMs: number): void {
    this.#roundCostMs += costMs;
    this.#roundFromMs = nowMs + Math.min(REST_MOST_MS, REST * this.#roundCostMs);
  }

  #paint(entry: Entry, bits: number, nowMs: number): number {
    const startMs = performance.now();
    entry.dirty |= entry.painter.paint(bits, nowMs);
    const costMs = performance.now() - startMs;
    this.#charge(entry.painter.name, costMs);
    return costMs;
  }

  #charge(name: string, costMs: number): void {
    let cost = this.#painterCosts.get(name);
    if (!cost) {
      cost = { paints: 0, sumMs: 0, maxMs: 0 };
      this.#painterCosts.set(name, cost);
    }
    cost.paints += 1;
    cost.sumMs += costMs;
    if (costMs > cost.maxMs) cost.maxMs = costMs;
  }

  #schedule(): void {
    if (this.#request !== 0) return;
    const restMs = this.#restMs();
    if (restMs > 0) {
      this.#rests ??= setTimeout(() => {
        this.#rests = null;
        this.#ask();
      }, restMs);
    } else this.#ask();
  }

  #ask(): void {
    if (this.#rests !== null) clearTimeout(this.#rests);
    this.#rests = null;
    this.#request = requestAnimationFrame((nowMs) => this.#frame(nowMs));
  }

  /** How long nothing can be painted, ms: all that is dirty waits for a round, and the last one rests. */
  #restMs(): number {
    if (this.#before.size > 0) return 0;
    for (const { dirty, inRound } of this.#entries)
      if (inRound || (dirty & Dirty.all) !== 0) return 0;
    return this.#roundFromMs - performance.now();
  }

  #frame(nowMs: number, whole = false): void {
    this.#request = 0;
    if (this.#rests !== null) clearTimeout(this.#rests);
    this.#rests = null;
    const startMs = performance.now();
    if (this.#before.size > 0) {
      for (const step of [...this.#before]) if (!step(nowMs)) this.#before.delete(step);
      this.#charge("steps", performance.now() - startMs);
    }
    this.#nextRound(nowMs);
    this.#paintAsked(nowMs, whole ? Number.POSITIVE_INFINITY : startMs + ASKED_MS);
    this.#paintMore(nowMs, startMs);
    this.#frames += 1;
    if (this.#costs.length < 100_000) this.#costs.push(performance.now() - startMs);
    const more =
      this.#before.size > 0 || this.#entries.some((entry) => entry.dirty !== 0 || entry.inRound);
    if (more) this.#schedule();
    else for (const resolve of this.#waiters.splice(0)) resolve();
  }
}

/** Another record, but neither what people do nor another size: that empties a canvas, unless nothing was on it. */
function mayWait({ dirty, isNew }: Entry): boolean {
  return isNew || ((dirty & Dirty.data) !== 0 && (dirty & (Dirty.size | Dirty.camera)) === 0);
}

/** The page's loop. */
export const frameLoop = new FrameLoop();
