/**
 * `?bench=gantt&bars=100000`: runs the Gantt's script once the page has come to rest and leaves the result in
 * `window.queuescope.bench.result`. `?bench=page`: leaves movements over whatever run is open in `bench.script`, for a program that
 * measures each frame from outside (with `&bars=` over a synthetic record). Loaded only when asked for.
 */
import { setBenchResult, setBenchScript } from "../store/queuescopeApi.ts";

const BARS_MOST = 2_000_000;

export async function runPageBench(search: string): Promise<void> {
  const query = new URLSearchParams(search);
  const which = query.get("bench");
  const asked = Number(query.get("bars"));
  if (which !== "gantt" && which !== "page") return;
  const { runGanttBench, showSynthetic } = await import("../panels/gantt/bench.ts");
  const bars = Math.min(BARS_MOST, Math.max(1_000, asked || 100_000));
  const nodes = bars >= 1_000_000 ? 1_024 : 128;
  if (which === "gantt") setBenchResult(await runGanttBench(bars, nodes));
  else {
    if (asked > 0) showSynthetic(bars, nodes);
    const { pageScript } = await import("./pageScript.ts");
    setBenchScript(pageScript);
  }
}
