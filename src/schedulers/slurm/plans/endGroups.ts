/**
 * The order in which `_will_run_test` takes running jobs away: in groups that end close together, the first 30 s wide, each next one
 * twice as wide (or by `bf_window_linear` wider). A job is expected to start at the end of the last run of a group.
 */

import { share } from "../../../base/bitSets.ts";
import { NEVER_MS } from "../../../model/units.ts";
import type { SlurmJob, SlurmState } from "../state.ts";

const FIRST_GROUP_MS = 30_000;
/** A group has no more jobs than this. */
const MOST_OF_GROUP = 200;

/** Walks over the groups of runs that hold any of `nodes`; `except` are no part of them. */
export class EndGroups {
  /** Runs before this place in `running` are in the groups so far. */
  at = 0;
  /** End of the last run of the group. */
  lastMs = NEVER_MS;
  readonly #running: readonly SlurmJob[];
  readonly #nodes: Int32Array;
  readonly #except: readonly SlurmJob[];
  readonly #linearMs: number;
  #groupMs = FIRST_GROUP_MS;

  constructor(state: SlurmState, nodes: Int32Array, except: readonly SlurmJob[] = []) {
    this.#running = state.running;
    this.#nodes = nodes;
    this.#except = except;
    this.#linearMs = state.setup.config.scheduler.bfWindowLinearMs;
  }

  /** Goes to the next group; false when no run is left. O(runs of the group × words). */
  next(): boolean {
    const running = this.#running;
    let firstMs = NEVER_MS;
    let count = 0;
    while (this.at < running.length) {
      const run = running[this.at++]!;
      if (this.#except.includes(run) || !share(run.nodes!, this.#nodes)) continue;
      if (count === 0) firstMs = run.endMs;
      this.lastMs = run.endMs;
      // Only the next run is asked, whether or not its nodes matter: the one after it may end much later (recording 20a).
      const next = running[this.at];
      if (count++ > MOST_OF_GROUP) break;
      if (next !== undefined && next.endMs >= firstMs + this.#groupMs) break;
    }
    this.#groupMs = this.#linearMs > 0 ? this.#groupMs + this.#linearMs : this.#groupMs * 2;
    return count > 0;
  }
}
