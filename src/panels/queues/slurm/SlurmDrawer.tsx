/**
 * The queue table of scenarios that use Slurm: one tab for each command that an administrator would type, for the pool that is
 * asked about. The worker answers when the cursor rests; what is shown until then says of which time it is. Where other pools have other schedulers, their
 * tables stand beside them.
 */

import { useMemo, useState } from "react";
import { countText, numberText } from "../../../base/format.ts";
import { slurmClock } from "../../../model/slurm/words.ts";
import type { PoolTables, Stage } from "../../../protocol/messages.ts";
import { acting } from "../../../scenario/interventions.ts";
import type { Scenario } from "../../../scenario/schema.ts";
import { columnMemory } from "../../../store/columnMemory.ts";
import { run } from "../../../store/commands.ts";
import { poolTables } from "../../../store/explain.ts";
import { useJobPick } from "../../../store/jobPick.ts";
import type { Future } from "../../../store/runData.ts";
import { isSlurmAt } from "../../../store/slurmPools.ts";
import { useApp } from "../../../store/store.ts";
import { type Asked, useAsked } from "../../../store/useAsked.ts";
import { useCursorMs, useRunData } from "../../../store/useRun.ts";
import { Button } from "../../../ui/Button.tsx";
import { DataGrid } from "../../../ui/grid/DataGrid.tsx";
import { Message } from "../../../ui/Message.tsx";
import { Select } from "../../../ui/Select.tsx";
import { isLabTab, type LabTab, LabTable, useLabTabs } from "../lab/LabTable.tsx";
import { reservationColumns, sprioColumns, squeueColumns, sshareColumns } from "./columns.ts";
import { PassTable } from "./PassTable.tsx";
import "../../../ui/strip.css";
import "../queueTable.css";
import "./slurmDrawer.css";
import "../lab/labDrawer.css";

const TABS = [
  { id: "squeue", label: "squeue" },
  { id: "sprio", label: "sprio -l" },
  { id: "sshare", label: "sshare -l" },
  { id: "reservations", label: "scontrol show reservation" },
  { id: "passes", label: "passes" },
] as const;
type SlurmTab = (typeof TABS)[number]["id"];
type Tab = SlurmTab | LabTab;

const MEMORIES = {
  squeue: columnMemory("squeue"),
  sprio: columnMemory("sprio"),
  sshare: columnMemory("sshare"),
  reservations: columnMemory("reservations"),
} as const;

export function SlurmDrawer() {
  const { stage, current } = useRunData();
  const atMs = useCursorMs();
  const scenario = useApp((state) => state.scenario);
  const [tab, setTab] = useState<Tab>("squeue");
  const [chosen, setChosen] = useState<number | null>(null);
  const others = useLabTabs();
  if (!stage || !scenario) return <Message title="No jobs yet" />;
  const pools = scenario.pools.flatMap((_, pool) =>
    isSlurmAt(scenario, pool, atMs) ? [pool] : [],
  );
  const pool = chosen !== null && pools.includes(chosen) ? chosen : (pools[0] ?? -1);
  const tabs = [
    ...TABS,
    ...(scenario.pools.length > pools.length ? others : []).map((one) =>
      one.id === "queue" ? { ...one, label: "all queues" } : one,
    ),
  ];
  const shown: Tab = tabs.some((one) => one.id === tab) ? tab : "squeue";
  return (
    <section className="table-drawer" aria-label="Queue table">
      <header className="table-drawer-head">
        <fieldset className="slurm-tabs" aria-label="Tables of Slurm">
          {tabs.map((one) => (
            <button
              key={one.id}
              type="button"
              aria-pressed={shown === one.id}
              onClick={() => setTab(one.id)}
            >
              {one.label}
            </button>
          ))}
        </fieldset>
        {pools.length > 1 && !isLabTab(shown) && (
          <Select
            label="Pool"
            bare
            className="select slurm-pool"
            value={String(pool)}
            options={pools.map((one) => ({ value: String(one), label: stage.poolIds[one] ?? "" }))}
            onChange={(value) => setChosen(Number(value))}
          />
        )}
        <Button
          label="Close table"
          look="plain"
          keys="T"
          onClick={() => run("toggleDrawer", { drawer: "queueTable" })}
        />
      </header>
      {isLabTab(shown) ? (
        <LabTable tab={shown} />
      ) : shown === "passes" ? (
        <PassTable future={current} atMs={atMs} calendar={scenario.calendarStart} />
      ) : (
        <AskedTable
          stage={stage}
          future={current}
          scenario={scenario}
          pool={pool}
          atMs={atMs}
          tab={shown}
        />
      )}
    </section>
  );
}

interface TableProps {
  readonly stage: Stage;
  readonly scenario: Scenario;
  readonly atMs: number;
  readonly tab: Exclude<SlurmTab, "passes">;
}

function AskedTable(props: TableProps & { readonly future: Future; readonly pool: number }) {
  const { future, pool, atMs, scenario } = props;
  const subject = pool < 0 ? "" : `${future.generation} ${pool}`;
  const answer = useAsked(subject, atMs, (at) => poolTables(pool, at));
  if (pool < 0) return <Message title="No pool is under Slurm at this time." />;
  if (answer.kind === "asking") return <p className="message">Asking Slurm …</p>;
  if (answer.kind === "failed")
    return (
      <Message kind="error" title="The table could not be computed.">
        {answer.message}
      </Message>
    );
  if (answer.value === null) return <Message title="Nothing is known of this time yet." />;
  return (
    <div className="slurm-table" data-stale={answer.now ? undefined : ""}>
      <Table
        {...props}
        tables={answer.value}
        caption={headOf(props.tab, answer, scenario.calendarStart)}
      />
    </div>
  );
}

/** What the plans so far have cost: passes that could change nothing are not computed. */
function passesText({ passesComputed, passesSkipped }: PoolTables): string {
  const skipped = passesSkipped === 0 ? "" : `, ${numberText(passesSkipped)} skipped`;
  return `${countText(passesComputed, "backfill pass", "backfill passes")} computed so far${skipped}`;
}

function headOf(
  tab: TableProps["tab"],
  answer: Extract<Asked<PoolTables | null>, { kind: "known" }>,
  calendar: string | undefined,
): string {
  const at = slurmClock(answer.atMs, calendar);
  const tables = answer.value;
  if (!tables) return "";
  const { squeue, pending } = tables;
  const cut = squeue.length < pending ? `, the first ${squeue.length} by priority` : "";
  switch (tab) {
    case "squeue":
      return `${countText(pending, "job")} pending at ${at}${cut}; ${passesText(tables)}`;
    case "sprio":
      return `Priority = sum of the terms, at ${at}${cut}; held jobs are not listed`;
    case "sshare":
      return `At ${at}; RawUsage is as of now, the rest as of the last tick of the priority plugin`;
    case "reservations":
      return `At ${at}`;
  }
}

function Table({
  stage,
  scenario,
  atMs,
  tab,
  tables,
  caption,
}: TableProps & { readonly tables: PoolTables; readonly caption: string }) {
  const calendar = scenario.calendarStart;
  const { interventions } = scenario;
  const pick = useJobPick<{ readonly jobIdx: number }>();
  const columns = useMemo(
    () => ({
      squeue: squeueColumns(stage, calendar),
      sprio: sprioColumns(stage),
      sshare: sshareColumns(),
      reservations: reservationColumns(stage, acting(interventions), atMs, calendar),
    }),
    [stage, calendar, interventions, atMs],
  );
  switch (tab) {
    case "squeue":
      return (
        <DataGrid
          key="squeue"
          label="squeue"
          columns={columns.squeue}
          rows={tables.squeue}
          leastCss={1_200}
          keyOf={(row) => row.jobIdx}
          noun="pending job"
          memory={MEMORIES.squeue}
          caption={caption}
          empty={<Message title="No job is pending." />}
          {...pick}
        />
      );
    case "sprio":
      return (
        <DataGrid
          key="sprio"
          label="sprio"
          columns={columns.sprio}
          rows={tables.sprio}
          leastCss={1_060}
          keyOf={(row) => `${row.jobIdx} ${row.partition}`}
          noun="job"
          memory={MEMORIES.sprio}
          caption={caption}
          empty={
            <Message title="sprio lists nothing: no job is pending, or the priorities are those of priority/basic." />
          }
          {...pick}
        />
      );
    case "sshare":
      return (
        <DataGrid
          key="sshare"
          label="sshare"
          columns={columns.sshare}
          rows={tables.sshare}
          leastCss={880}
          keyOf={(row) => `${row.depth} ${row.account} ${row.user}`}
          noun="association"
          memory={MEMORIES.sshare}
          caption={caption}
        />
      );
    case "reservations":
      return (
        <DataGrid
          key="reservations"
          label="Reservations"
          columns={columns.reservations}
          rows={tables.reservations}
          leastCss={1_080}
          keyOf={(row) => row.name}
          noun="reservation"
          memory={MEMORIES.reservations}
          caption={caption}
          empty={<Message title="No reservations in the system." />}
        />
      );
  }
}
