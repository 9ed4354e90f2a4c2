import fc from "fast-check";
import { expect, test } from "vitest";
import { type Bid, clear } from "../../../src/scheduling/auction/clearing.ts";
import {
  canCommit,
  charge,
  costOf,
  createCredits,
  refill,
} from "../../../src/scheduling/auction/credits.ts";

const bids = fc
  .array(
    fc.record({
      team: fc.integer({ min: 0, max: 2 }),
      milli: fc.integer({ min: 1, max: 8 }).map((gpus) => gpus * 1_000),
      bid: fc.integer({ min: 0, max: 6 }),
    }),
    { maxLength: 20 },
  )
  .map((list): Bid[] =>
    list
      .map((bid, jobIdx) => ({ jobIdx, ...bid }))
      .sort((a, b) => b.bid - a.bid || a.jobIdx - b.jobIdx),
  );

test("a clearing sells no more than there is; every winner offered at least the price, every loser that could have had its place at most the price", () => {
  fc.assert(
    fc.property(bids, fc.integer({ min: 0, max: 12 }), (offered, gpus) => {
      const supply = gpus * 1_000;
      const { winners, price } = clear(
        offered,
        supply,
        () => true,
        () => undefined,
      );
      const sold = winners.reduce((sum, { milli }) => sum + milli, 0);
      expect(sold).toBeLessThanOrEqual(supply);
      for (const { bid } of winners) expect(bid).toBeGreaterThanOrEqual(price);
      const losers = offered.filter((bid) => !winners.includes(bid) && bid.milli <= supply);
      for (const { bid } of losers) expect(bid).toBeLessThanOrEqual(price);
      expect(price).toBe(Math.max(0, ...losers.map(({ bid }) => bid)));
      // Of equal bids of one size, who stands first wins first.
      for (const loser of losers) {
        const later = winners.find(
          ({ bid, milli, jobIdx }) =>
            bid === loser.bid && milli === loser.milli && jobIdx > loser.jobIdx,
        );
        expect(later).toBeUndefined();
      }
    }),
    { endOnFailure: true },
  );
});

test("a bid that its team could not pay takes no part and sets no price", () => {
  const offered: Bid[] = [
    { jobIdx: 0, team: 0, milli: 2_000, bid: 9 },
    { jobIdx: 1, team: 1, milli: 2_000, bid: 5 },
    { jobIdx: 2, team: 1, milli: 2_000, bid: 3 },
  ];
  const { winners, price } = clear(
    offered,
    2_000,
    ({ team }) => team === 1,
    () => undefined,
  );
  expect(winners.map(({ jobIdx }) => jobIdx)).toEqual([1]);
  expect(price).toBe(3);
});

test("money is conserved: what teams paid is what was collected, to the last grain, and no budget falls below zero", () => {
  const step = fc.record({
    team: fc.integer({ min: 0, max: 2 }),
    price: fc.double({ min: 0, max: 50, noNaN: true }),
    milli: fc.integer({ min: 1, max: 64_000 }),
    forMs: fc.integer({ min: 0, max: 7_200_000 }),
    refills: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const credits = createCredits([100, 7.3, undefined], 1_000, 0);
      let given = credits.budget[0]! + credits.budget[1]!;
      for (const { team, price, milli, forMs, refills } of steps) {
        if (refills) {
          for (const at of [0, 1]) given += credits.budget[at]! - credits.left[at]!;
          refill(credits, 1_000);
        }
        const cost = costOf(price, milli, forMs);
        if (canCommit(credits, team, cost)) charge(credits, team, cost);
        for (const left of credits.left) expect(left).toBeGreaterThanOrEqual(0);
      }
      expect(credits.paid.reduce((sum, paid) => sum + paid, 0)).toBe(credits.collected);
      expect(credits.left[0]! + credits.left[1]! + credits.paid[0]! + credits.paid[1]!).toBe(given);
    }),
    { endOnFailure: true },
  );
});

test("who bids just the price wins where there is room: the price was set by a job too big for what was left", () => {
  const offered: Bid[] = [
    { jobIdx: 0, team: 0, milli: 2_000, bid: 5 },
    { jobIdx: 1, team: 1, milli: 3_000, bid: 4 },
    { jobIdx: 2, team: 2, milli: 1_000, bid: 4 },
    { jobIdx: 3, team: 2, milli: 1_000, bid: 3 },
  ];
  const { winners, price } = clear(
    offered,
    4_000,
    () => true,
    () => undefined,
  );
  expect(winners.map(({ jobIdx }) => jobIdx)).toEqual([0, 2]);
  expect(price).toBe(4);
});
