/**
 * The record as the page holds it: outside React and zustand, read by version. `current` is the future that is shown; `ghost`
 * is the one before the last change, which shares every chunk up to that change.
 */
import type { Progress, Stage } from "../protocol/messages.ts";
import type { Chunk, OpenSet } from "../record/shapes.ts";
import type { Scenario } from "../scenario/schema.ts";

export interface Future {
  /** The document that it came from; null while there is none. */
  readonly scenario: Scenario | null;
  readonly generation: number;
  readonly chunks: readonly Chunk[];
  /** What is open at the end of the last chunk. */
  readonly open: OpenSet | null;
  /** Time up to which the record is complete. */
  readonly knownMs: number;
  /** End of the run: known when done, else the horizon or the latest time so far. */
  readonly endMs: number;
  readonly done: boolean;
  readonly digest: string;
  readonly refused: Readonly<Record<string, number>>;
}

export interface RunData {
  /** Grows with each change of anything below; panels compare it to what they drew. */
  readonly version: number;
  readonly stage: Stage | null;
  readonly current: Future;
  readonly ghost: Future | null;
  /** Time from which current and ghost may differ. */
  readonly ghostFromMs: number;
  readonly progress: Progress | null;
}

export const EMPTY_FUTURE: Future = {
  scenario: null,
  generation: 0,
  chunks: [],
  open: null,
  knownMs: 0,
  endMs: 0,
  done: false,
  digest: "",
  refused: {},
};

type Listener = (data: RunData) => void;

/** Holds the newest run data and tells listeners. The worker client is its only writer. */
class RunDataHolder {
  #data: RunData = {
    version: 0,
    stage: null,
    current: EMPTY_FUTURE,
    ghost: null,
    ghostFromMs: 0,
    progress: null,
  };
  readonly #listeners = new Set<Listener>();

  get(): RunData {
    return this.#data;
  }

  set(change: Partial<Omit<RunData, "version">>): void {
    this.#data = { ...this.#data, ...change, version: this.#data.version + 1 };
    for (const listener of this.#listeners) listener(this.#data);
  }

  /** Called at each change; returns the unsubscriber. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

export const runData = new RunDataHolder();

/** For painters: `show` is told whether what came is only more of the record that is shown already. */
export function onRecord(show: (more: boolean) => void): () => void {
  let last = runData.get();
  return runData.subscribe((data) => {
    const { stage, ghost, current } = data;
    const same =
      stage === last.stage &&
      ghost === last.ghost &&
      current.generation === last.current.generation;
    last = data;
    show(same);
  });
}
