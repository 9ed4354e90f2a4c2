import { expect, test } from "vitest";
import { WaitReasonCode } from "../../src/model/reasons.ts";
import { QueueReader, rowWords } from "../../src/panels/queues/queueRows.ts";
import { type FixtureJob, fixtureFuture, fixtureScenario, fixtureStage } from "./runFixture.ts";

const MINUTE = 60_000;
const job = (gpus: number): FixtureJob => ({
  submitMs: 0,
  gpus,
  workMs: 10 * MINUTE,
  limitMs: 20 * MINUTE,
  tier: 2,
  name: "vit",
});

test("who asks for more than is free is told so, though others are before it", () => {
  // Two nodes: 12 of 16 GPUs are held, so 4 are free for those who wait.
  const stage = fixtureStage(2, [job(12), job(16), job(8), job(4)]);
  const future = fixtureFuture(stage, 2);
  const rows = new QueueReader().rowsAt(stage, future, fixtureScenario(2), MINUTE);
  const behind = rows.map((row) => ({ ...row, reason: WaitReasonCode.priority }));
  const words = new Map(behind.map((row) => [row.gpus, rowWords(row)]));
  expect(words.get(8)).toBe("too few free, behind other jobs");
  for (const [gpus, text] of words) if (gpus <= 4) expect(text).toBe("behind other jobs");
  expect(rowWords({ ...behind[0]!, reason: WaitReasonCode.held })).toBe("held");
});

test("places in the queue follow tiers first and aging; an order by usage has none on the page", () => {
  const waiting = (submitMin: number, tier: number): FixtureJob => ({
    ...job(16),
    submitMs: submitMin * MINUTE,
    tier,
  });
  const stage = fixtureStage(2, [job(16), waiting(1, 3), waiting(2, 1), waiting(3, 2)]);
  const future = fixtureFuture(stage, 2);
  const placesUnder = (settings: Record<string, string | boolean | number>, preset = "lab") => {
    const scenario = fixtureScenario(2);
    const [pool] = scenario.pools;
    const policy = { ...pool!.policy, preset, settings };
    const changed = { ...scenario, pools: [{ ...pool!, policy }] };
    const rows = new QueueReader().rowsAt(stage, future, changed, 5 * MINUTE);
    return rows.map((row) => [row.jobIdx, row.position]);
  };
  expect(placesUnder({ order: "fcfs" })).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
  ]);
  expect(placesUnder({ order: "fcfs", tiersFirst: true })).toEqual([
    [2, 1],
    [3, 2],
    [1, 3],
  ]);
  // A tier is worth half a minute: the job of the lowest tier has waited long enough to come first.
  expect(placesUnder({ order: "aging", agingMs: MINUTE / 4 })).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
  ]);
  expect(placesUnder({ order: "aging", agingMs: 10 * MINUTE })).toEqual([
    [2, 1],
    [3, 2],
    [1, 3],
  ]);
  for (const [, position] of placesUnder({ order: "fairShare" })) expect(position).toBe(0);
  for (const preset of ["kube-scheduler", "kueue", "volcano", "kai", "ray"])
    for (const [, position] of placesUnder({}, preset)) expect(position).toBe(0);
});
