/**
 * The profile of what runs, kept from one round of the walk to the next. What a round took out of it is given back, runs that were looked at since
 * are counted anew, and what is free now is set to what the view shows: the future of all others has not changed, so that the outcome is that of a
 * profile made from nothing. It is made from nothing for a state that it does not know (a copy, a policy just chosen), after a change of the pool's
 * nodes or of single devices, and always where jobs share devices, for what such a run gives back depends on the others, or where CPUs are kept for devices. It follows from the state and lies in no snapshot.
 * O(changed runs × steps + their nodes × log steps) a round.
 */
import { Grant } from "../../../../engine/grant.ts";
import type { PoolView } from "../../../../engine/view.ts";
import { NodeStateCode } from "../../../../model/states.ts";
import { NEVER_MS } from "../../../../model/units.ts";
import type { Held, Profile } from "../../../../scheduling/backfill/profile.ts";
import { takeOver } from "../../../../scheduling/backfill/profile.ts";
import { countedEndMs } from "../../../../scheduling/backfill/shadow.ts";
import {
  addOver,
  createSteps,
  forgetBefore,
  noteEnd,
  type Steps,
  stepAt,
} from "../../../../scheduling/backfill/steps.ts";
import {
  BLOCK,
  createSortedJobs,
  type SortedJobs,
} from "../../../../scheduling/ordering/sortedJobs.ts";
import type { Placing } from "../../../../scheduling/placement/placing.ts";
import type { Shape, Shapes } from "../../../../scheduling/placement/shapes.ts";
import { keepsCpusBack, profileOfRuns } from "../../runsProfile.ts";
import type { KeptJob } from "../state.ts";
import {
  emptyLog,
  forgetRows,
  logEnd,
  logRun,
  logStart,
  logTaken,
  type RoomLog,
} from "./roomLog.ts";

/** What the profile is made from. */
export interface RunsSeen {
  readonly view: PoolView;
  readonly runs: SortedJobs;
  readonly endMsOf: ReadonlyMap<number, number>;
  readonly shapes: Shapes;
  readonly flat: boolean;
}

interface Taken {
  /** A run that begins; −1: room that is kept. */
  readonly jobIdx: number;
  readonly shape: Shape;
  readonly placing: Placing;
  readonly fromMs: number;
  readonly toMs: number;
}

/** As `Held`, with all devices given back; a flat machine has no rows. */
interface Given extends Held {
  gpusAll: number;
}

interface RunsKept {
  readonly profile: Profile;
  readonly given: Map<number, Given>;
  /** Runs looked at since. */
  readonly changed: Set<number>;
  /** What has been taken out since the profile held the runs alone. */
  readonly taken: Taken[];
  readonly flat: boolean;
  readonly plain: boolean;
  readonly nodes: Int32Array;
  readonly nodeState: Uint8Array;
  readonly allOpen: boolean;
  /** What has changed, and how much of that was known when a reservation was planned or looked at last. */
  readonly log: RoomLog;
  readonly seen: WeakMap<KeptJob, number>;
  /** Time of the last round: nothing is known of what was before. */
  atMs: number;
}

const known = new WeakMap<SortedJobs, RunsKept>();
const NO_RUNS = createSortedJobs();
const holdings = new Grant();

/** What a job holds, or until when, may have changed. O(1). */
export function noteRun(runs: SortedJobs, jobIdx: number): void {
  const own = known.get(runs);
  if (own === undefined) return;
  own.changed.add(jobIdx);
  // Nobody has asked for long: counting everything anew is as good.
  if (own.changed.size > 2 * own.given.size + 64) known.delete(runs);
}

/**
 * Nodes have changed, or single devices of them: what is free changed where no run did, and what was planned on it holds no longer. That one device fails
 * as another comes back does not show in any sum. O(1).
 */
export function forgetRuns(runs: SortedJobs): void {
  known.delete(runs);
}

export class RunsProfile {
  #own: RunsKept | null = null;
  /** Runs whose profile was given last, in this round. */
  #fresh: SortedJobs | null = null;
  /** The last profile made from nothing, whose memory the next one takes. */
  #spare: Profile = { total: createSteps(0, 0), ofNode: [], held: new Map() };
  #profile = this.#spare;
  #taken: Taken[] | null = null;

  /** What runs, and nothing else; what was given before is no longer valid. */
  now(seen: RunsSeen): Profile {
    const { view, runs, shapes, flat } = seen;
    if (this.#isFresh(seen)) return this.#profile;
    this.#fresh = null;
    const keepsCpus = keepsCpusBack(shapes);
    if (shapes.hasParts || keepsCpus) {
      this.#taken = null;
      this.#own = null;
      this.#spare = profileOfRuns(view, runs, flat, shapes.plainOnly, this.#spare, keepsCpus);
      this.#profile = this.#spare;
      return this.#profile;
    }
    let own = known.get(runs);
    if (own === undefined || !isStill(own, seen)) {
      own = beginKept(seen);
      known.set(runs, own);
    }
    refresh(own, seen);
    this.#own = own;
    this.#taken = own.taken;
    this.#profile = own.profile;
    this.#fresh = runs;
    return this.#profile;
  }

  /** Nothing has been taken out of the profile given last, and no run looked at since. The node states are those of the round. */
  #isFresh({ view, runs }: RunsSeen): boolean {
    const own = this.#own;
    if (own === null || this.#fresh !== runs || known.get(runs) !== own) return false;
    return own.atMs === view.nowMs && own.changed.size === 0 && own.taken.length === 0;
  }

  /** Another round begins: nodes may have changed. */
  newRound(): void {
    this.#fresh = null;
  }

  /** Takes a placing out of the profile given last, for a run that begins (−1: for later). The placing must not change any more. */
  take(shape: Shape, placing: Placing, fromMs: number, toMs: number, jobIdx = -1): void {
    takeOver(this.#profile, shape, placing, fromMs, toMs, 1);
    this.#taken?.push({ jobIdx, shape, placing, fromMs, toMs });
    if (jobIdx >= 0 && this.#own !== null) logTaken(this.#own.log, placing, toMs);
  }

  /** What has changed of the profile given last; null where that is not followed. */
  get log(): RoomLog | null {
    return this.#own?.log ?? null;
  }

  /** The row of the log up to which all was known when a reservation was made or looked at last; −1: none. */
  seenBy(kept: KeptJob): number {
    const row = this.#own?.seen.get(kept) ?? -1;
    return row < (this.#own?.log.first ?? 0) ? -1 : row;
  }

  /** A reservation stands on all that is known now. */
  stands(kept: KeptJob): void {
    if (this.#own !== null) this.#own.seen.set(kept, logEnd(this.#own.log));
  }

  /** Forgets what all of these have seen. */
  forget(kept: readonly KeptJob[]): void {
    if (this.#own === null) return;
    let first = logEnd(this.#own.log);
    for (const one of kept) first = Math.min(first, this.#own.seen.get(one) ?? first);
    forgetRows(this.#own.log, first);
  }
}

function isStill({ flat, plain, nodes, nodeState, atMs }: RunsKept, seen: RunsSeen): boolean {
  const { view } = seen;
  if (view.nowMs < atMs) return false;
  if (flat !== seen.flat || plain !== seen.shapes.plainOnly) return false;
  if (nodes.length !== view.nodes.length) return false;
  for (let i = 0; i < nodes.length; i++) {
    if (nodes[i] !== view.nodes[i] || nodeState[i] !== view.nodeState[nodes[i]!]) return false;
  }
  return true;
}

function beginKept({ view, runs, shapes, flat }: RunsSeen): RunsKept {
  const changed = new Set<number>();
  for (let position = 0; position < runs.blockCount; position++) {
    const base = runs.order[position]! * BLOCK;
    const end = base + runs.used[runs.order[position]!]!;
    for (let at = base; at < end; at++) changed.add(runs.jobIdx[at]!);
  }
  const nodes = Int32Array.from(view.nodes);
  return {
    profile: profileOfRuns(view, NO_RUNS, flat, shapes.plainOnly),
    given: new Map(),
    changed,
    taken: [],
    flat,
    plain: shapes.plainOnly,
    nodes,
    nodeState: Uint8Array.from(nodes, (node) => view.nodeState[node]!),
    allOpen: nodes.every((node) => view.nodeState[node] === NodeStateCode.open),
    log: emptyLog(),
    seen: new WeakMap(),
    atMs: view.nowMs,
  };
}

function refresh(own: RunsKept, seen: RunsSeen): void {
  const { profile, given, changed, log } = own;
  const { view, runs, endMsOf } = seen;
  const { nowMs } = view;
  own.atMs = nowMs;
  if (touched.size > 0) touched.clear();
  const started = giveTakenBack(own);
  addLate(runs, nowMs, changed);
  for (const jobIdx of changed) {
    const before = given.get(jobIdx) ?? null;
    if (before !== null) {
      give(profile, before, nowMs, -1);
      given.delete(jobIdx);
    }
    const endMs = endMsOf.get(jobIdx);
    const after = endMs === undefined ? null : givenBy(seen, jobIdx, countedEndMs(endMs, nowMs));
    const start = before === null ? started?.get(jobIdx) : undefined;
    if (start === undefined) logRun(log, nowMs, before, after);
    else logStart(log, nowMs, start.placing, start.toMs, after);
    if (after === null) continue;
    give(profile, after, nowMs, 1);
    given.set(jobIdx, after);
  }
  changed.clear();
  settle(own, view);
}

/** Nodes on which runs were counted anew. */
const touched = new Set<number>();

/** The runs among what had been taken. */
function giveTakenBack({ profile, taken }: RunsKept): Map<number, Taken> | null {
  let started: Map<number, Taken> | null = null;
  for (let i = taken.length - 1; i >= 0; i--) {
    const { jobIdx, shape, placing, fromMs, toMs } = taken[i]!;
    takeOver(profile, shape, placing, fromMs, toMs, -1);
    if (jobIdx < 0) continue;
    started ??= new Map();
    started.set(jobIdx, taken[i]!);
    for (let row = 0; row < placing.length; row++) touched.add(placing.node[row]!);
  }
  // Setting a length costs a call, also where nothing changes.
  if (taken.length > 0) taken.length = 0;
  return started;
}

/** Runs past their estimate are counted on to end at once, whenever that is. O(those). */
function addLate(runs: SortedJobs, nowMs: number, changed: Set<number>): void {
  for (let position = 0; position < runs.blockCount; position++) {
    const base = runs.order[position]! * BLOCK;
    const end = base + runs.used[runs.order[position]!]!;
    for (let at = base; at < end; at++) {
      if (runs.key[at]! > nowMs) return;
      changed.add(runs.jobIdx[at]!);
    }
  }
}

function givenBy({ view, shapes, flat }: RunsSeen, jobIdx: number, endMs: number): Given {
  const given: Given = { endMs, node: [], gpus: [], cpuMilli: [], memMiB: [], gpusAll: 0 };
  if (flat) {
    given.gpusAll = shapes.list[shapes.shapeOfJob[jobIdx]!]!.gpusWhole;
    return given;
  }
  holdings.clear();
  view.holdings(jobIdx, holdings);
  for (let row = 0; row < holdings.length; row++) {
    const node = holdings.node[row]!;
    if (view.nodeState[node] !== NodeStateCode.open) continue;
    given.node.push(node);
    given.gpus.push(holdings.count[row]!);
    given.cpuMilli.push(holdings.cpuMilli[row]!);
    given.memMiB.push(holdings.memMiB[row]!);
    given.gpusAll += holdings.count[row]!;
  }
  return given;
}

/** Adds what a run gives back from its end on, or with −1 takes that away again. */
function give(profile: Profile, given: Given, nowMs: number, sign: 1 | -1): void {
  const { endMs, node, gpus, cpuMilli, memMiB, gpusAll } = given;
  // What has been is of no interest; amounts of now are set afterwards.
  const fromMs = Math.max(endMs, nowMs);
  if (endMs > nowMs) noteEnd(profile.total, endMs, sign);
  addOver(profile.total, fromMs, NEVER_MS, sign * gpusAll, 0, 0);
  for (let row = 0; row < node.length; row++) {
    touched.add(node[row]!);
    const steps = profile.ofNode[node[row]!]!;
    const cpus = sign * cpuMilli[row]!;
    addOver(steps, fromMs, NEVER_MS, sign * gpus[row]!, cpus, sign * memMiB[row]!);
  }
}

/**
 * Lifts or lowers everything so that what is free now is what the view shows. Only nodes with runs counted anew can differ, and the total tells if another
 * one does: where nodes are closed what is free of them is another question. O(those nodes × log steps), or of all.
 */
function settle({ profile, nodes, allOpen }: RunsKept, view: PoolView): void {
  const { nowMs } = view;
  let missing = lift(profile.total, nowMs, view.gpusFreeTotal, 0, 0);
  if (profile.ofNode.length === 0) return;
  for (const node of touched) missing -= liftNode(profile, view, node);
  if (missing === 0 && allOpen) return;
  for (let i = 0; i < nodes.length; i++) liftNode(profile, view, nodes[i]!);
}

function liftNode({ ofNode }: Profile, view: PoolView, node: number): number {
  const { nowMs, gpusFree, cpuMilliFree, memMiBFree } = view;
  return lift(ofNode[node]!, nowMs, gpusFree[node]!, cpuMilliFree[node]!, memMiBFree[node]!);
}

/** Devices by which it was lifted. */
function lift(steps: Steps, nowMs: number, gpus: number, cpuMilli: number, memMiB: number): number {
  const at = stepAt(steps, nowMs);
  const moreGpus = gpus - steps.gpus[at]!;
  const moreCpus = steps.wide ? cpuMilli - steps.cpuMilli[at]! : 0;
  const moreMemory = steps.wide ? memMiB - steps.memMiB[at]! : 0;
  if (moreGpus === 0 && moreCpus === 0 && moreMemory === 0) return 0;
  addOver(steps, steps.times[at]!, NEVER_MS, moreGpus, moreCpus, moreMemory);
  forgetBefore(steps, nowMs);
  return moreGpus;
}
