/**
 * Reservations come and go: `scontrol create` and `delete`, the end of a window, the next day of a daily one. Creation fails as
 * Slurm's does: nodes of other reservations (but for `MAINT` and `OVERLAP`), nodes of jobs that last into the window (but for
 * `IGNORE_JOBS`), no nodes at all.
 */

import { listBits, share, takeOut } from "../../../base/bitSets.ts";
import type { Actions, PoolView } from "../../../engine/view.ts";
import type { Reservation } from "../../../model/slurm/reservation.ts";
import type { ReservationRow } from "../../../model/slurm/tables.ts";
import { pickNodes } from "../../../scheduling/reservations/pickNodes.ts";
import { moveOn, purgeAfterMs, touches } from "../../../scheduling/reservations/windows.ts";
import { settle } from "../life/jobs.ts";
import { checkFromMs } from "../life/limitChecks.ts";
import type { LiveReservation, SlurmJob, SlurmState } from "../state.ts";
import { has, reservationNamed } from "./reservations.ts";

/** Makes a reservation; null, or why Slurm refuses, in the words of scontrol. O(reservations + running jobs). */
export function createReservation(
  view: PoolView,
  state: SlurmState,
  config: Reservation,
): string | null {
  if (reservationNamed(state, config.name) !== undefined) return "Duplicate reservation name";
  const invalid = timeRefusal(view, config);
  if (invalid !== null) return invalid;
  const nodes = config.allNodes || config.nodes.length > 0 ? named(state, config) : null;
  const partNodes = config.flags.includes("PART_NODES") ? partitionNodes(state, config) : null;
  const given: Int32Array | null = nodes ?? (config.nodeCount > 0 ? null : partNodes);
  if (given !== null) {
    const refusal = overlapRefusal(state, config, given);
    if (refusal !== null) return refusal;
  }
  const chosen = given ?? chooseNodes(state, config);
  if (chosen === null) return "Requested nodes are busy";
  state.reservations.push({
    config,
    startMs: config.startMs,
    endMs: config.endMs,
    nodes: chosen,
    idleSinceMs: -1,
  });
  return null;
}

/** Deletes a reservation; null, or why not. Jobs that wait for it are held (`NO_HOLD_JOBS_AFTER`: set free). */
export function deleteReservation(
  view: PoolView,
  state: SlurmState,
  name: string,
  act: Actions,
): string | null {
  const reservation = reservationNamed(state, name);
  if (reservation === undefined) return "Requested reservation is invalid";
  if (hasRunning(state, name)) return "Requested reservation is in use";
  dissolve(view, state, reservation, act);
  return null;
}

/**
 * `scontrol update reservation`: new words for one that exists, whose nodes stay as far as they are not asked for anew. Null, or why
 * Slurm refuses; then it stays as it was. O(reservations + running jobs).
 */
export function changeReservation(
  view: PoolView,
  state: SlurmState,
  config: Reservation,
): string | null {
  const before = reservationNamed(state, config.name);
  if (before === undefined) return createReservation(view, state, config);
  state.reservations = state.reservations.filter((each) => each !== before);
  const byCount = config.nodes.length === 0 && !config.allNodes;
  const keeps = byCount && config.nodeCount === before.config.nodeCount;
  const refusal = keeps
    ? (timeRefusal(view, config) ?? overlapRefusal(state, config, before.nodes))
    : createReservation(view, state, config);
  if (refusal !== null) state.reservations.push(before);
  else if (keeps) {
    const { startMs, endMs } = config;
    state.reservations.push({ ...before, config, startMs, endMs });
  }
  return refusal;
}

/**
 * What is due by `view.nowMs`: jobs that outlast their reservation are stopped at the first check of limits after its end, windows
 * that come again move on, ended ones without jobs are cleared away. O(reservations × running jobs) where one has ended.
 */
export function reservationsDue(view: PoolView, state: SlurmState, act: Actions): void {
  if (state.reservations.length === 0) return;
  for (const reservation of [...state.reservations]) {
    if (reservation.endMs > view.nowMs) {
      if (liesIdle(view, state, reservation)) dissolve(view, state, reservation, act);
      continue;
    }
    stopLingering(state, reservation, act);
    const checked =
      view.nowMs >= checkFromMs(state.setup.controllerStartMs, reservation.endMs) ||
      !hasPending(state, reservation.config.name);
    if (!checked || hasRunning(state, reservation.config.name)) continue;
    if (moveOn(reservation, reservation.config.flags, view.nowMs)) continue;
    dissolve(view, state, reservation, act);
  }
}

/** `scontrol show reservation`. O(reservations × nodes). */
export function reservationRows(state: SlurmState): ReservationRow[] {
  const { setup } = state;
  return state.reservations.map((each) => ({
    name: each.config.name,
    startMs: each.startMs,
    endMs: each.endMs,
    nodes: Array.from(listBits(each.nodes), (node) => setup.nodes.engineNode[node]!),
    flags: each.config.flags,
  }));
}

/** At checks of time limits (`PURGE_COMP`): whether it has been without jobs for long enough. */
function liesIdle(view: PoolView, state: SlurmState, reservation: LiveReservation): boolean {
  const { startMs, config } = reservation;
  const afterMs = purgeAfterMs(config.flags);
  if (afterMs === Number.POSITIVE_INFINITY || startMs > view.nowMs) return false;
  if (checkFromMs(state.setup.controllerStartMs, view.nowMs) !== view.nowMs) return false;
  if (hasRunning(state, config.name) || hasPending(state, config.name))
    reservation.idleSinceMs = -1;
  else if (reservation.idleSinceMs < 0) reservation.idleSinceMs = view.nowMs;
  return reservation.idleSinceMs >= 0 && view.nowMs - reservation.idleSinceMs >= afterMs;
}

/** A limit that ends with the reservation, whatever the job's own; its plans keep the old end, as Slurm's do. */
function stopLingering(state: SlurmState, reservation: LiveReservation, act: Actions): void {
  if (has(reservation, "FLEX")) return;
  const { overTimeLimitMs } = state.setup.config.life;
  for (const job of state.running) {
    if (job.request.reservation !== reservation.config.name) continue;
    if (job.endMs <= reservation.endMs) continue;
    const over = Number.isFinite(overTimeLimitMs) ? overTimeLimitMs : 0;
    act.setLimit(job.jobIdx, Math.max(1, reservation.endMs - job.startMs - over));
  }
}

function dissolve(
  view: PoolView,
  state: SlurmState,
  reservation: LiveReservation,
  act: Actions,
): void {
  state.reservations = state.reservations.filter((each) => each !== reservation);
  const free = has(reservation, "NO_HOLD_JOBS_AFTER") || has(reservation, "NO_HOLD_JOBS_AFTER_END");
  for (const job of [...pendingIn(state, reservation.config.name)]) {
    const drawn = (view.jobs.slurm.get(job.jobIdx)?.reservation ?? "") === "";
    if (free || drawn) job.request = { ...job.request, reservation: "" };
    else {
      job.hold = "reservation";
      job.priority = 0;
    }
    settle(view, state, job, act);
  }
}

function* pendingIn(state: SlurmState, name: string): Generator<SlurmJob> {
  for (const job of state.jobs.values()) {
    if (job.startMs < 0 && job.request.reservation === name) yield job;
  }
}

function hasPending(state: SlurmState, name: string): boolean {
  return !pendingIn(state, name).next().done;
}

function hasRunning(state: SlurmState, name: string): boolean {
  return state.running.some((job) => job.request.reservation === name);
}

/** Nodes by name, or all of the cluster. */
function named(state: SlurmState, config: Reservation): Int32Array {
  const { setup } = state;
  const nodes = new Int32Array(setup.words);
  const add = (node: number) => {
    nodes[node >> 5] = nodes[node >> 5]! | (1 << (node & 31));
  };
  if (config.allNodes) for (let node = 0; node < setup.nodeCount; node++) add(node);
  for (const name of config.nodes) {
    const node = setup.nodes.indexOf.get(name);
    if (node !== undefined) add(node);
  }
  return nodes;
}

function partitionNodes(state: SlurmState, config: Reservation): Int32Array {
  const { setup } = state;
  const partition = setup.partitionOfName.get(config.partition) ?? setup.defaultPartition;
  return setup.partitions[partition]!.nodes.slice();
}

function timeRefusal(view: PoolView, config: Reservation): string | null {
  const ends = config.endMs > config.startMs && config.endMs > view.nowMs;
  return ends ? null : "Invalid time specified";
}

/** Jobs of the reservation itself are in nobody's way. */
function overlapRefusal(state: SlurmState, config: Reservation, nodes: Int32Array): string | null {
  const mayOverlap = config.flags.includes("MAINT") || config.flags.includes("OVERLAP");
  const reserved = state.reservations.some(
    (each) => touches(each, config.startMs, config.endMs) && share(each.nodes, nodes),
  );
  if (reserved && !mayOverlap) return "Requested nodes are reserved";
  if (config.flags.includes("IGNORE_JOBS")) return null;
  const held = state.running.some(
    (job) =>
      job.endMs > config.startMs &&
      !job.suspended &&
      job.request.reservation !== config.name &&
      share(job.nodes!, nodes),
  );
  return held ? "Requested nodes are busy" : null;
}

/** By number: not reserved before reserved with `OVERLAP`, with `MAINT` any. */
function chooseNodes(state: SlurmState, config: Reservation): Int32Array | null {
  const { setup } = state;
  const all = partitionNodes(state, config);
  const up = all.map((word, at) => word & state.upNodes[at]!);
  const without = (skipOverlap: boolean): Int32Array => {
    const left = up.slice();
    for (const each of state.reservations) {
      if (!touches(each, config.startMs, config.endMs)) continue;
      if (skipOverlap && has(each, "OVERLAP")) continue;
      takeOut(left, each.nodes);
    }
    return left;
  };
  const sets: Int32Array[] = [without(false), without(true)];
  if (config.flags.includes("MAINT")) sets.push(up, all);
  else if (config.flags.includes("OVERLAP")) sets.push(up);
  const holders = [...state.running]
    .filter((job) => job.endMs >= config.startMs)
    .sort((one, other) => one.jobIdx - other.jobIdx)
    .map((job) => job.nodes!);
  return pickNodes(sets, {
    count: Math.max(1, config.nodeCount),
    ignoreJobs: config.flags.includes("IGNORE_JOBS"),
    holders,
    switches: setup.nodes.switches,
  });
}
