/**
 * Rounds in the walk: before the queue is gone through at a multiple of `roundMs`, running jobs that are no longer due give way
 * (`scheduling/sharing/rounds.ts`). It keeps the books of the order's rule once more, as the order shows them to nobody. With Gavel it also
 * starts the chosen itself, each on the device model that is due to it.
 */
import { Grant } from "../../../../engine/grant.ts";
import type { Actions, PoolView } from "../../../../engine/view.ts";
import type { PoolSettings } from "../../../../model/policy.ts";
import { StartReasonCode } from "../../../../model/reasons.ts";
import { JobStateCode } from "../../../../model/states.ts";
import { grantPlacing } from "../../../../scheduling/placement/grantPlacing.ts";
import type { Shapes } from "../../../../scheduling/placement/shapes.ts";
import { stillFits } from "../../../../scheduling/placement/stillFits.ts";
import {
  dueOn,
  type GavelBooks,
  gavelRule,
  modelOfNode,
} from "../../../../scheduling/sharing/gavelRule.ts";
import type { JobRule } from "../../../../scheduling/sharing/jobRule.ts";
import {
  type AttainedBooks,
  leastAttainedRule,
  themisRule,
  tiresiasRule,
} from "../../../../scheduling/sharing/jobRules.ts";
import { RoundLine } from "../../../../scheduling/sharing/roundLine.ts";
import {
  type Contender,
  decideRound,
  decideRoundOnGroups,
  nextRoundMs,
  stopAtRound,
} from "../../../../scheduling/sharing/rounds.ts";
import { sketchOf } from "../../scratch.ts";
import type { StepPart } from "../parts.ts";
import { placementOf } from "./placementRule.ts";

type Books = AttainedBooks | GavelBooks | Record<string, never>;

const RULES: ReadonlyMap<unknown, JobRule<Books>> = new Map<unknown, JobRule<Books>>([
  ["leastAttained", leastAttainedRule as JobRule<Books>],
  ["tiresias", tiresiasRule as JobRule<Books>],
  ["themis", themisRule as JobRule<Books>],
  ["gavel", gavelRule as unknown as JobRule<Books>],
]);

export interface RoundState {
  readonly rule: string;
  readonly books: Books;
  readonly roundMs: number;
  /** Jobs that wait: a round without any changes nothing. */
  readonly waiting: Set<number>;
  /** The last round decided. */
  lastMs: number;
}

const grant = new Grant();

const ruleOf = ({ rule }: RoundState): JobRule<Books> => RULES.get(rule)!;

/** Jobs in the line: those that wait, where no ceiling or quota holds them (nobody is stopped for these), and those that run. */
function activeJobs(
  { waiting }: RoundState,
  view: PoolView,
  mayStart: (jobIdx: number) => boolean,
): number[] {
  // Gangs of which some members hold devices get the others in the walk, one by one.
  const gathers = (jobIdx: number): boolean => view.jobState[jobIdx] === JobStateCode.placed;
  const active: number[] = [];
  for (const jobIdx of waiting) if (!gathers(jobIdx) && mayStart(jobIdx)) active.push(jobIdx);
  const running = view.running();
  for (let i = 0; i < running.length; i++)
    if (!gathers(running.at[i]!)) active.push(running.at[i]!);
  return active;
}

const line = new RoundLine();

function lineUp(state: RoundState, view: PoolView, active: readonly number[]): RoundLine {
  const rule = ruleOf(state);
  line.clear();
  for (const jobIdx of active) line.push(jobIdx, rule.key(state.books, view, jobIdx));
  return line;
}

/** Those that are due on some group of nodes, once for each, in order. */
function lineOnGroups(books: GavelBooks, view: PoolView, active: readonly number[]): Contender[] {
  const due: Contender[] = [];
  for (const jobIdx of active) {
    for (let group = 0; group < books.models.length; group++) {
      const key = -dueOn(books, view, jobIdx, group);
      if (key < 0) due.push({ jobIdx, key, group });
    }
  }
  const { submitMs } = view.jobs.at;
  return due.sort(
    (a, b) =>
      a.key - b.key ||
      submitMs[a.jobIdx]! - submitMs[b.jobIdx]! ||
      a.jobIdx - b.jobIdx ||
      a.group - b.group,
  );
}

function decide(
  state: RoundState,
  view: PoolView,
  pool: PoolSettings,
  shapes: Shapes,
  act: Actions,
  mayStart: (jobIdx: number) => boolean,
): void {
  const everybody = (): number[] => activeJobs(state, view, () => true);
  ruleOf(state).prepare?.(state.books, view, everybody);
  const active = activeJobs(state, view, mayStart);
  const desk = { view, shapes, placement: placementOf(pool), sketch: sketchOf(view, "plan") };
  if (state.rule !== "gavel") {
    stopAll(view, act, decideRound(desk, lineUp(state, view, active)));
    return;
  }
  const books = state.books as GavelBooks;
  const line = lineOnGroups(books, view, active);
  const { evicted, placed } = decideRoundOnGroups(desk, line, (node) =>
    modelOfNode(view, books.models, node),
  );
  stopAll(view, act, evicted);
  for (const { jobIdx, placing } of placed) {
    const shape = shapes.list[shapes.shapeOfJob[jobIdx]!]!;
    // Who was told to give way may take its time over it.
    if (!state.waiting.has(jobIdx) || !stillFits(view, placing, shape)) continue;
    // Those started just now count too.
    if (!mayStart(jobIdx)) continue;
    if (!grantPlacing(view, shape, placing, grant)) continue;
    act.place(jobIdx, grant, StartReasonCode.inOrder);
  }
}

function stopAll(view: PoolView, act: Actions, jobs: readonly number[]): void {
  if (jobs.length > 0) act.round(jobs.length);
  for (const jobIdx of jobs) stopAtRound(view, act, jobIdx);
}

/** Whether there is a run that a round could stop, now or later. Suspended ones are left alone, and going on again is news. O(suspended). */
function someRunGoesOn(view: PoolView): boolean {
  const running = view.running();
  for (let i = 0; i < running.length; i++)
    if (view.jobState[running.at[i]!] !== JobStateCode.suspended) return true;
  return false;
}

function noteHeld(state: RoundState, view: PoolView, jobIdx: number): void {
  ruleOf(state).held(state.books, view, jobIdx);
}

export const roundStep: StepPart<RoundState> = {
  applies: (_view, { settings }) =>
    RULES.has(settings["order"]) && Number(settings["roundMs"] ?? 0) > 0,

  create(view, pool) {
    const rule = String(pool.settings["order"]);
    const waiting = view.waiting();
    const state: RoundState = {
      rule,
      books: RULES.get(rule)!.create(view, pool),
      roundMs: Number(pool.settings["roundMs"]),
      waiting: new Set(waiting.at.subarray(0, waiting.length)),
      lastMs: view.nowMs,
    };
    const running = view.running();
    for (let i = 0; i < running.length; i++) noteHeld(state, view, running.at[i]!);
    return state;
  },

  copy: (state) => ({
    ...state,
    books: ruleOf(state).copy(state.books),
    waiting: new Set(state.waiting),
  }),

  before(state, view, pool, shapes, act, _isBefore, mayStart) {
    if (view.nowMs === state.lastMs || view.nowMs % state.roundMs !== 0) return;
    state.lastMs = view.nowMs;
    if (state.waiting.size > 0) decide(state, view, pool, shapes, act, mayStart);
  },

  wakeMs: (state, view) =>
    state.waiting.size > 0 && someRunGoesOn(view)
      ? nextRoundMs(state.roundMs, view.nowMs)
      : Number.POSITIVE_INFINITY,

  hooks: {
    queued: (state, _view, jobIdx) => void state.waiting.add(jobIdx),
    withdrawn: (state, _view, jobIdx) => void state.waiting.delete(jobIdx),
    given(state, view, jobIdx) {
      state.waiting.delete(jobIdx);
      noteHeld(state, view, jobIdx);
    },
    released: noteHeld,
  },
};
