/**
 * Elastic jobs in the walk. Before the queue is gone through, those that lack members get them (they hold devices and do no work), and those that have
 * grown beyond what they asked for give members back, where that makes room for a job that waits. After it, elastic jobs that wait at its head start
 * with fewer members and, where nobody waits for room, running ones grow. Not more often than the settings say; giving back is not held up.
 *
 * In the order of the queue, running jobs by the same rule; the job that grew last gives back first. A job that must stay in one domain grows inside
 * it; one whose members each need a node of their own does not grow onto nodes that it has. A group that torchrun forms anew begins at its last checkpoint:
 * where writing one costs less than the work that would be lost, it is written first, and the job grows once it is there. O(elastic jobs that run) a pass in which devices are free, nothing otherwise.
 */
import { Grant } from "../../../../engine/grant.ts";
import type { Actions, PoolView } from "../../../../engine/view.ts";
import type { Elastic } from "../../../../model/lab/jobLife.ts";
import type { LabPlacement } from "../../../../model/policy.ts";
import { StartReasonCode, WaitReasonCode } from "../../../../model/reasons.ts";
import { JobStateCode } from "../../../../model/states.ts";
import { type Grown, givers, largestSize } from "../../../../scheduling/elastic/sizes.ts";
import {
  createSketch,
  loadSketch,
  type Sketch,
} from "../../../../scheduling/placement/capacity.ts";
import { grantPlacing } from "../../../../scheduling/placement/grantPlacing.ts";
import {
  placeShape,
  placeWithin,
  wishDomains,
} from "../../../../scheduling/placement/placeShape.ts";
import { Placing } from "../../../../scheduling/placement/placing.ts";
import type { Shape, Shapes } from "../../../../scheduling/placement/shapes.ts";
import type { IsBefore, StepPart } from "../parts.ts";
import { placementOf } from "./placementRule.ts";

export interface ElasticState {
  readonly waiting: Set<number>;
  /** Elastic jobs that run, and when their size changed last; in order of their last growth. */
  readonly runs: Map<number, number>;
  /** Jobs that write a checkpoint before they grow, until when. */
  readonly saving: Map<number, number>;
  /** Elastic jobs that hold fewer members than they need. */
  readonly short: Set<number>;
  readonly everyMs: number;
  readonly grows: boolean;
  readonly startsSmall: boolean;
  wakeMs: number;
}

const NEVER = Number.POSITIVE_INFINITY;
const placing = new Placing();
const grant = new Grant();
const held = new Grant();
/** Waiting for these is no wait for room. */
const ROOM_REASONS: ReadonlySet<number> = new Set([
  WaitReasonCode.none,
  WaitReasonCode.resources,
  WaitReasonCode.fragmentation,
  WaitReasonCode.cpuOrMemory,
  WaitReasonCode.priority,
  WaitReasonCode.reservation,
  WaitReasonCode.depth,
  WaitReasonCode.gang,
  WaitReasonCode.nodesClosed,
  WaitReasonCode.nextPass,
  WaitReasonCode.victims,
  WaitReasonCode.protected,
]);

const elasticOf = (view: PoolView, jobIdx: number): Elastic | null =>
  view.jobs.lab.get(jobIdx)?.elastic ?? null;

function membersOf(view: PoolView, jobIdx: number): number {
  held.clear();
  view.holdings(jobIdx, held);
  let members = 0;
  for (let i = 0; i < held.length; i++) if (held.component[i] === 0) members += held.members[i]!;
  return members;
}

function note(state: ElasticState, view: PoolView, jobIdx: number): void {
  if (elasticOf(view, jobIdx) === null) return;
  const jobState = view.jobState[jobIdx]!;
  if (jobState === JobStateCode.placed) state.short.add(jobIdx);
  else state.short.delete(jobIdx);
  const runs = jobState === JobStateCode.running || jobState === JobStateCode.starting;
  if (!runs && jobState !== JobStateCode.checkpointing) state.runs.delete(jobIdx);
  else if (!state.runs.has(jobIdx)) state.runs.set(jobIdx, view.nowMs);
}

/** The nodes on which a job that runs may grow. */
interface Within {
  readonly sketch: Sketch;
  readonly nodes: Int32Array;
}

/** The leaf or NVSwitch domain that a job holds and must stay in; null where it may be anywhere. O(nodes). */
function domainOf(view: PoolView, shapes: Shapes, shape: Shape, jobIdx: number): Within | null {
  const domains = wishDomains(shape, view.cluster);
  held.clear();
  view.holdings(jobIdx, held);
  if (domains === null || held.length === 0) return null;
  const own = domains[held.node[0]!]!;
  const sketch = createSketch(view);
  loadSketch(sketch, view, shapes.hasParts);
  return { sketch, nodes: view.nodes.filter((node) => domains[node] === own) };
}

/** Members of the first part alone, on what is free now and on nodes that the job does not hold where each needs one of its own. */
function fits(
  view: PoolView,
  shape: Shape,
  rule: LabPlacement,
  members: number,
  jobIdx: number,
  within: Within | null,
): boolean {
  const wanted = Int32Array.from(shape.parts, (_, part) => (part === 0 ? members : 0));
  const found = within
    ? placeWithin(within.sketch, within.nodes, shape, rule, placing, wanted)
    : placeShape(view, shape, wanted, rule, placing);
  if (!found) return false;
  if (!shape.parts[0]!.ownNode) return true;
  held.clear();
  view.holdings(jobIdx, held);
  const nodes = held.node.subarray(0, held.length);
  return !placing.node.subarray(0, placing.length).some((node) => nodes.includes(node));
}

function inOrder(jobs: Iterable<number>, isBefore: IsBefore): number[] {
  return [...jobs].sort((a, b) => (a === b ? 0 : isBefore(a, b) ? -1 : 1));
}

/** Jobs that hold devices and lack members, in order: what they hold does no work until the others are there. */
function complete(
  state: ElasticState,
  view: PoolView,
  shapes: Shapes,
  rule: LabPlacement,
  act: Actions,
  isBefore: IsBefore,
): void {
  if (state.short.size === 0) return;
  const { at, components } = view.jobs;
  for (const jobIdx of inOrder(state.short, isBefore)) {
    if (view.gpusFreeTotal === 0) return;
    if (view.jobState[jobIdx] !== JobStateCode.placed) continue;
    grow(view, shapes, rule, act, jobIdx, components.members[at.firstComponent[jobIdx]!]!);
  }
}

/** Gives a job as many members more as make the largest size that fits. False where none does. */
function grow(
  view: PoolView,
  shapes: Shapes,
  rule: LabPlacement,
  act: Actions,
  jobIdx: number,
  most: number,
  savesFirst: (jobIdx: number) => boolean = () => false,
): boolean {
  const shape = shapes.list[shapes.shapeOfJob[jobIdx]!]!;
  const members = membersOf(view, jobIdx);
  const within = members > 0 ? domainOf(view, shapes, shape, jobIdx) : null;
  const fitsMore = (size: number): boolean =>
    fits(view, shape, rule, size - members, jobIdx, within);
  const size = largestSize(elasticOf(view, jobIdx)!, members, most, fitsMore);
  if (size === 0 || !fitsMore(size) || !grantPlacing(view, shape, placing, grant)) return false;
  if (savesFirst(jobIdx)) return false;
  act.place(jobIdx, grant, StartReasonCode.inOrder);
  return true;
}

/** For the first job in order that waits for room and would get it. */
function giveBack(state: ElasticState, view: PoolView, act: Actions, isBefore: IsBefore): void {
  const grown: Grown[] = [];
  let surplus = 0;
  for (const jobIdx of state.runs.keys()) {
    const row = view.jobs.at.firstComponent[jobIdx]!;
    const asked = view.jobs.components.members[row]!;
    const gpus = view.jobs.components.gpus[row]!;
    if (view.jobState[jobIdx] !== JobStateCode.running || gpus === 0) continue;
    const members = membersOf(view, jobIdx);
    if (members <= asked) continue;
    grown.push({ jobIdx, members, asked, gpus, elastic: elasticOf(view, jobIdx)! });
    surplus += (members - asked) * gpus;
  }
  if (surplus === 0) return;
  const free = view.gpusFreeTotal;
  let first = -1;
  for (const jobIdx of state.waiting) {
    const need = view.jobs.at.gpuTotal[jobIdx]!;
    if (need <= free || need > free + surplus) continue;
    if (view.jobState[jobIdx] !== JobStateCode.queued) continue;
    if (first < 0 || isBefore(jobIdx, first)) first = jobIdx;
  }
  if (first < 0) return;
  for (const { jobIdx, members } of givers(grown, view.jobs.at.gpuTotal[first]! - free)) {
    act.shrink(jobIdx, 0, members);
    state.runs.set(jobIdx, view.nowMs);
  }
}

/** Jobs that wait for room, in order; O(waiting). */
function waitForRoom(state: ElasticState, view: PoolView, isBefore: IsBefore): number[] {
  const jobs: number[] = [];
  for (const jobIdx of state.waiting)
    if (ROOM_REASONS.has(view.waitReason(jobIdx))) jobs.push(jobIdx);
  return inOrder(jobs, isBefore);
}

/**
 * Whether the work since the last checkpoint is to be saved before the group is formed anew; then the checkpoint is begun. One that costs nothing is
 * there at once.
 */
function saves(state: ElasticState, view: PoolView, act: Actions, jobIdx: number): boolean {
  const life = view.jobs.lab.get(jobIdx)!;
  const { checkpoint } = life;
  if (life.elastic!.restart !== "torchrun" || checkpoint === null || checkpoint.sizeGiB > 0)
    return false;
  if (view.unsavedMs(jobIdx) <= checkpoint.costMs) return false;
  act.checkpoint(jobIdx, checkpoint.costMs);
  if (checkpoint.costMs === 0) return false;
  state.saving.set(jobIdx, view.nowMs + checkpoint.costMs);
  state.wakeMs = Math.min(state.wakeMs, view.nowMs + checkpoint.costMs);
  return true;
}

function growRuns(
  state: ElasticState,
  view: PoolView,
  shapes: Shapes,
  rule: LabPlacement,
  act: Actions,
  headroom: (jobIdx: number) => number,
  isBefore: IsBefore,
): void {
  const savesFirst = (jobIdx: number): boolean => saves(state, view, act, jobIdx);
  for (const [jobIdx, untilMs] of state.saving) {
    if (untilMs > view.nowMs) state.wakeMs = Math.min(state.wakeMs, untilMs);
    else state.saving.delete(jobIdx);
  }
  for (const jobIdx of inOrder(state.runs.keys(), isBefore)) {
    if (view.gpusFreeTotal === 0) return;
    if (view.jobState[jobIdx] !== JobStateCode.running) continue;
    const nextMs = state.runs.get(jobIdx)! + state.everyMs;
    if (nextMs > view.nowMs) {
      state.wakeMs = Math.min(state.wakeMs, nextMs);
      continue;
    }
    const gpus = Math.max(1, view.jobs.components.gpus[view.jobs.at.firstComponent[jobIdx]!]!);
    const most = membersOf(view, jobIdx) + Math.floor(headroom(jobIdx) / gpus);
    const { maxMembers } = elasticOf(view, jobIdx)!;
    if (!grow(view, shapes, rule, act, jobIdx, Math.min(maxMembers, most), savesFirst)) continue;
    // Last in the order of growth, so that it gives back first.
    state.runs.delete(jobIdx);
    state.runs.set(jobIdx, view.nowMs);
  }
}

export const elasticStep: StepPart<ElasticState> = {
  applies: (view) => {
    for (const life of view.jobs.lab.values()) if (life.elastic !== null) return true;
    return false;
  },

  create(view, { settings }) {
    const state: ElasticState = {
      waiting: new Set(view.waiting().at.subarray(0, view.waiting().length)),
      runs: new Map(),
      short: new Set(),
      saving: new Map(),
      everyMs: Number(settings["elasticEveryMs"] ?? 600_000),
      grows: settings["growElastic"] !== false,
      startsSmall: settings["startSmall"] !== false,
      wakeMs: NEVER,
    };
    const running = view.running();
    for (let i = 0; i < running.length; i++) note(state, view, running.at[i]!);
    return state;
  },

  copy: (state) => ({
    ...state,
    waiting: new Set(state.waiting),
    runs: new Map(state.runs),
    short: new Set(state.short),
    saving: new Map(state.saving),
  }),

  hooks: {
    queued: (state, _view, jobIdx) => void state.waiting.add(jobIdx),
    withdrawn: (state, _view, jobIdx) => void state.waiting.delete(jobIdx),
    given(state, view, jobIdx) {
      state.waiting.delete(jobIdx);
      note(state, view, jobIdx);
    },
    released: note,
  },

  wakeMs: (state) => state.wakeMs,

  before(state, view, pool, shapes, act, isBefore) {
    complete(state, view, shapes, placementOf(pool), act, isBefore);
    if (state.waiting.size > 0 && state.runs.size > 0) giveBack(state, view, act, isBefore);
  },

  run(state, view, pool, shapes, act, headroom, isBefore) {
    state.wakeMs = NEVER;
    const rule = placementOf(pool);
    complete(state, view, shapes, rule, act, isBefore);
    if (view.gpusFreeTotal === 0 || (!state.grows && !state.startsSmall)) return;
    const waiting = waitForRoom(state, view, isBefore);
    for (const jobIdx of waiting) {
      const elastic = elasticOf(view, jobIdx);
      const single = shapes.list[shapes.shapeOfJob[jobIdx]!]!.parts.length === 1;
      if (!state.startsSmall || elastic === null || !single) return;
      const most = view.jobs.components.members[view.jobs.at.firstComponent[jobIdx]!]!;
      if (!grow(view, shapes, rule, act, jobIdx, most)) return;
    }
    if (state.grows) growRuns(state, view, shapes, rule, act, headroom, isBefore);
  },
};
