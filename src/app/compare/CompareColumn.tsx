/** The column beside the compared futures: the effect in a sentence, the numbers side by side, what differs, who moved. */
import { useState } from "react";
import { durationText, numberText } from "../../base/format.ts";
import type { SizeWaits } from "../../metrics/bySize.ts";
import type { RunMetrics } from "../../metrics/runMetrics.ts";
import { CompareTable } from "../../panels/inspector/CompareTable.tsx";
import { compareRows } from "../../panels/inspector/compareRows.ts";
import { effectSentence } from "../../panels/inspector/effect/effect.ts";
import { MovedList } from "../../panels/inspector/effect/MovedList.tsx";
import { useMoved } from "../../panels/inspector/effect/useMoved.ts";
import { useMetrics } from "../../panels/inspector/useMetrics.ts";
import { disabledReason, run } from "../../store/commands.ts";
import { useRunData } from "../../store/useRun.ts";
import { Button } from "../../ui/Button.tsx";
import { Select } from "../../ui/Select.tsx";
import { differencesOf } from "./differences.ts";
import type { ComparedFuture } from "./futures.ts";
import { useFutures, useSameRunAs } from "./useFutures.ts";

export function CompareColumn() {
  const futures = useFutures();
  const same = useSameRunAs();
  const [chosen, setChosen] = useState("");
  const a = futures[0];
  const b = futures.find(({ letter }) => letter === chosen) ?? futures.at(-1);
  return (
    <div className="compare-column">
      <header className="inspector-part part-head">
        <h2>{b && a !== b ? `${b.letter} against A` : "Compare"}</h2>
        <Button label="Back to the run" keys="C" onClick={() => run("toggleCompare")} />
      </header>
      {same !== null && (
        <p className="inspector-part" role="status">
          <b>The run that is shown is the same as {same}</b>, bar for bar: what differs in it moves
          no job. So it has no strip of its own.
        </p>
      )}
      {futures.length > 2 && (
        <div className="inspector-part">
          <Select
            label="Which one against A"
            value={b?.letter ?? ""}
            options={futures.slice(1).map(({ letter }) => ({ value: letter, label: letter }))}
            onChange={setChosen}
          />
        </div>
      )}
      {!a || !b || a === b ? <OneOnly /> : <Pair a={a} b={b} />}
      <section className="inspector-part" aria-label="Go on">
        <div className="change-buttons">
          <Button label="Policy" keys="P" onClick={() => run("openSide", { side: "policy" })} />
          <Button label="Inject" keys="J" onClick={() => run("openSide", { side: "inject" })} />
          <Button
            label="Keep this future"
            keys="K"
            disabledReason={disabledReason("keepBranch")}
            onClick={() => run("keepBranch")}
          />
        </div>
      </section>
    </div>
  );
}

function OneOnly() {
  const { current, ghost } = useRunData();
  const moved = ghost?.done !== true || !current.done || ghost.digest !== current.digest;
  if (!moved)
    return (
      <div className="inspector-part">
        <p>
          <b>The last change moved nothing:</b> with it and without it the run is the same to the
          last start, so there is one future only. Another time, another setting or a busier hour
          may make a difference.
        </p>
      </div>
    );
  return (
    <div className="inspector-part">
      <p>
        <b>Only one future is here:</b> the run on screen is A to the last start. Change what bears
        on it, the policy, a job, a node: what comes of it is drawn below.
      </p>
    </div>
  );
}

interface PairProps {
  readonly a: ComparedFuture;
  readonly b: ComparedFuture;
}

function Pair({ a, b }: PairProps) {
  const was = useMetrics(a.stage, a.future);
  const is = useMetrics(b.stage, b.future);
  const comparison = useMoved(a.stage, a.future, b.stage, b.future);
  const word = b.stage.cluster.deviceWord;
  const { tiers } = b.stage;
  if (!was || !is)
    return <p className="inspector-part quiet">The numbers come when both runs are complete.</p>;
  return (
    <>
      <p className="inspector-part effect-sentence">
        {effectSentence(was, is, comparison?.moved ?? null, tiers, word)}
      </p>
      <section className="inspector-part numbers" aria-label={`A and ${b.letter} in numbers`}>
        <CompareTable
          rows={compareRows(was, is, tiers, word)}
          tiers={tiers}
          before="A"
          now={b.letter}
        />
        <p className="part-note">
          ● {b.letter} better ○ {b.letter} worse. One run each: whether a difference is no accident,{" "}
          <code>queuescope compare</code> tells over many seeds.
        </p>
      </section>
      <Differences a={a} b={b} />
      <ByTeam teams={b.stage.teams} was={was} is={is} letter={b.letter} />
      {comparison && (
        <>
          <BySize sizes={comparison.sizes} letter={b.letter} word={word} />
          <section className="inspector-part">
            <MovedList jobs={comparison.moved.most} stage={b.stage} before="A" now={b.letter} />
          </section>
        </>
      )}
    </>
  );
}

const DIFFERENCES_MOST = 12;

function Differences({ a, b }: PairProps) {
  const rows = differencesOf(a.scenario, b.scenario, b.stage.cluster.deviceWord);
  if (rows.length === 0) return null;
  return (
    <section className="inspector-part" aria-label="What differs">
      <table className="moved">
        <caption>What differs</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">what</span>
            </th>
            <th scope="col">A</th>
            <th scope="col">{b.letter}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, DIFFERENCES_MOST).map((row) => (
            <tr key={`${row.what} ${row.a} ${row.b}`}>
              <th scope="row">{row.what}</th>
              <td className="quiet">{row.a}</td>
              <td>{row.b}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > DIFFERENCES_MOST && (
        <p className="part-note">and {numberText(rows.length - DIFFERENCES_MOST)} more</p>
      )}
    </section>
  );
}

interface ByTeamProps {
  readonly teams: readonly { readonly id: string; readonly name?: string }[];
  readonly was: RunMetrics;
  readonly is: RunMetrics;
  readonly letter: string;
}

function ByTeam({ teams, was, is, letter }: ByTeamProps) {
  const waitOf = ({ byTeam }: RunMetrics, id: string) =>
    durationText((byTeam[id]?.waitSec.mean ?? Number.NaN) * 1_000);
  const known = teams.filter(({ id }) => (is.byTeam[id] ?? was.byTeam[id]) !== undefined);
  if (known.length < 2) return null;
  return (
    <section className="inspector-part" aria-label="Mean wait by team">
      <table className="moved">
        <caption>By team, mean wait</caption>
        <thead>
          <tr>
            <th scope="col">team</th>
            <th scope="col">jobs</th>
            <th scope="col">A</th>
            <th scope="col">{letter}</th>
          </tr>
        </thead>
        <tbody>
          {known.map(({ id }) => (
            <tr key={id}>
              <th scope="row">{id}</th>
              <td className="quiet">{numberText(is.byTeam[id]?.jobs ?? 0)}</td>
              <td className="quiet">{waitOf(was, id)}</td>
              <td>{waitOf(is, id)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface BySizeProps {
  readonly sizes: readonly [readonly SizeWaits[], readonly SizeWaits[]];
  readonly letter: string;
  readonly word: string;
}

function BySize({ sizes: [was, is], letter, word }: BySizeProps) {
  const waitOf = (groups: readonly SizeWaits[], from: number) =>
    groups.find((group) => group.from === from)?.meanWaitMs ?? Number.NaN;
  return (
    <section className="inspector-part" aria-label="Mean wait by size">
      <table className="moved">
        <caption>By size, mean wait</caption>
        <thead>
          <tr>
            <th scope="col">{word}s</th>
            <th scope="col">jobs</th>
            <th scope="col">A</th>
            <th scope="col">{letter}</th>
          </tr>
        </thead>
        <tbody>
          {is.map(({ from, to, jobs }) => (
            <tr key={from}>
              <th scope="row">{sizeText(from, to)}</th>
              <td className="quiet">{numberText(jobs)}</td>
              <td className="quiet">{durationText(waitOf(was, from))}</td>
              <td>{durationText(waitOf(is, from))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function sizeText(from: number, to: number): string {
  if (!Number.isFinite(to)) return `${numberText(from)} and more`;
  return from === to || to === 1 ? numberText(to) : `${numberText(from)} to ${numberText(to)}`;
}
