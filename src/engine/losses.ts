/**
 * Members that a job loses: taken away by its scheduler, or gone with a node. At or above its minimum the job goes on with the rest. Below it, a
 * run that loses a node is lost and the job queued again, and one that is shrunk holds the rest and waits; a job with a life of its own may hang or wait
 * instead (`Application.fallsShort`).
 */
import { JobFlag } from "../model/jobs.ts";
import { StopReasonCode } from "../model/reasons.ts";
import { EndStateCode, JobStateCode, MemberStateCode } from "../model/states.ts";
import { SPEED_ONE } from "../model/units.ts";
import type { World } from "../model/world.ts";
import type { Recorder } from "../record/recorder.ts";
import { DecisionKindCode } from "../record/shapes.ts";
import type { Allocations } from "./allocations.ts";
import type { Clock } from "./clock.ts";
import { covers } from "./entryRuns.ts";
import type { PoolNews } from "./happened.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { Ending, type LiveJobs } from "./liveJobs.ts";
import { takeMembersOn } from "./memberEviction.ts";

export class Losses {
  readonly #lifecycle: Lifecycle;
  readonly #live: LiveJobs;
  readonly #allocations: Allocations;
  readonly #news: readonly PoolNews[];
  readonly #poolOfJob: Uint8Array;
  readonly #firstComponent: Uint32Array;
  readonly #flags: Uint8Array;
  readonly #recorder: Recorder;
  readonly #clock: Clock;

  constructor(
    lifecycle: Lifecycle,
    live: LiveJobs,
    allocations: Allocations,
    news: readonly PoolNews[],
    { poolOfJob, jobs }: Pick<World, "poolOfJob" | "jobs">,
    recorder: Recorder,
    clock: Clock,
  ) {
    this.#lifecycle = lifecycle;
    this.#live = live;
    this.#allocations = allocations;
    this.#news = news;
    this.#poolOfJob = poolOfJob;
    this.#firstComponent = jobs.at.firstComponent;
    this.#flags = jobs.at.flags;
    this.#recorder = recorder;
    this.#clock = clock;
  }

  /** Takes members away; below its minimum the job holds the rest without progress and waits for more. */
  shrink(slot: number, component: number, members: number): void {
    const jobIdx = this.#live.at.jobIdx[slot]!;
    this.#allocations.takeMembers(slot, component, members);
    this.#lifecycle.refreshSilent(slot);
    if (this.#live.jobState[jobIdx] === JobStateCode.placed) return;
    if (this.#allocations.hasMinimum(jobIdx)) {
      this.#lifecycle.phases.afterLoss(slot, jobIdx);
      return;
    }
    const fate = this.#lifecycle.application?.fallsShort(slot, jobIdx) ?? "stop";
    if (fate === "stop" || fate === "wait") this.#holdAndWait(slot, jobIdx);
  }

  /**
   * Evicts members on one node: the others go on without them where they are enough. Where they are not, what was done since the last checkpoint is lost, as when a
   * process of a parallel program is killed; they hold and wait for others.
   */
  evictMembers(slot: number, component: number, node: number, members: number): number {
    const jobIdx = this.#live.at.jobIdx[slot]!;
    const row = this.#firstComponent[jobIdx]! + component;
    const taken = takeMembersOn(this.#allocations, this.#live, slot, row, node, members);
    if (taken === 0) return 0;
    this.#lifecycle.refreshSilent(slot);
    const state = this.#live.jobState[jobIdx]!;
    if (state === JobStateCode.placed) return taken;
    if (this.#allocations.hasMinimum(jobIdx)) {
      if (state !== JobStateCode.checkpointing) this.#lifecycle.phases.afterLoss(slot, jobIdx);
      else if (!this.#lifecycle.application?.lost(slot, jobIdx))
        this.#lifecycle.phases.proceed(slot, jobIdx);
      return taken;
    }
    const fate = this.#lifecycle.application?.fallsShort(slot, jobIdx) ?? "stop";
    if (fate === "hang") return taken;
    this.#holdAndWait(slot, jobIdx);
    const { workLeftQ16, safeLeftQ16 } = this.#live.at;
    if (fate !== "stop") return taken;
    const lostMs = Math.floor((safeLeftQ16[slot]! - workLeftQ16[slot]!) / SPEED_ONE);
    workLeftQ16[slot] = safeLeftQ16[slot]!;
    const serves = (this.#flags[jobIdx]! & JobFlag.service) !== 0;
    if (lostMs > 0 && !serves) {
      const { restart } = DecisionKindCode;
      this.#recorder.decision(this.#clock.nowMs, restart, StopReasonCode.preempted, jobIdx, lostMs);
    }
    return taken;
  }

  /** A job loses what it holds on a failed node, or, because a device of it failed (`ofDevice`), the members on `device` (−1: all on the node). */
  loseNode(jobIdx: number, node: number, device = -1, ofDevice = false): void {
    const slot = this.#live.slotOf[jobIdx]!;
    const state = this.#live.jobState[jobIdx]!;
    this.#allocations.dropMembersOnNode(slot, node, device);
    if (state !== JobStateCode.placed && this.#allocations.hasMinimum(jobIdx)) {
      this.#allocations.takeNode(slot, node, EndStateCode.running, device);
      if (state !== JobStateCode.checkpointing) this.#lifecycle.phases.afterLoss(slot, jobIdx);
      else if (!this.#lifecycle.application?.lost(slot, jobIdx))
        this.#lifecycle.phases.proceed(slot, jobIdx);
      this.#newsOf(jobIdx).released(jobIdx);
      return;
    }
    const elsewhere = this.#holdsElsewhere(slot, node, device);
    const endures = elsewhere && this.#lifecycle.application?.endures(slot, jobIdx) === true;
    const endState = endures ? EndStateCode.running : EndStateCode.nodeFailed;
    this.#allocations.takeNode(slot, node, endState, device);
    const why = ofDevice ? StopReasonCode.deviceFailed : StopReasonCode.nodeFailed;
    if (endures) this.#endure(slot, jobIdx);
    else this.#loseRun(slot, jobIdx, state, why);
  }

  #loseRun(slot: number, jobIdx: number, state: number, why: number): void {
    const lifecycle = this.#lifecycle;
    lifecycle.withdrawPlaced(jobIdx);
    const dies = state === JobStateCode.ending && this.#live.at.requeue[slot] !== Ending.requeue;
    lifecycle.stop(slot, jobIdx, EndStateCode.nodeFailed, why);
    if (dies) lifecycle.finish(slot, jobIdx, EndStateCode.nodeFailed);
    else lifecycle.requeue(slot, jobIdx);
  }

  /** Too few members are left of a job that does not give the rest up. */
  #endure(slot: number, jobIdx: number): void {
    const waited = this.#live.jobState[jobIdx] === JobStateCode.placed;
    const fate = waited ? "wait" : this.#lifecycle.application!.fallsShort(slot, jobIdx);
    if (fate === "wait" && !waited) {
      this.#holdAndWait(slot, jobIdx);
      this.#newsOf(jobIdx).queued(jobIdx);
    }
    this.#newsOf(jobIdx).released(jobIdx);
  }

  #holdAndWait(slot: number, jobIdx: number): void {
    const lifecycle = this.#lifecycle;
    lifecycle.phases.pause(slot, jobIdx);
    this.#live.jobState[jobIdx] = JobStateCode.placed;
    this.#allocations.relabel(slot, MemberStateCode.held);
    lifecycle.waits.start(slot, jobIdx);
    this.#live.enterWaiting(slot);
    lifecycle.application?.armWaiting(slot, jobIdx);
  }

  #holdsElsewhere(slot: number, node: number, device: number): boolean {
    const { at } = this.#allocations.holdings;
    for (let entry = this.#live.at.first[slot]!; entry >= 0; entry = at.next[entry]!)
      if (at.node[entry] !== node || !covers(at, entry, device)) return true;
    return false;
  }

  #newsOf(jobIdx: number): PoolNews {
    return this.#news[this.#poolOfJob[jobIdx]!]!;
  }
}
