/**
 * One `requestAnimationFrame` for the whole page. Painters register, mark themselves dirty, and are called once in the next
 * frame in order of registration; when nothing is dirty no frame runs. `idle()` resolves when nothing is left to draw.
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
} as const;

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
  #scheduled = false;
  #frames = 0;
  #costs: number[] = [];
  readonly #painterCosts = new Map<string, Cost>();

  register(painter: Painter): PainterHandle {
    const entry: Entry = { painter, dirty: Dirty.all };
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

  idle(): Promise<void> {
    if (!this.#scheduled) return Promise.resolve();
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
    if (this.#scheduled) return;
    this.#scheduled = true;
    requestAnimationFrame((nowMs) => this.#frame(nowMs));
  }

  #frame(nowMs: number): void {
    this.#scheduled = false;
    const startMs = performance.now();
    if (this.#before.size > 0) {
      for (const step of [...this.#before]) if (!step(nowMs)) this.#before.delete(step);
      this.#charge("steps", performance.now() - startMs);
    }
    for (const entry of [...this.#entries]) {
      if (entry.dirty === 0) continue;
      const bits = entry.dirty;
      entry.dirty = 0;
      const paintedMs = performance.now();
      entry.dirty |= entry.painter.paint(bits, nowMs);
      this.#charge(entry.painter.name, performance.now() - paintedMs);
    }
    this.#frames += 1;
    if (this.#costs.length < 100_000) this.#costs.push(performance.now() - startMs);
    const more = this.#before.size > 0 || this.#entries.some((entry) => entry.dirty !== 0);
    if (more) this.#schedule();
    else for (const resolve of this.#waiters.splice(0)) resolve();
  }
}

/** The page's loop. */
export const frameLoop = new FrameLoop();
