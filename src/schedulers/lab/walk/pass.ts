/**
 * One pass of the walk: once through the queue. A job starts if all gates let it and it fits beside what is kept for others. At one that
 * does not fit: strict order stops; else it is passed over, and up to so many of those passed over get a reservation. With preemption, room
 * is made for it first. A job that a gate holds stops the pass in strict order, and otherwise is passed over without a reservation.
 *
 * Nothing is planned or looked at that cannot change the outcome: once no more reservations may be made and nobody may preempt, jobs that
 * need more than what is free are left out by the order itself; a shape that found no place is not tried again.
 */
import type { PoolView } from "../../../engine/view.ts";
import { StartReasonCode, WaitReasonCode } from "../../../model/reasons.ts";
import { NEVER_MS } from "../../../model/units.ts";
import type { Shape, Shapes } from "../../../scheduling/placement/shapes.ts";
import { shortReason } from "../fits.ts";
import { giveFlat, giveOn } from "../starts.ts";
import { startCut, waitsForCut } from "./cutTurns.ts";
import { GATES } from "./gates/gates.ts";
import { Keep, place } from "./keep/keep.ts";
import { isLoose, LooseTurns } from "./looseTurns.ts";
import type { WalkOrder } from "./orders.ts";
import { park, tellLeast, unpark } from "./parked.ts";
import type { Within } from "./parts.ts";
import { PREEMPTIONS } from "./preemption/preemption.ts";
import { RoomMaker } from "./roomMaker.ts";
import type { WalkState } from "./state.ts";
import { STEPS } from "./steps/steps.ts";
import { noteTold, say, tellOthers } from "./tellWaiting.ts";
import type { ToldActions } from "./told.ts";
import { Turns } from "./turns.ts";

export const keep = new Keep();
const maker = new RoomMaker();
const loose = new LooseTurns();
const turns = new Turns();

/** What a pass works with. */
export interface Desk {
  readonly view: PoolView;
  readonly state: WalkState;
  readonly shapes: Shapes;
  readonly act: ToldActions;
  readonly order: WalkOrder;
  /** Jobs that have begun to wait since the last pass. */
  readonly newcomers: ReadonlySet<number>;
  /** The job at which the last pass stopped first. */
  readonly headBefore: number;
  /** The order's walk has begun, and nothing has changed since. */
  begun: boolean;
  /** Estimated ends of runs have moved. */
  corrected: boolean;
  /** The pass only gives away what the last one freed in vain (`WalkState.inVain`): nobody is stopped, or two would change places for ever. */
  calm: boolean;
  /** The only newcomer stands before the first job that waits, and starts without touching what is kept for it. */
  ahead: boolean;
}

/** What came of the pass so far. */
export interface Progress {
  /** A job that did not fit, or that a gate held, has been passed over. */
  passed: boolean;
  /** Reservations made, nominations left aside. */
  reserved: number;
  head: number;
  looked: number;
  /** Newcomers that were told why they wait. */
  readonly told: Set<number>;
  /** Jobs that could start on what others are entitled to; null once everybody else has had a turn. */
  deferred: number[] | null;
}

/** Newcomers that were told in this pass why they wait; on the first pass everybody. */
const told = new Set<number>();

/** Goes through the queue. O(jobs given by the order × log waiting + placements + reservations × what the profile costs). */
export function goThrough(desk: Desk): void {
  const { view, state, shapes, act, order } = desk;
  const isShort = state.rules.testDepth === NEVER_MS && !state.fresh;
  if (isShort && state.waiting.size === 0 && state.cuts.jobs.size === 0) {
    nobodyWaits(desk);
    return;
  }
  const progress: Progress = {
    passed: false,
    reserved: 0,
    head: -1,
    looked: 0,
    told,
    deferred: [],
  };
  // Emptying makes a new table, also where nothing is in it.
  if (told.size > 0) told.clear();
  const within: Within = { needMost: NEVER_MS, longNeedMost: NEVER_MS, limitMostMs: NEVER_MS };
  const verdict = (jobIdx: number): number => verdictOf(desk, jobIdx);
  startCut(desk, verdict);
  keep.begin(view, state, shapes);
  maker.begin(desk, keep);
  for (const { part, state: own } of state.preemption) PREEMPTIONS[part]!.begin(own);
  loose.begin(desk, keep, verdict);
  if (state.nominated.length > 0)
    for (const { jobIdx } of [...state.nominated]) nomineeStarts(desk, progress, jobIdx);
  act.forgetRequeued();
  turns.begin(desk, order, maker.mayHelp);
  if (isShort && isOneAlone(state, order))
    turnOf(desk, progress, state.waiting.keys().next().value!);
  else takeTurns(desk, progress, within);
  loose.finishRounds();
  if (state.rules.strict || state.rules.testDepth !== NEVER_MS)
    loose.completeBehind(progress.head, (jobs) => inOrder(desk, jobs));
  takeDeferred(desk, progress);
  keep.one.settle();
  state.headJobIdx = progress.head;
  tellLeast(state);
  tellOthers(desk, progress);
}

function takeTurns(desk: Desk, progress: Progress, within: Within): void {
  const { view, state, act, order } = desk;
  if (!desk.begun) order.begin(state.order, view);
  while (progress.looked < state.rules.testDepth) {
    narrow(desk, progress, within);
    const jobIdx = turns.next(within, progress.head >= 0);
    if (jobIdx < 0) break;
    if (act.isRequeued(jobIdx)) continue;
    progress.looked++;
    if (!turnOf(desk, progress, jobIdx)) break;
  }
}

/** Whether a single job waits, so that its turn needs no order. Those of a moving order are told that a walk begins. */
function isOneAlone({ waiting, parked, rules }: WalkState, { fixed }: WalkOrder): boolean {
  return fixed === true && waiting.size === 1 && parked.placeOf.size === 0 && !rules.loose;
}

/** What is left to do then: nothing is kept any more. O(ceilings). */
function nobodyWaits({ view, state, order, begun }: Desk): void {
  // An order that moves may do so only as a walk begins.
  if (order.fixed !== true && !begun) order.begin(state.order, view);
  if (state.kept.length > 0) state.kept = [];
  state.one.jobIdx = -1;
  state.stale = false;
  state.headJobIdx = -1;
  for (const { part, state: own } of state.preemption) PREEMPTIONS[part]!.begin(own);
  tellLeast(state);
}

/** The turn of those who were put last. */
function takeDeferred(desk: Desk, progress: Progress): void {
  const { deferred } = progress;
  progress.deferred = null;
  for (const jobIdx of deferred ?? [])
    if (desk.state.waiting.has(jobIdx)) turnOf(desk, progress, jobIdx);
}

/** Whether the job would start on what others may take back at once. */
export function isDeferred({ view, state }: Desk, jobIdx: number): boolean {
  return state.gates.some(
    ({ part, state: own }) => GATES[part]!.defers?.(own, view, jobIdx) === true,
  );
}

/**
 * After arrivals alone, while nothing that is kept has changed: only the newcomers are tested, in order. The others have failed, and since then room has
 * only become less. Where more reservations may be made they are the newcomers'. O(newcomers × a placement).
 */
export function testNewcomers(desk: Desk): void {
  const { view, state, shapes, newcomers } = desk;
  const { order } = desk;
  const progress: Progress = {
    passed: !desk.ahead,
    reserved: state.kept.length,
    head: state.headJobIdx,
    looked: 0,
    told,
    deferred: null,
  };
  keep.resume(view, state, shapes);
  maker.begin(desk, keep);
  if (!desk.ahead && (order.fixed !== true || progress.reserved < state.rules.reservations))
    tellHead(desk, progress);
  const left = newcomers.size === 1 ? [...newcomers] : inOrder(desk, newcomers);
  for (let at = 0; at < left.length; at++) {
    const jobIdx = left[at]!;
    const verdict = state.rules.strict ? WaitReasonCode.priority : verdictOf(desk, jobIdx);
    if (verdict === WaitReasonCode.none && keep.canStart(jobIdx)) {
      start(desk, progress, jobIdx, -1);
      if (order.fixed !== true)
        left.splice(at + 1, left.length, ...inOrder(desk, left.slice(at + 1)));
      continue;
    }
    if (verdict === WaitReasonCode.none && keepRoom(desk, progress, jobIdx)) {
      start(desk, progress, jobIdx, -1);
      continue;
    }
    desk.act.wait(jobIdx, verdict === WaitReasonCode.none ? keep.reason : verdict);
    // Later passes do not ask about it: its ceiling must know that it waits.
    if (verdict !== WaitReasonCode.none && !state.rules.strict)
      park(state, view, shapes, order, gateAsked, jobIdx, verdict);
  }
  if (desk.ahead) tellHead(desk, progress);
  tellLeast(state);
}

/** Whether a newcomer, that does not fit as it is, might have others stopped for it. O(a placement + a search). */
export function newcomerMakesRoom(desk: Desk, jobIdx: number): boolean {
  const { view, state, shapes } = desk;
  keep.resume(view, state, shapes);
  maker.begin(desk, keep);
  if (keep.canStart(jobIdx)) return false;
  return maker.couldMakeRoom(jobIdx, shapes.list[shapes.shapeOfJob[jobIdx]!]!);
}

/** Others have started since the head was told why it waits. What a gate told it stays. */
function tellHead({ view, state, shapes, act }: Desk, { head }: Progress): void {
  if (state.parked.placeOf.has(head)) return;
  if (view.waitReason(head) === WaitReasonCode.booting) return;
  act.wait(head, shortReason(view, shapes.list[shapes.shapeOfJob[head]!]!, null));
}

function inOrder({ view, state, order }: Desk, jobs: Iterable<number>): number[] {
  return [...jobs].sort((one, other) => (order.isBefore(state.order, view, one, other) ? -1 : 1));
}

/**
 * Whether what is kept might be kept on other nodes after a start beside it. First fit takes the first nodes with room: those chosen stay the first,
 * since the start took room only from others. All other rules look at how much is free.
 */
function mayChooseAnew({ state, shapes }: Desk): boolean {
  if (keep.flat || state.kept.length === 0) return false;
  if (state.rules.placement !== "firstFit") return true;
  return state.kept.some(({ jobIdx }) => shapes.list[shapes.shapeOfJob[jobIdx]!]!.parts.length > 1);
}

/** Leaves out what cannot start, where nothing but a start could come of a job's turn. */
function narrow({ view, state, shapes }: Desk, progress: Progress, within: Within): void {
  const { rules } = state;
  if (progress.reserved < rules.reservations || !progress.passed || state.fresh) return;
  if (rules.testDepth !== NEVER_MS || maker.mayHelp) return;
  const free = view.gpusFreeTotal;
  within.needMost = free > 0 || shapes.zeroNeeds ? free : -1;
  // A member may need less than its job.
  if (rules.loose) {
    if (free > 0) within.needMost = NEVER_MS;
    return;
  }
  // Gates say of each job that they hold why it waits.
  if (state.gates.length === 0) within.needMost = Math.min(within.needMost, keep.hopelessFrom - 1);
  // Who reaches into a window is told so.
  if (!keep.one.bounds || keep.closed.any || !limitsKnown(state)) return;
  within.longNeedMost = keep.one.left > 0 || shapes.zeroNeeds ? keep.one.left : -1;
  within.limitMostMs = Math.min(keep.one.startMs - view.nowMs, Number.MAX_VALUE);
}

/** Whether jobs are expected to run to their limits, so that a limit says who ends in time. */
function limitsKnown({ pool }: WalkState): boolean {
  return (pool.settings["runTimes"] ?? "limit") === "limit";
}

/** One job's turn. False: the pass is over. */
function turnOf(desk: Desk, progress: Progress, jobIdx: number): boolean {
  const { view, state, shapes, act } = desk;
  const { rules } = state;
  if (keep.isNominated(jobIdx)) return nomineesTurn(desk, progress, jobIdx);
  const held = verdictOf(desk, jobIdx);
  if (held !== WaitReasonCode.none) {
    say(desk, progress, jobIdx, held);
    if (turns.parks) park(state, view, shapes, desk.order, gateAsked, jobIdx, held);
    return passOver(progress, rules.strict, jobIdx);
  }
  if (state.parked.placeOf.size > 0) unpark(state, view, desk.order, jobIdx);
  const shape = shapes.list[shapes.shapeOfJob[jobIdx]!]!;
  if (isLoose(state, view, shape, jobIdx)) {
    const reason = loose.turn(jobIdx);
    noteTold(desk, progress, jobIdx);
    if (reason !== WaitReasonCode.none) act.wait(jobIdx, reason);
    return true;
  }
  loose.finishRounds();
  if (state.cuts.jobs.has(jobIdx)) {
    say(desk, progress, jobIdx, WaitReasonCode.cutting);
    return true;
  }
  if (keep.canStart(jobIdx)) {
    if (progress.deferred !== null && isDeferred(desk, jobIdx)) progress.deferred.push(jobIdx);
    else start(desk, progress, jobIdx, -1);
    return true;
  }
  const made = maker.makeRoom(jobIdx, shape);
  if (made === "now") {
    start(desk, progress, jobIdx, StartReasonCode.preempting);
    return true;
  }
  if (made === "later") {
    say(desk, progress, jobIdx, WaitReasonCode.victims);
    progress.passed = true;
    return !rules.strict;
  }
  const first = progress.head < 0;
  if (keepRoom(desk, progress, jobIdx)) {
    start(desk, progress, jobIdx, -1);
    return true;
  }
  tell(desk, progress, jobIdx, shape, first);
  return passOver(progress, rules.strict, jobIdx);
}

/** Reserves for a job that does not fit, if another one may be made. True: it fits after all. */
function keepRoom({ view, state, act }: Desk, progress: Progress, jobIdx: number): boolean {
  if (progress.reserved >= state.rules.reservations) return false;
  const startMs = keep.reserve(jobIdx);
  if (startMs <= view.nowMs) return true;
  if (state.kept.at(-1)?.jobIdx === jobIdx) progress.reserved++;
  if (startMs !== NEVER_MS) act.plan(jobIdx, startMs);
  return false;
}

function passOver(progress: Progress, strict: boolean, jobIdx: number): boolean {
  progress.passed = true;
  if (progress.head < 0) progress.head = jobIdx;
  return !strict;
}

/**
 * Victims end for it: it starts as soon as its room is there, before the queue is gone through, for the room is its own whatever the order. Where all of them
 * have gone and it does not fit after all, it is a job like others again.
 */
function nomineeStarts(desk: Desk, progress: Progress, jobIdx: number): void {
  const { view, state } = desk;
  keep.drop(jobIdx);
  if (keep.canStart(jobIdx)) {
    start(desk, progress, jobIdx, StartReasonCode.preempting);
    return;
  }
  const isOver = state.preemption.some(({ part, state: own }) =>
    PREEMPTIONS[part]!.isOver(own, view, jobIdx),
  );
  if (isOver) state.nominated = state.nominated.filter((job) => job.jobIdx !== jobIdx);
  else keep.renew(jobIdx);
}

/** The turn of a job whose room is not there yet. */
function nomineesTurn(desk: Desk, progress: Progress, jobIdx: number): boolean {
  say(desk, progress, jobIdx, WaitReasonCode.victims);
  return passOver(progress, desk.state.rules.strict, jobIdx);
}

/** Place of the gate that the last verdict came from. */
let gateAsked = 0;

/** Why the gates hold a job now; 0 = they let it start. */
export function verdictOf({ view, state }: Desk, jobIdx: number): number {
  for (gateAsked = 0; gateAsked < state.gates.length; gateAsked++) {
    const { part, state: own } = state.gates[gateAsked]!;
    const verdict = GATES[part]!.verdict(own, view, jobIdx);
    if (verdict !== WaitReasonCode.none) return verdict;
  }
  return WaitReasonCode.none;
}

function start(desk: Desk, progress: Progress, jobIdx: number, reason: number): void {
  const { view, state, shapes, act } = desk;
  const shape = shapes.list[shapes.shapeOfJob[jobIdx]!]!;
  let why = reason;
  for (const { part, state: own } of state.gates) {
    if (why >= 0) break;
    why = GATES[part]!.startReason?.(own, view, jobIdx) ?? -1;
  }
  for (const { part, state: own } of state.steps) {
    if (why >= 0) break;
    why = STEPS[part]!.startReason?.(own, view, jobIdx) ?? -1;
  }
  if (why < 0) why = reasonByPlace(state, progress);
  if (!keep.flat && waitsForCut(desk, jobIdx, shape, place, why)) {
    noteTold(desk, progress, jobIdx);
    keep.roomGrew();
    return;
  }
  state.stale ||= mayChooseAnew(desk);
  keep.takes(jobIdx, shape);
  if (keep.flat) giveFlat(view, act, shape, jobIdx, why);
  else giveOn(view, act, shape, jobIdx, place, why);
  keep.took();
}

function reasonByPlace(state: WalkState, progress: Progress): number {
  if (!progress.passed) return StartReasonCode.inOrder;
  return state.rules.reservations > 0 ? StartReasonCode.backfilled : StartReasonCode.skipped;
}

/** Why the job waits: the first of all in full, others only that it is not their turn, or what keeps them from a start. */
function tell(desk: Desk, progress: Progress, jobIdx: number, shape: Shape, first: boolean): void {
  // Until the nodes that were rented for it are there, or gone; the step that rented them takes it back.
  if (desk.view.waitReason(jobIdx) === WaitReasonCode.booting) {
    noteTold(desk, progress, jobIdx);
    return;
  }
  const said = maker.reason !== WaitReasonCode.none ? maker.reason : keep.reason;
  if (said !== WaitReasonCode.priority) say(desk, progress, jobIdx, said);
  else if (first) say(desk, progress, jobIdx, shortReason(desk.view, shape, null));
  else if (desk.state.fresh || desk.newcomers.has(jobIdx) || jobIdx === desk.headBefore)
    say(desk, progress, jobIdx, WaitReasonCode.priority);
}
