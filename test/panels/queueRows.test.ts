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
