/**
 * Advance reservations as Slurm keeps them (scontrol(1), "Reservations"; reservations.html): who may use one, which nodes other jobs
 * must leave alone, and when a job could be looked at again. A job without a reservation may touch a window only at its edges: it
 * may end when the window starts, and start when it ends.
 *
 * Approximated: `REPLACE` and `REPLACE_DOWN` keep the nodes first chosen, `WEEKDAY` and `WEEKEND` are not modelled, `MAGNETIC`
 * draws jobs only while the reservation lasts. Nodes are reserved whole.
 */

import { isWithin, keepIn, share, takeOut } from "../../../base/bitSets.ts";
import { hasBit } from "../../../base/bits.ts";
import type { PoolView } from "../../../engine/view.ts";
import type { SlurmReason } from "../../../model/slurm/reasons.ts";
import {
  firstEndMs,
  nextEdgeMs,
  purgeAfterMs,
  touches,
} from "../../../scheduling/reservations/windows.ts";
import { nextCheckMs } from "../life/limitChecks.ts";
import type { LiveReservation, SlurmJob, SlurmState } from "../state.ts";

/**
 * `later`: its reservation has not begun. `maintenance`: all nodes it could use are reserved. `busy`: nodes it asks for by name are.
 * `invalid`: its reservation is over or unknown. `access`: it may not use it.
 */
export type ReservationAnswer = "ok" | "later" | "maintenance" | "busy" | "invalid" | "access";

export interface ReservationTest {
  readonly answer: ReservationAnswer;
  /** When the job could be looked at (again). */
  readonly whenMs: number;
  /** Some of its partition's nodes are reserved for others. */
  readonly overlaps: boolean;
}

const YEAR_MS = 365 * 86_400_000;
/** How often a job is moved behind reservations before Slurm gives up. */
const MOVES = 10;

/**
 * Narrows `nodes` to those that the job may use if it starts at `whenMs` and runs for its limit. With `moveTime` a job that has to
 * wait for whole reservations is moved behind them (backfill). O(reservations × words).
 */
export function testReservations(
  view: PoolView,
  state: SlurmState,
  job: SlurmJob,
  whenMs: number,
  moveTime: boolean,
  nodes: Int32Array,
): ReservationTest {
  if (job.request.reservation !== "") return testOwn(view, state, job, whenMs, nodes);
  if (state.reservations.length === 0) return { answer: "ok", whenMs, overlaps: false };
  let atMs = whenMs;
  for (let moves = 0; ; moves++) {
    const block = wholeBlock(state, job, atMs);
    if (block === null) break;
    if (!moveTime || moves >= MOVES) return { ...block, whenMs: atMs };
    atMs = block.whenMs;
  }
  let overlaps = false;
  for (const reservation of state.reservations) {
    if (!touches(reservation, atMs, atMs + durationMs(state, job))) continue;
    takeOut(nodes, reservation.nodes);
    overlaps ||= share(state.setup.partitions[job.partition]!.nodes, reservation.nodes);
  }
  return { answer: "ok", whenMs: atMs, overlaps };
}

/** A reservation that leaves the job nothing, or nodes it insists on; null without one. */
function wholeBlock(state: SlurmState, job: SlurmJob, atMs: number): ReservationTest | null {
  const partition = state.setup.partitions[job.partition]!;
  for (const reservation of state.reservations) {
    if (!touches(reservation, atMs, atMs + durationMs(state, job))) continue;
    const { config } = reservation;
    const whole =
      config.allNodes ||
      has(reservation, "ALL_NODES") ||
      (has(reservation, "PART_NODES") && config.partition === partition.config.name) ||
      (has(reservation, "MAINT") && isWithin(partition.nodes, reservation.nodes));
    if (whole) return { answer: "maintenance", whenMs: reservation.endMs, overlaps: true };
    const wanted = job.request.exclusive === "node" && namesOneOf(state, job, reservation);
    if (wanted) return { answer: "busy", whenMs: reservation.endMs, overlaps: true };
  }
  return null;
}

/** A job with a reservation of its own: its nodes, but for those that maintenance takes. */
function testOwn(
  view: PoolView,
  state: SlurmState,
  job: SlurmJob,
  whenMs: number,
  nodes: Int32Array,
): ReservationTest {
  const own = reservationNamed(state, job.request.reservation);
  if (own === undefined) return { answer: "invalid", whenMs, overlaps: false };
  if (!mayUse(view, state, job, own)) return { answer: "access", whenMs, overlaps: false };
  if (!has(own, "FLEX")) {
    if (whenMs < own.startMs) return { answer: "later", whenMs: own.startMs, overlaps: false };
    if (whenMs > own.endMs) return { answer: "invalid", whenMs: own.endMs, overlaps: false };
    if (!has(own, "ANY_NODES")) keepIn(nodes, own.nodes);
  }
  let overlaps = false;
  for (const other of state.reservations) {
    if (other === own || has(own, "MAINT")) continue;
    if (has(own, "OVERLAP") && !has(other, "MAINT")) continue;
    if (!touches(other, whenMs, whenMs + durationMs(state, job))) continue;
    if (!share(nodes, other.nodes)) continue;
    overlaps = true;
    takeOut(nodes, other.nodes);
  }
  return { answer: "ok", whenMs, overlaps };
}

/**
 * The reason that `squeue` shows for a job whose test did not end well. `everRunnable`: it could run on the nodes left to it if they
 * were idle. Null: reservations are not why it waits.
 */
export function reservationReason(
  test: ReservationTest,
  everRunnable: boolean,
): SlurmReason | null {
  switch (test.answer) {
    case "later":
    case "invalid":
    case "access":
      return "Reservation";
    case "maintenance":
      return "ReqNodeNotAvail, Reserved for maintenance";
    case "busy":
      return "Resources";
    case "ok":
      return test.overlaps && !everRunnable
        ? "ReqNodeNotAvail, May be reserved for other job"
        : null;
  }
}

/** Whether a job may be submitted to the reservation it names (`ESLURM_RESERVATION_ACCESS`, `…_INVALID`). True without one. */
export function admitsToReservation(view: PoolView, state: SlurmState, job: SlurmJob): boolean {
  if (job.request.reservation === "") return true;
  const own = reservationNamed(state, job.request.reservation);
  return own !== undefined && mayUse(view, state, job, own);
}

const NO_NAMES: readonly string[] = [];

/** Reservations that draw this job although it did not ask for one (`MAGNETIC`), while they last. O(reservations). */
export function magneticFor(view: PoolView, state: SlurmState, job: SlurmJob): readonly string[] {
  if (state.reservations.length === 0 || job.request.reservation !== "") return NO_NAMES;
  return state.reservations
    .filter(
      (each) =>
        has(each, "MAGNETIC") &&
        touches(each, view.nowMs, view.nowMs + 1) &&
        mayUse(view, state, job, each),
    )
    .map((each) => each.config.name);
}

/** Whether a job has a reservation of its own, or could be drawn into one: what it may use then depends on the time. O(reservations). */
export function usesReservation(state: SlurmState, job: SlurmJob): boolean {
  if (job.request.reservation !== "") return true;
  return state.reservations.some((each) => has(each, "MAGNETIC"));
}

/** Nodes that a job of a `FLEX` reservation takes before any other; null for other jobs. O(reservations). */
export function preferredNodes(state: SlurmState, job: SlurmJob): Int32Array | null {
  const own = reservationNamed(state, job.request.reservation);
  return own !== undefined && has(own, "FLEX") ? own.nodes : null;
}

/** When the set of reserved nodes changes next, or an ended reservation is cleared away; `Infinity` = never. O(reservations). */
export function nextReservationEdgeMs(state: SlurmState, nowMs: number): number {
  const edge = nextEdgeMs(state.reservations, nowMs);
  const checked = state.reservations.some(
    (each) =>
      each.endMs <= nowMs ||
      (each.startMs <= nowMs && purgeAfterMs(each.config.flags) < Number.POSITIVE_INFINITY),
  );
  return checked ? Math.min(edge, nextCheckMs(state.setup.controllerStartMs, nowMs)) : edge;
}

/** The first reservation to end at or after `fromMs`, to the resolution of backfill (`find_resv_end`); `Infinity` without one. */
export function nextReservationEndMs(
  state: SlurmState,
  fromMs: number,
  resolutionMs: number,
): number {
  return firstEndMs(state.reservations, fromMs, resolutionMs);
}

/** The reservation of a name; undefined where there is none. O(reservations). */
export function reservationNamed(state: SlurmState, name: string): LiveReservation | undefined {
  return name === "" ? undefined : state.reservations.find((each) => each.config.name === name);
}

/** Whether a reservation was made with a flag. */
export function has(reservation: LiveReservation, flag: string): boolean {
  return reservation.config.flags.includes(flag);
}

/** Users by name; accounts with all accounts below. A name after `-` is kept out. */
function mayUse(
  view: PoolView,
  state: SlurmState,
  job: SlurmJob,
  reservation: LiveReservation,
): boolean {
  const { users, accounts } = reservation.config;
  const user = view.jobs.users[job.user] ?? "";
  if (!listed(users, (name) => name === user)) return false;
  return listed(accounts, (name) => isUnder(state, job.assoc, name));
}

function listed(list: readonly string[], matches: (name: string) => boolean): boolean {
  if (list.length === 0) return true;
  const denied = list.filter((name) => name.startsWith("-"));
  if (denied.length > 0) return !denied.some((name) => matches(name.slice(1)));
  return list.some(matches);
}

function isUnder(state: SlurmState, assoc: number, account: string): boolean {
  const { tree } = state.setup;
  for (let entry = assoc; entry >= 0; entry = tree.parent[entry]!) {
    if (tree.account[entry] === account) return true;
  }
  return false;
}

/** How long Slurm reckons with a job; jobs that take turns need their share of time for each. */
function durationMs(state: SlurmState, job: SlurmJob): number {
  if (job.limitMs === Number.POSITIVE_INFINITY) return YEAR_MS;
  const { config, partitions } = state.setup;
  const turns = config.preemption.gang ? partitions[job.partition]!.config.overSubscribeMost : 1;
  return job.limitMs * Math.max(1, turns);
}

function namesOneOf(state: SlurmState, job: SlurmJob, reservation: LiveReservation): boolean {
  return job.request.nodelist.some((name) => {
    const node = state.setup.nodes.indexOf.get(name);
    return node !== undefined && hasBit(reservation.nodes, node);
  });
}
