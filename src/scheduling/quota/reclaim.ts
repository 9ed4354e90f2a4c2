/**
 * Who may take back from whom. A team that would stay within its due may take from teams that hold more than theirs: only who is below its due
 * disturbs others, and only what is above a due is disturbed, a victim's last job counting as above while any of it is. On a tree both hold at
 * every level below the node that the two have in common. One number decides who may start by taking back and who gives, so two teams never
 * take from each other in turn (kueue#3779, volcano#3869, KAI-Scheduler#1565).
 *
 * Tie-break: the youngest run first. Pathology: a large victim leaves its team below its due, and its room may serve others for a while.
 */
import type { Owed } from "./takeBack.ts";
import type { TeamBooks } from "./teamTree.ts";

export interface TeamRun {
  readonly team: number;
  readonly milli: number;
}

/** Half a thousandth: fair shares are fractions. */
const TOLERANCE = 0.5;

/** Whether a team would stay within its due with so much more. */
export function staysWithin(
  books: TeamBooks,
  due: Float64Array,
  team: number,
  milli: number,
): boolean {
  return books.held[team]! + milli <= due[team]! + TOLERANCE;
}

/** How much more a team could hold and stay within its due. */
export function roomWithin(books: TeamBooks, due: Float64Array, team: number): number {
  return due[team]! + TOLERANCE - books.held[team]!;
}

/** The books for one take-back, on copies. O(teams), then O(depth) a run. */
export function owedTo(
  books: TeamBooks,
  due: Float64Array,
  team: number,
  askedMilli: number,
  runs: ReadonlyMap<number, TeamRun>,
): Owed {
  const { tree } = books;
  const held = books.held.slice();
  const heldOwn = books.heldOwn.slice();
  const above = new Set<number>();
  for (let node = team; node >= 0; node = tree.parent[node]!) above.add(node);
  const isOver = (node: number): boolean => held[node]! > due[node]! + TOLERANCE;

  /** The takers stay within their dues up to below `common`. */
  const takerWithin = (common: number): boolean => {
    if (common === team) return heldOwn[team]! + askedMilli <= books.own[team]! + TOLERANCE;
    for (let node = team; node !== common; node = tree.parent[node]!) {
      if (held[node]! + askedMilli > due[node]! + TOLERANCE) return false;
    }
    return true;
  };

  return {
    milli: (jobIdx) => runs.get(jobIdx)?.milli ?? 0,
    mayTake(jobIdx) {
      const run = runs.get(jobIdx);
      if (run === undefined || run.team === team) return false;
      let node = run.team;
      if (above.has(node)) return heldOwn[node]! > books.own[node]! && takerWithin(node);
      for (; !above.has(node); node = tree.parent[node]!) if (!isOver(node)) return false;
      return takerWithin(node);
    },
    take(jobIdx) {
      const run = runs.get(jobIdx)!;
      heldOwn[run.team]! -= run.milli;
      for (let node = run.team; node >= 0; node = tree.parent[node]!) held[node]! -= run.milli;
    },
  };
}
