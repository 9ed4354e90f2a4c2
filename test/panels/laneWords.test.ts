/** A line of the strip says why with the sentence of the job's card, and nothing that has not been said by the cursor. */
import { expect, test } from "vitest";
import { WaitReasonCode } from "../../src/model/reasons.ts";
import { laneWords } from "../../src/panels/queues/laneWords.ts";
import { type Chunk, DecisionKindCode } from "../../src/record/shapes.ts";
import { waitReasonAt } from "../../src/timeline/waitReason.ts";
import { fixtureFuture, fixtureStage } from "./runFixture.ts";

const MINUTE = 60_000;
const jobs = [0, 1].map((order) => ({
  submitMs: order * MINUTE,
  gpus: 16,
  workMs: 10 * MINUTE,
  limitMs: 20 * MINUTE,
  tier: 1,
  name: "vit",
}));
const stage = fixtureStage(2, jobs);
const future = fixtureFuture(stage, 2);
const words = (atMs: number, toMs = 10 * MINUTE) =>
  laneWords(stage, future, { jobIdx: 1, fromMs: MINUTE, toMs }, atMs, undefined).replaceAll(
    "\u00a0",
    " ",
  );

test("the reason is that of the cursor, in the words of the card", () => {
  expect(words(5 * MINUTE)).toBe(
    "2 vit: queued Day 1 00:01, starts Day 1 00:10, waits 9 m. Waits 4 m: too few free.",
  );
});

test("who has its quota and waits for nodes is said to be admitted", () => {
  const line = { jobIdx: 1, fromMs: MINUTE, toMs: 10 * MINUTE, admittedMs: 2 * MINUTE };
  expect(laneWords(stage, future, line, 5 * MINUTE, undefined).replaceAll("\u00a0", " ")).toBe(
    "2 vit: queued Day 1 00:01, starts Day 1 00:10, waits 9 m. Admitted Day 1 00:02. Waits 4 m: too few free.",
  );
});

test("a wait that has not begun, or is over, has times alone", () => {
  expect(words(0)).not.toContain("Waits");
  expect(words(30 * MINUTE)).not.toContain("Waits");
  expect(words(0, Number.POSITIVE_INFINITY)).toContain("does not start");
});

test("the newest reason of the job is found across chunks, and one of an earlier wait is not", () => {
  const chunk = (fromMs: number, toMs: number, rows: readonly (readonly number[])[]) =>
    ({
      fromMs,
      toMs,
      decisions: {
        atMs: Float64Array.from(rows, (row) => row[0]!),
        jobIdx: Uint32Array.from(rows, (row) => row[1]!),
        kind: Uint8Array.from(rows, (row) => row[2]!),
        reason: Uint8Array.from(rows, (row) => row[3]!),
        value: new Float64Array(rows.length),
      },
    }) as unknown as Chunk;
  const { wait, plan } = DecisionKindCode;
  const chunks = [
    chunk(0, 100, [
      [10, 3, wait, WaitReasonCode.priority],
      [50, 3, wait, WaitReasonCode.resources],
      [60, 4, wait, WaitReasonCode.quota],
    ]),
    chunk(100, 200, [[150, 3, plan, 0]]),
  ];
  expect(waitReasonAt(chunks, 3, 0, 180)).toBe(WaitReasonCode.resources);
  expect(waitReasonAt(chunks, 3, 0, 49)).toBe(WaitReasonCode.priority);
  expect(waitReasonAt(chunks, 3, 55, 180)).toBe(0);
  expect(waitReasonAt(chunks, 3, 0, 5)).toBe(0);
});
