/**
 * Dependencies between jobs, as in Slurm's `--dependency`: `after` a start (or an end without one), `afterOk` a completed
 * run, `afterNotOk` an end of any other kind, `afterAny` any end. All of a job's dependencies must be met; one that can never
 * be met ends the job. Each dependency is an edge; edges are found from both ends by offset tables.
 */
import type { JobTable } from "../model/jobs.ts";
import { EndStateCode } from "../model/states.ts";

export const EdgeState = { open: 0, met: 1, never: 2 } as const;

export class Dependencies {
  /** `EdgeState` of each edge, in the order of `JobTable.dependencies`. */
  readonly state: Uint8Array;
  readonly #jobs: JobTable;
  readonly #byOn: EdgeIndex;
  readonly #byDependent: EdgeIndex;

  constructor(jobs: JobTable) {
    const edges = jobs.dependencies;
    this.#jobs = jobs;
    this.state = new Uint8Array(edges.length);
    this.#byOn = new EdgeIndex(edges.map((edge) => edge.onJobIdx));
    this.#byDependent = new EdgeIndex(edges.map((edge) => edge.jobIdx));
  }

  get any(): boolean {
    return this.state.length > 0;
  }

  edgesOn(jobIdx: number): readonly number[] {
    return this.#byOn.of(jobIdx);
  }

  /** Open dependencies of a job; −1 when one can never be met. */
  openOf(jobIdx: number): number {
    let open = 0;
    for (const edge of this.#byDependent.of(jobIdx)) {
      if (this.state[edge] === EdgeState.never) return -1;
      if (this.state[edge] === EdgeState.open) open++;
    }
    return open;
  }

  dependentOf(edge: number): number {
    return this.#jobs.dependencies[edge]!.jobIdx;
  }

  onStart(edge: number): number {
    return this.#jobs.dependencies[edge]!.kind === "after" ? EdgeState.met : EdgeState.open;
  }

  onEnd(edge: number, endState: number): number {
    const completed = endState === EndStateCode.completed;
    switch (this.#jobs.dependencies[edge]!.kind) {
      case "after":
      case "afterAny":
        return EdgeState.met;
      case "afterOk":
        return completed ? EdgeState.met : EdgeState.never;
      case "afterNotOk":
        return completed ? EdgeState.never : EdgeState.met;
    }
  }

  /** Edges that are decided and whose dependent is not done: what a snapshot must hold. O(edges). */
  copy(isDone: (jobIdx: number) => boolean): Int32Array {
    const decided: number[] = [];
    for (let edge = 0; edge < this.state.length; edge++) {
      if (this.state[edge] !== EdgeState.open && !isDone(this.dependentOf(edge))) {
        decided.push(edge * 4 + this.state[edge]!);
      }
    }
    return Int32Array.from(decided);
  }

  restore(copy: Int32Array): void {
    this.state.fill(EdgeState.open);
    for (const entry of copy) this.state[entry >> 2] = entry & 3;
  }
}

class EdgeIndex {
  readonly #edges = new Map<number, number[]>();

  constructor(keys: readonly number[]) {
    keys.forEach((key, edge) => {
      const edges = this.#edges.get(key);
      if (edges) edges.push(edge);
      else this.#edges.set(key, [edge]);
    });
  }

  of(jobIdx: number): readonly number[] {
    return this.#edges.get(jobIdx) ?? NO_EDGES;
  }
}

const NO_EDGES: readonly number[] = [];
