/**
 * Futures that are kept to be compared with the one that is shown: up to three, each with its own document and record. They live on the page
 * only; chunks are shared with the run they branched from, so a branch costs what it does not share. The run that is shown is always the last
 * letter.
 */
import { useSyncExternalStore } from "react";
import type { Stage } from "../protocol/messages.ts";
import type { Scenario } from "../scenario/schema.ts";
import type { Future } from "./runData.ts";

export const BRANCH_LETTERS = ["A", "B", "C", "D"] as const;
/** Kept ones; the shown run makes one more. */
export const BRANCHES_MOST = BRANCH_LETTERS.length - 1;

export interface Branch {
  readonly scenario: Scenario;
  readonly stage: Stage;
  readonly future: Future;
}

class Branches {
  #kept: readonly Branch[] = [];
  readonly #listeners = new Set<() => void>();

  readonly get = (): readonly Branch[] => this.#kept;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Keeps a complete future. False where there is no room, it is not complete, or it is kept already. */
  keep(branch: Branch): boolean {
    if (this.#kept.length >= BRANCHES_MOST || !branch.future.done || this.has(branch.future))
      return false;
    this.#set([...this.#kept, branch]);
    return true;
  }

  /** Whether a run with the same result is kept. */
  has({ digest }: Future): boolean {
    return this.#kept.some(({ future }) => future.digest === digest);
  }

  remove(index: number): void {
    this.#set(this.#kept.filter((_, at) => at !== index));
  }

  clear(): void {
    if (this.#kept.length > 0) this.#set([]);
  }

  #set(kept: readonly Branch[]): void {
    this.#kept = kept;
    for (const listener of this.#listeners) listener();
  }
}

export const branches = new Branches();

export function useBranches(): readonly Branch[] {
  return useSyncExternalStore(branches.subscribe, branches.get);
}
