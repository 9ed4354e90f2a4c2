/**
 * The table twin of the lanes: who waits at the cursor, in rows that sort, filter, group and select. Rows are virtual, so a queue of
 * 100,000 jobs costs what is on screen. It follows the cursor at most four times a second, and never while the pointer is on it
 * and the run plays: tables that jump under the hand are not read.
 */
import { useMemo, useRef, useState } from "react";
import { clockNear, clockText, countText, durationText, numberText } from "../../base/format.ts";
import type { Stage } from "../../protocol/messages.ts";
import { readClock } from "../../store/clockEntry.ts";
import { columnMemory } from "../../store/columnMemory.ts";
import { run } from "../../store/commands.ts";
import { jobColumns } from "../../store/jobColumns.ts";
import { useJobPick } from "../../store/jobPick.ts";
import { useApp } from "../../store/store.ts";
import { useTiersWithJobs } from "../../store/tiersWithJobs.ts";
import { useCursorMs, useRunData } from "../../store/useRun.ts";
import { Button } from "../../ui/Button.tsx";
import type { GridColumn } from "../../ui/grid/column.ts";
import { DataGrid, type GridFilters } from "../../ui/grid/DataGrid.tsx";
import { LetterMark } from "../../ui/LetterMark.tsx";
import { Message } from "../../ui/Message.tsx";
import { QueueReader, type QueueRow, rowWords } from "./queueRows.ts";
import "../../ui/strip.css";
import "./queueTable.css";

const MEMORY = columnMemory("queue");

/** `closes`: it has the button that closes the drawer. */
export function QueueTable({ closes = true }: { readonly closes?: boolean }) {
  const data = useRunData();
  const cursorMs = useCursorMs();
  const scenario = useApp((state) => state.scenario);
  const reader = useRef<QueueReader | null>(null);
  const [held, setHeld] = useState(false);
  const playing = useApp((state) => state.playing);
  const kept = useRef<{ rows: QueueRow[]; atMs: number; stage: Stage | null } | null>(null);
  const fresh = useMemo(() => {
    if (!data.stage || !scenario) return { rows: [], atMs: cursorMs, stage: data.stage };
    reader.current ??= new QueueReader();
    return {
      rows: reader.current.rowsAt(data.stage, data.current, scenario, cursorMs),
      atMs: cursorMs,
      stage: data.stage,
    };
  }, [data.stage, data.current, scenario, cursorMs]);
  const stays = held && playing && kept.current?.stage === data.stage;
  const shown = stays && kept.current ? kept.current : fresh;
  kept.current = shown;
  if (!data.stage || !scenario) {
    return (
      <Message title="No jobs yet">
        Pick a scenario from the library, or drop a trace file on the page.
      </Message>
    );
  }
  return (
    <section
      className="table-drawer"
      // In a drawer of several tables the drawer has the name.
      aria-label={closes ? "Queue table" : undefined}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
    >
      <Rows
        rows={shown.rows}
        stage={data.stage}
        atMs={shown.atMs}
        calendar={scenario.calendarStart}
        closes={closes}
      />
    </section>
  );
}

interface RowsProps {
  readonly rows: QueueRow[];
  readonly stage: Stage;
  readonly atMs: number;
  readonly calendar: string | undefined;
  readonly closes: boolean;
}

function Rows({ rows, stage, atMs, calendar, closes }: RowsProps) {
  const pick = useJobPick<QueueRow>();
  const nowMs = useRef(atMs);
  nowMs.current = atMs;
  const columns = useMemo(() => columnsOf(stage, calendar, () => nowMs.current), [stage, calendar]);
  return (
    <DataGrid
      label="Waiting jobs"
      columns={columns}
      rows={rows}
      keyOf={(row) => row.jobIdx}
      isSelected={pick.isSelected}
      onPick={pick.onPick}
      leastCss={744}
      noun="waiting job"
      memory={MEMORY}
      caption={<Caption rows={rows} atMs={atMs} calendar={calendar} />}
      controls={(filters) => <TierButtons stage={stage} filters={filters} />}
      end={
        closes && (
          <Button
            label="Close table"
            look="plain"
            keys="T"
            onClick={() => run("toggleDrawer", { drawer: "queueTable" })}
          />
        )
      }
      empty={
        <Message
          title={`No job waits at ${clockText(atMs, calendar)}.`}
          action={
            <Button
              label="Inject a job"
              keys="J"
              onClick={() => run("openSide", { side: "inject" })}
            />
          }
        >
          Move the cursor, or add load.
        </Message>
      }
    />
  );
}

function Caption({ rows, atMs, calendar }: Pick<RowsProps, "rows" | "atMs" | "calendar">) {
  return (
    <>
      <strong>
        {countText(rows.length, "job")} {rows.length === 1 ? "waits" : "wait"} at{" "}
        {clockText(atMs, calendar)}
      </strong>
      {rows.some((row) => row.position === 0) && (
        <span className="part-note">
          {" "}
          – under #: the order goes by what only the scheduler knows
        </span>
      )}
    </>
  );
}

/** One press for the filter that is wanted most. */
function TierButtons({ stage, filters }: { readonly stage: Stage; readonly filters: GridFilters }) {
  const tiers = useTiersWithJobs(stage);
  if (tiers.length < 2) return null;
  return (
    <fieldset className="queue-table-filters" aria-label="Filter by tier">
      {tiers.map(({ tier, index }) => {
        const text = `=${tier.name}`;
        const on = filters.filterOf("tier") === text;
        return (
          <button
            key={tier.id}
            type="button"
            className="tier-filter"
            aria-pressed={on}
            aria-label={`Only tier ${tier.name}`}
            title={`Only tier ${tier.name}`}
            onClick={() => filters.setFilter("tier", on ? "" : text)}
          >
            <LetterMark letter={tier.letter} tier={index} tierCount={stage.tiers.length} />
          </button>
        );
      })}
    </fieldset>
  );
}

function columnsOf(
  stage: Stage,
  calendar: string | undefined,
  nowMs: () => number,
): readonly GridColumn<QueueRow>[] {
  const job = jobColumns<QueueRow>(stage, (row) => row.tier);
  return [
    {
      id: "position",
      label: "#",
      width: "32px",
      right: true,
      value: (row) => row.position,
      text: (row) => (row.position > 0 ? numberText(row.position) : "–"),
    },
    { ...job.job, width: "minmax(80px, 1.2fr)" },
    { ...job.tier, width: "76px" },
    { ...job.owner, width: "minmax(56px, 0.8fr)" },
    job.team,
    job.user,
    { ...job.devices, width: stage.cluster.deviceWord.length > 4 ? "74px" : "56px" },
    {
      id: "waited",
      label: "waited",
      width: "60px",
      right: true,
      kind: "duration",
      value: (row) => row.waitedMs,
      text: (row) => durationText(row.waitedMs),
    },
    {
      id: "limit",
      label: "limit",
      width: "60px",
      right: true,
      kind: "duration",
      value: (row) => row.limitMs,
      text: (row) => (Number.isFinite(row.limitMs) ? durationText(row.limitMs) : "none"),
    },
    {
      id: "reason",
      label: "why it waits",
      width: "minmax(132px, 3.4fr)",
      groups: true,
      value: rowWords,
      text: rowWords,
    },
    {
      id: "planned",
      label: "planned start",
      width: "76px",
      right: true,
      kind: "time",
      value: (row) => row.plannedMs,
      read: (text) => readClock(text, nowMs(), calendar),
      text: (row) =>
        Number.isFinite(row.plannedMs) ? clockNear(row.plannedMs, nowMs(), calendar) : "–",
      file: (row) => (Number.isFinite(row.plannedMs) ? clockText(row.plannedMs, calendar) : ""),
    },
  ];
}
