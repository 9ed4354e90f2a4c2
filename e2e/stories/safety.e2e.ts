/** A breaker's tour: hostile names, files that are none, sizes beyond sense. Every answer names place and remedy; the work stays. */
import { gzipSync } from "node:zlib";
import type { ScenarioInput } from "../../src/scenario/schema.ts";
import { expect, test } from "../base.ts";
import { chooseFile, dropFile } from "../support/files.ts";
import { BLOCKED, HOSTILE_NAMES, HOUR, MINUTE } from "../support/scenarios.ts";
import { swfGzip, swfText } from "../support/swf.ts";
import type { Workbench } from "../support/workbench.ts";

function hostile(): ScenarioInput {
  return {
    version: 1,
    title: HOSTILE_NAMES[0],
    question: HOSTILE_NAMES[1],
    cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4, gpuModel: HOSTILE_NAMES[0] }] },
    pools: [{ id: "all", policy: { preset: "lab", settings: { backfill: "none" } } }],
    tiers: [{ id: HOSTILE_NAMES[0], name: HOSTILE_NAMES[1], letter: "<b" }],
    workload: {
      jobs: HOSTILE_NAMES.map((id, row) => ({
        id,
        name: HOSTILE_NAMES[(row + 1) % HOSTILE_NAMES.length] ?? id,
        user: id,
        submitMs: row * MINUTE,
        gpus: 5,
        workMs: HOUR,
      })),
    },
  };
}

test("hostile names are text everywhere: in sheet, tables, inspector, search and tab", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(hostile());
  await bench.seek(10 * MINUTE);
  for (const id of HOSTILE_NAMES) await bench.select(id);
  await bench.click("Queue table");
  await expect(bench.page.getByRole("row").nth(1)).toBeVisible();
  await bench.press("Escape", "/");
  await bench.page.keyboard.type("<img");
  await bench.press("Enter");
  expect(await bench.page.locator("#root img, #root script").count()).toBe(0);
  expect(
    await bench.page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
  ).toBeLessThanOrEqual(0);
});

test("a name of 10,000 letters is refused with its place, or shown without breaking the sheet", async ({
  bench,
}) => {
  await bench.visit();
  await bench.open(BLOCKED);
  const digest = await bench.digest();
  const jobs = BLOCKED.workload?.jobs ?? [];
  const long = {
    ...BLOCKED,
    workload: { jobs: [...jobs, { ...jobs[0], id: "x".repeat(10_000) }] },
  };
  await bench.page.evaluate(
    (given) => window.queuescope.open(given).catch(() => undefined),
    long as ScenarioInput,
  );
  await expect(bench.alerts().first()).toContainText(/workload\/jobs\/4|job 5|10000|200/);
  expect(
    await bench.page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
  ).toBeLessThanOrEqual(0);
  await bench.idle();
  expect(await bench.digest()).toBe(digest);
});

/** Files that hold no workload, and what the answer must name. */
const bad: readonly (readonly [string, string, Buffer, RegExp])[] = [
  ["an empty file", "empty.swf", Buffer.alloc(0), /empty/i],
  [
    "a truncated gzip",
    "cut.swf.gz",
    swfGzip({ jobs: 500, procs: 8, seed: 1 }).subarray(0, 900),
    /gzip|compressed|cut|truncated|incomplete/i,
  ],
  ["a picture", "photo.png", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), /photo\.png/],
  [
    "binary noise named as a log",
    "noise.swf",
    Buffer.from(Array.from({ length: 4_000 }, (_, at) => (at * 7919) % 256)),
    /noise\.swf/,
  ],
  ["a gzip of nothing", "nothing.csv.gz", gzipSync(""), /empty|nothing\.csv/i],
  [
    "a scenario with unknown fields",
    "odd.json",
    Buffer.from(JSON.stringify({ ...BLOCKED, colour: "red" })),
    /colour/,
  ],
  ["a scenario that is no JSON", "broken.json", Buffer.from('{"version":1,'), /JSON|broken\.json/],
  [
    "a job of 10⁹ GPUs",
    "huge.json",
    Buffer.from(
      JSON.stringify({
        ...BLOCKED,
        workload: { jobs: [{ id: "huge", submitMs: 0, gpus: 1_000_000_000, workMs: 1 }] },
      }),
    ),
    /workload\/jobs\/0\/gpus|huge|job 1/,
  ],
  [
    "negative and missing times",
    "minus.json",
    Buffer.from(
      JSON.stringify({
        ...BLOCKED,
        workload: { jobs: [{ id: "m", submitMs: -5, gpus: 1, workMs: null }] },
      }),
    ),
    /submitMs/,
  ],
];

for (const [what, name, buffer, expected] of bad) {
  test(`${what} is refused in words, and the work stays`, async ({ bench }) => {
    await bench.visit();
    await bench.open(BLOCKED);
    const digest = await bench.digest();
    await chooseFile(bench, { name, buffer });
    await expect(bench.alerts().first()).toContainText(expected);
    await expect(bench.alerts().first()).not.toContainText(/undefined|\[object|NaN\b|TypeError/);
    await bench.idle();
    expect(await bench.digest()).toBe(digest);
    await stillUsable(bench);
  });
}

async function stillUsable(bench: Workbench): Promise<void> {
  await bench.press("Escape");
  await bench.seek(HOUR);
  expect(bench.view().cursorMs).toBe(HOUR);
  await bench.button("Play").click();
  await bench.button("Pause").click();
}

test("a job of 10⁹ processors in a log is counted and named, the others run", async ({ bench }) => {
  await bench.visit();
  const rows = swfText({ jobs: 20, procs: 16, seed: 2, computer: HOSTILE_NAMES[0] });
  const huge = "21 99999 -1 60 1000000000 -1 -1 1000000000 60 -1 1 1 1 -1 1 -1 -1 -1\n";
  await dropFile(bench, { name: `${HOSTILE_NAMES[0]}.swf`, buffer: Buffer.from(rows + huge) });
  await expect(bench.dialog()).toContainText(/larger|1,000,000,000|refused|1000000000/);
  expect(await bench.page.locator("[role=dialog] img").count()).toBe(0);
});

test("a log in UTF-16 is read as what it is", async ({ bench }) => {
  await bench.visit();
  const text = `\uFEFF${swfText({ jobs: 3, procs: 8, seed: 1 })}`;
  await chooseFile(bench, { name: "wide.swf", buffer: Buffer.from(text, "utf16le") });
  await expect(bench.dialog("wide.swf")).toContainText(/\b3\sjobs/);
});

test("100,000 changes are refused in words at the limit, not by a hang", async ({ bench }) => {
  await bench.visit();
  await bench.open(BLOCKED);
  const digest = await bench.digest();
  const interventions = Array.from({ length: 100_000 }, (_, at) => ({
    kind: "drain" as const,
    atMs: at,
    nodes: ["n-000"],
  }));
  await chooseFile(bench, {
    name: "changes.json",
    buffer: Buffer.from(JSON.stringify({ ...BLOCKED, interventions })),
  });
  await expect(bench.alerts().first()).toContainText(/interventions/);
  await bench.idle();
  expect(await bench.digest()).toBe(digest);
});

test("Undo held down walks all the way back, and the address follows", async ({ bench }) => {
  await bench.visit();
  await bench.open(BLOCKED);
  const digest = await bench.digest();
  const link = bench.link();
  await bench.page.evaluate(async (scenario) => {
    for (let edit = 1; edit <= 40; edit++)
      await window.queuescope.open({ ...scenario, seed: edit + 1 });
  }, BLOCKED);
  await bench.idle();
  for (let step = 0; step < 40; step++) await bench.page.keyboard.press("Control+z");
  await expect.poll(async () => (await bench.scenario()).seed).toBe(1);
  await bench.idle();
  expect(await bench.digest()).toBe(digest);
  expect(bench.part("s")).toBe(new URL(link).hash.slice(3).split("&")[0]);
});

test("back twelve times at once and a resize from 300 px to 4K leave a working page", async ({
  bench,
}) => {
  await bench.visit();
  const first = await bench.digest();
  for (let edit = 0; edit < 12; edit++) await bench.open({ ...BLOCKED, title: `Edit ${edit}` });
  await bench.page.evaluate(() => {
    for (let step = 0; step < 12; step++) history.back();
  });
  await expect.poll(() => bench.digest()).toBe(first);
  await bench.idle();
  for (const width of [300, 3840, 900, 1440]) {
    await bench.page.setViewportSize({ width, height: width > 2000 ? 2160 : 700 });
    await bench.idle();
  }
  expect(await bench.digest()).toBe(first);
  await bench.open(BLOCKED);
  await stillUsable(bench);
});
