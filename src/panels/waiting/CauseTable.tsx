/** Device-hours waited by cause and by tier or team; below them, what stood idle for the cause. The table twin of the picture. */

import { type CauseRow, hoursText } from "../../metrics/causeRows.ts";
import type { WaitAccount } from "../../metrics/waitAccount.ts";
import { WAIT_CAUSES } from "../../model/waitCauses.ts";
import type { Stage } from "../../protocol/messages.ts";
import { LetterMark } from "../../ui/LetterMark.tsx";

interface CauseTableProps {
  readonly account: WaitAccount;
  readonly rows: readonly CauseRow[];
  readonly groups: "tier" | "team";
  readonly stage: Stage;
  readonly word: string;
}

interface Group {
  readonly index: number;
  readonly name: string;
  readonly letter?: string;
  readonly sumMs: number;
}

export function CauseTable({ account, rows, groups, stage, word }: CauseTableProps) {
  const of = groups === "tier" ? account.byTier : account.byTeam;
  const shown = groupsOf(groups, stage, of);
  const waited = rows.filter(({ cause }) => cause >= 0);
  const at = (group: number, cause: number) => of[group * WAIT_CAUSES.length + cause]!;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
    <section className="waiting-table" tabIndex={0} aria-label={`${word}-hours by ${groups}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">{word}-hours waited</th>
            {waited.map(({ cause, label, meaning }) => (
              <th scope="col" key={cause} title={meaning}>
                {label}
              </th>
            ))}
            <th scope="col">all</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ index, name, letter, sumMs }) => (
            <tr key={index}>
              <th scope="row">
                {letter !== undefined && (
                  <LetterMark letter={letter} tier={index} tierCount={stage.tiers.length} />
                )}{" "}
                {name}
              </th>
              {waited.map(({ cause }) => (
                <td key={cause}>{hoursText(at(index, cause))}</td>
              ))}
              <td>{hoursText(sumMs)}</td>
            </tr>
          ))}
          <tr className="waiting-all">
            <th scope="row">all</th>
            {waited.map(({ cause, waitedMs }) => (
              <td key={cause}>{hoursText(waitedMs)}</td>
            ))}
            <td>{hoursText(rows.reduce((all, { waitedMs }) => all + waitedMs, 0))}</td>
          </tr>
          <tr>
            <th scope="row">idle for it</th>
            {waited.map(({ cause, idleMs }) => (
              <td key={cause}>{hoursText(idleMs)}</td>
            ))}
            <td>{hoursText(waited.reduce((all, { idleMs }) => all + idleMs, 0))}</td>
          </tr>
        </tbody>
      </table>
      <p className="quiet">
        Idle without demand: {hoursText(rows.find(({ cause }) => cause < 0)?.idleMs ?? 0)} {word}
        -hours.
      </p>
    </section>
  );
}

/** Groups that waited, most first. */
function groupsOf(groups: "tier" | "team", stage: Stage, of: Float64Array): Group[] {
  const named: readonly Omit<Group, "index" | "sumMs">[] =
    groups === "tier"
      ? stage.tiers.map(({ name, letter }) => ({ name, letter }))
      : stage.teams.map(({ id }) => ({ name: id === "" ? "no team" : id }));
  const all = named.map((group, index) => {
    const from = index * WAIT_CAUSES.length;
    const sumMs = of.subarray(from, from + WAIT_CAUSES.length).reduce((sum, each) => sum + each, 0);
    return { ...group, index, sumMs };
  });
  const waited = all.filter(({ sumMs }) => sumMs > 0);
  return groups === "tier" ? waited : waited.sort((a, b) => b.sumMs - a.sumMs || a.index - b.index);
}
