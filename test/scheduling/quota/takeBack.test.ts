import { expect, test } from "vitest";
import { chooseTakeBack } from "../../../src/scheduling/quota/takeBack.ts";

/** Four jobs of these sizes (devices); those of owners at their due may not be taken. */
function taken(sizes: readonly number[], safe: readonly number[], need: number): number[] | null {
  const gone = new Set<number>();
  return chooseTakeBack(
    sizes.map((_, jobIdx) => jobIdx),
    need,
    {
      mayTake: (jobIdx) => !safe.includes(jobIdx),
      take: () => undefined,
      milli: (jobIdx) => sizes[jobIdx]!,
    },
    {
      without: (jobIdx) => void gone.add(jobIdx),
      with: (jobIdx) => void gone.delete(jobIdx),
      fits: () => [...gone].reduce((sum, jobIdx) => sum + sizes[jobIdx]!, 0) >= need,
    },
  );
}

test("in the order given, whoever may be taken from; those not needed are spared; nobody where all are not enough", () => {
  expect(taken([1, 1, 1], [], 2)).toEqual([0, 1]);
  expect(taken([1, 1, 1], [0], 2)).toEqual([1, 2]);
  expect(taken([1, 4, 1], [], 4)).toEqual([1]);
  expect(taken([1, 1, 1], [1], 3)).toBeNull();
});
