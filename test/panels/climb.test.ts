import { expect, test } from "vitest";
import { climb } from "../../src/panels/inspector/whatIf/climb.ts";
import type { Ladder } from "../../src/panels/inspector/whatIf/ladders.ts";
import type { Trial } from "../../src/protocol/messages.ts";

const ladder = { key: "tier", rungs: [1, 2], narrows: false } as unknown as Ladder;
const rules = (answers: readonly (Trial | null)[]) => {
  const left = [...answers];
  return { nowMs: 100, run: () => Promise.resolve(left.shift() ?? null) };
};

test("a change that got no answer is not one that does not help", async () => {
  expect(await climb(ladder, rules([{ kind: "never" }, null]))).toBe("unanswered");
  expect(await climb(ladder, rules([null]))).toBe("unanswered");
});

test("the first rung that starts the job now is found, else the earliest start", async () => {
  const late: Trial = { kind: "starts", startMs: 900 };
  const now: Trial = { kind: "starts", startMs: 100 };
  expect(await climb(ladder, rules([late, now]))).toMatchObject({ rung: 2, isNow: true });
  expect(await climb(ladder, rules([late, { kind: "never" }]))).toMatchObject({ rung: 1 });
});

test("a run that fails or takes too long says nothing; another rung may still answer", async () => {
  const failed: Trial = { kind: "problems", problems: [] };
  const long: Trial = { kind: "tooLong", simulatedMs: 50 };
  expect(await climb(ladder, rules([failed, long]))).toBe("unanswered");
  expect(await climb(ladder, rules([failed, { kind: "starts", startMs: 100 }]))).toMatchObject({
    rung: 2,
    isNow: true,
  });
  expect(
    await climb(
      ladder,
      rules([
        { kind: "refused", reason: 1 },
        { kind: "refused", reason: 1 },
      ]),
    ),
  ).toBe(null);
});
