/**
 * `?bench=gantt&bars=100000`: runs the Gantt's script once the page has come to rest and leaves the result in
 * `window.queuescope.bench.result`. Loaded only when asked for.
 */
import { setBenchResult } from "../store/queuescopeApi.ts";

const BARS_MOST = 2_000_000;

export async function runPageBench(search: string): Promise<void> {
  const query = new URLSearchParams(search);
  if (query.get("bench") !== "gantt") return;
  const bars = Math.min(BARS_MOST, Math.max(1_000, Number(query.get("bars")) || 100_000));
  const { runGanttBench } = await import("../panels/gantt/bench.ts");
  setBenchResult(await runGanttBench(bars, bars >= 1_000_000 ? 1_024 : 128));
}
