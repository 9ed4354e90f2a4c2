/**
 * The order of a `JobRule`: one sorted queue (one for each tier with "tiers first") by keys that are computed when a job joins and, where the
 * rule says so, anew at multiples of its period. A period at which the order stays as it was costs one look at each waiting job and no sort.
 */
import type { PoolView } from "../../engine/view.ts";
import type { PoolSettings } from "../../model/policy.ts";
import { shapesOf } from "../placement/shapes.ts";
import type { JobRule } from "../sharing/jobRule.ts";
import { beginLanes, type LanesInTurn, nextOfLanes } from "./lanesInTurn.ts";
import type { OrderRule } from "./orderRule.ts";
import { createCursor } from "./sortedCursor.ts";
import {
  BLOCK,
  copySortedJobs,
  createSortedJobs,
  firstJob,
  insertJob,
  REST_NEED,
  removeJob,
  type SortedJobs,
  secondJob,
  setNeed,
} from "./sortedJobs.ts";
import { stillWaits } from "./stillWaits.ts";

const EMPTY = createSortedJobs(1);

export interface KeyedState<B> extends LanesInTurn {
  readonly books: B;
  readonly tiersFirst: boolean;
  readonly everyMs: number;
  /** The last multiple of the period at which keys were computed. */
  keyedMs: number;
  /** Key and lane of each waiting job. */
  readonly placeOf: Map<number, { readonly lane: number; readonly key: number }>;
}

/** The order of a rule that goes by what single jobs have had. */
export function keyedOrder<B>(rule: JobRule<B>): OrderRule<KeyedState<B>> {
  const join = (state: KeyedState<B>, view: PoolView, jobIdx: number): void => {
    if (state.placeOf.has(jobIdx)) return;
    put(state, view, jobIdx, rule.key(state.books, view, jobIdx));
  };

  const keyAnew = (state: KeyedState<B>, view: PoolView): void => {
    const dueMs = Math.floor(view.nowMs / state.everyMs) * state.everyMs;
    if (state.everyMs === Number.POSITIVE_INFINITY || dueMs === state.keyedMs) return;
    state.keyedMs = dueMs;
    rule.prepare?.(state.books, view, () => activeJobs(state, view));
    const isSorted = state.lanes.map((list, lane) =>
      rekey(list, (jobIdx) => {
        const key = rule.key(state.books, view, jobIdx);
        state.placeOf.set(jobIdx, { lane, key });
        return key;
      }),
    );
    if (isSorted.every((sorted) => sorted)) return;
    const waiting = [...state.placeOf];
    state.placeOf.clear();
    state.lanes.forEach((_, lane) => {
      state.lanes[lane] = createSortedJobs();
    });
    for (const [jobIdx, { key }] of waiting) put(state, view, jobIdx, key);
  };

  return {
    create(view: PoolView, pool: PoolSettings) {
      const tiersFirst = pool.settings["tiersFirst"] === true;
      const lanes = tiersFirst ? Math.max(1, view.tiers.length) : 1;
      const state: KeyedState<B> = {
        books: rule.create(view, pool),
        tiersFirst,
        everyMs: rule.everyMs(pool.settings),
        keyedMs: -1,
        lanes: Array.from({ length: lanes }, () => createSortedJobs()),
        placeOf: new Map(),
        lane: 0,
        cursor: createCursor(),
      };
      const running = view.running();
      for (let i = 0; i < running.length; i++) rule.held(state.books, view, running.at[i]!);
      const waiting = Array.from(view.waiting().at.subarray(0, view.waiting().length));
      rule.prepare?.(state.books, view, () => waiting);
      for (const jobIdx of waiting) join(state, view, jobIdx);
      return state;
    },

    copy: (state) => ({
      ...state,
      books: rule.copy(state.books),
      lanes: state.lanes.map(copySortedJobs),
      placeOf: new Map(state.placeOf),
      cursor: { ...state.cursor },
    }),

    begin(state, view) {
      keyAnew(state, view);
      beginLanes(state);
    },

    first: ({ lanes }) => firstJob(lanes.find((list) => list.length > 0) ?? lanes[0]!),

    second({ lanes }) {
      const at = lanes.findIndex((list) => list.length > 0);
      if (at < 0) return -1;
      const list = lanes[at]!;
      if (list.length > 1) return secondJob(list);
      return firstJob(
        lanes.find((other, lane) => lane > at && other.length > 0) ?? lanes[at + 1] ?? EMPTY,
      );
    },

    next: (state, _view, needMost, limitMost, longNeedMost) =>
      nextOfLanes(state, needMost, limitMost, longNeedMost),

    rest(state, view, jobIdx, rests) {
      const place = state.placeOf.get(jobIdx);
      if (place === undefined) return;
      const shapes = shapesOf(view.jobs, view.cluster);
      const need = rests ? REST_NEED : shapes.list[shapes.shapeOfJob[jobIdx]!]!.gpusWhole;
      const list = state.lanes[place.lane]!;
      setNeed(list, place.key, view.jobs.at.submitMs[jobIdx]!, jobIdx, need);
    },

    isBefore(state, view, jobIdx, otherIdx) {
      const { tierOfJob, jobs } = view;
      const tiers = tierOfJob[jobIdx]! - tierOfJob[otherIdx]!;
      if (state.tiersFirst && tiers !== 0) return tiers < 0;
      const key = state.placeOf.get(jobIdx)?.key ?? rule.key(state.books, view, jobIdx);
      const other = state.placeOf.get(otherIdx)?.key ?? rule.key(state.books, view, otherIdx);
      if (key !== other) return key < other;
      const laterMs = jobs.at.submitMs[jobIdx]! - jobs.at.submitMs[otherIdx]!;
      return laterMs < 0 || (laterMs === 0 && jobIdx < otherIdx);
    },

    ...(rule.terms
      ? {
          terms: (state: KeyedState<B>, view: PoolView, jobIdx: number) =>
            rule.terms!(state.books, view, jobIdx),
        }
      : {}),
    priority: (state, view, jobIdx) =>
      -(state.placeOf.get(jobIdx)?.key ?? rule.key(state.books, view, jobIdx)),
    length: (state) => state.placeOf.size,

    hooks: {
      queued: join,
      withdrawn: leave,
      given(state, view, jobIdx) {
        if (!stillWaits(view, jobIdx)) leave(state, view, jobIdx);
        rule.held(state.books, view, jobIdx);
      },
      released: (state, view, jobIdx) => rule.held(state.books, view, jobIdx),
      retiered(state, view, jobIdx) {
        rule.held(state.books, view, jobIdx);
        if (!state.placeOf.has(jobIdx)) return;
        leave(state, view, jobIdx);
        join(state, view, jobIdx);
      },
    },
  };
}

function put<B>(state: KeyedState<B>, view: PoolView, jobIdx: number, key: number): void {
  const lane = state.tiersFirst ? Math.min(view.tierOfJob[jobIdx]!, state.lanes.length - 1) : 0;
  const shapes = shapesOf(view.jobs, view.cluster);
  const { submitMs } = view.jobs.at;
  const need = shapes.list[shapes.shapeOfJob[jobIdx]!]!.gpusWhole;
  insertJob(state.lanes[lane]!, key, submitMs[jobIdx]!, jobIdx, need, view.limitMs(jobIdx));
  state.placeOf.set(jobIdx, { lane, key });
}

function leave<B>(state: KeyedState<B>, view: PoolView, jobIdx: number): void {
  const place = state.placeOf.get(jobIdx);
  if (place === undefined) return;
  state.placeOf.delete(jobIdx);
  removeJob(state.lanes[place.lane]!, place.key, view.jobs.at.submitMs[jobIdx]!, jobIdx);
}

function activeJobs<B>(state: KeyedState<B>, view: PoolView): number[] {
  const running = view.running();
  return [...state.placeOf.keys(), ...running.at.subarray(0, running.length)];
}

/** Gives every job its new key where it stands; false where the list is no longer in order. O(n). */
function rekey(list: SortedJobs, keyOf: (jobIdx: number) => number): boolean {
  let isSorted = true;
  let before = -1;
  for (let position = 0; position < list.blockCount; position++) {
    const base = list.order[position]! * BLOCK;
    for (let row = base; row < base + list.used[list.order[position]!]!; row++) {
      list.key[row] = keyOf(list.jobIdx[row]!);
      if (before >= 0 && !isInOrder(list, before, row)) isSorted = false;
      before = row;
    }
  }
  return isSorted;
}

function isInOrder(list: SortedJobs, first: number, second: number): boolean {
  if (list.key[first] !== list.key[second]) return list.key[first]! < list.key[second]!;
  if (list.submitMs[first] !== list.submitMs[second]) {
    return list.submitMs[first]! < list.submitMs[second]!;
  }
  return list.jobIdx[first]! < list.jobIdx[second]!;
}
