/**
 * Every decision of the run in words, one row each, in order of time. The active row follows the cursor, and stepping moves the cursor; what a
 * row is about is selected with it, so that Gantt and inspector show the same. Filters narrow the list and the steps alike.
 */
import { type ReactNode, useMemo, useState } from "react";
import { countText, numberText } from "../../base/format.ts";
import type { Stage } from "../../protocol/messages.ts";
import { commandOf, disabledReason, run } from "../../store/commands.ts";
import { selectionOf } from "../../store/decisionSelection.ts";
import type { Future } from "../../store/runData.ts";
import type { Selection } from "../../store/state.ts";
import { useApp } from "../../store/store.ts";
import { useDecisions } from "../../store/useDecisions.ts";
import { useCursorMs, useRunData } from "../../store/useRun.ts";
import { NOTHING_PICKED, type Picked } from "../../timeline/decisionFilter.ts";
import type { DecisionMatches } from "../../timeline/decisionIndex.ts";
import { tierLookup } from "../../timeline/jobNames.ts";
import { Button } from "../../ui/Button.tsx";
import { Message } from "../../ui/Message.tsx";
import { DecisionGrid } from "./DecisionGrid.tsx";
import { Filters } from "./Filters.tsx";
import "./decisions.css";

export function DecisionDrawer() {
  const { stage, current } = useRunData();
  if (!stage) return <Message title="No run yet." />;
  return <Drawer stage={stage} future={current} />;
}

/** Which number of the log is chosen; −1 = none. */
function decisionOf(selection: Selection): number {
  return selection !== null && "decision" in selection ? (selection.decision ?? -1) : -1;
}

function useTierAt(stage: Stage) {
  const interventions = useApp((state) => state.scenario?.interventions);
  return useMemo(() => {
    const ids = stage.tiers.map((tier) => tier.id);
    return tierLookup(stage.jobs.at.tier, stage.jobs.ids, ids, interventions ?? []);
  }, [stage, interventions]);
}

interface DrawerProps {
  readonly stage: Stage;
  readonly future: Future;
}

function Drawer({ stage, future }: DrawerProps) {
  const [chosen, setChosen] = useState<Picked>(NOTHING_PICKED);
  const [ofJob, setOfJob] = useState(false);
  const [inView, setInView] = useState(false);
  const selection = useApp((state) => state.selection);
  const window = useApp((state) => (inView ? state.window : null));
  const jobIdx = ofJob && selection?.kind === "job" ? selection.jobIdx : -1;
  const picked = useMemo<Picked>(
    () => ({ ...chosen, jobIdx, range: window }),
    [chosen, jobIdx, window],
  );
  const known = useDecisions(stage, future, picked, useTierAt(stage));
  const matches = known?.matches ?? null;
  const close = (
    <Button
      label="Close"
      look="plain"
      keys="Y"
      onClick={() => run("toggleDrawer", { drawer: "decisions" })}
    />
  );
  return (
    <section className="table-drawer decisions" aria-label="Decision log">
      <Filters
        stage={stage}
        picked={chosen}
        reasons={matches?.reasons ?? []}
        onPick={(change) => setChosen((before) => ({ ...before, ...change }))}
        ofJob={ofJob}
        onOfJob={setOfJob}
        hasJob={selection?.kind === "job"}
        inView={inView}
        onInView={setInView}
      />
      {matches === null || matches.count === 0 ? (
        <>
          <header className="table-drawer-head">
            <strong>Decisions</strong>
            {close}
          </header>
          {matches === null ? (
            <Message title="Reading the log …" />
          ) : (
            <Message title="No decision is like that.">
              {matches.places.count === 0
                ? "The run has none yet."
                : "Take a filter away to see more."}
            </Message>
          )}
        </>
      ) : (
        <Found
          matches={matches}
          stage={stage}
          future={future}
          selection={selection}
          close={close}
        />
      )}
    </section>
  );
}

/** The row at the cursor, the row that is chosen (−1 = none), and how one is picked. */
function useRows(matches: DecisionMatches, selection: Selection) {
  const cursorMs = useCursorMs();
  const { places } = matches;
  const decision = decisionOf(selection);
  const own = decision < 0 ? null : places.entry(decision);
  // The chosen decision counts as long as the cursor stands at it: several lie at one instant.
  const chosenRow = own?.atMs === cursorMs ? matches.rowOf(decision) : -1;
  const activeRow = chosenRow >= 0 ? chosenRow : matches.lastRow(cursorMs);
  const pick = (row: number): void => {
    const number = matches.decision(row);
    const entry = places.entry(number);
    if (!entry) return;
    run("selectDecision", { selection: selectionOf(entry, number), atMs: entry.atMs });
  };
  return { cursorMs, chosenRow, activeRow, pick };
}

interface StepsProps {
  readonly count: number;
  readonly activeRow: number;
  readonly pick: (row: number) => void;
}

/** Short words where the window is small: what a button does is its name. */
function Steps({ count, activeRow, pick }: StepsProps) {
  return (
    <div className="decisions-line">
      <strong className="decisions-title">Decisions</strong>
      <Button
        label="Previous decision of the list"
        disabledReason={activeRow > 0 ? null : "The list begins here"}
        onClick={() => pick(activeRow - 1)}
      >
        ‹<span className="decisions-word"> Previous</span>
      </Button>
      <Button
        label="Next decision of the list"
        disabledReason={activeRow + 1 < count ? null : "The list ends here"}
        onClick={() => pick(activeRow + 1)}
      >
        <span className="decisions-word">Next </span>›
      </Button>
      <JobStep id="previousDecision">
        ‹ <span className="decisions-word">of this </span>job
      </JobStep>
      <JobStep id="nextDecision">
        <span className="decisions-word">of this </span>job ›
      </JobStep>
    </div>
  );
}

interface FoundProps {
  readonly matches: DecisionMatches;
  readonly stage: Stage;
  readonly future: Future;
  readonly selection: Selection;
  readonly close: ReactNode;
}

function Found({ matches, stage, future, selection, close }: FoundProps) {
  const { cursorMs, chosenRow, activeRow, pick } = useRows(matches, selection);
  const { count, places } = matches;
  const found =
    count === places.count
      ? countText(count, "decision")
      : `${numberText(count)} of ${countText(places.count, "decision")}`;
  const past = activeRow < 0 ? "" : `, ${numberText(activeRow + 1)} up to the cursor`;
  return (
    <DecisionGrid
      matches={matches}
      stage={stage}
      activeRow={activeRow}
      chosenRow={chosenRow}
      cursorMs={cursorMs}
      onPick={pick}
      start={<Steps count={count} activeRow={activeRow} pick={pick} />}
      found={`${found}${future.done ? "" : " so far"}${past}`}
      end={close}
    />
  );
}

interface JobStepProps {
  readonly id: "nextDecision" | "previousDecision";
  readonly children: ReactNode;
}

function JobStep({ id, children }: JobStepProps) {
  const hasJob = useApp((state) => state.selection?.kind === "job");
  const { label = "", keys = [] } = commandOf(id) ?? {};
  return (
    <Button
      label={label}
      hint={keys[0] ? `${label} (${keys[0]})` : label}
      disabledReason={hasJob ? disabledReason(id) : "Select a job first"}
      onClick={() => run(id)}
    >
      {children}
    </Button>
  );
}
