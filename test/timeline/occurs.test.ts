/** What the legend finds in a record. */
import { expect, test } from "vitest";
import { NodeStateCode } from "../../src/model/states.ts";
import type { Chunk } from "../../src/record/shapes.ts";
import { Occurs, occursIn } from "../../src/timeline/occurs.ts";

const chunkWith = (...states: readonly (keyof typeof NodeStateCode)[]) =>
  ({
    rects: { bits: [] },
    runs: { run: [] },
    decisions: { kind: [] },
    nodeSpans: {
      node: states.map((_, node) => node),
      state: states.map((one) => NodeStateCode[one]),
    },
  }) as unknown as Chunk;

test("a node that is not there is no drained one", () => {
  expect(occursIn([chunkWith("unborn")], null) & Occurs.closed).toBe(0);
  expect(occursIn([chunkWith("unborn", "drained")], null) & Occurs.closed).toBe(Occurs.closed);
  expect(occursIn([chunkWith()], null)).toBe(0);
});
