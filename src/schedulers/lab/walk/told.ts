/**
 * The engine's actions, with the walk listening: whatever a part does within a pass (an eviction, a start of its own, a job held back), all
 * parts hear of at once, and the walk knows who waits and what runs.
 */
import type { Grant } from "../../../engine/grant.ts";
import type { Actions, EvictMode, PoolView } from "../../../engine/view.ts";
import { JobStateCode } from "../../../model/states.ts";
import { noteTold, openAll, openCeilings, unpark } from "./parked.ts";
import { followRun, type InUse, orderOf, partsOf, type Told, type WalkState } from "./state.ts";

export class ToldActions implements Actions {
  /** Jobs that gave devices back in this pass, or moved: what was computed of free room is old. */
  released = 0;
  /** Jobs that were given devices, or joined or left those that wait, by doing of a part. */
  moved = 0;
  /** Jobs stopped and queued again since the queue began to be gone through: the next pass looks at them. */
  #requeued: Set<number> | null = null;
  #act!: Actions;
  #view!: PoolView;
  #state!: WalkState;
  #hooks!: InUse["hooks"];

  /** Another pass begins: made once, for making an object with methods of its own costs as much as a placement. */
  begin(act: Actions, view: PoolView, state: WalkState): this {
    this.#act = act;
    this.#view = view;
    this.#state = state;
    this.#hooks = partsOf(state).hooks;
    this.#requeued = null;
    this.released = 0;
    this.moved = 0;
    return this;
  }

  isRequeued(jobIdx: number): boolean {
    return this.#requeued?.has(jobIdx) === true;
  }

  forgetRequeued(): void {
    this.#requeued = null;
  }

  #tell(hooks: readonly Told[], jobIdx: number): void {
    for (let i = 0; i < hooks.length; i++) hooks[i]!.tell(hooks[i]!.own, this.#view, jobIdx);
  }

  /** A job waits from now on. */
  tellQueued(jobIdx: number): void {
    if (this.#state.waiting.has(jobIdx)) return;
    this.#state.waiting.add(jobIdx);
    this.#state.newcomers.add(jobIdx);
    this.#tell(this.#hooks.queued, jobIdx);
  }

  tellWithdrawn(jobIdx: number): void {
    const state = this.#state;
    if (!state.waiting.delete(jobIdx)) return;
    state.newcomers.delete(jobIdx);
    state.promises.delete(jobIdx);
    forgetNominated(state, jobIdx);
    state.cuts.jobs.delete(jobIdx);
    this.#unpark(jobIdx);
    this.#tell(this.#hooks.withdrawn, jobIdx);
  }

  tellReleased(jobIdx: number): void {
    this.released++;
    this.#tell(this.#hooks.released, jobIdx);
    openCeilings(this.#state, this.#view, jobIdx);
    followRun(this.#state, this.#view, jobIdx);
  }

  tellRetiered(jobIdx: number): void {
    const state = this.#state;
    // Which windows it may use is another question now: what is kept for it is looked for anew.
    state.kept = state.kept.map((kept) => (kept.jobIdx === jobIdx ? { ...kept } : kept));
    state.oneKept = null;
    this.#unpark(jobIdx);
    openCeilings(this.#state, this.#view, jobIdx);
    this.#tell(this.#hooks.retiered, jobIdx);
    openCeilings(this.#state, this.#view, jobIdx);
  }

  place(
    jobIdx: number,
    grant: Grant,
    startReason: number,
    startupMs?: number,
    fromQueue?: number,
  ): void {
    const state = this.#state;
    this.moved++;
    this.#unpark(jobIdx);
    this.#act.place(jobIdx, grant, startReason, startupMs, fromQueue);
    // Some members of a gang whose others are still to come: it waits on, and the parts look at what it holds.
    if (this.#view.jobState[jobIdx] === JobStateCode.placed) this.tellReleased(jobIdx);
    else {
      state.waiting.delete(jobIdx);
      state.promises.delete(jobIdx);
      state.cuts.jobs.delete(jobIdx);
      forgetNominated(state, jobIdx);
      this.#tell(this.#hooks.given, jobIdx);
    }
    followRun(state, this.#view, jobIdx);
  }

  evict(
    jobIdx: number,
    mode: EvictMode,
    graceMs: number,
    forJobIdx: number,
    stopReason?: number,
  ): void {
    this.#act.evict(jobIdx, mode, graceMs, forJobIdx, stopReason);
    if (forJobIdx >= 0) this.#tell(this.#hooks.evicted, jobIdx);
    this.tellReleased(jobIdx);
    // A gang of which some members held devices waited too.
    if (this.#view.jobState[jobIdx] === JobStateCode.done) this.tellWithdrawn(jobIdx);
    if (!this.#waits(jobIdx)) return;
    this.#requeued ??= new Set();
    this.#requeued.add(jobIdx);
    this.tellQueued(jobIdx);
  }

  evictMembers(
    jobIdx: number,
    component: number,
    node: number,
    members: number,
    forJobIdx: number,
  ): number {
    const taken = this.#act.evictMembers(jobIdx, component, node, members, forJobIdx);
    this.tellReleased(jobIdx);
    return taken;
  }

  shrink(jobIdx: number, component: number, members: number): void {
    this.#act.shrink(jobIdx, component, members);
    this.tellReleased(jobIdx);
  }

  suspend(jobIdx: number, freesCpus?: boolean, forJobIdx?: number): void {
    this.#act.suspend(jobIdx, freesCpus, forJobIdx);
    this.tellReleased(jobIdx);
  }

  lend(jobIdx: number): void {
    this.#act.lend(jobIdx);
    this.tellReleased(jobIdx);
  }

  resume(jobIdx: number): void {
    this.#act.resume(jobIdx);
    this.tellReleased(jobIdx);
  }

  move(jobIdx: number, fromNode: number, grant: Grant, forJobIdx?: number): void {
    this.#act.move(jobIdx, fromNode, grant, forJobIdx);
    this.tellReleased(jobIdx);
  }

  checkpoint(jobIdx: number, durationMs: number): void {
    this.#act.checkpoint(jobIdx, durationMs);
  }

  setLimit(jobIdx: number, limitMs: number): void {
    this.#act.setLimit(jobIdx, limitMs);
    if (this.#state.endMsOf.has(jobIdx)) this.tellReleased(jobIdx);
  }

  setSpeed(jobIdx: number, speedQ16: number): void {
    this.#act.setSpeed(jobIdx, speedQ16);
  }

  admit(jobIdx: number): void {
    this.moved++;
    this.#act.admit(jobIdx);
    this.tellQueued(jobIdx);
  }

  unadmit(jobIdx: number, stopReason: number, forJobIdx?: number): void {
    this.#act.unadmit(jobIdx, stopReason, forJobIdx);
  }

  hold(jobIdx: number): void {
    this.moved++;
    this.#act.hold(jobIdx);
    this.tellWithdrawn(jobIdx);
  }

  release(jobIdx: number): void {
    this.moved++;
    this.#act.release(jobIdx);
    this.tellQueued(jobIdx);
  }

  refuse(jobIdx: number, waitReason: number): void {
    this.moved++;
    this.#act.refuse(jobIdx, waitReason);
    this.tellWithdrawn(jobIdx);
  }

  plan(jobIdx: number, startMs: number): void {
    const known = this.#state.promises.get(jobIdx);
    if (known === undefined)
      this.#state.promises.set(jobIdx, { firstMs: startMs, lastMs: startMs });
    else known.lastMs = startMs;
    this.#act.plan(jobIdx, startMs);
  }

  openNode(node: number, delayMs?: number): void {
    this.#nodesChange();
    this.#act.openNode(node, delayMs);
  }

  closeNode(node: number): void {
    this.#nodesChange();
    this.#act.closeNode(node);
  }

  handNode(node: number, toPool: number, costMs: number): void {
    this.#nodesChange();
    this.#act.handNode(node, toPool, costMs);
  }

  repartition(node: number, device: number, durationMs: number): void {
    this.released++;
    this.#act.repartition(node, device, durationMs);
  }

  round(gaveWay: number): void {
    this.#act.round(gaveWay);
  }

  pass(kind: number, looked: number, started: number): void {
    this.#act.pass(kind, looked, started);
  }

  gauge(kind: number, subject: number, value: number): void {
    this.#act.gauge(kind, subject, value);
  }

  wait(jobIdx: number, waitReason: number): void {
    this.#act.wait(jobIdx, waitReason);
    if (this.#state.parked.placeOf.size > 0)
      noteTold(this.#state, this.#view, orderOf(this.#state), jobIdx, waitReason);
  }

  #nodesChange(): void {
    this.released++;
    this.#state.oneKept = null;
    openAll(this.#state);
  }

  #unpark(jobIdx: number): void {
    if (this.#state.parked.placeOf.size > 0)
      unpark(this.#state, this.#view, orderOf(this.#state), jobIdx);
  }

  #waits(jobIdx: number): boolean {
    const jobState = this.#view.jobState[jobIdx]!;
    return jobState === JobStateCode.queued || jobState === JobStateCode.admitted;
  }
}

function forgetNominated(state: WalkState, jobIdx: number): void {
  if (state.nominated.length > 0)
    state.nominated = state.nominated.filter((job) => job.jobIdx !== jobIdx);
}
