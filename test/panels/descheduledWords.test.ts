/** What the card says of a pod that the descheduler evicted. */
import { expect, test } from "vitest";
import { StopReasonCode } from "../../src/model/reasons.ts";
import { descheduledWords } from "../../src/panels/inspector/story/descheduledWords.ts";
import type { Stage } from "../../src/protocol/messages.ts";
import { DecisionKindCode } from "../../src/record/shapes.ts";

const MINUTE = 60_000;
const stage = {
  cluster: {
    deviceWord: "GPU",
    nodeCount: 2,
    deviceBase: Int32Array.from([0, 4, 8]),
    nodeNames: ["n-000", "n-001"],
  },
} as unknown as Stage;
const rect = (device: number, startMs: number, endMs: number) => ({
  device,
  deviceCount: 1,
  startMs,
  endMs,
});
const rects = [
  rect(4, 0, 45.5 * MINUTE),
  rect(5, 0, 90 * MINUTE),
  rect(6, 50 * MINUTE, 90 * MINUTE),
  rect(0, 0, 90 * MINUTE),
];
const source = {
  chunks: [
    {
      rects: {
        device: rects.map(({ device }) => device),
        deviceCount: rects.map(() => 1),
        startMs: rects.map(({ startMs }) => startMs),
        endMs: rects.map(({ endMs }) => endMs),
      },
    },
  ],
  open: null,
} as unknown as Parameters<typeof descheduledWords>[1];
const story = (reason: keyof typeof StopReasonCode) =>
  ({
    rects: [rects[0]],
    decisions: [
      {
        kind: DecisionKindCode.evict,
        atMs: 45 * MINUTE,
        reason: StopReasonCode[reason],
        value: -1,
      },
    ],
  }) as unknown as Parameters<typeof descheduledWords>[2];
const words = (reason: keyof typeof StopReasonCode, minute: number) =>
  descheduledWords(stage, source, story(reason), minute * MINUTE, undefined)?.replaceAll(
    "\u00a0",
    " ",
  );

test("it says when, from which node, how full that was, and by which rules", () => {
  expect(words("descheduled", 50)).toMatch(
    /^The descheduler evicted it at .*00:45 from n-001, with 2 of 4 GPUs held then\. .*LowNodeUtilization.*places nothing itself\.$/,
  );
});

test("nothing before the eviction, and nothing of another one", () => {
  expect(words("descheduled", 44)).toBeUndefined();
  expect(words("preempted", 50)).toBeUndefined();
});
