/**
 * What waiting jobs ask for, by team: how many ask for each amount. So whether anybody who waits is entitled to what others hold is a question to a few
 * amounts of a few teams, not to each job: while nobody is, nothing is taken back, and a pass need not look at those who would only ask for it.
 * O(1) a change, O(teams + different amounts) a question.
 */
import { staysWithin } from "./reclaim.ts";
import type { TeamBooks } from "./teamTree.ts";

/** By team: how many waiting jobs ask for so many thousandths. */
export type WaitingAsks = readonly Map<number, number>[];

export function createAsks(teams: number): WaitingAsks {
  return Array.from({ length: teams }, () => new Map());
}

/** A copy that shares nothing. O(teams + different amounts). */
export function copyAsks(asks: WaitingAsks): WaitingAsks {
  return asks.map((of) => new Map(of));
}

/** One more job of the team asks for so much (`sign` 1), or one fewer. */
export function noteAsk(asks: WaitingAsks, team: number, milli: number, sign: 1 | -1): void {
  const of = asks[team]!;
  const count = (of.get(milli) ?? 0) + sign;
  if (count === 0) of.delete(milli);
  else of.set(milli, count);
}

/** Whether any of them would stay within its team's due, and so may take back. */
export function isAnyEntitled(asks: WaitingAsks, books: TeamBooks, due: Float64Array): boolean {
  for (let team = 0; team < asks.length; team++) {
    const of = asks[team]!;
    if (of.size === 0) continue;
    for (const milli of of.keys()) if (staysWithin(books, due, team, milli)) return true;
  }
  return false;
}
