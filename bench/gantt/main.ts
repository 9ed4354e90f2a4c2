/**
 * Pan and zoom over the same bars: ours, ECharts (custom series), vis-timeline. Each frame's cost is the main thread's CPU time for
 * script and for the whole task, asked from Chromium (`Performance.getMetrics` in thread ticks), so that a busy machine does not
 * count. A contestant that is not ready in time is reported as not finished. `--quick` leaves out the million.
 */
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "@playwright/test";
import { createServer } from "vite";

function option(name: string): string | undefined {
  return process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
}

const FRAMES = Number(option("frames") ?? "300");
/** A contestant that takes longer for a movement is measured by the frames it has shown until then. */
const MOVEMENT_MS = 300_000;
const READY_MS = 180_000;
const CONTESTANTS = ["queuescope", "echarts", "vis"] as const;

interface Row {
  readonly who: string;
  readonly bars: number;
  readonly kind: string;
  readonly frames: number;
  readonly scriptP50: number;
  readonly scriptP95: number;
  readonly taskP50: number;
  readonly taskP95: number;
  /** What the whole movement costs, with what is painted as it comes to rest, divided by its frames. */
  readonly scriptMean: number;
  readonly taskMean: number;
}

const root = process.cwd();
const server = await createServer({
  root: `${root}/bench/gantt/page`,
  configFile: false,
  logLevel: "error",
  cacheDir: `${root}/.cache/bench-vite`,
  server: { port: 5191, fs: { allow: [root] } },
});
await server.listen();
const executablePath = process.env.QUEUESCOPE_CHROME ?? "/usr/bin/chromium";
const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run"],
});
const rows: Row[] = [];
console.log(
  "| bars | drawn by | ready | movement | frames | script p50 | script p95 | script mean | task p50 | task p95 | task mean |",
);
console.log("|---|---|---|---|---|---|---|---|---|---|---|");
const asked = option("bars");
const quick = process.argv.includes("--quick") ? [10_000, 100_000] : [10_000, 100_000, 1_000_000];
for (const bars of asked ? [Number(asked)] : quick) {
  for (const who of CONTESTANTS)
    if ((option("who") ?? who) === who) await contest(browser, who, bars);
}
console.log(
  JSON.stringify({
    bench: "gantt",
    file: fileURLToPath(import.meta.url)
      .split("/")
      .at(-1),
    rows,
  }),
);
await browser.close();
await server.close();

async function contest(from: Browser, who: string, bars: number): Promise<void> {
  const page = await from.newPage({ viewport: { width: 1_280, height: 720 } });
  try {
    await page.goto(`http://localhost:5191/?who=${who}&bars=${bars}`);
    await page.waitForFunction("window.contest || window.contestError", null, {
      timeout: READY_MS,
    });
    const state = await page.evaluate(() => ({
      error: window.contestError ?? "",
      readyMs: window.contest?.readyMs ?? 0,
    }));
    if (state.error !== "") throw new Error(state.error);
    for (const kind of ["pan", "zoom"] as const) {
      const row = await measure(page, who, bars, kind);
      rows.push(row);
      const script = [row.scriptP50, row.scriptP95, row.scriptMean];
      const cells = [...script, row.taskP50, row.taskP95, row.taskMean].map(
        (value) => `${value.toFixed(1)} ms`,
      );
      console.log(
        `| ${bars} | ${who} | ${(state.readyMs / 1_000).toFixed(1)} s | ${kind} | ${row.frames} | ${cells.join(" | ")} |`,
      );
    }
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n")[0] : String(error);
    console.log(`| ${bars} | ${who} | did not finish: ${why} | | | | | | | | |`);
  }
  await page.close();
}

async function measure(
  page: Awaited<ReturnType<Browser["newPage"]>>,
  who: string,
  bars: number,
  kind: "pan" | "zoom",
): Promise<Row> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const read = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    const value = (name: string) =>
      (metrics.find((metric) => metric.name === name)?.value ?? 0) * 1_000;
    return { script: value("ScriptDuration"), task: value("TaskDuration") };
  };
  const script: number[] = [];
  const task: number[] = [];
  const latest = Date.now() + MOVEMENT_MS;
  let before = await read();
  let first = before;
  // The first frame comes from another movement and is not counted, so that there are two at least. What happens between two frames is the later one's.
  for (let frame = 0; frame < FRAMES && (frame < 2 || Date.now() < latest); frame++) {
    await page.evaluate(
      async ({ share, zooms }) => {
        const { endMs, show } = window.contest!;
        const width = zooms ? endMs / 200 ** share : endMs / 4;
        const middle = zooms ? endMs * (0.5 - 0.03 * share) : endMs * (0.3 + 0.3 * share);
        await show(middle - width / 2, middle + width / 2);
      },
      { share: frame / FRAMES, zooms: kind === "zoom" },
    );
    if (frame === 0) {
      await page.evaluate(() => window.contest!.rest?.());
      before = await read();
      first = before;
      continue;
    }
    const after = await read();
    script.push(after.script - before.script);
    task.push(after.task - before.task);
    before = after;
  }
  await page.evaluate(() => window.contest!.rest?.());
  const last = await read();
  const rank = (values: number[], share: number) =>
    [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
  await session.detach();
  return {
    who,
    bars,
    kind,
    frames: script.length,
    scriptP50: rank(script, 0.5),
    scriptP95: rank(script, 0.95),
    taskP50: rank(task, 0.5),
    taskP95: rank(task, 0.95),
    scriptMean: (last.script - first.script) / script.length,
    taskMean: (last.task - first.task) / task.length,
  };
}
