/** What a breaker found once: each of these left the page stuck, silent or wrong. */
import type { ScenarioInput } from "../../src/scenario/schema.ts";
import { expect, test } from "../base.ts";
import { chooseFile } from "../support/files.ts";
import { BLOCKED, drawn, HOUR } from "../support/scenarios.ts";

/** Passes every check of the document; only the worker knows that no drawn job has this name. */
const refused: ScenarioInput = {
  ...drawn(1),
  interventions: [{ kind: "cancel", atMs: 5, job: "nobody" }],
};
const needsTrace: ScenarioInput = {
  ...BLOCKED,
  title: "Needs a file",
  workload: { trace: { name: "x.swf", format: "swf", sha256: "a".repeat(64), bytes: 10 } },
};
/** More jobs than a link is tried for. */
const tooLong: ScenarioInput = {
  ...BLOCKED,
  title: "Too long",
  workload: {
    jobs: Array.from({ length: 8_100 }, (_, at) => ({
      id: `job-${at}`,
      submitMs: at * 1_000,
      gpus: 1 + (at % 4),
      workMs: 60_000,
    })),
  },
};

test("a log whose clock slips by aeons opens, and the slipped row is counted", async ({
  bench,
}) => {
  await bench.visit();
  const rows = "j1,0,100,4\nj2,60,100,4\nj3,1e300,100,4\nj4,0,100,1e12\nj5,NaN,1,1\n";
  await chooseFile(bench, {
    name: "aeons.csv",
    buffer: Buffer.from(`job_id,submission_time,duration,num_gpu\n${rows}`),
  });
  await expect(bench.dialog()).toContainText("Left out: 1 row: submitted decades before or after");
  await bench.click("Open trace");
  expect((await bench.schedule()).length).toBe(3);
});

test("10,000 changes, the most there may be, leave the page usable", async ({ bench }) => {
  await bench.visit();
  const interventions = Array.from({ length: 10_000 }, (_, at) => ({
    kind: at % 2 === 0 ? ("drain" as const) : ("resume" as const),
    atMs: at * 1_000,
    nodes: ["n-000"],
  }));
  await bench.open({ ...BLOCKED, interventions });
  await bench.seek(HOUR);
  await bench.click(/^Show 100 of 9.?900 earlier/);
  await bench.press(".", ".");
  expect(bench.page.url()).toContain("#kept");
});

test("a refused step leaves no dead entry: Back passes over it, the next step takes it over", async ({
  bench,
}) => {
  await bench.visit();
  const first = await bench.digest();
  await bench.open(BLOCKED);
  const entries = await bench.page.evaluate(() => history.length);
  await expect(bench.open(refused)).rejects.toThrow();
  await expect(bench.alerts().first()).toContainText("nobody");
  expect(await bench.page.title()).toContain(BLOCKED.title);
  await bench.open(drawn(3));
  const third = await bench.digest();
  expect(await bench.page.evaluate(() => history.length)).toBe(entries + 1);
  await expect(bench.open(refused)).rejects.toThrow();
  expect(await bench.digest()).toBe(third);
  await bench.page.goBack();
  await expect.poll(async () => (await bench.scenario()).title).toBe(BLOCKED.title);
  await bench.page.goBack();
  await expect.poll(() => bench.digest()).toBe(first);
});

test("a document that is too long for a link is found again by Back", async ({ bench }) => {
  await bench.visit();
  await bench.open(tooLong);
  const digest = await bench.digest();
  await bench.open(BLOCKED);
  await bench.page.goBack();
  await expect.poll(() => bench.digest()).toBe(digest);
  await expect(bench.open({ ...tooLong, ...refused, workload: drawn(1).workload ?? {} }))
    .rejects //
    .toThrow();
  expect(await bench.digest()).toBe(digest);
  expect((await bench.scenario()).title).toBe("Too long");
});

test("an address without a scenario is told, and becomes the link again", async ({ bench }) => {
  await bench.visit();
  await bench.open(BLOCKED);
  const link = bench.link();
  await bench.page.evaluate(() => {
    location.hash = "nonsense";
  });
  await expect(bench.alerts().first()).toContainText("holds no scenario");
  expect(bench.link()).toBe(link);
});

test("a file is still asked for after the run before it and after a bad file", async ({
  bench,
}) => {
  await bench.visit();
  await bench.page.evaluate(
    ([long, needs]) => {
      window.queuescope.open(long).catch(() => undefined);
      void window.queuescope.open(needs);
    },
    [drawn(5, 1_000), needsTrace] as const,
  );
  const asked = bench.alerts().filter({ hasText: "needs the file x.swf" });
  await expect(asked).toBeVisible();
  await bench.idle();
  await chooseFile(bench, { name: "bad.json", buffer: Buffer.from("{") });
  await expect(bench.alerts().filter({ hasText: "bad.json" })).toContainText("not JSON");
  await expect(asked).toBeVisible();
});

test("views and calls beyond sense move nothing and hold up nothing", async ({
  bench,
  stranger,
}) => {
  await bench.visit();
  await bench.open(BLOCKED);
  await bench.seek(HOUR);
  await bench.page.evaluate(() => {
    for (const atMs of [Number.NaN, Number.POSITIVE_INFINITY, "noon" as never])
      window.queuescope.seek(atMs);
    window.queuescope.select(undefined as never);
  });
  await bench.idle();
  expect(bench.view().cursorMs).toBe(HOUR);
  for (const w of [
    "1.c0.f0.tzzzzzzzzzz",
    "1.c0.f5.t6",
    "1.c0.f0.tzzzz.jzzzzz",
    "1.c0.f0.tzzzz.nzzzzz",
  ]) {
    const other = await stranger();
    await other.visit(bench.link().replace(/w=[^&]*/, `w=${w}`));
    expect(await other.digest()).toBe(await bench.digest());
    await other.press(".", "f", "v");
  }
});

test("an embedded panel says what went wrong, an unknown one which there are", async ({
  bench,
}) => {
  await bench.visit("/?embed=gantt#s=1.AAAA");
  await expect(bench.alerts().first()).toContainText("The link could not be opened");
  await bench.visit("/?embed=constructor");
  await expect(bench.page.getByText("Use gantt, topology, map, queues, curves.")).toBeVisible();
  await bench.visit("/?bench=nope");
  await expect(bench.page.getByText("There is no bench")).toBeVisible();
});

test.describe("on a strange device", () => {
  test.use({ fresh: true });

  test("a database that never answers keeps neither the page nor its runs from starting", async ({
    bench,
  }) => {
    await bench.page.addInitScript(() => {
      IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest;
    });
    await bench.visit();
    await bench.open(BLOCKED);
    expect(await bench.startMs("short")).toBe(5 * HOUR);
    await expect(bench.alerts().filter({ hasText: "does not let the page save" })).toBeVisible();
  });
});
