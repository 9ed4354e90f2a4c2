/**
 * Whether a reservation of the last pass still is what a search would find, so that none need be made. Everything earlier was full; so its start holds
 * unless room has grown where a member of the job could use it from before, or at, that start. Growth is what runs gave back (`roomLog.ts`), and
 * reservations that stood before it in the last pass and have moved or gone. Where room shrank, the nodes that it has must still be enough. With first fit they
 * then are the first that do; another placement is asked again at the same time, once anything has changed. Jobs of several parts are always planned anew, for
 * with less room elsewhere a placement may find more for them. O(changes × steps of a node).
 */

import type { Cluster } from "../../../../model/cluster.ts";
import { NEVER_MS } from "../../../../model/units.ts";
import { firstWindow, needOn } from "../../../../scheduling/backfill/nodeWindows.ts";
import type { Profile } from "../../../../scheduling/backfill/profile.ts";
import { earliestFlat } from "../../../../scheduling/backfill/profile.ts";
import { type Steps, stepAt } from "../../../../scheduling/backfill/steps.ts";
import { takenBy } from "../../../../scheduling/placement/capacity.ts";
import type { Placing } from "../../../../scheduling/placement/placing.ts";
import type { Shape } from "../../../../scheduling/placement/shapes.ts";
import type { KeptJob } from "../state.ts";
import type { RoomLog } from "./roomLog.ts";

/** Reservations of the last pass, and which of them have come up again in this one. */
export class StillKept {
  #before: readonly KeptJob[] = [];
  #again: boolean[] = [];
  /** All before this place have come up again, or are counted as moved. */
  #upTo = 0;
  readonly #moved: KeptJob[] = [];
  /** Something is kept that was not in the last pass. */
  isNew = false;

  begin(before: readonly KeptJob[]): void {
    this.#before = before;
    // Setting a length costs a call, also where nothing changes.
    if (this.#again.length > 0) this.#again = [];
    this.#upTo = 0;
    if (this.#moved.length > 0) this.#moved.length = 0;
    this.isNew = false;
  }

  /** The place of what was kept for a job; −1: nothing. O(1) where the order is that of the last pass. */
  placeOf(jobIdx: number): number {
    const before = this.#before;
    for (let at = this.#upTo; at < before.length; at++)
      if (before[at]!.jobIdx === jobIdx) return at;
    for (let at = 0; at < this.#upTo; at++) if (before[at]!.jobIdx === jobIdx) return at;
    return -1;
  }

  at(place: number): KeptJob {
    return this.#before[place]!;
  }

  /** What is kept now at this place of the last pass, or with −1 for somebody new. */
  note(place: number, isSame: boolean): void {
    if (place >= 0 && isSame) this.#again[place] = true;
    else this.isNew = true;
  }

  /** What was kept for the job before is given up. */
  drop(jobIdx: number): void {
    const place = this.placeOf(jobIdx);
    if (place < 0 || this.#again[place] !== true) return;
    this.#again[place] = false;
    if (place < this.#upTo) this.#moved.push(this.#before[place]!);
  }

  /** Reservations before this place of the last pass that are not there any more. */
  movedBefore(place: number): readonly KeptJob[] {
    for (; this.#upTo < place; this.#upTo++)
      if (this.#again[this.#upTo] !== true) this.#moved.push(this.#before[this.#upTo]!);
    return this.#moved;
  }
}

export interface Question {
  readonly kept: KeptJob;
  readonly shape: Shape;
  readonly lengthMs: number;
  readonly nowMs: number;
  readonly log: RoomLog;
  /** Row of the log from which on it is of interest. */
  readonly from: number;
  readonly moved: readonly KeptJob[];
}

/** Whether anything has changed that ends after the start. O(rows). */
export function isTouched({ kept, log, from, moved }: Question): boolean {
  if (moved.length > 0) return true;
  for (let at = from - log.first; at < log.toMs.length; at++)
    if (log.toMs[at]! > kept.startMs) return true;
  return false;
}

/** Whether room has become less, by what began to run, on its nodes and in its time. O(rows × its nodes). */
export function mayHaveLost({ kept, log, from }: Question): boolean {
  for (let at = from - log.first; at < log.toMs.length; at++) {
    if (log.grew[at] || log.toMs[at]! <= kept.startMs) continue;
    const node = log.node[at]!;
    if (node < 0 || isOn(kept.placing, node)) return true;
  }
  return false;
}

function isOn({ node, length }: Placing, wanted: number): boolean {
  for (let row = 0; row < length; row++) if (node[row] === wanted) return true;
  return false;
}

/** What is free from each moment on: on a flat machine all of it, else node by node. */
export interface Room {
  readonly flat: Steps | null;
  on(node: number): Steps | undefined;
}

/** By a profile. */
export class RoomOfProfile implements Room {
  #profile!: Profile;

  of(profile: Profile): this {
    this.#profile = profile;
    return this;
  }

  get flat(): Steps | null {
    return this.#profile.ofNode.length === 0 ? this.#profile.total : null;
  }

  on(node: number): Steps | undefined {
    return this.#profile.ofNode[node];
  }
}

/**
 * From when on the job might start earlier, or at the same time elsewhere, because room has grown; `Infinity`: it might not. With more room than there is that is too
 * early, never too late. O(growth × steps).
 */
export function gainsFrom(asked: Question, room: Room, cluster: Cluster): number {
  const { log, from, moved, nowMs } = asked;
  const { flat } = room;
  if (flat !== null) return gainsFlat(asked, flat);
  let earliestMs = NEVER_MS;
  for (let at = from - log.first; at < log.toMs.length && earliestMs > nowMs; at++) {
    if (!log.grew[at]) continue;
    const atMs = opensAt(asked, room, cluster, log.node[at]!, nowMs, log.toMs[at]!);
    if (atMs < earliestMs) earliestMs = atMs;
  }
  for (const { placing, startMs, endMs } of moved) {
    for (let row = 0; row < placing.length && earliestMs > nowMs; row++) {
      const atMs = opensAt(asked, room, cluster, placing.node[row]!, startMs, endMs);
      if (atMs < earliestMs) earliestMs = atMs;
    }
  }
  return earliestMs;
}

/** The first start at which one member could use what grew on a node from one time to another. */
function opensAt(
  { kept, shape, lengthMs, nowMs }: Question,
  room: Room,
  cluster: Cluster,
  node: number,
  grewMs: number,
  toMs: number,
): number {
  const part = shape.parts[0]!;
  const steps = room.on(node);
  if (steps === undefined || toMs <= nowMs || part.groupFits[cluster.nodeGroup[node]!] === 0)
    return NEVER_MS;
  // A start before would end before anything grew.
  const fromMs = Math.max(nowMs, lengthMs === NEVER_MS ? nowMs : grewMs - lengthMs);
  const beforeMs = Math.min(kept.startMs + 1, toMs);
  if (fromMs >= beforeMs) return NEVER_MS;
  const need = needOn(part, node);
  const atMs = firstWindow(steps, need, lengthMs, fromMs, beforeMs, NEVER_MS);
  return atMs < beforeMs ? atMs : NEVER_MS;
}

function gainsFlat({ kept, shape, lengthMs, nowMs, log, from, moved }: Question, total: Steps) {
  let grew = moved.length > 0;
  for (let at = from - log.first; at < log.toMs.length && !grew; at++)
    grew = log.grew[at]! && log.toMs[at]! > nowMs;
  if (!grew) return NEVER_MS;
  const { startMs } = kept;
  const atMs = earliestFlat(total, shape.gpusWhole, lengthMs, nowMs, startMs, NEVER_MS);
  return atMs < startMs ? atMs : NEVER_MS;
}

/** Whether what is kept has room on its nodes in a profile from which it is not taken. O(its nodes × steps). */
export function hasRoom(
  { total, ofNode }: Profile,
  { parts, gpusWhole }: Shape,
  { placing, startMs, endMs }: KeptJob,
): boolean {
  if (ofNode.length === 0) return isFree(total, startMs, endMs, gpusWhole, 0, 0);
  for (let row = 0; row < placing.length; row++) {
    const { gpus, cpuMilli, memMiB } = takenBy(parts, placing, row);
    if (!isFree(ofNode[placing.node[row]!]!, startMs, endMs, gpus, cpuMilli, memMiB)) return false;
  }
  return true;
}

function isFree(
  steps: Steps,
  fromMs: number,
  toMs: number,
  gpus: number,
  cpuMilli: number,
  memMiB: number,
): boolean {
  const first = stepAt(steps, fromMs);
  for (let at = first; at < steps.length && (at === first || steps.times[at]! < toMs); at++) {
    if (steps.gpus[at]! < gpus) return false;
    if (steps.wide && (steps.cpuMilli[at]! < cpuMilli || steps.memMiB[at]! < memMiB)) return false;
  }
  return true;
}
