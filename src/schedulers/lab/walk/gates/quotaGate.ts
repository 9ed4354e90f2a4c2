/**
 * Gate of the quotas of teams: static, with borrowing, with borrowing and reclaim. The rules: `scheduling/quota/teamTree.ts`,
 * `scheduling/quota/reclaim.ts`, `scheduling/quota/fairShares.ts`. Hard quota with an auctioned rest is `auctionGate.ts`. Counted within the pool.
 */
import type { Actions, PoolView } from "../../../../engine/view.ts";
import type { ShareRow } from "../../../../model/lab/shares.ts";
import { StartReasonCode, WaitReasonCode } from "../../../../model/reasons.ts";
import type { Shape } from "../../../../scheduling/placement/shapes.ts";
import { followEvicted } from "../../../../scheduling/preemption/protection.ts";
import { askedMilli, heldMilli, isTakeable, MILLI } from "../../../../scheduling/quota/amounts.ts";
import { fairSharesOf } from "../../../../scheduling/quota/fairShares.ts";
import { copyLending, type Lending, unknownLending } from "../../../../scheduling/quota/lending.ts";
import {
  owedTo,
  roomWithin,
  staysWithin,
  type TeamRun,
} from "../../../../scheduling/quota/reclaim.ts";
import {
  addHeld,
  availableTo,
  copyTeamBooks,
  createTeamBooks,
  createTeamTree,
  mostEver,
  ownRoom,
  setCapacity,
  type TeamBooks,
} from "../../../../scheduling/quota/teamTree.ts";
import {
  copyAsks,
  createAsks,
  isAnyEntitled,
  noteAsk,
  type WaitingAsks,
} from "../../../../scheduling/quota/waitingAsks.ts";
import { gpusOnClosedNodes } from "../../fits.ts";
import type { Chance, GatePart, RoomMade } from "../parts.ts";
import {
  copyReclaim,
  createReclaim,
  noteReclaimed,
  type ReclaimBook,
  reclaimWakeMs,
  takeBackFrom,
} from "./reclaimBook.ts";
import { teamRows, tellLending, whoseTeam } from "./teamRows.ts";

interface QuotaState {
  readonly reclaims: boolean;
  /** Taken back up to fair shares, not only up to quotas. */
  readonly toFairShare: boolean;
  readonly books: TeamBooks;
  /** In order of start. */
  readonly runs: Map<number, TeamRun>;
  /** What each waiting job asks for; the sums by team; how many ask for how much. Kept only where something is taken back. */
  readonly waiting: Map<number, number>;
  readonly wanted: Float64Array;
  readonly asks: WaitingAsks;
  /** Those of them that hold some of it already. */
  readonly partly: Set<number>;
  readonly reclaim: ReclaimBook;
  /** Nobody borrows, and every team stands right below the pool: what one gives back only it may take, while none holds more than its own. */
  readonly isApart: boolean;
  /** Teams that hold more than their own, where all stand apart; and whether the last change of holdings may have made room for other teams. */
  teamsOver: number;
  reachesAll: boolean;
  /** Null = to be computed anew: what each is due, whether anybody holds more, and whether anybody who waits is entitled to that. */
  due: Float64Array | null;
  isAnyOver: boolean | null;
  isAnyOwed: boolean | null;
  /** Counts changes of who holds what. */
  version: number;
  toldVersion: number;
  readonly told: Lending;
}

const UNKNOWN = -1;

/** Take-backs that failed since something last changed, by shape and team; not part of the state: it only spares work. */
interface Failed {
  version: number;
  atMs: number;
  readonly teams: Map<Shape, Set<number>>;
}
const failures = new WeakMap<QuotaState, Failed>();

function follow(state: QuotaState, view: PoolView, jobIdx: number): void {
  const team = view.jobs.at.team[jobIdx]!;
  if (team >= state.books.tree.teams) return;
  const milli = heldMilli(view, jobIdx);
  const before = state.runs.get(jobIdx)?.milli ?? 0;
  if (milli === before) return;
  state.reachesAll = !state.isApart || state.teamsOver > 0;
  const wasOver = ownRoom(state.books, team) < 0;
  addHeld(state.books, team, milli - before);
  const isOver = ownRoom(state.books, team) < 0;
  if (isOver !== wasOver) state.teamsOver += isOver ? 1 : -1;
  if (milli === 0) state.runs.delete(jobIdx);
  else state.runs.set(jobIdx, { team, milli });
  if (milli > 0 && state.waiting.has(jobIdx)) state.partly.add(jobIdx);
  else state.partly.delete(jobIdx);
  changed(state);
}

function changed(state: QuotaState): void {
  state.due = null;
  state.isAnyOver = null;
  state.isAnyOwed = null;
  state.version++;
}

function want(state: QuotaState, view: PoolView, jobIdx: number, waits: boolean): void {
  if (!state.reclaims || state.waiting.has(jobIdx) === waits) return;
  const team = view.jobs.at.team[jobIdx]!;
  if (team >= state.books.tree.teams) return;
  const milli = state.waiting.get(jobIdx) ?? askedMilli(view.jobs, jobIdx);
  if (waits) state.waiting.set(jobIdx, milli);
  else state.waiting.delete(jobIdx);
  state.partly.delete(jobIdx);
  noteAsk(state.asks, team, milli, waits ? 1 : -1);
  state.isAnyOwed = null;
  if (!state.toFairShare || milli === 0) return;
  state.wanted[team]! += waits ? milli : -milli;
  state.due = null;
  state.isAnyOver = null;
}

function dueOf(state: QuotaState): Float64Array {
  if (!state.toFairShare) return state.books.quota;
  state.due ??= fairSharesOf(state.books, state.wanted);
  return state.due;
}

function isAnyOver({ held }: TeamBooks, due: Float64Array): boolean {
  for (let node = 0; node < held.length; node++) if (held[node]! > due[node]!) return true;
  return false;
}

function stillAsked(state: QuotaState, view: PoolView, jobIdx: number): number {
  return Math.max(0, askedMilli(view.jobs, jobIdx) - (state.runs.get(jobIdx)?.milli ?? 0));
}

/** Whether the job is entitled to room that others hold. */
function isOwed(state: QuotaState, view: PoolView, jobIdx: number, asked: number): boolean {
  if (!state.reclaims) return false;
  return staysWithin(state.books, dueOf(state), view.jobs.at.team[jobIdx]!, asked);
}

function hasFailed(state: QuotaState, view: PoolView, shape: Shape, team: number): boolean {
  let failed = failures.get(state);
  if (failed === undefined || failed.version !== state.version || failed.atMs !== view.nowMs) {
    failed = { version: state.version, atMs: view.nowMs, teams: new Map() };
    failures.set(state, failed);
  }
  let teams = failed.teams.get(shape);
  if (teams === undefined) {
    teams = new Set();
    failed.teams.set(shape, teams);
  }
  // Taken out again by a take-back that works: that changes the version.
  if (teams.has(team)) return true;
  teams.add(team);
  return false;
}

function takeBack(
  state: QuotaState,
  view: PoolView,
  shape: Shape,
  jobIdx: number,
  act: Actions,
  chance: Chance,
): RoomMade {
  const team = view.jobs.at.team[jobIdx]!;
  const asked = stillAsked(state, view, jobIdx);
  const due = dueOf(state);
  const missing = asked - view.gpusFreeTotal * MILLI;
  const owed = () => owedTo(state.books, due, team, asked, state.runs);
  const { mayTake } = owed();
  // As long as nothing has been taken all runs of a team are alike.
  const gives = new Int8Array(state.books.tree.teams).fill(UNKNOWN);
  gives[team] = 0;
  const candidates: number[] = [];
  state.runs.forEach((run, runIdx) => {
    if (gives[run.team] === UNKNOWN) gives[run.team] = mayTake(runIdx) ? 1 : 0;
    if (gives[run.team] === 1 && isTakeable(view, runIdx)) candidates.push(runIdx);
  });
  const taker = { jobIdx, shape, owner: team, missing };
  return takeBackFrom(state.reclaim, view, taker, candidates.reverse(), owed, act, chance);
}

export const quotaGate: GatePart<QuotaState> = {
  applies: (view, pool) =>
    view.teams.length > 0 &&
    ["static", "borrow", "reclaim"].includes(String(pool.settings["quota"])),

  create(view, pool) {
    const mode = String(pool.settings["quota"]);
    const tree = createTeamTree(view.teams, mode !== "static");
    const state: QuotaState = {
      reclaims: mode === "reclaim",
      toFairShare: mode === "reclaim" && pool.settings["reclaimTo"] === "fairShare",
      books: createTeamBooks(tree, view.gpusOpenTotal * MILLI),
      runs: new Map(),
      waiting: new Map(),
      wanted: new Float64Array(tree.teams + 1),
      asks: createAsks(tree.teams),
      partly: new Set(),
      reclaim: createReclaim(view, pool),
      isApart: mode === "static" && tree.parent.every((above) => above < 0 || above === tree.teams),
      teamsOver: 0,
      reachesAll: true,
      due: null,
      isAnyOver: null,
      isAnyOwed: null,
      version: 1,
      toldVersion: 0,
      told: unknownLending(tree.teams),
    };
    const running = view.running();
    const inOrder = Array.from(running.at.subarray(0, running.length)).sort(
      (a, b) => view.startMs(a) - view.startMs(b) || a - b,
    );
    for (const jobIdx of inOrder) follow(state, view, jobIdx);
    const waiting = view.waiting();
    for (let i = 0; i < waiting.length; i++) want(state, view, waiting.at[i]!, true);
    return state;
  },

  copy: (state) => ({
    ...state,
    books: copyTeamBooks(state.books),
    runs: new Map(state.runs),
    waiting: new Map(state.waiting),
    wanted: state.wanted.slice(),
    asks: copyAsks(state.asks),
    partly: new Set(state.partly),
    reclaim: copyReclaim(state.reclaim),
    due: state.due?.slice() ?? null,
    told: copyLending(state.told),
  }),

  hooks: {
    queued: (state, view, jobIdx) => want(state, view, jobIdx, true),
    withdrawn: (state, view, jobIdx) => want(state, view, jobIdx, false),
    given(state, view, jobIdx) {
      want(state, view, jobIdx, false);
      follow(state, view, jobIdx);
    },
    released(state, view, jobIdx) {
      follow(state, view, jobIdx);
      followEvicted(state.reclaim.evicted, view, jobIdx);
    },
    evicted: (state, view, jobIdx) => noteReclaimed(state.reclaim, view, jobIdx),
  },
  wakeMs: (state, view) => reclaimWakeMs(state.reclaim, view),

  begin(state, view) {
    const capacity = view.gpusOpenTotal * MILLI;
    if (state.books.capacity === capacity) return;
    setCapacity(state.books, capacity);
    state.teamsOver = 0;
    for (let team = 0; team < state.books.tree.teams; team++)
      if (ownRoom(state.books, team) < 0) state.teamsOver++;
    changed(state);
  },

  verdict(state, view, jobIdx) {
    const team = view.jobs.at.team[jobIdx]!;
    const asked = stillAsked(state, view, jobIdx);
    if (asked === 0 || team >= state.books.tree.teams) return WaitReasonCode.none;
    if (asked <= availableTo(state.books, team)) return WaitReasonCode.none;
    return isOwed(state, view, jobIdx, asked) ? WaitReasonCode.none : WaitReasonCode.quota;
  },

  parking: {
    heldBy: (_state, view, jobIdx) => view.jobs.at.team[jobIdx]!,
    measure: () => "devices",
    asks: (state, view, _team, jobIdx) => stillAsked(state, view, jobIdx),
    // Whoever lends or is in the way may be any team.
    touchedBy: ({ books, reachesAll }, view, jobIdx) =>
      reachesAll ? books.held.keys() : [view.jobs.at.team[jobIdx]!],
    moves: ({ toFairShare }) => toFairShare,
    room(state, _view, team) {
      const room = availableTo(state.books, team);
      return state.reclaims ? Math.max(room, roomWithin(state.books, dueOf(state), team)) : room;
    },
  },

  explain(state, view, jobIdx) {
    const team = view.jobs.at.team[jobIdx]!;
    if (team >= state.books.tree.teams) return null;
    const used = state.books.held[team]!;
    const room = Math.max(0, availableTo(state.books, team));
    return {
      whose: whoseTeam(view, team),
      used: used / MILLI,
      most: (used + room) / MILLI,
      // What is due by fair shares moves with demand; what can be borrowed, with nodes that are closed now.
      ...(state.toFairShare || gpusOnClosedNodes(view) > 0
        ? {}
        : { ever: mostEver(state.books, team) / MILLI }),
      asked: stillAsked(state, view, jobIdx) / MILLI,
      unit: unitOf(state.books.quota[team]!, used + room),
    };
  },

  headroom(state, view, jobIdx) {
    const team = view.jobs.at.team[jobIdx]!;
    if (team >= state.books.tree.teams) return Number.POSITIVE_INFINITY;
    const room = Math.max(0, availableTo(state.books, team));
    return Math.floor(room / MILLI);
  },

  startReason(state, view, jobIdx) {
    const team = view.jobs.at.team[jobIdx]!;
    if (team >= state.books.tree.teams) return -1;
    const asked = stillAsked(state, view, jobIdx);
    return asked > 0 && asked > ownRoom(state.books, team) ? StartReasonCode.borrowed : -1;
  },

  keptUntilMs: ({ reclaim }) => reclaim.keptUntilMs,
  readyMs: ({ reclaim }) => reclaim.readyMs,
  lastReason: ({ reclaim }) => reclaim.lastReason,
  defers(state, view, jobIdx) {
    const team = view.jobs.at.team[jobIdx]!;
    if (!state.reclaims || team >= state.books.tree.teams || !isTakeable(view, jobIdx))
      return false;
    return !staysWithin(state.books, dueOf(state), team, stillAsked(state, view, jobIdx));
  },

  mayMakeRoom(state, view, but = -1) {
    if (!state.reclaims) return false;
    const due = dueOf(state);
    state.isAnyOver ??= isAnyOver(state.books, due);
    if (!state.isAnyOver || state.partly.size > 0) return state.isAnyOver;
    state.isAnyOwed ??= isAnyEntitled(state.asks, state.books, due);
    const milli = state.waiting.get(but);
    if (!state.isAnyOwed || milli === undefined) return state.isAnyOwed;
    const team = view.jobs.at.team[but]!;
    noteAsk(state.asks, team, milli, -1);
    const others = isAnyEntitled(state.asks, state.books, due);
    noteAsk(state.asks, team, milli, 1);
    return others;
  },

  couldMakeRoom(state, view, jobIdx) {
    return isOwed(state, view, jobIdx, stillAsked(state, view, jobIdx));
  },

  makeRoom(
    state: QuotaState,
    view: PoolView,
    shape: Shape,
    jobIdx: number,
    act: Actions,
    chance: Chance,
  ): RoomMade {
    const team = view.jobs.at.team[jobIdx]!;
    state.reclaim.lastReason = WaitReasonCode.none;
    if (team >= state.books.tree.teams) return "no";
    const asked = stillAsked(state, view, jobIdx);
    if (!isOwed(state, view, jobIdx, asked) || hasFailed(state, view, shape, team)) return "no";
    return takeBack(state, view, shape, jobIdx, act, chance);
  },

  end(state, view, act) {
    if (state.toldVersion === state.version) return;
    state.toldVersion = state.version;
    tellLending(state.books, state.told, view, act);
  },

  shares(state, view): readonly ShareRow[] {
    return teamRows(state.books, view, dueOf(state), null);
  },
};

/** What is lent to others, or is down, is not open to the team: its quota then says more than it could hold. */
function unitOf(quota: number, openNow: number): string {
  if (openNow > quota) return `GPUs (its quota is ${quota / MILLI}, the rest is borrowed)`;
  return openNow < quota ? `GPUs now open to it (its quota is ${quota / MILLI})` : "GPUs";
}
