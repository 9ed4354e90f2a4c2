/** What a team uses of what is due to it, in lines, from the books of a pool's scheduler and what the document grants. */
import { amountText, NBSP, numberText } from "../../../base/format.ts";
import type { ShareRow } from "../../../model/lab/shares.ts";
import type { TeamInfo } from "../../../model/world.ts";

export type TeamLine = readonly [name: string, value: string];

/** Whole numbers stay whole. */

/** What the document grants it; what is not said is left out. */
export function grantLines(team: TeamInfo, teams: readonly TeamInfo[], word: string): TeamLine[] {
  const siblings = teams.filter(({ parent }) => parent === team.parent);
  const all = siblings.reduce((sum, { shares }) => sum + shares, 0);
  const lines: TeamLine[] = [];
  if (team.quotaGpus !== undefined) lines.push(["Quota", `${amountText(team.quotaGpus)} ${word}s`]);
  if (team.borrowGpus !== undefined) lines.push(["May borrow", limitText(team.borrowGpus, word)]);
  if (team.lendGpus !== undefined) lines.push(["Lends at most", limitText(team.lendGpus, word)]);
  if (siblings.length > 1 && all > 0)
    lines.push([
      "Shares",
      `${amountText(team.shares)} of ${amountText(all)}, ${numberText((100 * team.shares) / all)}${NBSP}%`,
    ]);
  if (team.budget !== undefined) lines.push(["Credits granted", amountText(team.budget)]);
  const above = team.parent === undefined ? undefined : teams[team.parent];
  if (above) lines.push(["Below", above.name]);
  return lines;
}

function limitText(gpus: number, word: string): string {
  return Number.isFinite(gpus) ? `${amountText(gpus)} ${word}s` : "without limit";
}

/** What a scheduler's books say, beside what is held; what does not apply is left out. */
export function bookLines(row: ShareRow, word: string): TeamLine[] {
  const lines: TeamLine[] = [];
  const add = (name: string, value: number, text: (value: number) => string): void => {
    if (!Number.isNaN(value)) lines.push([name, text(value)]);
  };
  add("Due to it", row.gpusDue, (value) => limitText(value, word));
  add("Borrowed", row.gpusBorrowed, (value) => limitText(value, word));
  add("Lent to others", row.gpusLent, (value) => limitText(value, word));
  add("Used so far, fading", row.usageGpuHours, (value) => `${numberText(value, 1)} ${word}-h`);
  add("Fair-share factor", row.factor, (value) => numberText(value, 3));
  add("Credits left", row.credits, amountText);
  return lines;
}

/** The standing in one sentence: used against what is due, and what of it others have. */
export function standingWords(
  held: number,
  due: number,
  borrowed: number,
  lent: number,
  word: string,
): string {
  const uses = `Uses ${amountText(held)} ${word}${held === 1 ? "" : "s"}`;
  if (!Number.isFinite(due)) return `${uses}.`;
  if (borrowed > 0)
    return `${uses}: all ${amountText(due)} that are due to it and ${amountText(borrowed)} borrowed.`;
  if (held > due)
    return `${uses}, ${amountText(held - due)} more than the ${amountText(due)} due to it.`;
  if (held === due) return `${uses}, just what is due to it.`;
  const others = lent > 0 ? `; ${amountText(lent)} of the rest are lent to others` : "";
  return `${uses} of ${amountText(due)} due to it${others}.`;
}
