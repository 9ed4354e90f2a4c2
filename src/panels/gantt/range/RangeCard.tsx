/**
 * The marked stretch of time with its own numbers: who was submitted, started and ended in it, how long those that started had waited, and what devices
 * did. One line, and a table by tier on demand. The numbers follow once the mark rests.
 */
import { useEffect, useState } from "react";
import { clockText, durationText, NBSP, numberText } from "../../../base/format.ts";
import { HOUR_MS } from "../../../model/units.ts";
import { setWindow } from "../../../store/camera.ts";
import { run } from "../../../store/commands.ts";
import { runSliced } from "../../../store/sliced.ts";
import { useApp } from "../../../store/store.ts";
import { useRunData } from "../../../store/useRun.ts";
import { capacitySteps } from "../../../timeline/capacity.ts";
import { LostWork } from "../../../timeline/lostWork.ts";
import { type RangeNumbers, type RangeSums, rangeNumbers } from "../../../timeline/rangeNumbers.ts";
import type { TimeWindow } from "../../../timeline/viewport.ts";
import { Button } from "../../../ui/Button.tsx";
import { LetterMark } from "../../../ui/LetterMark.tsx";

const REST_MS = 150;

export function RangeCard({ range }: { readonly range: TimeWindow }) {
  const calendar = useApp((state) => state.scenario?.calendarStart);
  const numbers = useRangeNumbers(range);
  const [open, setOpen] = useState(false);
  const word = useRunData().stage?.cluster.deviceWord ?? "GPU";
  const clear = () => useApp.setState({ range: null });
  return (
    <section className="gantt-chip range-card" aria-label="Marked stretch of time">
      <div role="status">
        <strong>
          {clockText(range.fromMs, calendar)} to {clockText(range.toMs, calendar)},{" "}
          {durationText(range.toMs - range.fromMs)}
        </strong>
        {numbers && <p className="range-line">{rangeSentence(numbers, word)}</p>}
      </div>
      <div className="range-buttons">
        <Button
          label="Zoom here"
          onClick={() => {
            setWindow(range);
            clear();
          }}
        />
        <Button
          label="Where waiting comes from here"
          onClick={() => {
            setWindow(range);
            useApp.setState({ drawer: "waiting" });
          }}
        />
        <Button label="By tier" pressed={open} onClick={() => setOpen(!open)} />
        <Button
          label="Bookmark"
          keys="Shift+M"
          onClick={() => run("addBookmark", { range: true })}
        />
        <Button label="Clear" look="plain" onClick={clear} />
      </div>
      {open && numbers && <TierTable numbers={numbers} word={word} />}
    </section>
  );
}

const hours = (ms: number): string => numberText(Math.round(ms / HOUR_MS));
const wait = (ms: number): string => (Number.isNaN(ms) ? "–" : durationText(ms));

/** The numbers in one line, for eye and ear. */
function rangeSentence({ all, idleMs }: RangeNumbers, word: string): string {
  const parts = [
    `${numberText(all.queued)} submitted`,
    `${numberText(all.started)} started`,
    `${numberText(all.ended)} ended`,
  ];
  const waits = Number.isNaN(all.meanWaitMs)
    ? ""
    : ` Those that started had waited ${wait(all.meanWaitMs)} on average, p95${NBSP}${wait(all.p95WaitMs)}.`;
  return `${parts.join(", ")}.${waits} ${hours(all.heldMs)} ${word}-h held, ${hours(idleMs)} idle, ${hours(all.lostMs)} lost.`;
}

function TierTable({ numbers, word }: { readonly numbers: RangeNumbers; readonly word: string }) {
  const { stage } = useRunData();
  const rows = (stage?.tiers ?? []).flatMap((tier, index) => {
    const sums = numbers.byTier[index];
    return sums && sums.queued + sums.started + sums.ended + sums.heldMs > 0
      ? [{ tier, index, sums }]
      : [];
  });
  return (
    <table className="range-table">
      <thead>
        <tr>
          <th scope="col">tier</th>
          <th scope="col">submitted</th>
          <th scope="col">started</th>
          <th scope="col">ended</th>
          <th scope="col">mean wait</th>
          <th scope="col">p95 wait</th>
          <th scope="col">{word}-h held</th>
          <th scope="col">lost</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ tier, index, sums }) => (
          <SumRow key={tier.id} sums={sums}>
            <LetterMark letter={tier.letter} tier={index} tierCount={stage!.tiers.length} />{" "}
            {tier.name}
          </SumRow>
        ))}
        <SumRow sums={numbers.all}>all</SumRow>
      </tbody>
    </table>
  );
}

function SumRow({
  sums,
  children,
}: {
  readonly sums: RangeSums;
  readonly children: React.ReactNode;
}) {
  return (
    <tr>
      <th scope="row">{children}</th>
      <td>{numberText(sums.queued)}</td>
      <td>{numberText(sums.started)}</td>
      <td>{numberText(sums.ended)}</td>
      <td>{wait(sums.meanWaitMs)}</td>
      <td>{wait(sums.p95WaitMs)}</td>
      <td>{hours(sums.heldMs)}</td>
      <td>{hours(sums.lostMs)}</td>
    </tr>
  );
}

/** Null until they are known; those of the mark before stay meanwhile. */
function useRangeNumbers(range: TimeWindow): RangeNumbers | null {
  const { stage, current } = useRunData();
  const [numbers, setNumbers] = useState<RangeNumbers | null>(null);
  useEffect(() => {
    if (!stage) return;
    let stop = (): void => undefined;
    const timer = setTimeout(() => {
      const lost = new LostWork();
      lost.update(current.chunks, stage.jobs.at.flags);
      const steps = rangeNumbers(
        {
          chunks: current.chunks,
          open: current.open,
          knownMs: current.done ? Math.max(current.endMs, current.knownMs) : current.knownMs,
          jobs: stage.jobs,
          tiers: stage.tiers.length,
          lostAtMs: (jobIdx, startMs) => lost.lostAtMs(jobIdx, startMs),
          capacity: capacitySteps(stage.cluster, current.chunks, current.open),
        },
        range,
      );
      stop = runSliced(steps, setNumbers);
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [stage, current, range]);
  return numbers;
}
