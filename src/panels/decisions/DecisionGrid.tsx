/** The rows of the log. Those at the time of the cursor are marked; later ones are paler, as they have not happened yet. */
import { useRef } from "react";
import { clockText } from "../../base/format.ts";
import type { Stage } from "../../protocol/messages.ts";
import { isAboutJob } from "../../record/shapes.ts";
import { useApp } from "../../store/store.ts";
import type { DecisionMatches } from "../../timeline/decisionIndex.ts";
import { decisionWords, type LogEntry, logContext } from "../../timeline/decisionWords.ts";
import { jobLabel, ownerText } from "../../timeline/jobNames.ts";
import { LetterMark } from "../../ui/LetterMark.tsx";
import { Cell, RowGrid } from "../../ui/RowGrid.tsx";
import { PART_ROWS, partStart } from "./part.ts";

interface DecisionGridProps {
  readonly matches: DecisionMatches;
  readonly stage: Stage;
  /** Row of the newest decision at the cursor, and of the one that was picked; −1 = none. */
  readonly activeRow: number;
  readonly chosenRow: number;
  readonly cursorMs: number;
  readonly onPick: (row: number) => void;
}

export function DecisionGrid(props: DecisionGridProps) {
  const { matches, stage, activeRow, chosenRow, cursorMs, onPick } = props;
  const calendar = useApp((state) => state.scenario?.calendarStart);
  const from = useRef(0);
  from.current = partStart(from.current, activeRow, matches.count);
  const start = from.current;
  const owners = stage.teams.length > 1 || stage.jobs.users.length > 1;
  const context = logContext(stage, calendar);
  return (
    <RowGrid
      label="Decisions of the run"
      columns={[
        { id: "at", label: "time" },
        { id: "job", label: "job" },
        { id: "what", label: "decision" },
        ...(owners ? [{ id: "user", label: "team · user" }] : []),
      ]}
      template={`${calendar === undefined ? "104px" : "150px"} minmax(120px, 0.9fr) minmax(220px, 2.4fr)${owners ? " minmax(90px, 0.7fr)" : ""}`}
      leastCss={owners ? 640 : 520}
      rowCount={Math.min(PART_ROWS, matches.count - start)}
      showRow={activeRow - start}
      keyOf={(row) => matches.decision(start + row)}
      isSelected={(row) => start + row === chosenRow}
      onPick={(row) => onPick(start + row)}
      cells={(row) => {
        const entry = matches.places.entry(matches.decision(start + row));
        if (!entry) return null;
        const later = entry.atMs > cursorMs ? "quiet decisions-later" : "";
        const words = decisionWords(entry, context);
        return (
          <>
            <Cell look={`number-left ${later}`}>{clockText(entry.atMs, calendar)}</Cell>
            <Subject entry={entry} stage={stage} later={later} />
            <Cell look={later} title={words}>
              {words}
            </Cell>
            {owners && (
              <Cell look="quiet">
                {isAboutJob(entry.kind) ? ownerText(stage, entry.jobIdx) || "–" : ""}
              </Cell>
            )}
          </>
        );
      }}
    />
  );
}

interface SubjectProps {
  readonly entry: LogEntry;
  readonly stage: Stage;
  readonly later: string;
}

function Subject({ entry, stage, later }: SubjectProps) {
  if (!isAboutJob(entry.kind)) return <Cell>{""}</Cell>;
  const { jobs, tiers } = stage;
  const tier = jobs.at.tier[entry.jobIdx] ?? 0;
  const label = jobLabel(jobs, entry.jobIdx);
  return (
    <Cell look={`decisions-job ${later}`} title={label}>
      <LetterMark letter={tiers[tier]?.letter ?? "?"} tier={tier} tierCount={tiers.length} />
      <span>{label}</span>
    </Cell>
  );
}
