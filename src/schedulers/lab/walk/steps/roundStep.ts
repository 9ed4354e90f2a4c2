/**
 * Rounds in the walk: before the queue is gone through at a multiple of `roundMs`, running jobs that are no longer due give way
 * (`scheduling/sharing/rounds.ts`). It keeps the books of the order's rule once more, as the order shows them to nobody. With Gavel it also
 * starts the chosen itself, each on the device model that is due to it.
 */
import { Grant } from "../../../../engine/grant.ts";
import type { Actions, PoolView } from "../../../../engine/view.ts";
import { LAB_PLACEMENTS, type LabPlacement, type PoolSettings } from "../../../../model/policy.ts";
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
import {
  type Contender,
  decideRound,
  nextRoundMs,
  stopAtRound,
} from "../../../../scheduling/sharing/rounds.ts";
import type { StepPart } from "../parts.ts";

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

function lineOf(state: RoundState, view: PoolView): Contender[] {
  const rule = ruleOf(state);
  const running = view.running();
  // Gangs of which some members hold devices get the others in the walk, one by one.
  const gathers = (jobIdx: number): boolean => view.jobState[jobIdx] === JobStateCode.placed;
  const active = [...state.waiting, ...running.at.subarray(0, running.length)].filter(
    (jobIdx) => !gathers(jobIdx),
  );
  rule.prepare?.(state.books, view, active);
  const line: Contender[] = [];
  for (const jobIdx of active) {
    if (state.rule !== "gavel") {
      line.push({ jobIdx, key: rule.key(state.books, view, jobIdx), group: -1 });
      continue;
    }
    const books = state.books as GavelBooks;
    books.models.forEach((_, group) => {
      const due = dueOn(books, view, jobIdx, group);
      if (due > 0) line.push({ jobIdx, key: -due, group });
    });
  }
  const { submitMs } = view.jobs.at;
  return line.sort(
    (a, b) =>
      a.key - b.key ||
      submitMs[a.jobIdx]! - submitMs[b.jobIdx]! ||
      a.jobIdx - b.jobIdx ||
      a.group - b.group,
  );
}

function placementOf({ settings }: PoolSettings): LabPlacement {
  return LAB_PLACEMENTS.find((known) => known === settings["placement"]) ?? "firstFit";
}

function decide(
  state: RoundState,
  view: PoolView,
  pool: PoolSettings,
  shapes: Shapes,
  act: Actions,
  mayStart: (jobIdx: number) => boolean,
): void {
  const models = state.rule === "gavel" ? (state.books as GavelBooks).models : [];
  // Nobody is stopped for a job that a ceiling or a quota holds.
  const line = lineOf(state, view).filter(
    ({ jobIdx }) => !state.waiting.has(jobIdx) || mayStart(jobIdx),
  );
  const result = decideRound(view, shapes, placementOf(pool), line, (node) =>
    modelOfNode(view, models, node),
  );
  if (result.evicted.length > 0) act.round(result.evicted.length);
  for (const jobIdx of result.evicted) stopAtRound(view, act, jobIdx);
  if (state.rule !== "gavel") return;
  for (const { jobIdx, placing } of result.placed) {
    const shape = shapes.list[shapes.shapeOfJob[jobIdx]!]!;
    // Who was told to give way may take its time over it.
    if (!state.waiting.has(jobIdx) || !stillFits(view, placing, shape)) continue;
    // Those started just now count too.
    if (!mayStart(jobIdx)) continue;
    if (!grantPlacing(view, shape, placing, grant)) continue;
    act.place(jobIdx, grant, StartReasonCode.inOrder);
  }
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
    state.waiting.size > 0 && view.running().length > 0
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
