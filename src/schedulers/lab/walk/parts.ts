/**
 * The parts that the walk is put together from, each with a memory of its own: who is next (order), who may use how much (gates), what is
 * known of run times (estimates), how room is made (preemption), and what is done once the queue has been gone through (steps).
 *
 * A state is plain data: numbers, strings, typed arrays, arrays, Maps and Sets of these, objects of these; `copy` shares nothing.
 * A part is told of everything through `Hooks`, in the order in which it happens, also within a pass.
 */
import type { Actions, PoolView } from "../../../engine/view.ts";
import type { PoolSettings } from "../../../model/policy.ts";
import type { Shape, Shapes } from "../../../scheduling/placement/shapes.ts";

export interface Part<S> {
  /** Takes over at `view.nowMs`: jobs may wait and run already (`view.waiting()`, `view.running()`); past usage comes from them alone. */
  create(view: PoolView, pool: PoolSettings): S;
  copy(state: S): S;
  readonly hooks?: Hooks<S>;
  /** Next time after now at which its answers change although nothing happens; `Infinity` = never. */
  wakeMs?(state: S, view: PoolView): number;
}

/** What happened to jobs of the pool. */
export interface Hooks<S> {
  /** It waits: submitted, released, requeued. */
  readonly queued?: (state: S, view: PoolView, jobIdx: number) => void;
  /** It waits no longer without having started: cancelled, refused, withdrawn. */
  readonly withdrawn?: (state: S, view: PoolView, jobIdx: number) => void;
  /** It was given devices: started, or grew. `view` shows it already. */
  readonly given?: (state: S, view: PoolView, jobIdx: number) => void;
  /** It gave devices back: ended, was evicted, shrank or lost members. `view` shows it already. */
  readonly released?: (state: S, view: PoolView, jobIdx: number) => void;
  /** Its tier changed. */
  readonly retiered?: (state: S, view: PoolView, jobIdx: number) => void;
}

/**
 * Order of waiting jobs. `begin` starts a walk, `next` gives one job after the other, each at most once a walk, −1 at the end. A job that
 * is started is taken out by the walk through `hooks.given`; keys that depend on who runs (shares) may move at once.
 * A walk costs O(log waiting) a job given, never a sort of all that wait.
 */
export interface OrderPart<S> extends Part<S> {
  begin(state: S, view: PoolView): void;
  next(state: S, view: PoolView): number;
  /** Whether one waiting job stands before another now. */
  isBefore(state: S, view: PoolView, jobIdx: number, otherIdx: number): boolean;
  /** The number shown as its priority; larger goes first. */
  priority(state: S, view: PoolView, jobIdx: number): number;
  /** Jobs that wait now. */
  length(state: S): number;
}

/** Whether a job may take devices as far as shares go. */
export interface GatePart<S> extends Part<S> {
  /** `WaitReasonCode.none` = it may; else why not. Asked right before a start, and again after each start of the pass. */
  verdict(state: S, view: PoolView, jobIdx: number): number;
  /** The ceiling behind the last reason, for the sentence. */
  explain?(
    state: S,
    view: PoolView,
    jobIdx: number,
  ): { whose: string; used: number; most: number; asked: number; unit: string } | null;
  /** Whether a job that it stops is to get a reservation all the same (false: it is passed over). */
  readonly reserves?: boolean;
}

/** What is known of run times. */
export interface EstimatePart<S> extends Part<S> {
  /** Expected length of the job's next run, ms from its start; `Infinity` = not known. */
  lengthMs(state: S, view: PoolView, jobIdx: number): number;
  /** Expected end of the run under way; not before now + 1; `Infinity` = not known. Services never end. */
  endMs(state: S, view: PoolView, jobIdx: number): number;
}

/** What making room came to. `now`: the job fits now. `later`: victims are ending, the walk keeps their room for it. */
export type RoomMade = "now" | "later" | "no";

export interface PreemptionPart<S> extends Part<S> {
  /**
   * The turn of a job that does not fit: chooses victims, stops or shrinks them (`act`), so that it fits on what they hold and what is free. On
   * `no`, `lastReason` may say why (`WaitReasonCode.protected`), else the walk goes on as without preemption.
   */
  makeRoom(
    state: S,
    view: PoolView,
    order: OrderView,
    shape: Shape,
    jobIdx: number,
    act: Actions,
  ): RoomMade;
  lastReason(state: S): number;
  /** Until when the room of the job is kept after `later`; past it another victim may be chosen. */
  keptUntilMs(state: S, jobIdx: number): number;
}

/** What preemption may know of the order. */
export interface OrderView {
  /** Negative: the first has the higher priority (may preempt the other as far as order goes). */
  compare(view: PoolView, jobIdx: number, otherIdx: number): number;
  /** How far the group of a job is above what it is due, GPUs; negative below. */
  overShare(view: PoolView, jobIdx: number): number;
}

/** Something done after each pass: growing elastic jobs, defragmentation, autoscaling, renting nodes. */
export interface StepPart<S> extends Part<S> {
  /** Whether this pool and world need it at all; not made otherwise. */
  applies(view: PoolView, pool: PoolSettings): boolean;
  /**
   * Before the queue is gone through, at the begin of each pass: what changes who waits or what is free in it. A job that it holds, admits or evicts
   * (`act`) leaves or joins the queue at once: the walk tells the parts (`withdrawn`, `queued`, `released`).
   */
  before?(state: S, view: PoolView, pool: PoolSettings, shapes: Shapes, act: Actions): void;
  run(state: S, view: PoolView, pool: PoolSettings, shapes: Shapes, act: Actions): void;
}
