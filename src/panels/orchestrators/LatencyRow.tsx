/**
 * How long a scheduler takes to decide on a one-GPU session on an idle cluster: a number for each column, computed by the worker while the page is open, and what it is made of, each part with the source of its length.
 */
import { durationText, numberText } from "../../base/format.ts";
import { COLUMNS, type ColumnId } from "../../scenario/orchestrators/cell.ts";
import { LATENCY_SESSIONS, latencyDocument } from "../../scenario/orchestrators/latency.ts";
import {
  latencyNote,
  latencyParts,
  startAfterMs,
  writtenAfterMs,
} from "../../scenario/orchestrators/latencyParts.ts";
import { COLUMN_LABELS } from "../../scenario/orchestrators/table.ts";
import { openCell } from "./openCell.ts";
import { type Latency, useLatencies } from "./useLatencies.ts";

export function LatencyRow({ isThere }: { readonly isThere: (column: ColumnId) => boolean }) {
  const latencies = useLatencies(isThere);
  return (
    <tr className="orch-latency">
      <th scope="row">
        Decision latency
        <small>
          A one-GPU notebook on an idle cluster: how long from its submission until the decision is
          made and written? Computed now, by {LATENCY_SESSIONS.length} sessions at different
          moments.
        </small>
      </th>
      {COLUMNS.map((column) => (
        <td key={column}>
          <LatencyCell column={column} latency={latencies[column]} isThere={isThere(column)} />
          <Parts column={column} latency={latencies[column]} />
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
  const moreMs = writtenAfterMs(column);
  const word = isKnown
    ? latencyText(latency.meanMs + moreMs)
    : latency === undefined
      ? "…"
      : "Not known";
  const open = () =>
    openCell({
      document: latencyDocument(column),
      first: { cursorMs: LATENCY_SESSIONS[0]!.submitMs, select: LATENCY_SESSIONS[0]!.id },
      claim: `Decision latency under ${label}: ${word}`,
      look: `Eight sessions on an idle cluster. Each bar begins when its GPU is taken${moreMs === 0 ? "" : `; ${latencyText(moreMs)} of the start-up at its head still belong to the decision`}.`,
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
          {latencyText(latency.leastMs + moreMs)} to {latencyText(latency.mostMs + moreMs)}
        </span>
      )}
      {isKnown && <span>{startWords(column)}</span>}
    </button>
  );
}

/** What the number is made of; folded away, for the sources are sentences. */
function Parts({ column, latency }: Omit<CellProps, "isThere">) {
  if (latency === undefined || latency === "unknown") return null;
  const parts = latencyParts(column, latency.meanMs);
  const note = latencyNote(column);
  return (
    <details className="orch-parts">
      <summary aria-label={`Decision latency of ${COLUMN_LABELS[column]}, part by part`}>
        Part by part
      </summary>
      <ul>
        {parts.map(({ label, ms, source }) => (
          <li key={label}>
            <b>
              {latencyText(ms)} {label}.
            </b>{" "}
            {source}
          </li>
        ))}
        {note !== null && <li>{note}</li>}
      </ul>
    </details>
  );
}

/** A time of no length is one too; below 10 ms tenths count. */
function latencyText(ms: number): string {
  const digits = ms < 10 && !Number.isInteger(ms) ? 1 : 0;
  return ms < 10 ? `${numberText(ms, digits)} ms` : durationText(ms);
}

/** What comes on top, by the defaults of the preset's own settings. */
function startWords(column: ColumnId): string {
  const ms = startAfterMs(column);
  return ms === 0 ? "Its process starts at once." : `Then ${durationText(ms)} until it runs.`;
}
