/** The ClusterQueues of a pool at the cursor: who waits and is admitted, what is owned, used, borrowed and lent, and why the head waits. Asked when the cursor rests. */
import { useMemo, useState } from "react";
import { clockText } from "../../../base/format.ts";
import type { QueueFacts } from "../../../model/kubernetes/queueFacts.ts";
import { columnMemory } from "../../../store/columnMemory.ts";
import { run } from "../../../store/commands.ts";
import { poolQueues } from "../../../store/explain.ts";
import { useApp } from "../../../store/store.ts";
import { useAsked } from "../../../store/useAsked.ts";
import { useCursorMs, useRunData } from "../../../store/useRun.ts";
import { DataGrid } from "../../../ui/grid/DataGrid.tsx";
import { Message } from "../../../ui/Message.tsx";
import { Select } from "../../../ui/Select.tsx";
import { QuotaKey } from "../lab/QuotaBar.tsx";
import { clusterQueueColumns, clusterQueueRows } from "./clusterQueueRows.ts";

const NO_QUEUES: readonly QueueFacts[] = [];
const MEMORY = columnMemory("clusterQueues");

export function ClusterQueueTable() {
  const { stage, current } = useRunData();
  const atMs = useCursorMs();
  const calendar = useApp((state) => state.scenario?.calendarStart);
  const pools = useMemo(
    () => [...new Set((stage?.quotaCells ?? []).map(({ pool }) => pool))],
    [stage],
  );
  const [chosen, setChosen] = useState(0);
  const pool = pools.includes(chosen) ? chosen : (pools[0] ?? 0);
  const answer = useAsked(stage ? `queues ${current.generation} ${pool}` : "", atMs, (at) =>
    poolQueues(pool, at),
  );
  const known = answer.kind === "known" ? answer.value : NO_QUEUES;
  const rows = useMemo(() => clusterQueueRows(known), [known]);
  const columns = useMemo(() => (stage ? clusterQueueColumns(stage, rows) : []), [stage, rows]);
  const kueue = known[0]?.strategy !== "";
  if (!stage) return <Message title="No jobs yet" />;
  if (answer.kind === "failed")
    return (
      <Message kind="error" title="The table could not be computed.">
        {answer.message}
      </Message>
    );
  const pick = pools.length > 1 && (
    <Select
      label="Pool"
      bare
      className="select slurm-pool"
      value={String(pool)}
      options={pools.map((one) => ({ value: String(one), label: stage.poolIds[one] ?? "" }))}
      onChange={(value) => setChosen(Number(value))}
    />
  );
  return (
    <div
      className="slurm-table"
      data-stale={answer.kind === "known" && !answer.now ? "" : undefined}
    >
      <DataGrid
        label={kueue ? "ClusterQueues" : "Queues"}
        columns={columns}
        rows={rows}
        leastCss={kueue ? 1_060 : 900}
        keyOf={(row) => row.key}
        noun="quota"
        memory={MEMORY}
        start={pick}
        controls={() => <QuotaKey />}
        onPick={({ queue }) => {
          if (queue.headJobIdx >= 0) run("selectJob", { jobIdx: queue.headJobIdx });
        }}
        caption={
          answer.kind === "asking"
            ? "Asking the scheduler …"
            : `At ${clockText(answer.atMs, calendar)}; ${kueue ? "CPUs whole, memory in GiB, the rest counted" : "GPUs"}; a row selects the head`
        }
        empty={
          answer.kind === "known" && <Message title="No queues with quota in this pool now." />
        }
      />
    </div>
  );
}
