/**
 * The parts that the walk is put together from, each with a memory of its own: who is next (order), who may use how much (gates), what is
 * known of run times (estimates), how room is made (preemption), and what is done once the queue has been gone through (steps).
 *
 * A state is plain data: numbers, strings, typed arrays, arrays, Maps and Sets of these, objects of these; `copy` shares nothing.
 * A part is told of everything through `Hooks`, in the order in which it happens, also within a pass.
 */
import type { Actions, PoolView } from "../../../engine/view.ts";
import type { ShareRow } from "../../../model/lab/shares.ts";
import type { PoolSettings } from "../../../model/policy.ts";
import type { Shape, Shapes } from "../../../scheduling/placement/shapes.ts";

export interface Part<S> {
  /**
   * Takes over at `view.nowMs`: jobs may wait and run already (`view.waiting()`, `view.running()`), and what was used before is in `view.past`. `before`: its
   * own memory under the settings until now, given up, where it was in use.
   */
  create(view: PoolView, pool: PoolSettings, before?: S): S;
  copy(state: S): S;
  readonly hooks?: Hooks<S>;
  /** Next time after now at which its answers change although nothing happens; `Infinity` = never. */
  wakeMs?(state: S, view: PoolView): number;
}

/** What happened to jobs of the pool. */
export interface Hooks<S> {
  /** It waits: submitted, released, requeued. */
  queued?(state: S, view: PoolView, jobIdx: number): void;
  /** It waits no longer without having started: cancelled, refused, withdrawn. */
  withdrawn?(state: S, view: PoolView, jobIdx: number): void;
  /** It was given devices: started, or grew. `view` shows it already. */
  given?(state: S, view: PoolView, jobIdx: number): void;
  /**
   * It gave devices back: ended, was evicted, shrank or lost members. `view` shows it already. May be told twice for one event (in the pass
   * that evicts, and with the news of the next): look at what the job holds now rather than count down.
   */
  released?(state: S, view: PoolView, jobIdx: number): void;
  /** It was told to end, or ended, for another job's sake: by preemption, or because what it held was taken back. */
  evicted?(state: S, view: PoolView, jobIdx: number): void;
  /** Its tier changed. */
  retiered?(state: S, view: PoolView, jobIdx: number): void;
}

/** What the walk still has use for: an order may leave out jobs that do not keep within it. It narrows while devices are taken. */
export interface Within {
  /** Wholly free devices that a job may need at most. */
  needMost: number;
  /** Jobs that need more than this must have a time limit of at most `limitMostMs`. */
  longNeedMost: number;
  limitMostMs: number;
}

/**
 * Order of waiting jobs. `begin` starts a walk, `next` gives one job after the other, each at most once a walk, −1 at the end. A job that
 * is started is taken out by the walk through `hooks.given`; keys that depend on who runs (shares) may move at once.
 * A walk costs O(log waiting) a job given, never a sort of all that wait.
 */
export interface OrderPart<S> extends Part<S> {
  begin(state: S, view: PoolView): void;
  /** Right after `begin`: the job that stands first of all that wait; −1 = none. For orders that are not `fixed`. */
  first?(state: S, view: PoolView): number;
  /** Right after `begin`: who stands next to the first. Only of orders in which a start moves none of the others. */
  second?(state: S, view: PoolView): number;
  /** `within` may be passed over: it only spares work. */
  next(state: S, view: PoolView, within: Within): number;
  /** True: two waiting jobs change places only by hooks (queued again, retiered), never by time or by what others use. */
  readonly fixed?: boolean;
  /** Whether one waiting job stands before another now. */
  isBefore(state: S, view: PoolView, jobIdx: number, otherIdx: number): boolean;
  /** The number shown as its priority; larger goes first. */
  priority(state: S, view: PoolView, jobIdx: number): number;
  /** Jobs that wait now. */
  length(state: S): number;
}

/**
 * By what a gate holds jobs, so that they are not asked about before it has room for them. A ceiling is named by an integer below 2^50. Amounts:
 * thousandths of a device for `devices`, those × ms for `time`, and for `jobs` the number that may start.
 */
export interface Parking<S> {
  /** The ceiling that holds a job that the last verdict held; null = none that could be named: it is asked about in every pass. */
  heldBy(state: S, view: PoolView, jobIdx: number): number | null;
  measure(state: S, ceiling: number): "devices" | "jobs" | "time";
  /** What the job would take of it; `Infinity` for `jobs`. Does not change while it waits. */
  asks(state: S, view: PoolView, ceiling: number, jobIdx: number): number;
  /** What it leaves now: a job that asks for more is held. */
  room(state: S, view: PoolView, ceiling: number): number;
  /** Ceilings that may have more room since this job holds less, or changed its tier. Absent: any may, at any time. */
  touchedBy?(state: S, view: PoolView, jobIdx: number): Iterable<number>;
  /** Rooms move also by what others ask for. Absent: no. */
  moves?(state: S): boolean;
  /** Jobs let pass whatever the room. */
  letsIn?(state: S): Iterable<number>;
  /** The least that somebody parked asks of a ceiling of time, after a pass. */
  waitsFor?(state: S, ceiling: number, least: number): void;
}

/** Whether a job may take devices as far as shares go. */
export interface GatePart<S> extends Part<S> {
  /** Whether this pool and world need it at all; not made otherwise. May cost O(jobs): asked once. */
  applies(view: PoolView, pool: PoolSettings): boolean;
  /**
   * At the begin of each pass, before the queue is gone through: what follows from time alone (an auction clears, a burst is over). Evictions
   * reach all parts through the hooks, as everywhere.
   */
  begin?(state: S, view: PoolView, act: Actions): void;
  /** `WaitReasonCode.none` = it may; else why not. Asked right before a start, and again after each start of the pass. */
  verdict(state: S, view: PoolView, jobIdx: number): number;
  /** Absent: each job that it holds is asked about in every pass. */
  readonly parking?: Parking<S>;
  /** The ceiling behind the last reason, for the sentence. */
  explain?(
    state: S,
    view: PoolView,
    jobIdx: number,
  ): {
    whose: string;
    used: number;
    most: number;
    asked: number;
    unit: string;
    /** See `WhyNumbers.share`. */
    ever?: number;
  } | null;
  /** Whether a job that it stops is to get a reservation all the same (false: it is passed over). */
  readonly reserves?: boolean;
  /** Devices that a job which holds some may take beyond them: growth asks for it. `Infinity` = no ceiling. */
  headroom?(state: S, view: PoolView, jobIdx: number): number;
  /**
   * The turn of a job that all gates let pass and that does not fit: takes back what others hold of its share (`act.evict`), so that it fits. Asked
   * before preemption, gate by gate, until one says `now`.
   */
  makeRoom?(
    state: S,
    view: PoolView,
    shape: Shape,
    jobIdx: number,
    act: Actions,
    chance: Chance,
  ): RoomMade;
  /** After `later`: until when the room is kept, and when it is there at the latest. */
  keptUntilMs?(state: S): number;
  readyMs?(state: S): number;
  /** After `no`: why, or none. */
  lastReason?(state: S): number;
  /**
   * The job would start on what others are entitled to, and they could take it back at once: it has its turn after everybody else in the pass.
   * Asked for a job that the gate lets pass.
   */
  defers?(state: S, view: PoolView, jobIdx: number): boolean;
  /** Whether `makeRoom` could help anybody who waits now, asked often: O(1) while nothing changes hands. `but`: a job left out of that. Belongs to `makeRoom`. */
  mayMakeRoom?(state: S, view: PoolView, but?: number): boolean;
  /** Whether `makeRoom` might help the job: false only where it surely says `no`, without a reason. Absent: it might. */
  couldMakeRoom?(state: S, view: PoolView, jobIdx: number): boolean;
  /** `StartReasonCode` of a job that starts now thanks to this part (borrowed, won); −1 = as the walk says. Asked before the start. */
  startReason?(state: S, view: PoolView, jobIdx: number): number;
  /** At the end of each pass: gauges. */
  end?(state: S, view: PoolView, act: Actions): void;
  /** What it knows of who holds and owes how much, for the page; NaN where it knows nothing. */
  shares?(state: S, view: PoolView): readonly ShareRow[];
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
  /** Whether this pool and world need it at all; not made otherwise. */
  applies(view: PoolView, pool: PoolSettings): boolean;
  /**
   * The turn of a job that does not fit: chooses victims, stops or shrinks them (`act`), so that it fits on what they hold and what is free. On
   * `no`, `lastReason` may say why (`WaitReasonCode.protected`), else the walk goes on as without preemption. `chance` answers whether it could
   * start without some of what runs, beside all that the walk keeps for others.
   */
  makeRoom(
    state: S,
    view: PoolView,
    order: OrderView,
    shape: Shape,
    jobIdx: number,
    act: Actions,
    chance: Chance,
  ): RoomMade;
  /** A pass goes through the whole queue from here on. */
  begin(state: S): void;
  /**
   * Whether every search since `begin` failed in such a way that it fails again as long as nothing but arrivals and starts happens. Not told of pools in which jobs share devices.
   */
  failsAgain(state: S): boolean;
  /** Whether `makeRoom` might help the job: false only where it surely says `no`, without a reason, and goes on doing so. Stops nobody. */
  couldMakeRoom(state: S, view: PoolView, shape: Shape, jobIdx: number, chance: Chance): boolean;
  /**
   * Jobs of one shape and one group have the same chance: after a `no` for one, those behind it in the queue are not asked again in the
   * pass. −1: the job can preempt nobody at all. Absent: the tier.
   */
  group?(state: S, view: PoolView, jobIdx: number): number;
  /** Waiting jobs that could preempt somebody now, less those of each tier that the pass has looked at: 0 = nobody is worth asking. O(tiers). */
  hopeful(state: S, view: PoolView, looked: readonly number[]): number;
  lastReason(state: S): number;
  /** Whether the victims of a job for which room was to come have all gone, or are given up. False for a job that has none. */
  isOver(state: S, view: PoolView, jobIdx: number): boolean;
  /** Until when the room of the job is kept after `later`; past it another victim may be chosen. */
  keptUntilMs(state: S, jobIdx: number): number;
  /** After `later`: when the room is there at the latest; `Infinity` = not known. */
  readyMs(state: S, jobIdx: number): number;
}

/** Trying without some of what runs, for the job whose turn it is. Begins with everything as it is; nothing is carried out. */
export interface Chance {
  /** As if this run had ended. */
  without(jobIdx: number): void;
  /** As if it had not, after all. */
  with(jobIdx: number): void;
  /** Could the job start now? O(a placement). */
  fits(): boolean;
  /** Whether counting the members that fit on nodes gives the same answer as `fits`, though no place. The same as long as nothing is carried out. */
  readonly countSays: boolean;
  /** After a `fits` that was true: nodes (indexes) that the job would use. */
  nodes(): readonly number[];
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
  /** Whether this pool and world need it at all; not made otherwise. May cost O(jobs): asked once. */
  applies(view: PoolView, pool: PoolSettings): boolean;
  /**
   * Before the queue is gone through, at the begin of each pass: what changes who waits or what is free in it. A job that it holds, admits or evicts
   * (`act`) leaves or joins the queue at once: the walk tells the parts (`withdrawn`, `queued`, `released`).
   */
  before?(
    state: S,
    view: PoolView,
    pool: PoolSettings,
    shapes: Shapes,
    act: Actions,
    isBefore: IsBefore,
    /** Whether the gates let a waiting job start, as they stand before the pass. */
    mayStart: (jobIdx: number) => boolean,
  ): void;
  /** `StartReasonCode` of a job that starts now thanks to this step; −1 = as the walk says. Asked before the start. */
  startReason?(state: S, view: PoolView, jobIdx: number): number;
  /** After it. `headroom`: devices that a job may take beyond what it holds, as far as gates go. */
  run?(
    state: S,
    view: PoolView,
    pool: PoolSettings,
    shapes: Shapes,
    act: Actions,
    headroom: (jobIdx: number) => number,
    isBefore: IsBefore,
    /** Nodes on which room is being made for a job. */
    awaited: () => ReadonlySet<number>,
    /** Whether the gates let a waiting job start, as they stand after the pass. */
    mayStart: (jobIdx: number) => boolean,
  ): void;
}

/** Whether one job, waiting or running, stands before another in the order of the walk. */
export type IsBefore = (jobIdx: number, otherIdx: number) => boolean;

/** A stretch of time in which some nodes take no work, or only some jobs'. */
export interface Closure {
  readonly nodes: readonly number[];
  readonly fromMs: number;
  readonly toMs: number;
  /** Nobody may use the nodes: no need to ask job by job. */
  readonly forNobody: boolean;
}

/**
 * What is known of nodes that will be, or are, kept free (windows, maintenance): no job that is not admitted starts on one of the nodes
 * when its time limit reaches into the stretch, and no reservation lies in it.
 */
export interface ClosurePart<S> extends Part<S> {
  applies(view: PoolView, pool: PoolSettings): boolean;
  /** As of a step: what runs where it must not is stopped, nodes are picked. */
  before?(state: S, view: PoolView, pool: PoolSettings, shapes: Shapes, act: Actions): void;
  /** Stretches known now that are not over; `wakeMs` is the next time at which this changes (announced, begun, over). */
  known(state: S, view: PoolView): readonly Closure[];
  /** Whether the job may use the nodes in it. Not asked where `forNobody` is set. */
  admits(state: S, view: PoolView, closure: Closure, jobIdx: number): boolean;
}
