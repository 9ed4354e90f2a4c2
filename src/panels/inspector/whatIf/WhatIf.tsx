/** What would start this job now: changes that were run, as they are found, with a button where a change can be made. */
import { useEffect, useState } from "react";
import { clockNear } from "../../../base/format.ts";
import { nameOf } from "../../../model/jobs.ts";
import type { Stage } from "../../../protocol/messages.ts";
import { run } from "../../../store/commands.ts";
import { tryDocument } from "../../../store/explain.ts";
import { useApp } from "../../../store/store.ts";
import { Button } from "../../../ui/Button.tsx";
import { climb, type Found } from "./climb.ts";
import { type Ladder, laddersFor } from "./ladders.ts";
import "./whatIf.css";

interface WhatIfProps {
  readonly stage: Stage;
  readonly jobIdx: number;
  readonly tier: number;
  readonly limitMs: number;
  readonly atMs: number;
  /** When it starts in the run that is shown; Infinity = not known. */
  readonly startMs: number;
  readonly calendar: string | undefined;
}

/** A start within the next pass of a scheduler that looks every minute is a start now. */
const NOW_WITHIN_MS = 60_000;

export function WhatIf(props: WhatIfProps) {
  const [askedMs, setAskedMs] = useState<number | null>(null);
  // A cursor that has moved on asks another question.
  const isAsked = askedMs === props.atMs;
  return (
    <section className="what-if" aria-label="What would start it now">
      {isAsked ? (
        <Answers {...props} onCancel={() => setAskedMs(null)} />
      ) : (
        <Button
          label="What would start it now?"
          hint="Tries single changes, each in a run of its own"
          onClick={() => setAskedMs(props.atMs)}
        />
      )}
    </section>
  );
}

function Answers(props: WhatIfProps & { readonly onCancel: () => void }) {
  const { atMs, startMs, calendar, onCancel } = props;
  const { found, total, tried, unanswered } = useClimbs(props);
  const done = tried === total;
  const now = found.filter(({ isNow }) => isNow);
  const sooner = found.filter((one) => !one.isNow && one.startMs < startMs);
  return (
    <>
      <h3>What would start it now</h3>
      <p className="quiet" role="status">
        {done ? verdict(now.length, unanswered) : `Trying change ${tried + 1} of ${total} …`}
      </p>
      <ChangeList found={now} startsAt={() => ""} />
      {sooner.length > 0 && <p className="part-note">Sooner, but not now:</p>}
      <ChangeList
        found={sooner}
        startsAt={(one) => `: starts at ${clockNear(one.startMs, atMs, calendar)}`}
      />
      {done && <p className="part-note">{unhelpful(found, startMs)}</p>}
      {(!done || unanswered > 0) && (
        <Button label={done ? "Close" : "Cancel"} look="plain" onClick={onCancel} />
      )}
    </>
  );
}

function ChangeList(props: {
  readonly found: readonly Found[];
  readonly startsAt: (one: Found) => string;
}) {
  const { found, startsAt } = props;
  if (found.length === 0) return null;
  return (
    <ul className="what-if-list">
      {found.map((one) => (
        <li key={one.ladder.key}>
          <span>
            <b>{one.ladder.words(one.rung)}</b>
            {one.ladder.scope === "start" && " from the start of the run"}
            {startsAt(one)}
          </span>
          {one.ladder.intervention && (
            <Button label="Do it" onClick={() => apply(one)}>
              do it
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** What could not be tried is no change that does not help. */
function verdict(helping: number, unanswered: number): string {
  const rest =
    unanswered === 0
      ? ""
      : ` ${unanswered} gave no answer: the run changed, another question came, or the run with the change failed or took too long.`;
  if (helping > 0) return `Each alone would, as runs of its own have shown:${rest}`;
  return unanswered > 0 ? rest.trim() : "None of these alone suffices.";
}

function apply({ ladder, rung }: Found): void {
  if (ladder.intervention)
    run("intervene", { intervention: ladder.intervention(rung), label: ladder.words(rung) });
}

function unhelpful(found: readonly Found[], startMs: number): string {
  const none = found.filter((one) => !one.isNow && !(one.startMs < startMs));
  if (none.length === 0) return "";
  return `No help: ${none.map(({ ladder, rung }) => ladder.words(rung)).join("; ")}.`;
}

interface Climbs {
  readonly found: readonly Found[];
  readonly tried: number;
  readonly total: number;
  /** Of those that were tried. */
  readonly unanswered: number;
}

const NOT_TRIED: Climbs = { found: [], tried: 0, total: 1, unanswered: 0 };

/** Runs the ladders one after the other while the question stays the same. */
function useClimbs({ stage, jobIdx, tier, limitMs, atMs }: WhatIfProps): Climbs {
  const scenario = useApp((state) => state.scenario);
  const [climbs, setClimbs] = useState<Climbs>(NOT_TRIED);
  useEffect(() => {
    if (!scenario) return;
    const { jobs, teams, poolIds, poolOfJob, cluster } = stage;
    const jobId = nameOf(jobs.ids, jobIdx);
    const ladders = laddersFor({
      scenario,
      jobId,
      atMs: Math.round(atMs),
      poolId: poolIds[poolOfJob[jobIdx]!]!,
      tier,
      team: teams[jobs.at.team[jobIdx]!]?.id ?? "",
      devices: jobs.at.gpuTotal[jobIdx]!,
      limitMs,
      word: cluster.deviceWord,
    });
    // What was found of the document before says nothing of this one.
    setClimbs({ ...NOT_TRIED, total: ladders.length });
    let wanted = true;
    const rules = {
      nowMs: atMs + NOW_WITHIN_MS,
      run: async (ladder: Ladder, rung: number) =>
        wanted ? tryDocument(ladder.document(rung), jobId) : null,
    };
    void (async () => {
      const found: Found[] = [];
      let unanswered = 0;
      for (const [index, ladder] of ladders.entries()) {
        const one = await climb(ladder, rules).catch(() => "unanswered" as const);
        if (!wanted) return;
        if (one === "unanswered") unanswered += 1;
        else if (one) found.push(one);
        setClimbs({ found: [...found], tried: index + 1, total: ladders.length, unanswered });
      }
    })();
    return () => {
      wanted = false;
    };
  }, [scenario, stage, jobIdx, tier, limitMs, atMs]);
  return climbs;
}
