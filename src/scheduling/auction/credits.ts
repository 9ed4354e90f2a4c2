/**
 * Budgets of teams in the auction. Held capacity is charged as it is used, at the price of the last clearing; a clearing commits what the winners
 * of a team would pay for a whole interval at their own bids, and lets nobody win beyond the credits. So credits never fall below zero. A
 * refill brings a team back to its budget: what it saved is not added, so nobody hoards. Amounts are multiples of 1/1,024 credit, rounded down, so
 * that sums are exact and what is paid is what is collected. A team without a budget pays like the others and never runs out.
 */
export interface Credits {
  /** By team; `Infinity` = no budget. */
  readonly budget: Float64Array;
  readonly left: Float64Array;
  readonly paid: Float64Array;
  /** Of `left`, promised by the last clearing. Only while one is under way. */
  readonly committed: Float64Array;
  collected: number;
  /** `Infinity` = never. */
  nextRefillMs: number;
}

const GRAIN = 1_024;
const HOUR_MS = 3_600_000;

/** Refills come at multiples of `refillEveryMs` (0 = never), from `nowMs` on. */
export function createCredits(
  budgets: readonly (number | undefined)[],
  refillEveryMs: number,
  nowMs: number,
): Credits {
  const budget = Float64Array.from(budgets, (credits) =>
    credits === undefined ? Number.POSITIVE_INFINITY : Math.floor(credits * GRAIN) / GRAIN,
  );
  return {
    budget,
    left: budget.slice(),
    paid: new Float64Array(budget.length),
    committed: new Float64Array(budget.length),
    collected: 0,
    nextRefillMs:
      refillEveryMs > 0
        ? (Math.floor(nowMs / refillEveryMs) + 1) * refillEveryMs
        : Number.POSITIVE_INFINITY,
  };
}

/** Money goes on where the auction stays under other settings: what was paid stays paid. */
export function takeOverCredits(credits: Credits, before: Credits | undefined): Credits {
  if (before === undefined) return credits;
  const { left, paid, collected } = copyCredits(before);
  return { ...credits, left, paid, collected };
}

export function copyCredits(credits: Credits): Credits {
  return {
    ...credits,
    left: credits.left.slice(),
    paid: credits.paid.slice(),
    committed: credits.committed.slice(),
  };
}

/** What so many thousandths cost at a price (credits for a device-hour) for so long. */
export function costOf(price: number, milli: number, forMs: number): number {
  return Math.floor(((price * milli * forMs) / (1_000 * HOUR_MS)) * GRAIN) / GRAIN;
}

/** A team pays. Never more than it has left: a price that rose is bounded by what the clearing committed. */
export function charge(credits: Credits, team: number, amount: number): void {
  const due = Math.min(amount, credits.left[team]!);
  credits.left[team]! -= due;
  credits.paid[team]! += due;
  credits.collected += due;
}

/** Whether a team could commit so much more. */
export function canCommit(credits: Credits, team: number, amount: number): boolean {
  return credits.committed[team]! + amount <= credits.left[team]!;
}

/** All budgets are full again; the next refill is set. */
export function refill(credits: Credits, refillEveryMs: number): void {
  credits.left.set(credits.budget);
  credits.nextRefillMs += refillEveryMs;
}
