/** What the search finds, in rows: each job with its state at the cursor, when it was submitted, started and ended, and how long it waited. */
import { useMemo, useSyncExternalStore } from "react";
import { clockText, countText, durationText, numberText } from "../../base/format.ts";
import type { Stage } from "../../protocol/messages.ts";
import { readClock } from "../../store/clockEntry.ts";
import { columnMemory } from "../../store/columnMemory.ts";
import { run } from "../../store/commands.ts";
import { jobColumns } from "../../store/jobColumns.ts";
import { useJobPick } from "../../store/jobPick.ts";
import { onSearchHits, searchHits } from "../../store/searchHits.ts";
import { useApp } from "../../store/store.ts";
import { useCursorMs, useRunData } from "../../store/useRun.ts";
import { SEARCH_STATES, statesAt } from "../../timeline/jobSearch.ts";
import { type JobTimes, jobTimesOf } from "../../timeline/jobTimes.ts";
import { Button } from "../../ui/Button.tsx";
import type { GridColumn } from "../../ui/grid/column.ts";
import { DataGrid } from "../../ui/grid/DataGrid.tsx";
import { Message } from "../../ui/Message.tsx";

interface HitRow {
  readonly jobIdx: number;
  /** Index into `SEARCH_STATES`. */
  readonly state: number;
}

const MEMORY = columnMemory("hits");
/** Rows a table can sort at once without a pause. */
const ROWS_MOST = 20_000;
const NO_HITS = new Uint32Array(0);

export function HitsTable() {
  const { stage, current } = useRunData();
  const atMs = useCursorMs();
  const calendar = useApp((state) => state.scenario?.calendarStart);
  const query = useApp((state) => state.search);
  const found = useSyncExternalStore(onSearchHits, searchHits);
  const hits = found ?? NO_HITS;
  const pick = useJobPick<HitRow>();
  const rows = useMemo(() => {
    if (!stage || hits.length === 0) return [];
    const states = statesAt(stage, current, atMs);
    return Array.from(hits.subarray(0, ROWS_MOST), (jobIdx) => ({
      jobIdx,
      state: states[jobIdx]!,
    }));
  }, [stage, current, atMs, hits]);
  const columns = useMemo(
    () => (stage ? columnsOf(stage, jobTimesOf(current, stage.jobs.count), calendar) : []),
    [stage, current, calendar],
  );
  const cut = hits.length > rows.length ? `; the first ${numberText(rows.length)} are listed` : "";
  return (
    <section className="table-drawer" aria-label="Table of search hits">
      <DataGrid
        label="Search hits"
        columns={columns}
        rows={rows}
        keyOf={(row) => row.jobIdx}
        isSelected={pick.isSelected}
        onPick={pick.onPick}
        leastCss={900}
        noun="job"
        memory={MEMORY}
        caption={
          <strong>
            {found === null ? "Search" : `${countText(hits.length, "job")} for “${query.trim()}”`}
            {cut}
          </strong>
        }
        end={
          <Button
            label="Close table"
            look="plain"
            onClick={() => run("toggleDrawer", { drawer: "hits" })}
          />
        }
        empty={
          found === null ? (
            <Message
              title="Nothing is searched for."
              action={<Button label="Search" keys="/" onClick={() => run("focusSearch")} />}
            >
              Words, or fields such as job: user: team: tier: queue: node: state:
            </Message>
          ) : (
            <Message
              title={`No job matches ${query.trim()}.`}
              action={
                <Button label="Clear search" onClick={() => useApp.setState({ search: "" })} />
              }
            />
          )
        }
      />
    </section>
  );
}

function columnsOf(
  stage: Stage,
  times: JobTimes,
  calendar: string | undefined,
): readonly GridColumn<HitRow>[] {
  const { tier, submitMs, limitMs } = stage.jobs.at;
  const job = jobColumns<HitRow>(stage, (row) => tier[row.jobIdx]!);
  const time = (
    id: string,
    label: string,
    of: ArrayLike<number>,
    width = "112px",
  ): GridColumn<HitRow> => ({
    id,
    label,
    width,
    right: true,
    kind: "time",
    value: (row) => of[row.jobIdx]!,
    read: (text) => readClock(text, useApp.getState().cursorMs, calendar),
    text: (row) => (Number.isFinite(of[row.jobIdx]!) ? clockText(of[row.jobIdx]!, calendar) : "–"),
  });
  const span = (id: string, label: string, of: (jobIdx: number) => number): GridColumn<HitRow> => ({
    id,
    label,
    width: "76px",
    right: true,
    kind: "duration",
    value: (row) => of(row.jobIdx),
    text: (row) => (Number.isFinite(of(row.jobIdx)) ? durationText(of(row.jobIdx)) : "–"),
  });
  return [
    { ...job.job, width: "minmax(150px, 1.4fr)" },
    { ...job.tier, width: "96px" },
    { ...job.owner, width: "minmax(96px, 1fr)" },
    job.team,
    job.user,
    { ...job.devices, width: "60px" },
    {
      id: "state",
      label: "state",
      width: "88px",
      groups: true,
      value: (row) => row.state,
      text: (row) => SEARCH_STATES[row.state] ?? "",
    },
    time("submitted", "submitted", submitMs),
    time("start", "first start", times.firstStartMs),
    time("end", "last end", times.lastEndMs),
    span("waited", "waited", (jobIdx) => times.waitedMs[jobIdx]!),
    { ...span("limit", "limit", (jobIdx) => limitMs[jobIdx]!), hidden: true },
  ];
}
