/**
 * The start latency of each column, asked of the worker once a page: it runs the idle cluster beside the open scenario and says when each session starts. Columns come one after the other, because a newer question
 * of this kind ends an older one; an answer that was cut off is asked for again.
 */
import { useEffect, useState } from "react";
import { COLUMNS, type ColumnId } from "../../scenario/orchestrators/cell.ts";
import { LATENCY_SESSIONS, latencyDocument } from "../../scenario/orchestrators/latency.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { tryDocument } from "../../store/explain.ts";
import { fetchLinkCode } from "../../store/linkCode.ts";

export interface Latency {
  readonly meanMs: number;
  readonly leastMs: number;
  readonly mostMs: number;
}

export type Latencies = Readonly<Partial<Record<ColumnId, Latency | "unknown">>>;

let known: Latencies = {};

export function useLatencies(isThere: (column: ColumnId) => boolean): Latencies {
  const [latencies, setLatencies] = useState(known);
  useEffect(() => {
    let gone = false;
    const ask = async (): Promise<void> => {
      for (const column of COLUMNS) {
        if (gone) return;
        if (known[column] !== undefined || !isThere(column)) continue;
        const latency = await latencyOf(column);
        if (latency !== "unknown") known = { ...known, [column]: latency };
        if (!gone) setLatencies((before) => ({ ...before, [column]: latency }));
      }
    };
    void ask();
    return () => {
      gone = true;
    };
  }, [isThere]);
  return latencies;
}

async function latencyOf(column: ColumnId): Promise<Latency | "unknown"> {
  const code = await fetchLinkCode().catch(() => null);
  const read = code?.reader.readScenario(latencyDocument(column));
  if (!read?.ok) return "unknown";
  const waits: number[] = [];
  for (const { id, submitMs } of LATENCY_SESSIONS) {
    const startMs = await startOf(read.value, id);
    if (startMs === null) return "unknown";
    waits.push(startMs - submitMs);
  }
  return {
    meanMs: waits.reduce((sum, ms) => sum + ms, 0) / waits.length,
    leastMs: Math.min(...waits),
    mostMs: Math.max(...waits),
  };
}

const ASKED_MOST = 3;

async function startOf(scenario: Scenario, id: string): Promise<number | null> {
  for (let asked = 0; asked < ASKED_MOST; asked++) {
    const trial = await tryDocument(scenario, id).catch(() => null);
    if (trial?.kind === "starts") return trial.startMs;
    if (trial !== null) return null;
  }
  return null;
}
