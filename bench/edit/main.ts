/**
 * From edit to redrawn future, and seek, on the built page with a warm worker. Wall clock is what a person waits for; bytes and counts
 * are what the product can be held to. Long tasks are the browser's own (≥ 50 ms of wall clock); beside them stands the main thread's CPU time.
 */
import { type Browser, type CDPSession, chromium, type Page } from "@playwright/test";
import { preview } from "vite";
import { readScenario } from "../../src/scenario/read.ts";
import type { QueuescopeApi } from "../../src/store/queuescopeApi.ts";
import { type Subject, subjects } from "./subjects.ts";
import { type Watched, watchPage } from "./watch.ts";

/** The page's own name for what it offers; only code that runs in the page uses it. */
declare const queuescope: QueuescopeApi;

const PORT = Number(process.env.PORT ?? "4392");
const READY_MS = 300_000;
const SEEKS = 200;
const LOOKED_MS = 3_000;
const DAY_MS = 86_400_000;

type Seen = { readonly seen: Watched };

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  /** The node that ran at each sample, and µs to the next. */
  readonly samples?: readonly number[];
  readonly timeDeltas?: readonly number[];
}

const profiled = process.argv.includes("--profile");
const only = process.argv.find((word) => word.startsWith("--only="))?.slice(7) ?? "";

function rank(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const ms = (value: number | undefined): string => (value === undefined ? "–" : value.toFixed(0));

/** Functions by the time that they took themselves, with who called them most; a build with `--minify false` has their names. */
function printProfile({ nodes, samples = [], timeDeltas = [] }: Profile): void {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((c) => [c, id])));
  const nameOf = (id: number | undefined): string => {
    const frame = byId.get(id ?? -1)?.callFrame;
    return frame ? `${frame.functionName || "(anonymous)"}:${frame.lineNumber + 1}` : "";
  };
  const own = new Map<string, number>();
  const whole = new Map<string, number>();
  const add = (sums: Map<string, number>, name: string, ms: number) =>
    sums.set(name, (sums.get(name) ?? 0) + ms);
  for (const [i, sample] of samples.entries()) {
    const spentMs = (timeDeltas[i] ?? 0) / 1_000;
    add(own, nameOf(sample), spentMs);
    const seen = new Set<string>();
    for (let id: number | undefined = sample; id !== undefined; id = parents.get(id))
      seen.add(nameOf(id));
    for (const name of seen) add(whole, name, spentMs);
  }
  const print = (title: string, sums: Map<string, number>, most: number) => {
    const list = [...sums].sort((a, b) => b[1] - a[1]).slice(0, most);
    console.log(`    ${title}: ${list.map(([name, spent]) => `${name} ${ms(spent)}`).join(", ")}`);
  };
  print("themselves, ms", own, 30);
  print("with what they call, ms", whole, 90);
}

async function taskMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1_000;
}

interface Step {
  readonly name: string;
  /** Interventions of the document at this step. */
  readonly interventions: readonly object[];
  /** Handed over as a whole document, as a script does; else made as an editor of the page does. */
  readonly whole?: boolean;
}

function stepsOf({ scenario, editMs, node }: Subject): Step[] {
  const drain = { kind: "drain", atMs: editMs, nodes: [node] };
  const job = { id: "one-more", gpus: 8, workMs: 3_600_000, limitMs: 7_200_000 };
  const inject = { kind: "inject", atMs: editMs, job };
  const before = scenario.interventions;
  const undo = { name: "its Undo", interventions: before };
  const single = { kind: "inject", atMs: editMs, job: { ...job, gpus: 1 } };
  const back = { kind: "resume", atMs: editMs + 3_600_000, nodes: [node] };
  return [
    { name: "drain a node", interventions: [...before, drain] },
    undo,
    {
      name: "drain, 1 h later",
      interventions: [...before, { ...drain, atMs: editMs + 3_600_000 }],
    },
    undo,
    { name: "one more job of 8 GPUs", interventions: [...before, inject] },
    undo,
    { name: "one more job of 1 GPU", interventions: [...before, single] },
    undo,
    { name: "drain, back after 1 h", interventions: [...before, drain, back] },
    undo,
    {
      name: "drain, by a script",
      interventions: [...before, { ...drain, atMs: editMs + 7_200_000 }],
      whole: true,
    },
  ];
}

/** Changes as the page has them. */
function withDefaults({ scenario }: Subject, interventions: readonly object[]): readonly object[] {
  const read = readScenario({ ...scenario, workload: {}, interventions });
  if (!read.ok) throw new Error(`${read.error[0]?.place}: ${read.error[0]?.message}`);
  return read.value.interventions;
}

/** Opens the document changed, and says when its future was there. */
async function edit(page: Page, session: CDPSession, subject: Subject, step: Step): Promise<void> {
  if (profiled) await session.send("Profiler.start");
  const cpuBefore = await taskMs(session);
  const told = await page.evaluate(
    async ([interventions, toMs, whole]) => {
      const { seen } = window as unknown as Seen;
      Object.assign(seen, { bytes: 0, stageBytes: 0, doneAtMs: 0 });
      for (const list of [seen.chunks, seen.paints, seen.tasks]) list.length = 0;
      const scenario = whole ? { ...queuescope.scenario(), interventions } : null;
      if (whole) await new Promise((resolve) => setTimeout(resolve, 300));
      seen.tasks.length = 0;
      const startMs = performance.now();
      if (scenario) await queuescope.open(scenario);
      else await queuescope.bench.script?.edit(interventions);
      await queuescope.idle();
      await new Promise((resolve) => setTimeout(resolve, 300));
      const paintAfter = (atMs: number | undefined): number | undefined =>
        atMs === undefined ? undefined : seen.paints.find((paint) => paint >= atMs);
      const wait = (atMs: number | undefined): number | undefined =>
        atMs === undefined ? undefined : atMs - startMs;
      const { chunks } = seen;
      const inView = chunks.find((chunk) => chunk.toMs >= toMs) ?? chunks.at(-1);
      // An Undo brings a whole future back, without a chunk.
      return {
        first: wait(paintAfter(chunks[0]?.atMs ?? startMs)),
        view: wait(paintAfter(inView?.atMs ?? startMs)),
        done: wait(seen.doneAtMs || undefined),
        chunks: chunks.length,
        chunkBytes: chunks.reduce((sum, { bytes }) => sum + bytes, 0),
        stageBytes: seen.stageBytes,
        tasks: seen.tasks.map((task) => task.ms),
      };
    },
    [
      withDefaults(subject, step.interventions),
      subject.editMs + subject.viewMs / 2,
      step.whole === true,
    ] as const,
  );
  const cpu = (await taskMs(session)) - cpuBefore;
  const profile = profiled ? (await session.send("Profiler.stop")).profile : null;
  const longest =
    told.tasks.length === 0
      ? "none"
      : `${told.tasks.length}, longest ${ms(Math.max(...told.tasks))}`;
  const cells = [
    step.name,
    ms(told.first),
    ms(told.view),
    ms(told.done),
    String(told.chunks),
    `${(told.chunkBytes / 1e6).toFixed(2)} MB`,
    `${told.stageBytes} B`,
    ms(cpu),
    longest,
  ];
  console.log(`| ${cells.join(" | ")} |`);
  if (profile) printProfile(profile);
}

/** Cancel in the middle of a run: how long until the page says so, and that it goes on. */
async function cancel(page: Page, subject: Subject): Promise<void> {
  const told = await page.evaluate(
    async ([interventions]) => {
      const { seen } = window as unknown as Seen;
      seen.chunks.length = 0;
      seen.doneAtMs = 0;
      const opened = queuescope.bench.script?.edit(interventions);
      while (seen.chunks.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      await opened;
      const button = document.querySelector<HTMLButtonElement>(
        'button[aria-label^="Cancel"], button[title^="Cancel"]',
      );
      const startMs = performance.now();
      button?.click();
      await queuescope.idle();
      return { pressed: button !== null, ms: performance.now() - startMs, done: seen.doneAtMs > 0 };
    },
    [
      withDefaults(subject, [{ kind: "drain", atMs: subject.editMs, nodes: [subject.node] }]),
    ] as const,
  );
  console.log(
    told.pressed && !told.done
      ? `cancel: at rest after ${ms(told.ms)} ms, not at the end`
      : "cancel: the run was over before it could be pressed",
  );
}

async function seeks(page: Page, session: CDPSession): Promise<void> {
  const cpuBefore = await taskMs(session);
  const told = await page.evaluate(async (count) => {
    const { seen } = window as unknown as Seen;
    seen.tasks.length = 0;
    const last = queuescope.schedule().reduce((most, run) => Math.max(most, run.endMs ?? 0), 0);
    await new Promise((resolve) => setTimeout(resolve, 500));
    seen.tasks.length = 0;
    const drawn: number[] = [];
    const rest: number[] = [];
    const commits = queuescope.commits;
    let at = 12_345;
    for (let i = 0; i < count; i++) {
      at = (at * 48_271) % 2_147_483_647;
      const startMs = performance.now();
      queuescope.seek(Math.floor((at / 2_147_483_647) * last));
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
      drawn.push(performance.now() - startMs);
      await queuescope.idle();
      rest.push(performance.now() - startMs);
    }
    return {
      drawn,
      rest,
      commits: queuescope.commits - commits,
      tasks: seen.tasks.map((task) => task.ms),
    };
  }, SEEKS);
  const cpu = ((await taskMs(session)) - cpuBefore) / SEEKS;
  const tell = (values: readonly number[]) =>
    [0.5, 0.95, 1].map((share) => ms(rank(values, share))).join(" / ");
  console.log(
    `\nseek, ${SEEKS} places, ms p50 / p95 / most: frame drawn ${tell(told.drawn)}, page at rest ${tell(told.rest)}; ` +
      `${cpu.toFixed(1)} ms of CPU each, ${(told.commits / SEEKS).toFixed(1)} commits each; long tasks ${told.tasks.length}, longest ${ms(Math.max(0, ...told.tasks))}`,
  );
}

async function run(browser: Browser, subject: Subject): Promise<void> {
  console.log(`\n## ${subject.name}\n`);
  const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } });
  await page.addInitScript(watchPage);
  await page.goto(`http://localhost:${PORT}/?bench=page`);
  await page.waitForFunction(() => "queuescope" in window, null, { timeout: READY_MS });
  await page.evaluate(() => queuescope.idle());
  await page.waitForFunction(() => queuescope.bench.script !== null, null, { timeout: READY_MS });
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  if (profiled) {
    await session.send("Profiler.enable");
    await session.send("Profiler.setSamplingInterval", { interval: 250 });
  }
  const started = Date.now();
  await page.evaluate(async (scenario) => {
    await queuescope.open(scenario);
    await queuescope.idle();
  }, subject.scenario as object);
  const jobs = await page.evaluate(() => queuescope.schedule().length);
  console.log(`${jobs} runs, opened in ${((Date.now() - started) / 1_000).toFixed(1)} s\n`);
  await page.evaluate(
    ([fromMs, toMs]) => {
      queuescope.seek((fromMs + toMs) / 2);
      queuescope.bench.script?.look(fromMs, toMs);
    },
    [subject.editMs - subject.viewMs / 2, subject.editMs + subject.viewMs / 2] as const,
  );
  await page.evaluate(() => queuescope.idle());
  // Who edits has looked at the place for a moment.
  await new Promise((resolve) => setTimeout(resolve, LOOKED_MS));
  console.log(
    "| edit | first slice, ms | hours in view | whole | chunks | of columns | beside them | CPU of the page, ms | long tasks |",
  );
  console.log("|---|---|---|---|---|---|---|---|---|");
  for (const step of [...stepsOf(subject), ...stepsOf(subject)])
    await edit(page, session, subject, step);
  await cancel(page, subject);
  await page.evaluate(async (day) => {
    await queuescope.open({ ...queuescope.scenario(), interventions: [] });
    await queuescope.idle();
    queuescope.bench.script?.look(0, 7 * day);
  }, DAY_MS);
  await seeks(page, session);
  await page.close();
}

const server = await preview({
  root: process.cwd(),
  configFile: false,
  logLevel: "error",
  preview: { port: PORT, strictPort: true },
});
const browser = await chromium.launch({
  executablePath: process.env.QUEUESCOPE_CHROME ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run"],
});
for (const subject of subjects().filter(({ name }) => name.includes(only)))
  await run(browser, subject);
await browser.close();
await server.close();
