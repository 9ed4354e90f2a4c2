/**
 * Dependencies between jobs, as in Slurm's `--dependency` (sbatch(1)): `after` a start (or an end without one), perhaps some time later; `afterOk` a
 * completed run, `afterNotOk` an end of any other kind, `afterAny` any end. All of a job's dependencies must be met, of those flagged as
 * alternatives one. Each dependency is an edge; edges are found from both ends by offset tables. Edges of singletons are no edges here (`singletons.ts`).
 */
import type { JobTable } from "../model/jobs.ts";
import { EndStateCode } from "../model/states.ts";
import { Singletons } from "./singletons.ts";

/** `counting`: the start has come, the time after it has not passed yet. */
export const EdgeState = { open: 0, met: 1, never: 2, counting: 3 } as const;

/** What a job waits for: open edges that it needs every one of; open alternatives, −1 = needs none of them. */
export interface OpenEdges {
  required: number;
  alternatives: number;
  never: boolean;
}

export class Dependencies {
  /** `EdgeState` of each edge, in the order of `JobTable.dependencies`. */
  readonly state: Uint8Array;
  readonly singletons: Singletons;
  readonly jobs: JobTable;
  readonly #byOn: EdgeIndex;
  readonly #byDependent: EdgeIndex;

  constructor(jobs: JobTable, jobState: Uint8Array) {
    const edges = jobs.dependencies;
    const NONE = -1;
    this.jobs = jobs;
    this.state = new Uint8Array(edges.length);
    this.singletons = new Singletons(jobs, jobState);
    this.#byOn = new EdgeIndex(edges.map((edge) => (edge.singleton ? NONE : edge.onJobIdx)));
    this.#byDependent = new EdgeIndex(edges.map((edge) => (edge.singleton ? NONE : edge.jobIdx)));
  }

  get any(): boolean {
    return this.state.length > 0;
  }

  edgesOn(jobIdx: number): readonly number[] {
    return this.#byOn.of(jobIdx);
  }

  /** What is open of a job's dependencies now. O(its dependencies). */
  openOf(jobIdx: number): OpenEdges {
    const open: OpenEdges = { required: 0, alternatives: 0, never: false };
    let anyOf = false;
    let anyMet = false;
    for (const edge of this.#byDependent.of(jobIdx)) {
      const state = this.state[edge]!;
      const undecided = state === EdgeState.open || state === EdgeState.counting;
      if (this.isAlternative(edge)) {
        anyOf = true;
        if (state === EdgeState.met) anyMet = true;
        if (undecided) open.alternatives++;
      } else if (undecided) open.required++;
      else if (state === EdgeState.never) open.never = true;
    }
    if (!anyOf || anyMet) open.alternatives = -1;
    else if (open.alternatives === 0) open.never = true;
    return open;
  }

  dependentOf(edge: number): number {
    return this.jobs.dependencies[edge]!.jobIdx;
  }

  isAlternative(edge: number): boolean {
    return this.jobs.dependencies[edge]!.anyOf;
  }

  /** How long after what it waits for the edge is met (ms). */
  delayMs(edge: number): number {
    return this.jobs.dependencies[edge]!.delayMs;
  }

  onStart(edge: number): number {
    return this.jobs.dependencies[edge]!.kind === "after" ? EdgeState.met : EdgeState.open;
  }

  onEnd(edge: number, endState: number): number {
    const completed = endState === EndStateCode.completed;
    switch (this.jobs.dependencies[edge]!.kind) {
      case "after":
      case "afterAny":
        return EdgeState.met;
      case "afterOk":
        return completed ? EdgeState.met : EdgeState.never;
      case "afterNotOk":
        return completed ? EdgeState.never : EdgeState.met;
    }
  }

  /** Edges that are not open and whose dependent is not done: what a snapshot must hold. O(edges). */
  copy(isDone: (jobIdx: number) => boolean): Int32Array {
    const decided: number[] = [];
    for (let edge = 0; edge < this.state.length; edge++) {
      if (this.state[edge] !== EdgeState.open && !isDone(this.dependentOf(edge))) {
        decided.push(edge * 4 + this.state[edge]!);
      }
    }
    return Int32Array.from(decided);
  }

  /** Call when the states of all jobs are back. */
  restore(copy: Int32Array): void {
    this.singletons.restore();
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
