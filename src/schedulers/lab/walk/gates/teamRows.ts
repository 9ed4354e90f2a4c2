/** What the gates of teams tell: gauges of what is borrowed and lent, and the rows of the page's table. */
import type { Actions, PoolView } from "../../../../engine/view.ts";
import { GaugeCode } from "../../../../model/lab/gauges.ts";
import type { ShareRow } from "../../../../model/lab/shares.ts";
import { askedMilli, MILLI } from "../../../../scheduling/quota/amounts.ts";
import { type Lending, lendingOf, unknownLending } from "../../../../scheduling/quota/lending.ts";
import type { TeamBooks } from "../../../../scheduling/quota/teamTree.ts";

let now = unknownLending(0);

/** Tells what is not as it was told last, and notes it there. O(teams). */
export function tellLending(books: TeamBooks, told: Lending, view: PoolView, act: Actions): void {
  if (now.lent.length !== told.lent.length) now = unknownLending(books.tree.teams);
  const { borrowed, lent } = lendingOf(books, now);
  for (let team = 0; team < view.teams.length; team++) {
    if (borrowed[team] !== told.borrowed[team]) {
      told.borrowed[team] = borrowed[team]!;
      act.gauge(GaugeCode.borrowed, team, borrowed[team]! / MILLI);
    }
    if (lent[team] === told.lent[team]) continue;
    told.lent[team] = lent[team]!;
    act.gauge(GaugeCode.lent, team, lent[team]! / MILLI);
  }
}

/** `credits`: left in the auction, by team; null = there is none. O(teams + waiting). */
export function teamRows(
  books: TeamBooks,
  view: PoolView,
  due: Float64Array,
  credits: Float64Array | null,
): ShareRow[] {
  const { borrowed, lent } = lendingOf(books);
  const waited = new Float64Array(view.teams.length);
  const waiting = view.waiting();
  for (let i = 0; i < waiting.length; i++) {
    const team = view.jobs.at.team[waiting.at[i]!]!;
    if (team < waited.length) waited[team]! += askedMilli(view.jobs, waiting.at[i]!);
  }
  return view.teams.map((_, team) => ({
    per: "team",
    index: team,
    gpusHeld: books.held[team]! / MILLI,
    gpusWaited: waited[team]! / MILLI,
    gpusDue: due[team]! / MILLI,
    gpusBorrowed: borrowed[team]! / MILLI,
    gpusLent: lent[team]! / MILLI,
    usageGpuHours: Number.NaN,
    factor: Number.NaN,
    credits: credits?.[team] ?? Number.NaN,
  }));
}

/** "team vision", for a sentence that says what it uses. */
export function whoseTeam({ teams }: PoolView, team: number): string {
  const name = teams[team]!.name || teams[team]!.id;
  return name === "" ? "everybody without a team" : `team ${name}`;
}
