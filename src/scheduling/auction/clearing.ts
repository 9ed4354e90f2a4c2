/**
 * One clearing of an auction for whole jobs: uniform price, the highest losing bid. Bids are gone through from the highest, ties in the order
 * given (earlier submitted first). A bid wins while what it asks for is left; the first that does not fit sets the price, and from then on only
 * bids that are not below it can win. So every winner offered at least the price, and who offered more than the price lost only for its size.
 * Without a loser the price is 0. A bid for more than there is at all, or that its team could not pay, takes no part and sets no price.
 *
 * Source: the uniform-price auction with the highest rejected bid (Krishna, Auction Theory, 2nd ed. 2010, ch. 12), with all-or-nothing bids.
 * O(bids looked at): it stops at the first bid below the price. Pathologies: a big job at the price leaves devices unsold that lower bids could use;
 * a team with several jobs can lower the price by bidding less for the last one.
 */
export interface Bid {
  readonly jobIdx: number;
  readonly team: number;
  /** Thousandths of a device. */
  readonly milli: number;
  /** Credits for a device-hour. */
  readonly bid: number;
}

export interface Clearing {
  /** In order of bid. */
  readonly winners: readonly Bid[];
  readonly price: number;
}

/** `bids`: highest first. `canPay`: whether its team could pay this bid beside those that it has won (`won` says which). */
export function clear(
  bids: Iterable<Bid>,
  supplyMilli: number,
  canPay: (bid: Bid) => boolean,
  won: (bid: Bid) => void,
): Clearing {
  const winners: Bid[] = [];
  let left = supplyMilli;
  let price = -1;
  for (const bid of bids) {
    if (price >= 0 && bid.bid < price) break;
    if (bid.milli > supplyMilli) continue;
    if (bid.milli > left) {
      if (price < 0 && canPay(bid)) price = bid.bid;
      continue;
    }
    if (!canPay(bid)) continue;
    left -= bid.milli;
    winners.push(bid);
    won(bid);
  }
  return { winners, price: Math.max(0, price) };
}
