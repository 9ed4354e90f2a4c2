import fc from "fast-check";
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

test("tried where a count says that there may be enough, the victims are those found one after the other", () => {
  const draft = fc.record({
    sizes: fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 30 }),
    need: fc.integer({ min: 1, max: 60 }),
    beyond: fc.integer({ min: 0, max: 20 }),
    mostOf: fc.integer({ min: 1, max: 30 }),
  });
  const victimsOf = (
    { sizes, need, beyond, mostOf }: typeof draft extends fc.Arbitrary<infer T> ? T : never,
    counts: boolean,
  ) => {
    const gone = new Set<number>();
    let taken = 0;
    const sum = () => [...gone].reduce((all, jobIdx) => all + sizes[jobIdx]!, 0);
    let tries = 0;
    const victims = chooseTakeBack(
      sizes.map((_, jobIdx) => jobIdx),
      need,
      {
        mayTake: () => taken < mostOf,
        take: () => void taken++,
        milli: (jobIdx) => sizes[jobIdx]!,
      },
      {
        without: (jobIdx) => void gone.add(jobIdx),
        with: (jobIdx) => void gone.delete(jobIdx),
        fits: () => {
          tries++;
          return sum() >= need + beyond;
        },
        ...(counts ? { mayFit: () => sum() >= need + beyond / 2, isMonotone: true } : {}),
      },
    );
    return { victims, gone: [...gone].sort((a, b) => a - b), tries };
  };
  fc.assert(
    fc.property(draft, (one) => {
      const found = victimsOf(one, true);
      const inTurn = victimsOf(one, false);
      expect(found.victims).toEqual(inTurn.victims);
      expect(found.gone).toEqual(inTurn.gone);
    }),
    { numRuns: 500, endOnFailure: true },
  );
  const exact = { sizes: Array.from({ length: 20 }, () => 1), need: 16, beyond: 0, mostOf: 30 };
  // One try for the sixteen, and one for each that might be spared.
  expect(victimsOf(exact, true).tries).toBe(16);
});
