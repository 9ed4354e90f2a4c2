/**
 * The whole page over whole scenarios: pan, zoom and play with every panel, what opening costs the main thread, and memory. The
 * page offers the movements (`?bench=page`), this program shows them frame by frame and reads Chromium's thread clock before and
 * after, so that a busy machine counts little. Long tasks are wall time, as the browser reports them.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type Browser, type CDPSession, chromium, type Page } from "@playwright/test";
import { preview } from "vite";
import { encodeScenario } from "../../src/scenario/codec.ts";
import { LIBRARY, libraryScenario } from "../../src/scenario/library/index.ts";
import type { QueuescopeApi } from "../../src/store/queuescopeApi.ts";
import { syntheticLog } from "./syntheticLog.ts";
import { tableScroll } from "./tableScroll.ts";

/** The page's own name for what it offers; only code that runs in the page uses it. */
declare const queuescope: QueuescopeApi;

const PORT = Number(process.env.PORT ?? "4391");
const ADDRESS = `http://localhost:${PORT}/`;
const READY_MS = 300_000;

interface Subject {
  readonly name: string;
  /** Fragment of the address, or a file to drop. */
  readonly link?: string;
  /** Where the file lies. It is chosen by its path: handed over as bytes it comes into the page as one message of the browser's tools, a task of 0.4 s that no reader sees. */
  readonly file?: () => string;
  readonly bars?: number;
  /** Shown near, at a pixel a device, and far, in more frames. */
  readonly cameras?: boolean;
}

/** For files that are made up. */
const made = mkdtempSync(join(tmpdir(), "queuescope-bench-"));

const FRAMES = 40;
const CAMERA_FRAMES = 300;
/** Movements under the three cameras. */
const UNDER_CAMERAS = ["pan, a tenth", "zoom in", "zoom out", "leaps"];

function option(name: string): string | undefined {
  return process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
}

/** Only how long it takes until there is something to see, of every scenario of the library. */
const openingOnly = process.argv.includes("--opening");
const traces = option("traces") ?? "../shared/traces/swf";

function subjects(): Subject[] {
  const list: Subject[] = [
    { name: "1,024 GPUs × 100,000 bars", bars: 100_000 },
    { name: "8,192 GPUs × 1,000,000 bars", bars: 1_000_000, cameras: true },
  ];
  for (const id of openingOnly ? LIBRARY.map((entry) => entry.id) : ["why-waiting", "month-128"]) {
    const scenario = libraryScenario(id);
    if (scenario) list.push({ name: id, link: linkOf(id) });
  }
  for (const name of ["SDSC-SP2-1998-4.2-cln", "SDSC-BLUE-2000-4.2-cln", "RICC-2010-2"]) {
    const path = join(traces, `${name}.swf.gz`);
    if (existsSync(path)) list.push({ name, file: () => path });
  }
  list.push({
    name: "1,000,000 jobs",
    file: () => {
      const path = join(made, "million.swf.gz");
      writeFileSync(path, gzipSync(syntheticLog(1_000_000, 1_024)));
      return path;
    },
  });
  return list.filter(
    ({ name, bars }) => name.includes(option("only") ?? "") && !(openingOnly && bars),
  );
}

function linkOf(id: string): string {
  const scenario = libraryScenario(id)!;
  return `#s=${encodeScenario(scenario, { id, scenario })}`;
}

/** Runs in the page before anything else: first bars of the record that comes in, long tasks. */
function watchPage(): void {
  const seen: Seen["seen"] = { firstChunkMs: 0, firstBarsMs: 0, tasks: [] };
  Object.assign(window, { seen });
  const Channel = window.MessageChannel;
  window.MessageChannel = class extends Channel {
    constructor() {
      super();
      this.port1.addEventListener("message", ({ data }: MessageEvent<{ kind?: string } | null>) => {
        if (data?.kind === "chunk" && seen.firstChunkMs === 0)
          seen.firstChunkMs = performance.now();
      });
    }
  };
  const put = CanvasRenderingContext2D.prototype.putImageData;
  CanvasRenderingContext2D.prototype.putImageData = function (...args: unknown[]) {
    const isFirst = seen.firstBarsMs === 0 && seen.firstChunkMs > 0;
    if (isFirst && this.canvas.className === "gantt-plot") seen.firstBarsMs = performance.now();
    Reflect.apply(put, this, args);
  };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const scripts = (entry as PerformanceEntry & { scripts?: LoafScript[] }).scripts ?? [];
      const what = scripts
        .filter((script) => script.duration > 10)
        .map((script) => `${script.invoker} ${Math.round(script.duration)}`)
        .join(", ");
      seen.tasks.push({ startMs: entry.startTime, ms: entry.duration, what });
    }
  }).observe({ type: "long-animation-frame", buffered: true });
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  /** CPU time of the thread, µs. */
  readonly tdur?: number;
  readonly args: { readonly name?: string; readonly data?: { readonly functionName?: string } };
}

/** The main thread's tasks since the trace began, longest first, in CPU time, with the longest calls inside. */
function tasksOf(trace: Buffer): { ms: number; what: string }[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const main = new Map<number, number>();
  const busy = new Map<number, number>();
  for (const event of traceEvents) {
    if (event.name === "thread_name" && event.args.name === "CrRendererMain")
      main.set(event.pid, event.tid);
    if (event.name === "FunctionCall")
      busy.set(event.pid, (busy.get(event.pid) ?? 0) + (event.tdur ?? 0));
  }
  const [pid] = [...main.keys()].sort((a, b) => (busy.get(b) ?? 0) - (busy.get(a) ?? 0));
  const own = traceEvents.filter(
    (event) => event.ph === "X" && event.pid === pid && event.tid === main.get(event.pid),
  );
  const tasks = own.filter(({ name }) => name.endsWith("RunTask"));
  return tasks
    .map((task) => ({ ms: (task.tdur ?? 0) / 1_000, what: callsIn(task, own) }))
    .sort((a, b) => b.ms - a.ms);
}

function callsIn(task: TraceEvent, events: readonly TraceEvent[]): string {
  const end = task.ts + (task as unknown as { dur: number }).dur;
  if ((task.tdur ?? 0) < 30_000) return "";
  return events
    .filter(
      (event) =>
        event !== task && event.ts >= task.ts && event.ts < end && (event.tdur ?? 0) > 8_000,
    )
    .slice(0, 6)
    .map(
      ({ name, tdur, args }) =>
        `${name} ${args.data?.functionName ?? ""} ${Math.round((tdur ?? 0) / 1_000)}`,
    )
    .join(", ");
}

function printTasks(trace: Buffer): void {
  const tasks = tasksOf(trace);
  const above = (ms: number) => tasks.filter((task) => task.ms > ms).length;
  console.log(
    `opening: ${above(50)} tasks above 50 ms of CPU time, ${above(16)} above 16 ms, longest`,
  );
  for (const { ms, what } of tasks.slice(0, 6)) console.log(`    ${ms.toFixed(0)} ms: ${what}`);
}

interface LoafScript {
  readonly invoker: string;
  readonly duration: number;
}

/** Milliseconds from the drop of a file to the dialog, to the first bars and to the whole run at rest; null without a file. */
interface Opened {
  readonly dialog: number;
  readonly bars: number;
  readonly whole: number;
}

async function open(page: Page, subject: Subject): Promise<Opened | null> {
  const query = subject.bars ? `?bench=page&bars=${subject.bars}` : "?bench=page";
  await page.goto(`${ADDRESS}${query}${subject.link ?? ""}`);
  await page.waitForFunction(() => "queuescope" in window, null, { timeout: READY_MS });
  await page.evaluate(() => queuescope.idle());
  await page.waitForFunction(() => queuescope.bench.script !== null, null, { timeout: READY_MS });
  if (!subject.file) return null;
  await page.evaluate(() => {
    const input = document.createElement("input");
    input.type = "file";
    input.id = "bench-file";
    document.body.append(input);
  });
  await page.locator("#bench-file").setInputFiles(subject.file());
  const droppedMs = await page.evaluate(() => {
    const input = document.querySelector<HTMLInputElement>("#bench-file")!;
    const data = new DataTransfer();
    for (const given of input.files ?? []) data.items.add(given);
    input.remove();
    Object.assign((window as unknown as Seen).seen, { firstChunkMs: 0, firstBarsMs: 0 });
    const startMs = performance.now();
    for (const kind of ["dragenter", "dragover", "drop"])
      document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true }));
    return startMs;
  });
  const button = page.getByRole("dialog").getByRole("button", { name: "Open trace", exact: true });
  await button.click({ timeout: READY_MS });
  const dialog = (await page.evaluate(() => performance.now())) - droppedMs;
  await page.evaluate(() => queuescope.idle());
  const { bars, whole } = await page.evaluate(() => ({
    bars: (window as unknown as Seen).seen.firstBarsMs,
    whole: performance.now(),
  }));
  return { dialog, bars: bars - droppedMs, whole: whole - droppedMs };
}

function rank(values: readonly number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
}

async function scriptMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return (metrics.find((metric) => metric.name === "ScriptDuration")?.value ?? 0) * 1_000;
}

/** Shows every movement and prints a row each. */
async function move(
  page: Page,
  session: CDPSession,
  frames = FRAMES,
  only?: readonly string[],
): Promise<void> {
  const offered = await page.evaluate(() => queuescope.bench.script?.movements ?? []);
  for (const movement of offered.filter((name) => only?.includes(name) ?? true)) {
    await page.evaluate((name) => queuescope.bench.script?.show(name, 0), movement);
    await page.evaluate(() => queuescope.bench.clear());
    const commits = await page.evaluate(() => queuescope.commits);
    const costs: number[] = [];
    for (let frame = 1; frame <= frames; frame++) {
      const before = await scriptMs(session);
      await page.evaluate(
        ([name, share]) => queuescope.bench.script?.show(name as string, share as number),
        [movement, frame / frames] as const,
      );
      costs.push((await scriptMs(session)) - before);
    }
    const log = await page.evaluate(() => {
      const { costsMs, painters } = queuescope.bench;
      return { costsMs, painters, commits: queuescope.commits };
    });
    const cells = [
      movement,
      ...[0.5, 0.95, 1].map((share) => rank(costs, share)),
      ...[0.5, 0.95, 1].map((share) => rank(log.costsMs, share)),
      String(log.commits - commits),
    ];
    console.log(`| ${cells.join(" | ")} |`);
    if (process.argv.includes("--painters")) printPainters(log.painters);
  }
}

function printPainters(
  painters: Readonly<Record<string, { paints: number; sumMs: number; maxMs: number }>>,
): void {
  const parts = Object.entries(painters).map(
    ([name, cost]) =>
      `${name} ${(cost.sumMs / cost.paints).toFixed(2)} (most ${cost.maxMs.toFixed(1)})`,
  );
  console.log(`    ${parts.join(", ")}`);
}

async function memory(browser: Browser, page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const bytes = await page.evaluate(async () => {
    const whole = performance as Performance & {
      measureUserAgentSpecificMemory?: () => Promise<{ bytes: number }>;
      memory?: { usedJSHeapSize: number };
    };
    return whole.memory?.usedJSHeapSize ?? 0;
  });
  const { processInfo } = await (await browser.newBrowserCDPSession()).send(
    "SystemInfo.getProcessInfo",
  );
  const sizes = processInfo
    .filter(({ type }) => type === "renderer")
    .map(({ id }) => residentMiB(id));
  console.log(
    `page heap ${(bytes / 2 ** 20).toFixed(0)} MiB; renderer processes (page and worker) ${sizes.join(", ")} MiB resident`,
  );
}

function residentMiB(pid: number): number {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return Number.NaN;
  const kiB = /VmRSS:\s+(\d+)/.exec(readFileSync(path, "utf8"))?.[1] ?? "0";
  return Math.round(Number(kiB) / 1_024);
}

async function tell(page: Page, since: number, most = 8): Promise<number> {
  const { tasks, nowMs } = await page.evaluate(() => ({
    tasks: (window as unknown as Seen).seen.tasks,
    nowMs: performance.now(),
  }));
  const later = tasks.filter(({ startMs }) => startMs >= since);
  const worst = [...later].sort((a, b) => b.ms - a.ms).slice(0, most);
  console.log(`frames above 50 ms: ${later.length}`);
  for (const { ms, what, startMs } of worst)
    console.log(`    ${ms.toFixed(0)} ms at ${(startMs / 1_000).toFixed(1)} s: ${what}`);
  return nowMs;
}

interface Seen {
  readonly seen: {
    firstChunkMs: number;
    firstBarsMs: number;
    tasks: { startMs: number; ms: number; what: string }[];
  };
}

async function firstBars(browser: Browser, link: string): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
  const times: string[] = [];
  for (const kind of ["cold", "warm", "warm", "warm"]) {
    const page = await context.newPage();
    await page.addInitScript(watchPage);
    await page.goto(`${ADDRESS}${link}`);
    await page.waitForFunction(() => (window as unknown as Seen).seen.firstBarsMs > 0, null, {
      timeout: READY_MS,
    });
    const ms = await page.evaluate(() => (window as unknown as Seen).seen.firstBarsMs);
    times.push(`${kind} ${(ms / 1_000).toFixed(2)} s`);
    await page.close();
  }
  console.log(`link to first bars: ${times.join(", ")}`);
  await context.close();
}

const server = await preview({
  root: process.cwd(),
  configFile: false,
  logLevel: "error",
  preview: { port: PORT, strictPort: true },
});
for (const subject of subjects()) {
  const browser = await chromium.launch({
    executablePath: process.env.QUEUESCOPE_CHROME ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--enable-precise-memory-info"],
  });
  console.log(`\n## ${subject.name}\n`);
  if (subject.link) await firstBars(browser, subject.link);
  if (openingOnly && subject.link) {
    await browser.close();
    continue;
  }
  const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } });
  await page.addInitScript(watchPage);
  await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline", "v8"] });
  const took = await open(page, subject);
  const trace = await browser.stopTracing();
  if (took) {
    const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
    const { dialog, bars, whole } = took;
    console.log(
      `from the drop: dialog ${seconds(dialog)}, first bars ${seconds(bars)}, whole ${seconds(whole)}`,
    );
  }
  printTasks(trace);
  const opened = await tell(page, 0);
  if (openingOnly) {
    await memory(browser, page);
    await browser.close();
    continue;
  }
  if (process.argv.includes("--painters"))
    printPainters(await page.evaluate(() => queuescope.bench.painters));
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  // A log opens where most wait.
  if (subject.file) await tableScroll(page, session);
  console.log("\n| movement | script p50 | p95 | most | wall p50 | p95 | most | commits |");
  console.log("|---|---|---|---|---|---|---|---|");
  await move(page, session);
  for (const camera of subject.cameras ? (["near", "middle", "far"] as const) : []) {
    await page.evaluate((name) => queuescope.bench.script?.camera(name), camera);
    await page.evaluate(() => queuescope.idle());
    console.log(`| **${camera}**, ${CAMERA_FRAMES} frames | | | | | | | |`);
    await move(page, session, CAMERA_FRAMES, UNDER_CAMERAS);
  }
  console.log("\nmoving:");
  await tell(page, opened);
  await memory(browser, page);
  await browser.close();
}
await server.close();
rmSync(made, { recursive: true });
