import { expect, test } from "vitest";
import { brokenGuarantee, createTierBooks } from "../../../src/scheduling/quota/tierTable.ts";

test("a job that cannot be taken back leaves room for all guarantees above it together, less what can be taken back below them", () => {
  const books = createTierBooks([{ guaranteedGpus: 2 }, { guaranteedGpus: 2 }, {}]);
  expect(brokenGuarantee(books, 2, 2_000, 6_000)).toBeNull();
  expect(brokenGuarantee(books, 2, 3_000, 6_000)).toEqual({ tier: 1, leftMilli: 2_000 });
  // Tier 0 has its two devices: only tier 1 lacks some.
  books.held[0] = 2_000;
  expect(brokenGuarantee(books, 2, 2_000, 6_000)).toBeNull();
  expect(brokenGuarantee(books, 2, 3_000, 6_000)).toEqual({ tier: 1, leftMilli: 2_000 });
  // One device that the lowest tier gives back counts as free.
  books.held[2] = 2_000;
  books.takeable[2] = 1_000;
  expect(brokenGuarantee(books, 2, 1_000, 6_000)).toBeNull();
  expect(brokenGuarantee(books, 2, 2_000, 6_000)).toEqual({ tier: 1, leftMilli: 1_000 });
});
