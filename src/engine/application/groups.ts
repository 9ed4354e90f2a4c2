/**
 * Elastic jobs: members of the first component form a group whose size is one of the allowed ones; members beyond it stay in reserve. Speed goes
 * by the size of the group. What a change of members costs depends on who runs it:
 *
 * - `torchrun`: all workers stop and form a group anew from what is saved; a loss spends a restart, joining members spend none (TorchElastic's agent loop).
 * - `horovod`: they stop at the next commit and go on from memory, nothing is lost (Horovod Elastic).
 * - `none`: members come and go while the others work.
 *
 * Known pathology: without checkpoints every growth under torchrun throws all work of the run away.
 */
import type { Elastic } from "../../model/lab/jobLife.ts";
import { type AgentEvent, agentStep, restartBudget } from "../../model/lab/torchrun.ts";
import { SPEED_ONE } from "../../model/units.ts";
import type { World } from "../../model/world.ts";
import type { Recorder } from "../../record/recorder.ts";
import { DecisionKindCode } from "../../record/shapes.ts";
import type { Allocations } from "../allocations.ts";
import type { Clock } from "../clock.ts";
import type { LiveJobs } from "../liveJobs.ts";
import type { AppJob, AppJobs } from "./appJobs.ts";

/** Place in `allowed` of the largest size that so many members can form; −1 = they are too few. O(log sizes). */
function sizeIdx(elastic: Elastic, members: number): number {
  let low = 0;
  let high = elastic.allowed.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (elastic.allowed[middle]! <= members) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Speed of a group of an allowed size, in 1/65,536; 0 for no group. */
export function groupSpeedQ16(elastic: Elastic | null, group: number): number {
  if (elastic === null) return SPEED_ONE;
  const place = sizeIdx(elastic, group);
  return place < 0 ? 0 : elastic.speedQ16[place]!;
}

/** Members were lost: to the survivors their workers have failed. */
export const WORKERS_LOST: AgentEvent = { type: "workerFailure" };

export class Groups {
  readonly #world: World;
  readonly #live: LiveJobs;
  readonly #allocations: Allocations;
  readonly #recorder: Recorder;
  readonly #clock: Clock;
  readonly #apps: AppJobs;

  constructor(
    world: World,
    live: LiveJobs,
    allocations: Allocations,
    recorder: Recorder,
    clock: Clock,
    apps: AppJobs,
  ) {
    this.#world = world;
    this.#live = live;
    this.#allocations = allocations;
    this.#recorder = recorder;
    this.#clock = clock;
    this.#apps = apps;
  }

  /**
   * All workers stop; under torchrun what was not saved is lost. Where a restart is not to be had, the run ends at this instant, after the pass that
   * may be under way. The caller settles before and lets the run go on. A node of torchrun is a member here; who waits for members is not broken up again.
   */
  breakUp(app: AppJob, slot: number, event: AgentEvent): void {
    const { elastic } = this.#apps.life(app);
    const live = this.#live.at;
    const torchrun = elastic?.restart === "torchrun";
    if (torchrun) {
      const budget = app.budget ?? restartBudget(elastic.maxRestarts);
      const view = { budget, nodes: app.group, waiting: false };
      app.budget = agentStep(view, event, elastic.minMembers, elastic.maxMembers).budget;
      if (app.budget.failed) {
        app.stallEndMs = this.#clock.nowMs;
        return;
      }
    }
    let lostQ16 = 0;
    if (torchrun) {
      lostQ16 = live.safeLeftQ16[slot]! - live.workLeftQ16[slot]!;
      live.workLeftQ16[slot] = live.safeLeftQ16[slot]!;
      app.sinceSaveMs = 0;
    }
    app.rendezvous = true;
    const lostMs = Math.floor(lostQ16 / SPEED_ONE);
    this.#recorder.decision(this.#clock.nowMs, DecisionKindCode.restart, 0, app.jobIdx, lostMs);
  }

  /** torchrun: restarts that a job's run has left; −1 where none are counted. */
  restartsLeft(jobIdx: number): number {
    const app = this.#apps.get(jobIdx);
    const elastic = app && this.#apps.life(app).elastic;
    return elastic?.restart === "torchrun" ? (app?.budget?.left ?? elastic.maxRestarts) : -1;
  }

  /** A first group forms without a pause; one of another size than before needs one, unless members come and go freely. */
  noteSize(app: AppJob, slot: number): void {
    const { elastic } = this.#apps.life(app);
    const size = this.sizeOf(app);
    if (app.group !== 0 && size !== app.group && !app.rendezvous && elastic?.restart !== "none")
      this.breakUp(app, slot, { type: "nodesJoin", count: size - app.group });
    if (!app.rendezvous) app.group = size;
  }

  /** The group is there; restoring was part of it. */
  formed(app: AppJob): void {
    app.rendezvous = false;
    app.restores = false;
    app.group = this.sizeOf(app);
  }

  /** The size of the group that the members that have started up can form now; 0 = none, or the job is not elastic. O(entries). */
  sizeOf({ jobIdx }: AppJob): number {
    const { elastic } = this.#world.jobs.lab.get(jobIdx)!;
    if (elastic === null) return 0;
    const row = this.#world.jobs.at.firstComponent[jobIdx]!;
    const slot = this.#live.slotOf[jobIdx]!;
    const { nowMs } = this.#clock;
    let members = this.#allocations.membersHeld[row]!;
    if (this.#live.at.readyMs[slot]! > nowMs) {
      const { at } = this.#allocations.holdings;
      for (let entry = this.#live.at.first[slot]!; entry >= 0; entry = at.next[entry]!)
        if (at.component[entry] === row && at.readyMs[entry]! > nowMs)
          members -= at.members[entry]!;
    }
    const place = sizeIdx(elastic, members);
    return place < 0 ? 0 : elastic.allowed[place]!;
  }
}
