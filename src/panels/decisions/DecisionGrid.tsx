/**
 * The rows of the log in the table that all lists share. Later ones than the cursor are paler, as they have not happened yet. Of a long log the table holds the
 * part around the cursor: what it sorts, filters and saves is that part, and it says so; the filters above it go through the whole log.
 */
import { type ReactNode, useMemo, useRef } from "react";
import { clockText, numberText } from "../../base/format.ts";
import type { Stage } from "../../protocol/messages.ts";
import { DECISION_KINDS, isAboutJob } from "../../record/shapes.ts";
import { columnMemory } from "../../store/columnMemory.ts";
import { useApp } from "../../store/store.ts";
import { KIND_GROUP_NAMES, KIND_GROUPS, type KindGroup } from "../../timeline/decisionFilter.ts";
import type { DecisionMatches } from "../../timeline/decisionIndex.ts";
import { decisionWords, type LogEntry, logContext } from "../../timeline/decisionWords.ts";
import { jobLabel, ownerText } from "../../timeline/jobNames.ts";
import type { GridColumn } from "../../ui/grid/column.ts";
import { DataGrid } from "../../ui/grid/DataGrid.tsx";
import { PART_ROWS, partStart } from "./part.ts";

const MEMORY = columnMemory("decisions");

interface DecisionGridProps {
  readonly matches: DecisionMatches;
  readonly stage: Stage;
  /** Row of the newest decision at the cursor, and of the one that was picked; −1 = none. */
  readonly activeRow: number;
  readonly chosenRow: number;
  readonly cursorMs: number;
  readonly onPick: (row: number) => void;
  readonly start: ReactNode;
  /** How many were found. */
  readonly found: string;
  readonly end: ReactNode;
}

interface LogRow {
  readonly row: number;
  readonly decision: number;
  readonly entry: LogEntry;
}

export function DecisionGrid(props: DecisionGridProps) {
  const { matches, stage, activeRow, chosenRow, cursorMs, onPick } = props;
  const calendar = useApp((state) => state.scenario?.calendarStart);
  const from = useRef(0);
  from.current = partStart(from.current, activeRow, matches.count);
  const start = from.current;
  const rows = useMemo(() => rowsFrom(matches, start), [matches, start]);
  const seen = useRef(cursorMs);
  seen.current = cursorMs;
  const columns = useMemo(() => columnsOf(stage, calendar, seen), [stage, calendar]);
  const active = rows[activeRow - start];
  const last = start + rows.length;
  const part = `; around the cursor the table has ${numberText(start + 1)} to ${numberText(last)}`;
  const told = `${props.found}${rows.length < matches.count ? part : ""}`;
  return (
    <DataGrid
      label="Decisions of the run"
      noun="decision"
      columns={columns}
      rows={rows}
      keyOf={({ decision }) => decision}
      isSelected={({ row }) => row === chosenRow}
      showKey={active?.decision}
      onPick={({ row }) => onPick(row)}
      leastCss={560}
      memory={MEMORY}
      start={props.start}
      caption={
        <span role="status" title={told}>
          {told}
        </span>
      }
      end={props.end}
    />
  );
}

/** O(rows of a part · log chunks). */
function rowsFrom(matches: DecisionMatches, start: number): LogRow[] {
  const rows: LogRow[] = [];
  for (let row = start; row < Math.min(matches.count, start + PART_ROWS); row++) {
    const decision = matches.decision(row);
    const entry = matches.places.entry(decision);
    if (entry) rows.push({ row, decision, entry });
  }
  return rows;
}

/** `cursor` is read as rows are drawn: the columns stay the same while it moves. */
function columnsOf(
  stage: Stage,
  calendar: string | undefined,
  cursor: { readonly current: number },
): readonly GridColumn<LogRow>[] {
  const { jobs, tiers, teams } = stage;
  const context = logContext(stage, calendar);
  const later = ({ entry }: LogRow) => (entry.atMs > cursor.current ? "quiet decisions-later" : "");
  const jobOf = ({ entry }: LogRow) => (isAboutJob(entry.kind) ? entry.jobIdx : -1);
  const tierOf = (row: LogRow) => (jobOf(row) < 0 ? -1 : (jobs.at.tier[jobOf(row)] ?? 0));
  return [
    {
      id: "at",
      label: "time",
      width: calendar === undefined ? "104px" : "150px",
      kind: "time",
      text: ({ entry }) => clockText(entry.atMs, calendar),
      value: ({ entry }) => entry.atMs,
      look: (row) => `number-left ${later(row)}`,
    },
    {
      id: "job",
      label: "job",
      width: "minmax(120px, 0.9fr)",
      text: (row) => (jobOf(row) < 0 ? "" : jobLabel(jobs, jobOf(row))),
      value: (row) => jobOf(row),
      mark: (row) =>
        jobOf(row) < 0
          ? undefined
          : {
              letter: tiers[tierOf(row)]?.letter ?? "?",
              tier: tierOf(row),
              tierCount: tiers.length,
            },
      look: (row) => `decisions-job ${later(row)}`,
      groups: true,
    },
    {
      id: "what",
      label: "decision",
      width: "minmax(220px, 2.4fr)",
      text: ({ entry }) => decisionWords(entry, context),
      look: later,
    },
    {
      id: "kind",
      label: "kind",
      width: "110px",
      text: ({ entry }) => kindWord(entry.kind),
      value: ({ entry }) => kindWord(entry.kind),
      look: "quiet",
      groups: true,
      hidden: true,
    },
    {
      id: "tier",
      label: "tier",
      width: "90px",
      text: (row) => tiers[tierOf(row)]?.name ?? "",
      value: tierOf,
      look: "quiet",
      groups: true,
      hidden: true,
    },
    {
      id: "user",
      label: "team · user",
      width: "minmax(90px, 0.7fr)",
      text: (row) => (jobOf(row) < 0 ? "" : ownerText(stage, jobOf(row)) || "–"),
      value: (row) => (jobOf(row) < 0 ? "" : ownerText(stage, jobOf(row))),
      look: "quiet",
      groups: true,
      hidden: teams.length <= 1 && jobs.users.length <= 1,
    },
  ];
}

function kindWord(kind: number): string {
  const name = DECISION_KINDS[kind];
  const groups = Object.keys(KIND_GROUPS) as KindGroup[];
  const group = groups.find((one) => KIND_GROUPS[one].some((each) => each === name));
  return group ? KIND_GROUP_NAMES[group] : "";
}
