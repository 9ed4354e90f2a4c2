/**
 * The order of those that share: each group's waiting jobs stand in a lane of their own, and a walk always takes the first job of the lane
 * that is due. Rule: smaller class (priority or tier), then the group's level by its `GroupRule`. Tie-break: submit time, job index.
 *
 *     lane 0 (team A)  ▸ job 3 ▸ job 8 ▸ …          within a lane: class, submit time, index; static
 *     lane 1 (team B)  ▸ job 5 ▸ …                  among lanes: a heap made when the walk begins
 *
 * So levels that change all the time (usage that fades) are asked for once a lane and walk, not once a job: a walk costs O(groups that wait),
 * a job given O(log groups + log waiting). A job that is started changes at most its own lane's level at that instant; where another lane's
 * holdings change in a walk (preemption), the heap is made anew.
 */
import type { PoolView } from "../../engine/view.ts";
import type { PoolSettings } from "../../model/policy.ts";
import { shapesOf } from "../placement/shapes.ts";
import type { GroupRule } from "../sharing/groupRule.ts";
import type { OrderRule } from "./orderRule.ts";
import { type Cursor, createCursor, moveTo, resetCursor, rowAfter } from "./sortedCursor.ts";
import {
  BLOCK,
  copySortedJobs,
  createSortedJobs,
  insertJob,
  REST_NEED,
  removeAnywhere,
  removeJob,
  type SortedJobs,
  secondJob,
  setNeed,
} from "./sortedJobs.ts";
import { stillWaits } from "./stillWaits.ts";

/** What lanes are compared by. */
interface Head {
  group: number;
  /** Level of the group when it was put into the heap. */
  level: number;
  /** The job that the lane offers: −1 = none left in this walk. */
  headIdx: number;
  headClass: number;
  headSubmitMs: number;
}

interface Lane extends Head {
  readonly jobs: SortedJobs;
  readonly cursor: Cursor;
  headNeed: number;
  headLimitMs: number;
}

export interface LaneState<M> {
  readonly books: M;
  readonly tiersFirst: boolean;
  /** Lanes with waiting jobs, by group. */
  readonly lanes: Map<number, Lane>;
  /** Lanes whose last job has left: those of this walk may still be in its heap, the others serve the next groups that wait. */
  readonly emptied: Lane[];
  readonly spare: Lane[];
  readonly waiting: Set<number>;
  /** The walk: lanes that can still give, the lane that gave last (−1: none), and whether levels have changed under the heap. */
  heap: Lane[];
  lastGroup: number;
  isStale: boolean;
  /** Lanes in the heap offer jobs that need at most this. */
  needMost: number;
}

/** The order of a rule of sharing. */
export function laneOrder<M>(rule: GroupRule<M>): OrderRule<LaneState<M>> {
  const classOf = (state: LaneState<M>, view: PoolView, jobIdx: number): number => {
    if (rule.classOf !== undefined) return rule.classOf(view, jobIdx);
    return state.tiersFirst ? view.tierOfJob[jobIdx]! : 0;
  };

  /** Where what waits counts, whoever joins or leaves changes the levels of others: of its siblings, and of all by their sum. */
  const noteWaits = (state: LaneState<M>, view: PoolView, jobIdx: number, sign: 1 | -1): void => {
    rule.waits?.(state.books, view, jobIdx, sign);
    if (rule.isSteady?.(state.books) === false) state.isStale = true;
  };

  const join = (state: LaneState<M>, view: PoolView, jobIdx: number): void => {
    if (state.waiting.has(jobIdx)) return;
    state.waiting.add(jobIdx);
    const group = rule.groupOf(state.books, view, jobIdx);
    let lane = state.lanes.get(group);
    if (lane === undefined) {
      lane = state.spare.pop() ?? emptyLane();
      lane.group = group;
      resetCursor(lane.cursor);
      state.lanes.set(group, lane);
    }
    const shapes = shapesOf(view.jobs, view.cluster);
    const { submitMs } = view.jobs.at;
    insertJob(
      lane.jobs,
      classOf(state, view, jobIdx),
      submitMs[jobIdx]!,
      jobIdx,
      shapes.list[shapes.shapeOfJob[jobIdx]!]!.gpusWhole,
      view.limitMs(jobIdx),
    );
    noteWaits(state, view, jobIdx, 1);
  };

  const leave = (state: LaneState<M>, view: PoolView, jobIdx: number): void => {
    if (!state.waiting.delete(jobIdx)) return;
    noteWaits(state, view, jobIdx, -1);
    const group = rule.groupOf(state.books, view, jobIdx);
    takeOut(state, group, classOf(state, view, jobIdx), view, jobIdx);
  };

  const compare = (state: LaneState<M>, view: PoolView, a: Head, b: Head): number => {
    if (a.headClass !== b.headClass) return a.headClass - b.headClass;
    if (a.level !== b.level) return a.level < b.level ? -1 : 1;
    const groups = rule.compare?.(state.books, view, a.group, b.group) ?? 0;
    if (groups !== 0) return groups;
    return a.headSubmitMs - b.headSubmitMs || a.headIdx - b.headIdx;
  };

  const raise = (state: LaneState<M>, view: PoolView, from: number): void => {
    const { heap } = state;
    const lane = heap[from]!;
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (compare(state, view, heap[above]!, lane) <= 0) break;
      heap[at] = heap[above]!;
      at = above;
    }
    heap[at] = lane;
  };

  const sink = (state: LaneState<M>, view: PoolView, from: number): void => {
    const { heap } = state;
    const lane = heap[from]!;
    let at = from;
    for (let below = 2 * at + 1; below < heap.length; below = 2 * at + 1) {
      if (below + 1 < heap.length && compare(state, view, heap[below + 1]!, heap[below]!) < 0) {
        below++;
      }
      if (compare(state, view, lane, heap[below]!) <= 0) break;
      heap[at] = heap[below]!;
      at = below;
    }
    heap[at] = lane;
  };

  const order = (state: LaneState<M>, view: PoolView): void => {
    for (let at = (state.heap.length >> 1) - 1; at >= 0; at--) sink(state, view, at);
  };

  const heapify = (state: LaneState<M>, view: PoolView): void => {
    for (const lane of state.heap) lane.level = rule.level(state.books, view, lane.group);
    order(state, view);
    state.isStale = false;
  };

  const pop = (state: LaneState<M>, view: PoolView): Lane => {
    const top = state.heap[0]!;
    const last = state.heap.pop()!;
    if (state.heap.length > 0) {
      state.heap[0] = last;
      sink(state, view, 0);
    }
    return top;
  };

  const push = (state: LaneState<M>, view: PoolView, lane: Lane): void => {
    lane.level = rule.level(state.books, view, lane.group);
    state.heap.push(lane);
    raise(state, view, state.heap.length - 1);
  };

  const noteHeld = (state: LaneState<M>, view: PoolView, jobIdx: number): void => {
    rule.held(state.books, view, jobIdx);
    if (rule.groupOf(state.books, view, jobIdx) !== state.lastGroup) state.isStale = true;
  };

  return {
    create(view: PoolView, pool: PoolSettings) {
      const state: LaneState<M> = {
        books: rule.create(view, pool),
        tiersFirst: pool.settings["tiersFirst"] === true,
        lanes: new Map(),
        emptied: [],
        spare: [],
        waiting: new Set(),
        heap: [],
        lastGroup: -1,
        isStale: false,
        needMost: Number.POSITIVE_INFINITY,
      };
      const running = view.running();
      for (let i = 0; i < running.length; i++) rule.held(state.books, view, running.at[i]!);
      const waiting = view.waiting();
      for (let i = 0; i < waiting.length; i++) join(state, view, waiting.at[i]!);
      return state;
    },

    copy: (state) => ({
      ...state,
      books: rule.copy(state.books),
      lanes: new Map([...state.lanes].map(([group, lane]) => [group, copyLane(lane)])),
      emptied: [],
      spare: [],
      waiting: new Set(state.waiting),
      heap: [],
      lastGroup: -1,
    }),

    begin(state, view) {
      state.heap.length = 0;
      state.lastGroup = -1;
      state.needMost = Number.POSITIVE_INFINITY;
      for (const lane of state.emptied) state.spare.push(lane);
      state.emptied.length = 0;
      for (const lane of state.lanes.values()) {
        offer(lane, lane.jobs.order[0]! * BLOCK);
        state.heap.push(lane);
      }
      heapify(state, view);
    },

    first: ({ heap }) => heap[0]?.headIdx ?? -1,

    second(state, view) {
      const { books, heap } = state;
      const [top, left, right] = heap;
      if (top === undefined || rule.isSteady?.(books) !== true) return -1;
      let best: Head | undefined = left;
      if (left !== undefined && right !== undefined && compare(state, view, right, left) < 0)
        best = right;
      const behindIdx = secondJob(top.jobs);
      if (behindIdx < 0) return best?.headIdx ?? -1;
      const behind = asHead(books, rule, view, behindIdx, classOf(state, view, behindIdx));
      return best !== undefined && compare(state, view, best, behind) < 0
        ? best.headIdx
        : behindIdx;
    },

    next(
      state,
      view,
      needMost = Number.POSITIVE_INFINITY,
      limitMost = Number.POSITIVE_INFINITY,
      longNeedMost = -1,
    ) {
      const last = state.lanes.get(state.lastGroup);
      state.lastGroup = -1;
      if (needMost < 0) return -1;
      if (needMost < state.needMost) {
        // Fewer devices are free than when the lanes were asked: those that have nothing so small drop out at once, not one by one.
        state.needMost = needMost;
        let moved = false;
        state.heap = state.heap.filter((lane) => {
          if (lane.headNeed <= needMost) return true;
          moved = true;
          return offerNext(lane, needMost, limitMost, longNeedMost);
        });
        if (moved && !state.isStale) order(state, view);
      }
      if (state.isStale) heapify(state, view);
      if (last !== undefined && offerNext(last, needMost, limitMost, longNeedMost))
        push(state, view, last);
      while (state.heap.length > 0) {
        const lane = pop(state, view);
        const fits =
          lane.headNeed <= needMost &&
          (lane.headLimitMs <= limitMost || lane.headNeed <= longNeedMost);
        if (fits && state.waiting.has(lane.headIdx)) {
          state.lastGroup = lane.group;
          return lane.headIdx;
        }
        if (offerNext(lane, needMost, limitMost, longNeedMost)) push(state, view, lane);
      }
      return -1;
    },

    rest(state, view, jobIdx, rests) {
      const lane = state.lanes.get(rule.groupOf(state.books, view, jobIdx));
      if (lane === undefined) return;
      const shapes = shapesOf(view.jobs, view.cluster);
      const need = rests ? REST_NEED : shapes.list[shapes.shapeOfJob[jobIdx]!]!.gpusWhole;
      const submitMs = view.jobs.at.submitMs[jobIdx]!;
      setNeed(lane.jobs, classOf(state, view, jobIdx), submitMs, jobIdx, need);
    },

    isBefore(state, view, jobIdx, otherIdx) {
      const lane = asHead(state.books, rule, view, jobIdx, classOf(state, view, jobIdx));
      const other = asHead(state.books, rule, view, otherIdx, classOf(state, view, otherIdx));
      if (lane.group === other.group) lane.level = other.level;
      return compare(state, view, lane, other) < 0;
    },

    ...(rule.terms
      ? {
          terms: (state: LaneState<M>, view: PoolView, jobIdx: number) =>
            rule.terms!(state.books, view, rule.groupOf(state.books, view, jobIdx), jobIdx),
        }
      : {}),
    priority: (state, view, jobIdx) =>
      rule.shown(state.books, view, rule.groupOf(state.books, view, jobIdx)),
    length: (state) => state.waiting.size,
    overShare: (state, view, jobIdx) =>
      rule.overShare(state.books, view, rule.groupOf(state.books, view, jobIdx)),

    shares: (state, view) => rule.rows?.(state.books, view) ?? [],

    hooks: {
      queued: join,
      withdrawn: leave,
      given(state, view, jobIdx) {
        if (!stillWaits(view, jobIdx)) leave(state, view, jobIdx);
        noteHeld(state, view, jobIdx);
      },
      released: noteHeld,
      retiered(state, view, jobIdx) {
        noteHeld(state, view, jobIdx);
        if (!state.waiting.has(jobIdx)) return;
        leave(state, view, jobIdx);
        join(state, view, jobIdx);
      },
    },
  };
}

function takeOut<M>(
  state: LaneState<M>,
  group: number,
  key: number,
  view: PoolView,
  jobIdx: number,
): void {
  const lane = state.lanes.get(group);
  if (lane !== undefined && removeJob(lane.jobs, key, view.jobs.at.submitMs[jobIdx]!, jobIdx)) {
    dropEmpty(state, lane);
    return;
  }
  // Its tier, and with it its lane, has changed since it joined.
  for (const other of state.lanes.values()) {
    if (!removeAnywhere(other.jobs, jobIdx)) continue;
    dropEmpty(state, other);
    return;
  }
}

function dropEmpty<M>(state: LaneState<M>, lane: Lane): void {
  if (lane.jobs.length > 0) return;
  state.lanes.delete(lane.group);
  state.emptied.push(lane);
}

function emptyLane(): Lane {
  return {
    group: -1,
    level: 0,
    headIdx: -1,
    headClass: 0,
    headSubmitMs: 0,
    headNeed: 0,
    headLimitMs: 0,
    jobs: createSortedJobs(1),
    cursor: createCursor(),
  };
}

function copyLane(lane: Lane): Lane {
  return { ...lane, jobs: copySortedJobs(lane.jobs), cursor: { ...lane.cursor } };
}

/** A job as the head of a lane of its own, to be compared. */
function asHead<M>(
  books: M,
  rule: GroupRule<M>,
  view: PoolView,
  jobIdx: number,
  headClass: number,
): Head {
  const group = rule.groupOf(books, view, jobIdx);
  const level = rule.level(books, view, group);
  return { group, level, headIdx: jobIdx, headClass, headSubmitMs: view.jobs.at.submitMs[jobIdx]! };
}

/** The lane's next job within the bounds; false if there is none. */
function offerNext(lane: Lane, needMost: number, limitMost: number, longNeedMost: number): boolean {
  const row = rowAfter(lane.jobs, lane.cursor, needMost, limitMost, longNeedMost);
  if (row < 0) return false;
  offer(lane, row);
  return true;
}

function offer(lane: Lane, row: number): void {
  moveTo(lane.cursor, lane.jobs, row);
  lane.headIdx = lane.jobs.jobIdx[row]!;
  lane.headClass = lane.jobs.key[row]!;
  lane.headSubmitMs = lane.jobs.submitMs[row]!;
  lane.headNeed = lane.jobs.need[row]!;
  lane.headLimitMs = lane.jobs.limitMs[row]!;
}
