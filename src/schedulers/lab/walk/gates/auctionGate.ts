/**
 * Gate "hard quota, auctioned rest": a job within its team's quota starts whenever it fits and takes its devices back from the auction; what is
 * left is auctioned at every multiple of the interval, for jobs that may be preempted. Winners start when the walk comes to them; whoever is
 * outbid, has held its devices for a full burst, or is in the way of a quota, is queued again. The rules: `scheduling/auction/`,
 * `scheduling/quota/teamTree.ts` (nobody borrows). Sold is what neither reserved runs nor waiting jobs within quotas need.
 *
 * Between two clearings what falls free waits for the next one, unless a quota needs it. A clearing costs O(won + bids looked at), a verdict
 * O(depth of teams). Without any quota everything is auctioned.
 */
import type { Actions, PoolView } from "../../../../engine/view.ts";
import { GaugeCode } from "../../../../model/lab/gauges.ts";
import { StartReasonCode, StopReasonCode, WaitReasonCode } from "../../../../model/reasons.ts";
import { JobStateCode } from "../../../../model/states.ts";
import { type Bid, clear } from "../../../../scheduling/auction/clearing.ts";
import { canCommit, costOf } from "../../../../scheduling/auction/credits.ts";
import { BLOCK } from "../../../../scheduling/ordering/sortedJobs.ts";
import { followEvicted } from "../../../../scheduling/preemption/protection.ts";
import { isTakeable, MILLI } from "../../../../scheduling/quota/amounts.ts";
import type { Owed } from "../../../../scheduling/quota/takeBack.ts";
import { availableTo, mostEver, setCapacity } from "../../../../scheduling/quota/teamTree.ts";
import { gpusOnClosedNodes } from "../../fits.ts";
import type { Chance, GatePart, RoomMade } from "../parts.ts";
import {
  type AuctionState,
  bidOf,
  copyAuction,
  createAuction,
  endBurst,
  giveBack,
  hasRoom,
  isForeign,
  isFutile,
  join,
  leave,
  noteBurst,
  settleAll,
  stillAsked,
  take,
} from "./auctionState.ts";
import { noteReclaimed, reclaimWakeMs, takeBackFrom } from "./reclaimBook.ts";
import { teamRows, tellLending, whoseTeam } from "./teamRows.ts";

/** Bids in order, those left out that need none: their quota has room, or their burst has just ended. */
function* bidsOf(state: AuctionState, view: PoolView): Generator<Bid> {
  const { bids } = state;
  for (let position = 0; position < bids.blockCount; position++) {
    const base = bids.order[position]! * BLOCK;
    for (let row = 0; row < bids.used[bids.order[position]!]!; row++) {
      const jobIdx = bids.jobIdx[base + row]!;
      const run = state.won.get(jobIdx);
      const team = view.jobs.at.team[jobIdx]!;
      const milli = run?.milli ?? bids.need[base + row]!;
      if (run === undefined) {
        if (isSureOfQuota(state, team, milli)) continue;
        if (state.burstEndMs.get(jobIdx) === view.nowMs) continue;
      }
      yield { jobIdx, team, milli, bid: -bids.key[base + row]! };
    }
  }
}

/** Its team's quota has room for all of the team's jobs that wait. Where it has room for some, all of them bid: who starts first takes the quota. */
function isSureOfQuota(state: AuctionState, team: number, milli: number): boolean {
  return (
    hasRoom(state, team, milli) && state.wanted[team]! <= availableTo(state.reservedBooks, team)
  );
}

/** Open devices that no reserved run holds, no waiting job within a quota will need, and the owner of a quota does not keep to itself. O(teams). */
function supplyOf(state: AuctionState): number {
  const { reservedBooks: books, wanted } = state;
  const root = books.tree.teams;
  let supply = books.capacity - books.held[root]!;
  for (let team = 0; team < root; team++) {
    const room = Math.max(0, books.own[team]! - books.heldOwn[team]!);
    const needed = Math.min(wanted[team]!, room);
    supply -= needed + Math.max(0, room - needed - books.tree.lendMost[team]!);
  }
  return Math.max(0, Math.floor(supply / MILLI) * MILLI);
}

function clearNow(state: AuctionState, view: PoolView, act: Actions): void {
  const { credits, rules } = state;
  const cost = ({ bid, milli }: Bid): number => costOf(bid, milli, rules.everyMs);
  credits.committed.fill(0);
  const { winners, price } = clear(
    bidsOf(state, view),
    supplyOf(state),
    (bid) => canCommit(credits, bid.team, cost(bid)),
    (bid) => {
      credits.committed[bid.team]! += cost(bid);
    },
  );
  state.price = price;
  state.lastClearingMs = view.nowMs;
  state.moneyVersion++;
  const keeps = new Set(winners.map((bid) => bid.jobIdx));
  state.tickets.clear();
  for (const jobIdx of keeps) if (!state.won.has(jobIdx)) state.tickets.add(jobIdx);
  for (const jobIdx of [...state.won.keys()]) {
    if (!keeps.has(jobIdx) && isTakeable(view, jobIdx))
      act.evict(jobIdx, "requeue", 0, -1, StopReasonCode.outbid);
  }
}

/** Runs that have held what they won for a full burst. In order of start, so that looking stops at the first that has not. */
function endBursts(state: AuctionState, view: PoolView, act: Actions): void {
  const over: number[] = [];
  for (const [jobIdx, run] of state.won) {
    if (run.startMs + state.rules.burstMs > view.nowMs) break;
    if (isTakeable(view, jobIdx)) over.push(jobIdx);
  }
  for (const jobIdx of over) {
    endBurst(state, view, jobIdx);
    act.evict(jobIdx, "requeue", 0, -1, StopReasonCode.burstOver);
    noteBurst(state, view, jobIdx);
  }
  // One that is slow to end comes back to the queue later.
  for (const jobIdx of state.futile.keys())
    if (view.jobState[jobIdx] === JobStateCode.queued && isFutile(state, jobIdx))
      act.refuse(jobIdx, WaitReasonCode.auction);
}

/** The next multiple of the interval at which there has been no clearing yet; `Infinity` while nobody bids. */
function nextClearingMs(state: AuctionState, nowMs: number): number {
  if (state.bids.length === 0) return Number.POSITIVE_INFINITY;
  const { everyMs } = state.rules;
  const atMs = Math.ceil(nowMs / everyMs) * everyMs;
  return atMs === state.lastClearingMs ? atMs + everyMs : atMs;
}

export const auctionGate: GatePart<AuctionState> = {
  applies: (view, pool) => view.teams.length > 0 && pool.settings["quota"] === "auction",
  create: createAuction,
  copy: copyAuction,
  hooks: {
    queued: join,
    withdrawn: leave,
    given: take,
    released(state, view, jobIdx) {
      giveBack(state, view, jobIdx);
      followEvicted(state.reclaim.evicted, view, jobIdx);
    },
    evicted: (state, view, jobIdx) => noteReclaimed(state.reclaim, view, jobIdx),
  },

  begin(state, view, act) {
    setCapacity(state.reservedBooks, view.gpusOpenTotal * MILLI);
    setCapacity(state.books, view.gpusOpenTotal * MILLI);
    const clears = nextClearingMs(state, view.nowMs) === view.nowMs;
    if (clears || state.credits.nextRefillMs <= view.nowMs) settleAll(state, view.nowMs);
    endBursts(state, view, act);
    if (clears) clearNow(state, view, act);
  },

  wakeMs(state, view) {
    const clearingMs = nextClearingMs(state, view.nowMs + 1);
    const wakeMs = Math.min(clearingMs, reclaimWakeMs(state.reclaim, view));
    for (const run of state.won.values()) {
      const endMs = run.startMs + state.rules.burstMs;
      if (endMs > view.nowMs) return Math.min(wakeMs, endMs);
    }
    return wakeMs;
  },

  verdict(state, view, jobIdx) {
    if (isForeign(state, view, jobIdx)) return WaitReasonCode.none;
    const team = view.jobs.at.team[jobIdx]!;
    if (hasRoom(state, team, stillAsked(state, view, jobIdx))) return WaitReasonCode.none;
    if (!isTakeable(view, jobIdx)) return WaitReasonCode.quota;
    return state.tickets.has(jobIdx) ? WaitReasonCode.none : WaitReasonCode.auction;
  },

  parking: {
    heldBy: (_state, view, jobIdx) => view.jobs.at.team[jobIdx]!,
    measure: () => "devices",
    // Who holds more than its quota may be in the way of any team.
    touchedBy: ({ reservedBooks }) => reservedBooks.held.keys(),
    asks: (state, view, _team, jobIdx) => stillAsked(state, view, jobIdx),
    room: (state, _view, team) => availableTo(state.reservedBooks, team),
    letsIn: ({ tickets }) => tickets,
  },

  explain(state, view, jobIdx) {
    if (isForeign(state, view, jobIdx)) return null;
    const team = view.jobs.at.team[jobIdx]!;
    const asked = stillAsked(state, view, jobIdx);
    const whose = whoseTeam(view, team);
    const { credits, reservedBooks: books, rules } = state;
    const cost = costOf(bidOf(state, view, jobIdx), asked, rules.everyMs);
    if (isTakeable(view, jobIdx) && cost > credits.left[team]!) {
      const most = credits.budget[team]!;
      const used = most - credits.left[team]!;
      return { whose, used, most, ever: most, asked: cost, unit: "credits" };
    }
    const used = books.held[team]! / MILLI;
    const most = books.quota[team]! / MILLI;
    // What no quota covers can only be won, by jobs that may be stopped.
    const ever =
      isTakeable(view, jobIdx) || gpusOnClosedNodes(view) > 0
        ? {}
        : { ever: mostEver(books, team) / MILLI };
    return { whose, used, most, ...ever, asked: asked / MILLI, unit: "GPUs" };
  },

  headroom(state, view, jobIdx) {
    if (isForeign(state, view, jobIdx)) return Number.POSITIVE_INFINITY;
    if (state.won.has(jobIdx)) return 0;
    const room = availableTo(state.reservedBooks, view.jobs.at.team[jobIdx]!);
    return Math.floor(Math.max(0, room) / MILLI);
  },

  startReason(state, view, jobIdx) {
    if (isForeign(state, view, jobIdx) || !state.tickets.has(jobIdx)) return -1;
    const asked = stillAsked(state, view, jobIdx);
    return hasRoom(state, view.jobs.at.team[jobIdx]!, asked) ? -1 : StartReasonCode.won;
  },

  keptUntilMs: ({ reclaim }) => reclaim.keptUntilMs,
  readyMs: ({ reclaim }) => reclaim.readyMs,
  lastReason: ({ reclaim }) => reclaim.lastReason,
  defers: (state, view, jobIdx) =>
    state.tickets.has(jobIdx) &&
    !hasRoom(state, view.jobs.at.team[jobIdx]!, stillAsked(state, view, jobIdx)),

  mayMakeRoom: (state) => state.won.size > 0,

  makeRoom(
    state: AuctionState,
    view: PoolView,
    shape,
    jobIdx: number,
    act: Actions,
    chance: Chance,
  ): RoomMade {
    state.reclaim.lastReason = WaitReasonCode.none;
    if (isForeign(state, view, jobIdx) || state.won.size === 0) return "no";
    const asked = stillAsked(state, view, jobIdx);
    if (!hasRoom(state, view.jobs.at.team[jobIdx]!, asked)) return "no";
    const missing = asked - view.gpusFreeTotal * MILLI;
    const taker = { jobIdx, shape, owner: view.jobs.at.team[jobIdx]!, missing };
    const owed = () => anyWon(state);
    return takeBackFrom(state.reclaim, view, taker, cheapestFirst(state, view), owed, act, chance);
  },

  end(state, view, act) {
    if (state.toldVersion !== state.version) tellLending(state.books, state.told, view, act);
    state.toldVersion = state.version;
    if (state.toldMoneyVersion === state.moneyVersion) return;
    state.toldMoneyVersion = state.moneyVersion;
    act.gauge(GaugeCode.price, view.pool, state.price);
    for (let team = 0; team < view.teams.length; team++) {
      if (state.credits.budget[team]! < Number.POSITIVE_INFINITY)
        act.gauge(GaugeCode.credits, team, state.credits.left[team]!);
    }
  },

  shares(state, view) {
    const credits = state.credits.left.map((left) =>
      left === Number.POSITIVE_INFINITY ? Number.NaN : left,
    );
    return teamRows(state.books, view, state.books.quota, credits);
  },
};

/** Victims of quotas: the lowest bid first, then the youngest. */
function cheapestFirst(state: AuctionState, view: PoolView): number[] {
  return [...state.won]
    .filter(([jobIdx]) => isTakeable(view, jobIdx))
    .sort(([a, one], [b, other]) => one.bid - other.bid || other.startMs - one.startMs || b - a)
    .map(([jobIdx]) => jobIdx);
}

function anyWon(state: AuctionState): Owed {
  return {
    mayTake: () => true,
    take: () => undefined,
    milli: (jobIdx) => state.won.get(jobIdx)?.milli ?? 0,
  };
}
