/**
 * What React may read of the run and the cursor. Both change faster than people read, so components see them at most four
 * times a second (the last value always arrives); canvases and gutters subscribe directly and never come here.
 *
 * All components see the same value, in the same commit. Another run, and the cursor when something else is selected, are seen at
 * once: a card that stands beside an older run would offer changes to a job that there is not any more.
 */
import { useMemo, useSyncExternalStore } from "react";
import { firstDifferenceMs } from "../scenario/interventions.ts";
import { type RunData, runData } from "./runData.ts";
import { useApp } from "./store.ts";

const LEAST_GAP_MS = 250;

/** A value that changes often, as those see it who look at most every `LEAST_GAP_MS`. */
class Calm<T> {
  readonly #read: () => T;
  readonly #listen: (changed: () => void) => () => void;
  readonly #isUrgent: (shown: T, now: T) => boolean;
  readonly #listeners = new Set<() => void>();
  #shown: T;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #off: (() => void) | null = null;

  /** `listen` is told of every change; one that is urgent is shown without a wait. */
  constructor(
    read: () => T,
    listen: (changed: () => void) => () => void,
    isUrgent: (shown: T, now: T) => boolean,
  ) {
    this.#read = read;
    this.#listen = listen;
    this.#isUrgent = isUrgent;
    this.#shown = read();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    this.#off ??= this.#listen(() => this.#changed());
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#off?.();
      this.#off = null;
      this.#rest();
    };
  };

  /** The value that is shown; while nobody listens, the newest. */
  readonly get = (): T => {
    if (this.#off === null) this.#shown = this.#read();
    return this.#shown;
  };

  /** Shows the newest value now. */
  flush(): void {
    this.#rest();
    const now = this.#read();
    if (now === this.#shown) return;
    this.#shown = now;
    for (const listener of this.#listeners) listener();
  }

  #changed(): void {
    const urgent = this.#isUrgent(this.#shown, this.#read());
    if (this.#timer !== null && !urgent) return;
    this.flush();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.#read() !== this.#shown) this.#changed();
    }, LEAST_GAP_MS);
  }

  #rest(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

const calmData = new Calm<RunData>(
  () => runData.get(),
  (changed) => runData.subscribe(changed),
  (shown, now) =>
    shown.stage !== now.stage ||
    shown.current.generation !== now.current.generation ||
    shown.current.done !== now.current.done,
);

let selectionSeen = useApp.getState().selection;
const calmCursor = new Calm<number>(
  () => useApp.getState().cursorMs,
  (changed) =>
    useApp.subscribe((state) => [state.cursorMs, state.selection] as const, changed, {
      equalityFn: (a, b) => a[0] === b[0] && a[1] === b[1],
    }),
  () => {
    const { selection } = useApp.getState();
    const other = selection !== selectionSeen;
    selectionSeen = selection;
    return other;
  },
);

/** Brings what components see up to date, for whoever wants to read the page now. */
export function showNewest(): void {
  calmData.flush();
  calmCursor.flush();
}

/** The run data, at most four times a second. */
export function useRunData(): RunData {
  return useSyncExternalStore(calmData.subscribe, calmData.get);
}

/** The cursor, at most four times a second. */
export function useCursorMs(): number {
  return useSyncExternalStore(calmCursor.subscribe, calmCursor.get);
}

const drawnScenario = () => calmData.get().current.scenario;

/**
 * What is drawn is of another scenario than the one whose title stands above it: its run has no first chunk yet. An edit of the same scenario keeps the last
 * good picture. O(document), once for each scenario that comes under another title.
 */
export function useIsOldPicture(): boolean {
  const scenario = useApp((state) => state.scenario);
  const drawn = useSyncExternalStore(calmData.subscribe, drawnScenario);
  return useMemo(
    () =>
      drawn !== null &&
      scenario !== null &&
      drawn.title !== scenario.title &&
      firstDifferenceMs(drawn, scenario) === "base",
    [drawn, scenario],
  );
}
