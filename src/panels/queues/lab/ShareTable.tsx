/** Who may use how much of a pool, and does: a row for each team, user and tier that the scheduler keeps books of, asked when the cursor rests. */
import { useMemo, useState } from "react";
import { amountText, clockText, numberText } from "../../../base/format.ts";
import type { ShareRow } from "../../../model/lab/shares.ts";
import type { Stage } from "../../../protocol/messages.ts";
import { columnMemory } from "../../../store/columnMemory.ts";
import { poolShares } from "../../../store/explain.ts";
import { useApp } from "../../../store/store.ts";
import { useAsked } from "../../../store/useAsked.ts";
import { useCursorMs, useRunData } from "../../../store/useRun.ts";
import type { GridColumn } from "../../../ui/grid/column.ts";
import { DataGrid } from "../../../ui/grid/DataGrid.tsx";
import { Message } from "../../../ui/Message.tsx";
import { Select } from "../../../ui/Select.tsx";
import { QuotaBar, QuotaKey } from "./QuotaBar.tsx";
import { quotaParts, quotaScale, quotaWords } from "./quotaParts.ts";

const PER_ORDER: readonly ShareRow["per"][] = ["team", "tier", "user"];
const UNIT = 65_536;
const NO_SHARES: readonly ShareRow[] = [];
const MEMORY = columnMemory("shares");

export function ShareTable() {
  const { stage, current } = useRunData();
  const atMs = useCursorMs();
  const calendar = useApp((state) => state.scenario?.calendarStart);
  const [pool, setPool] = useState(0);
  const subject = stage ? `${current.generation} ${pool}` : "";
  const answer = useAsked(subject, atMs, (at) => poolShares(pool, at));
  const known = answer.kind === "known" ? answer.value : NO_SHARES;
  const rows = useMemo(() => inOrder(known), [known]);
  const scale = useMemo(() => quotaScale(rows), [rows]);
  const bars = scale > 1 && rows.some((row) => quotaParts(row).length > 0);
  const columns = useMemo(
    () => (stage ? shareColumns(stage, bars ? scale : 0) : []),
    [stage, bars, scale],
  );
  if (!stage) return <Message title="No jobs yet" />;
  const pick = stage.poolIds.length > 1 && (
    <Select
      label="Pool"
      bare
      className="select slurm-pool"
      value={String(pool)}
      options={stage.poolIds.map((id, index) => ({ value: String(index), label: id }))}
      onChange={(value) => setPool(Number(value))}
    />
  );
  if (answer.kind === "failed")
    return (
      <Message kind="error" title="The table could not be computed.">
        {answer.message}
      </Message>
    );
  return (
    <div
      className="slurm-table"
      data-stale={answer.kind === "known" && !answer.now ? "" : undefined}
    >
      <DataGrid
        label="Shares"
        columns={columns}
        rows={rows}
        leastCss={1_000}
        keyOf={(row) => PER_ORDER.indexOf(row.per) * UNIT + row.index}
        noun="share"
        memory={MEMORY}
        start={pick}
        controls={() => bars && <QuotaKey />}
        caption={
          answer.kind === "asking"
            ? "Asking the scheduler …"
            : `At ${clockText(answer.atMs, calendar)}, as the scheduler keeps its books; ${stage.cluster.deviceWord}s unless said otherwise`
        }
        empty={
          answer.kind === "known" && (
            <Message title="The scheduler of this pool keeps no books of who uses how much.">
              It does so with quotas, ceilings, an auction, or an order that goes by usage.
            </Message>
          )
        }
      />
    </div>
  );
}

function inOrder(rows: readonly ShareRow[]): readonly ShareRow[] {
  return [...rows].sort(
    (a, b) => PER_ORDER.indexOf(a.per) - PER_ORDER.indexOf(b.per) || a.index - b.index,
  );
}

/** Whose row it is. */
function nameOfRow(stage: Stage, { per, index }: ShareRow): string {
  if (per === "team") return stage.teams[index]?.name ?? String(index + 1);
  if (per === "tier") return stage.tiers[index]?.name ?? String(index + 1);
  return stage.jobs.users[index] ?? String(index + 1);
}

/** `scale`: devices over the whole width of a bar; 0 = no bars. */
function shareColumns(stage: Stage, scale: number): GridColumn<ShareRow>[] {
  const number = (
    id: keyof ShareRow & string,
    label: string,
    width: string,
    decimals = 0,
  ): GridColumn<ShareRow> => {
    const value = (row: ShareRow) => row[id] as number;
    const text = (row: ShareRow) => amount(value(row), decimals);
    const adds = id !== "factor";
    return {
      id,
      label,
      width,
      right: true,
      value,
      text,
      ...(adds && { sum: (total: number) => amount(total, decimals) }),
    };
  };
  return [
    {
      id: "per",
      label: "per",
      width: "72px",
      groups: true,
      value: (row) => row.per,
      text: (row) => row.per,
    },
    {
      id: "name",
      label: "name",
      width: "minmax(110px, 1fr)",
      value: (row) => nameOfRow(stage, row),
      text: (row) => nameOfRow(stage, row),
    },
    ...(scale > 0 ? [barColumn(scale)] : []),
    number("gpusDue", "due", "80px", 2),
    number("gpusHeld", "held", "80px", 2),
    number("gpusBorrowed", "borrowed", "84px", 2),
    number("gpusLent", "lent", "72px", 2),
    number("gpusWaited", "waited for", "92px", 2),
    number("usageGpuHours", `usage, ${stage.cluster.deviceWord} h`, "112px", 1),
    number("credits", "credits", "92px", 1),
    number("factor", "factor", "92px", 3),
  ];
}

function barColumn(scale: number): GridColumn<ShareRow> {
  return {
    id: "bar",
    label: "quota",
    width: "minmax(200px, 2fr)",
    text: quotaWords,
    picture: (row) => <QuotaBar row={row} scale={scale} />,
  };
}

/** Whole numbers stay whole; what does not apply is a dash. */
function amount(value: number, decimals: number): string {
  if (Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return "no limit";
  return decimals === 2
    ? amountText(value)
    : numberText(value, Number.isInteger(value) ? 0 : decimals);
}
