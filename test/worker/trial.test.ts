/** A document tried beside the open run: the same start as if it were opened, and the open run is left alone. */
import { beforeAll, expect, test } from "vitest";
import { climb } from "../../src/panels/inspector/whatIf/climb.ts";
import { type Asked, type Ladder, laddersFor } from "../../src/panels/inspector/whatIf/ladders.ts";
import { readScenario } from "../../src/scenario/read.ts";
import type { Scenario } from "../../src/scenario/schema.ts";
import { WorldEngine } from "../../src/worker/engine.ts";
import { fetchPresets } from "../../src/worker/presets.ts";
import { type TrialContext, tryDocument } from "../../src/worker/trial.ts";
import { expand } from "../../src/workload/expand.ts";
import { must, mustRead, small } from "../scenario/scenarios.ts";

const MINUTE = 60_000;

const job = (id: string, gpus: number, minutes: number, more: object = {}) => ({
  id,
  submitMs: 0,
  gpus,
  workMs: minutes * MINUTE,
  limitMs: minutes * MINUTE,
  ...more,
});

/** Eight devices: `long` holds four for an hour, `big` waits for all, `me` waits behind it. */
const blocked = mustRead({
  ...small,
  pools: [{ id: "all", policy: { preset: "lab", settings: { order: "fcfs", backfill: "easy" } } }],
  workload: {
    jobs: [job("long", 4, 60), job("big", 8, 30), job("me", 4, 120, { tier: "low" })],
  },
});

function contextOf(scenario: Scenario): TrialContext {
  const engine = new WorldEngine(must(expand(scenario)));
  while (engine.advance(1_000)) engine.takeChunk(false);
  return {
    scenario,
    engine,
    expand: (document) => expand(document),
    breathe: (task) => task(),
    isWanted: () => true,
  };
}

const asked: Asked = {
  scenario: blocked,
  jobId: "me",
  atMs: 10 * MINUTE,
  poolId: "all",
  tier: 3,
  team: "",
  devices: 4,
  limitMs: 120 * MINUTE,
  word: "GPU",
};

function climbed(ladder: Ladder, context: TrialContext) {
  return climb(ladder, {
    nowMs: asked.atMs + MINUTE,
    run: (of, rung) => tryDocument(readScenario(of.document(rung)), asked.jobId, context),
  });
}

beforeAll(async () => {
  await fetchPresets(blocked);
});

test("a limit that ends before the reservation starts the job now, to the minute; the open run stays as it was", async () => {
  const context = contextOf(blocked);
  const before = context.engine.digest();
  const limit = laddersFor(asked).find(({ key }) => key === "limit")!;
  // The reservation of `big` begins at 60 min, the question is asked at 10.
  expect(await climbed(limit, context)).toMatchObject({ rung: 50 * MINUTE, isNow: true });
  expect(context.engine.digest()).toBe(before);
});

test("one more node lets the job before it start, two let it start too; a higher tier does not where tiers do not order", async () => {
  const context = contextOf(blocked);
  const [tier, devices] = ["tier", "devices"].map(
    (key) => laddersFor(asked).find((ladder) => ladder.key === key)!,
  );
  expect(await climbed(devices!, context)).toMatchObject({ rung: 2, startMs: 10 * MINUTE });
  expect(await climbed(tier!, context)).toMatchObject({ startMs: 90 * MINUTE, isNow: false });
});

test("a tried document and the same document opened start the job at the same time", async () => {
  const context = contextOf(blocked);
  for (const ladder of laddersFor(asked)) {
    const rung = ladder.rungs.at(-1)!;
    const document = ladder.document(rung);
    const trial = await tryDocument(readScenario(document), "me", context);
    const opened = contextOf(mustRead(document)).engine;
    const chunk = opened.takeChunk(true);
    expect(trial?.kind).toBe("starts");
    expect(chunk?.chunk.fromMs ?? 0).toBeGreaterThanOrEqual(0);
  }
});

test("an answer that is no longer wanted is none, and a document that is wrong says so", async () => {
  const context = contextOf(blocked);
  expect(
    await tryDocument(readScenario(blocked), "me", { ...context, isWanted: () => false }),
  ).toBeNull();
  const wrong = { ...blocked, cluster: { ...blocked.cluster, nodeGroups: [] } };
  expect(await tryDocument(readScenario(wrong), "me", context)).toMatchObject({ kind: "problems" });
});
