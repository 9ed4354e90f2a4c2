/** How long a one-GPU session waits on an idle cluster: a number for each column, computed by the worker while the page is open. */
import { durationText } from "../../base/format.ts";
import { COLUMNS, type ColumnId } from "../../scenario/orchestrators/cell.ts";
import {
  LATENCY_POLICIES,
  LATENCY_SESSIONS,
  latencyDocument,
} from "../../scenario/orchestrators/latency.ts";
import { COLUMN_LABELS } from "../../scenario/orchestrators/table.ts";
import { presetOf } from "../../scenario/settings.ts";
import { openCell } from "./openCell.ts";
import { type Latency, useLatencies } from "./useLatencies.ts";

export function LatencyRow({ isThere }: { readonly isThere: (column: ColumnId) => boolean }) {
  const latencies = useLatencies(isThere);
  return (
    <tr className="orch-latency">
      <th scope="row">
        Decision latency
        <small>
          A one-GPU notebook on an idle cluster: how long until it has its GPU? Computed now, by{" "}
          {LATENCY_SESSIONS.length} sessions at different moments.
        </small>
      </th>
      {COLUMNS.map((column) => (
        <td key={column}>
          <LatencyCell column={column} latency={latencies[column]} isThere={isThere(column)} />
        </td>
      ))}
    </tr>
  );
}

interface CellProps {
  readonly column: ColumnId;
  readonly latency: Latency | "unknown" | undefined;
  readonly isThere: boolean;
}

function LatencyCell({ column, latency, isThere }: CellProps) {
  const label = COLUMN_LABELS[column];
  if (!isThere) return <p className="orch-none">Not in this version.</p>;
  const isKnown = latency !== undefined && latency !== "unknown";
  const word = isKnown ? latencyText(latency.meanMs) : latency === undefined ? "…" : "Not known";
  const open = () =>
    openCell({
      document: latencyDocument(column),
      first: { cursorMs: LATENCY_SESSIONS[0]!.submitMs, select: LATENCY_SESSIONS[0]!.id },
      claim: `Start latency under ${label}: ${word}`,
      look: "Eight sessions on an idle cluster; each waits from its submission until it has its GPU.",
    });
  return (
    <button
      type="button"
      className="orch-cell"
      data-cell={`latency ${column}`}
      tabIndex={-1}
      onClick={() => void open()}
    >
      <b>{word}</b>
      {isKnown && latency.mostMs > latency.leastMs && (
        <span>
          {latencyText(latency.leastMs)} to {latencyText(latency.mostMs)}
        </span>
      )}
      {isKnown && <span>{startWords(column)}</span>}
    </button>
  );
}

/** A time of no length is one too. */
const latencyText = (ms: number): string => (ms < 1 ? "0 ms" : durationText(ms));

/** What comes on top, by the defaults of the preset's own settings. */
function startWords(column: ColumnId): string {
  const settings = presetOf(LATENCY_POLICIES[column].preset ?? "lab")?.settings ?? [];
  const standard = (key: string): number => {
    const value = settings.find((spec) => spec.key === key)?.standard;
    return typeof value === "number" ? value : 0;
  };
  // A lease of Ray is a round trip: its request and its answer.
  const ms =
    standard("bindMs") + standard("podStartMs") + 2 * standard("rpcMs") + standard("workerStartMs");
  return ms === 0 ? "Its process starts at once." : `Then ${durationText(ms)} until it runs.`;
}
