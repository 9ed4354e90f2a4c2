/** What is known of each living job that has a life of its own: plain data, O(such jobs) to copy. */

import type { JobTable } from "../../model/jobs.ts";
import type { JobLife } from "../../model/lab/jobLife.ts";
import type { RestartBudget } from "../../model/lab/torchrun.ts";

/** What a run does before it makes progress. */
export const Preparing = { nothing: 0, startUp: 1, rendezvous: 2, read: 3, restore: 4 } as const;
/** Why state is being saved: the time has come; the limit is near and the job is queued again then; it was told to stop. */
export const Saving = { none: 0, periodic: 1, atLimit: 2, onSignal: 3 } as const;

export interface AppJob {
  readonly jobIdx: number;
  preparing: number;
  /** Start-up to be done before the run makes progress (ms). */
  startupMs: number;
  /** A group must be formed. */
  rendezvous: boolean;
  /** Saved state must be read back. */
  restores: boolean;
  saving: number;
  /** Run time since the last checkpoint was complete, or since the run began. */
  sinceSaveMs: number;
  /** Session: run time in this run, and when it has been idle too long (−1 = it is not idle). */
  usedMs: number;
  idleEndMs: number;
  /** When the collective of a gang that lacks members times out; −1 = none does. */
  stallEndMs: number;
  /** Members of the first component that make progress together; 0 before the first group. */
  group: number;
  /** torchrun: restarts begun and left in this run; null = none was asked for yet. */
  budget: RestartBudget | null;
  /** Nodes on which its state lies, ascending, where it lies on nodes. */
  savedNodes: readonly number[];
  /** Work that was safe when the run began, and runs in a row that reached their limit without adding to it. */
  safeAtStartQ16: number;
  fruitless: number;
}

export class AppJobs {
  readonly #jobs: JobTable;
  readonly #of = new Map<number, AppJob>();

  constructor(jobs: JobTable) {
    this.#jobs = jobs;
  }

  /** The state of a job; undefined for one without a life, and for one that does not live. O(1). */
  get(jobIdx: number): AppJob | undefined {
    return this.#of.get(jobIdx);
  }

  life(app: AppJob): JobLife {
    return this.#jobs.lab.get(app.jobIdx)!;
  }

  /** All of a job's work. */
  workQ16({ jobIdx }: AppJob): number {
    return this.#jobs.at.workQ16[jobIdx]!;
  }

  open(jobIdx: number): void {
    if (!this.#jobs.lab.has(jobIdx)) return;
    this.#of.set(jobIdx, {
      jobIdx,
      preparing: Preparing.nothing,
      startupMs: 0,
      rendezvous: false,
      restores: false,
      saving: Saving.none,
      sinceSaveMs: 0,
      usedMs: 0,
      idleEndMs: -1,
      stallEndMs: -1,
      group: 0,
      budget: null,
      savedNodes: [],
      safeAtStartQ16: 0,
      fruitless: 0,
    });
  }

  close(jobIdx: number): void {
    this.#of.delete(jobIdx);
  }

  /** Jobs whose state lies on a node, ascending. O(living jobs with a life). */
  savedOn(node: number): AppJob[] {
    const found: AppJob[] = [];
    for (const app of this.#of.values()) if (app.savedNodes.includes(node)) found.push(app);
    return found.sort((a, b) => a.jobIdx - b.jobIdx);
  }

  copy(): readonly AppJob[] {
    return Array.from(this.#of.values(), (app) => ({ ...app }));
  }

  restore(copy: readonly AppJob[]): void {
    for (const app of copy) this.#of.set(app.jobIdx, { ...app });
  }
}

/** The run is over, or has not begun: what belongs to a run is forgotten. */
export function forgetRun(app: AppJob): void {
  app.preparing = Preparing.nothing;
  app.startupMs = 0;
  app.rendezvous = false;
  app.restores = false;
  app.saving = Saving.none;
  app.sinceSaveMs = 0;
  app.usedMs = 0;
  app.idleEndMs = -1;
  app.stallEndMs = -1;
  app.group = 0;
  app.budget = null;
}
