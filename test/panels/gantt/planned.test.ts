import { expect, test } from "vitest";
import { Promises } from "../../../src/panels/gantt/plan/planned.ts";
import { DecisionKindCode } from "../../../src/record/shapes.ts";
import { EMPTY_FUTURE } from "../../../src/store/runData.ts";
import { syntheticRecord } from "../../../src/timeline/syntheticRecord.ts";

const { stage, chunks } = syntheticRecord({ nodes: 2, gpusPerNode: 8, rects: 40 });

/** Job 1 waits from 10 to 50 with a promise of 60, then of 50; job 2 from 20 on with one of 40 that breaks at 45. */
const future = {
  ...EMPTY_FUTURE,
  done: true,
  knownMs: 100,
  chunks: [
    {
      ...chunks[0]!,
      fromMs: 0,
      toMs: 100,
      waits: {
        jobIdx: Uint32Array.of(1, 2),
        fromMs: Float64Array.of(10, 20),
        toMs: Float64Array.of(50, 90),
      },
      decisions: {
        atMs: Float64Array.of(10, 20, 30, 45),
        kind: new Uint8Array(4).fill(DecisionKindCode.plan),
        reason: new Uint8Array(4),
        jobIdx: Uint32Array.of(1, 2, 1, 2),
        value: Float64Array.of(60, 40, 50, Number.POSITIVE_INFINITY),
      },
    },
  ],
};

test("the plan at a time is the newest promise of each job that waits then, the next start first; what is past or taken back is none", () => {
  const promises = new Promises();
  const at = (atMs: number) =>
    promises.at(stage, future, atMs).map(({ jobIdx, plannedMs }) => [jobIdx, plannedMs]);
  expect(at(5)).toEqual([]);
  expect(at(15)).toEqual([[1, 60]]);
  expect(at(25)).toEqual([
    [2, 40],
    [1, 60],
  ]);
  expect(at(42)).toEqual([[1, 50]]);
  expect(at(60)).toEqual([]);
  // Back again, as from the start.
  expect(at(25)[0]).toEqual([2, 40]);
});
