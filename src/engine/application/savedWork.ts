/**
 * What is saved of a job's work, and where. Saved on a shared filesystem, it can be read from anywhere and lasts; saved on the job's nodes, it can
 * be read only by a run that holds all of them again, and is lost with the first of them that fails. Who loses it starts from the beginning.
 */
import type { JobTable } from "../../model/jobs.ts";
import { NEVER_MS } from "../../model/units.ts";
import type { Recorder } from "../../record/recorder.ts";
import { DecisionKindCode } from "../../record/shapes.ts";
import type { Allocations } from "../allocations.ts";
import type { Clock } from "../clock.ts";
import type { LiveJobs } from "../liveJobs.ts";
import type { AppJob, AppJobs } from "./appJobs.ts";

export class SavedWork {
  readonly #jobs: JobTable;
  readonly #apps: AppJobs;
  readonly #live: LiveJobs;
  readonly #allocations: Allocations;
  readonly #recorder: Recorder;
  readonly #clock: Clock;

  constructor(
    jobs: JobTable,
    apps: AppJobs,
    live: LiveJobs,
    allocations: Allocations,
    recorder: Recorder,
    clock: Clock,
  ) {
    this.#jobs = jobs;
    this.#apps = apps;
    this.#live = live;
    this.#allocations = allocations;
    this.#recorder = recorder;
    this.#clock = clock;
  }

  /** Whether anything of the job is saved. */
  has(slot: number): boolean {
    const jobIdx = this.#live.at.jobIdx[slot]!;
    return this.#live.at.safeLeftQ16[slot]! < this.#jobs.at.workQ16[jobIdx]!;
  }

  /** A checkpoint is complete: where its state lies. */
  saved(app: AppJob, slot: number): void {
    app.sinceSaveMs = 0;
    if (this.#apps.life(app).checkpoint?.location === "node") app.savedNodes = this.#nodesOf(slot);
  }

  /** A run begins: it can read what is saved, or starts from the beginning. */
  meet(app: AppJob, slot: number): void {
    app.restores = true;
    if (app.savedNodes.length > 0) {
      const held = this.#nodesOf(slot);
      if (!app.savedNodes.every((node) => held.includes(node))) this.lose(app, slot);
    }
    app.restores = this.has(slot) || this.#apps.life(app).continues === true;
    app.safeAtStartQ16 = this.#live.at.safeLeftQ16[slot]!;
  }

  /** Nothing is saved any more. What a run has done since it began is not touched. */
  lose(app: AppJob, slot: number): void {
    const live = this.#live.at;
    const workQ16 = this.#jobs.at.workQ16[app.jobIdx]!;
    app.savedNodes = [];
    if (live.safeLeftQ16[slot] === workQ16) return;
    const inMemory = live.startMs[slot]! < NEVER_MS && !app.restores;
    if (!inMemory) live.workLeftQ16[slot] = workQ16;
    live.safeLeftQ16[slot] = workQ16;
    this.#recorder.decision(this.#clock.nowMs, DecisionKindCode.unsaved, 0, app.jobIdx, 0);
  }

  /** A node fails, and with it what lies on it. */
  nodeLost(node: number): void {
    for (const app of this.#apps.savedOn(node)) this.lose(app, this.#live.slotOf[app.jobIdx]!);
  }

  /** Nodes on which the job holds anything, ascending. O(what it holds). */
  #nodesOf(slot: number): number[] {
    const { at } = this.#allocations.holdings;
    const nodes = new Set<number>();
    for (let entry = this.#live.at.first[slot]!; entry >= 0; entry = at.next[entry]!)
      nodes.add(at.node[entry]!);
    return [...nodes].sort((a, b) => a - b);
  }
}
