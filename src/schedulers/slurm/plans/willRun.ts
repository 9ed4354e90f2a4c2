/**
 * When and where a job could start if only the jobs that run now stood in its way (`_will_run_test` of select/cons_tres): now; now at
 * the cost of its victims; or after running jobs have ended by their time limits. Those are taken away in groups of jobs that
 * end close together, the first 30 s wide and each next one twice as wide, and the job starts at the end of the last of its group.
 */

import { assert } from "../../../base/assert.ts";
import { countBoth, share } from "../../../base/bitSets.ts";
import { popCount } from "../../../base/bits.ts";
import type { PoolView } from "../../../engine/view.ts";
import { NEVER_MS } from "../../../model/units.ts";
import { giveRun } from "../life/runs.ts";
import { optionsOf, place } from "../passes/attempt.ts";
import { plainPlace } from "../passes/plainPlace.ts";
import { selectFor } from "../passes/selectFor.ts";
import { mayPreemptAny, preemptables } from "../preemption/preempt.ts";
import { fitsWithoutVictims, scratchOf, stopsForGood } from "../preemption/preemptSelect.ts";
import { changeCpus, type Resources } from "../select/resources.ts";
import type { QueueEntry, SlurmJob, SlurmState } from "../state.ts";
import { EndGroups } from "./endGroups.ts";
import { countReady, forgetReady, isCertain, isCountable, readyRuns } from "./readyRuns.ts";

/** The last start found. */
export const found = {
  /**
   * Its place is `chosen` already; or it is still to be chosen: among the open `processors`, or on what is free once the first `ended` `runs` are
   * over. Most starts found are not kept, and their places never looked for.
   */
  place: "chosen" as "chosen" | "processors" | "runs",
  open: new Int32Array(0),
  ended: 0,
  /** Nodes needed; free now, and after each run up to the one with which they are enough. Empty (`reach` −1) where nothing was counted. */
  need: 0,
  base: 0,
  after: new Int32Array(64),
  reach: -1,
  running: [] as readonly SlurmJob[],
};

/**
 * Start of a job on nodes of `nodes`, which `placeFound` then gives; `Infinity` = it does not fit even when all have ended. With `nowOnly`
 * the future is not looked at. O(running × nodes of a job + groups × selection).
 */
export function willRun(
  view: PoolView,
  state: SlurmState,
  entry: QueueEntry,
  nodes: Int32Array,
  nowOnly: boolean,
): number {
  found.place = "chosen";
  found.reach = -1;
  if (isPlain(state, entry)) return willRunPlain(view, state, entry, nodes, nowOnly);
  const options = optionsOf(view, state, entry);
  const victims = preemptables(view, state, entry.job);
  const counted = victims.length === 0 && isCountable(state, entry);
  if (counted) count(view, state, entry, nodes);
  if (counted && isCertain(state, entry, options)) {
    found.place = "runs";
    found.ended = 0;
    if (found.base >= found.need) return view.nowMs;
    return nowOnly ? NEVER_MS : afterEnough(view, state, nodes);
  }
  const tooFew = counted && found.base < found.need;
  if (!tooFew && selectFor(state, entry, nodes, state.resources, options, place)) return view.nowMs;
  if (fitsWithoutVictims(state, entry, nodes, victims, options, place)) return view.nowMs;
  if (nowOnly) return NEVER_MS;
  if (counted) return afterCounted(view, state, entry, nodes);
  return afterOthers(view, state, entry, nodes, victims);
}

/** Counts the nodes that the job could use after each run (`found`). */
function count(view: PoolView, state: SlurmState, entry: QueueEntry, nodes: Int32Array): void {
  const { running } = state;
  if (found.after.length < running.length) found.after = new Int32Array(running.length * 2);
  const ready = readyRuns(view, state, entry);
  found.need = Math.max(1, entry.wanted.minNodes);
  found.base = countReady(ready.run, nodes, running.length, found.after);
  found.running = running;
  if (found.base >= found.need || running.length === 0) return;
  let reach = 0;
  while (reach < running.length - 1 && found.after[reach]! < found.need) reach++;
  found.reach = reach;
}

/** As `afterCounted`, for a job that enough usable nodes are certain to do for. O(runs × words). */
function afterEnough(view: PoolView, state: SlurmState, nodes: Int32Array): number {
  const groups = new EndGroups(state, nodes);
  while (groups.next()) {
    if (found.after[groups.at - 1]! < found.need) continue;
    found.ended = groups.at;
    return guessEnd(state, groups.lastMs, view.nowMs);
  }
  return NEVER_MS;
}

/** As `afterOthers`, for a job without victims: nodes are chosen only after ends with which they can be enough. */
function afterCounted(
  view: PoolView,
  state: SlurmState,
  entry: QueueEntry,
  nodes: Int32Array,
): number {
  const { running } = state;
  const options = optionsOf(view, state, entry);
  const groups = new EndGroups(state, nodes);
  let free: Resources | null = null;
  let given = 0;
  while (groups.next()) {
    if (found.after[groups.at - 1]! < found.need) continue;
    free ??= scratchOf(state);
    for (; given < groups.at; given++) giveIfShared(state, free, running[given]!, nodes);
    if (selectFor(state, entry, nodes, free, options, place))
      return guessEnd(state, groups.lastMs, view.nowMs);
  }
  return NEVER_MS;
}

function afterOthers(
  view: PoolView,
  state: SlurmState,
  entry: QueueEntry,
  nodes: Int32Array,
  victims: readonly SlurmJob[],
): number {
  const options = optionsOf(view, state, entry);
  const scratch = scratchOf(state);
  for (const victim of victims) {
    // A victim that would only be suspended never gives its devices back.
    if (stopsForGood(state, victim)) giveRun(state, scratch, victim);
    else if (!victim.suspendedByCommand) changeCpus(scratch, victim.choice!, 1);
  }
  const { running } = state;
  const groups = new EndGroups(state, nodes, victims);
  let given = 0;
  while (groups.next()) {
    for (; given < groups.at; given++) {
      const run = running[given]!;
      if (!victims.includes(run) && share(run.nodes!, nodes)) giveRun(state, scratch, run);
    }
    if (selectFor(state, entry, nodes, scratch, options, place))
      return guessEnd(state, groups.lastMs, view.nowMs);
  }
  return NEVER_MS;
}

/** A job past its limit is expected to be gone in a second, or when its `OverTimeLimit` is over. */
function guessEnd(state: SlurmState, endMs: number, nowMs: number): number {
  if (endMs > nowMs) return endMs;
  const overMs = state.setup.config.life.overTimeLimitMs;
  return Math.max(endMs + Math.min(overMs, 365 * 86_400_000), nowMs + 1_000);
}

function giveIfShared(state: SlurmState, free: Resources, run: SlurmJob, nodes: Int32Array): void {
  if (share(run.nodes!, nodes)) giveRun(state, free, run);
}

/** The nodes of the start found last, as a bit set. O(words + runs), O(nodes of the job) where they are chosen already. */
export function placeFound(
  view: PoolView,
  state: SlurmState,
  entry: QueueEntry,
  nodes: Int32Array,
): Int32Array {
  const { setup } = state;
  if (found.place === "runs") {
    const free = found.ended === 0 ? state.resources : scratchOf(state);
    for (let at = 0; at < found.ended; at++) giveIfShared(state, free, state.running[at]!, nodes);
    const fits = selectFor(state, entry, nodes, free, optionsOf(view, state, entry), place);
    assert(fits, "as many usable nodes were counted as the job needs");
    found.place = "chosen";
  }
  if (found.place === "processors")
    return plainPlace(found.open, nodes, setup.nodeCount, entry.wanted.minNodes);
  const set = new Int32Array(setup.words);
  for (let row = 0; row < place.length; row++) {
    const node = place.node[row]!;
    set[node >> 5] = set[node >> 5]! | (1 << (node & 31));
  }
  return set;
}

/** A job that any processors of a flat machine will do for, and that preempts nobody: counts tell when it can start. */
export function isPlain(state: SlurmState, { job, wanted }: QueueEntry): boolean {
  return (
    state.setup.nodes.flat &&
    wanted.minNodes === wanted.maxNodes &&
    wanted.required.length === 0 &&
    wanted.constraint.sets === null &&
    !wanted.contiguous &&
    wanted.exclusive !== "user" &&
    wanted.gpus + wanted.gpusPerNode === 0 &&
    wanted.memPerNodeMiB + wanted.memPerCpuMiB === 0 &&
    wanted.minCpus <= wanted.minNodes &&
    wanted.switches === 0 &&
    job.request.reservation === "" &&
    !mayPreemptAny(state, job)
  );
}

/** Nodes that would be free once run i and all before it are over, whatever they are promised to. */
let freeAfter = new Float64Array(64);

/** To be called when a pass begins, and when it started a job. O(running). */
export function countRuns(state: SlurmState): void {
  forgetReady();
  if (!state.setup.nodes.flat) return;
  const { running } = state;
  if (freeAfter.length < running.length) freeAfter = new Float64Array(running.length * 2);
  let free = state.resources.openCount;
  for (let at = 0; at < running.length; at++) {
    free += running[at]!.nodeCount;
    freeAfter[at] = free;
  }
}

/** No plan starts a job of so many nodes before this. O(log running). */
export function leastStartMs(state: SlurmState, need: number, nowMs: number): number {
  const { running, resources } = state;
  if (resources.openCount >= need) return nowMs;
  let low = 0;
  let high = running.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (freeAfter[middle]! >= need) high = middle;
    else low = middle + 1;
  }
  return running[low]?.endMs ?? nowMs;
}

/** As `willRun`, by counting nodes. O(words + running). */
function willRunPlain(
  view: PoolView,
  state: SlurmState,
  entry: QueueEntry,
  nodes: Int32Array,
  nowOnly: boolean,
): number {
  const need = entry.wanted.minNodes;
  const { running, resources } = state;
  if (found.open.length !== nodes.length) found.open = new Int32Array(nodes.length);
  let count = countBoth(nodes, resources.open);
  if (count >= need) {
    leaveOpen(state, 0);
    return view.nowMs;
  }
  if (nowOnly) return NEVER_MS;
  if (found.after.length < running.length) found.after = new Int32Array(running.length * 2);
  found.need = need;
  found.base = count;
  found.running = running;
  for (let at = 0; at < running.length && count < need; at++) {
    count += sharedNodes(running[at]!, nodes);
    found.after[at] = count;
    found.reach = at;
  }
  if (count < need) return NEVER_MS;
  const groups = new EndGroups(state, nodes);
  while (groups.next()) {
    if (groups.at <= found.reach) continue;
    leaveOpen(state, groups.at);
    return guessEnd(state, groups.lastMs, view.nowMs);
  }
  return NEVER_MS;
}

/** No start is found before this with `more` nodes beside those counted last. O(runs). */
export function leastWith(more: number): number {
  const { after, base, need, running } = found;
  if (found.reach < 0 || base + more >= need) return Number.NEGATIVE_INFINITY;
  let at = 0;
  while (at < found.reach && after[at]! + more < need) at++;
  return running[at]!.endMs;
}

/** Notes which nodes are open once the first `ended` runs are over. */
function leaveOpen(state: SlurmState, ended: number): void {
  const { open } = found;
  open.set(state.resources.open);
  for (let at = 0; at < ended; at++) {
    const run = state.running[at]!;
    for (let word = run.firstWord; word <= run.lastWord; word++)
      open[word] = open[word]! | run.nodes![word]!;
  }
  found.place = "processors";
}

function sharedNodes(run: SlurmJob, nodes: Int32Array): number {
  let count = 0;
  const held = run.nodes!;
  for (let word = run.firstWord; word <= run.lastWord; word++) {
    const both = held[word]! & nodes[word]!;
    if (both !== 0) count += popCount(both);
  }
  return count;
}
