import fc from "fast-check";
import { expect, test } from "vitest";
import type { SortedJobs } from "../../src/scheduling/ordering/sortedJobs.ts";
import {
  BLOCK,
  copySortedJobs,
  createSortedJobs,
  firstJob,
  insertJob,
  mayHold,
  rankOf,
  removeAnywhere,
  removeJob,
  removeRow,
} from "../../src/scheduling/ordering/sortedJobs.ts";

interface Row {
  key: number;
  submitMs: number;
  jobIdx: number;
  need: number;
  limitMs: number;
}

function rowsOf(list: SortedJobs): Row[] {
  const rows: Row[] = [];
  for (let position = 0; position < list.blockCount; position++) {
    const block = list.order[position]!;
    const first = rows.length;
    for (let at = block * BLOCK; at < block * BLOCK + list.used[block]!; at++) {
      rows.push({
        key: list.key[at]!,
        submitMs: list.submitMs[at]!,
        jobIdx: list.jobIdx[at]!,
        need: list.need[at]!,
        limitMs: list.limitMs[at]!,
      });
    }
    const own = rows.slice(first);
    expect(own.length).toBeGreaterThan(0);
    expect(list.needLeast[block]).toBe(Math.min(...own.map((row) => row.need)));
    expect(list.limitLeast[block]).toBe(Math.min(...own.map((row) => row.limitMs)));
    expect(list.needSum[block]).toBe(own.reduce((sum, row) => sum + row.need, 0));
    for (const { need, limitMs } of own) expect(mayHold(list, block, need, limitMs)).toBe(true);
    for (const limitMs of [4, 5, 10, 20]) {
      const wholeClasses = 31;
      const held = own.some((row) => row.need <= wholeClasses && row.limitMs <= limitMs);
      expect(mayHold(list, block, wholeClasses, limitMs)).toBe(held);
    }
  }
  return rows;
}

const step = fc.record({
  insert: fc.boolean(),
  key: fc.integer({ min: 0, max: 9 }),
  submitMs: fc.integer({ min: 0, max: 3 }),
  need: fc.integer({ min: 0, max: 50 }),
  limitMs: fc.constantFrom(5, 10, 20, Number.POSITIVE_INFINITY),
  pick: fc.nat(),
  how: fc.constantFrom("key", "anywhere", "row"),
});

function remove(list: SortedJobs, model: Row[], pick: number, how: string): void {
  const index = pick % model.length;
  const row = model[index]!;
  if (how === "key") expect(removeJob(list, row.key, row.submitMs, row.jobIdx)).toBe(true);
  else if (how === "anywhere") expect(removeAnywhere(list, row.jobIdx)).toBe(true);
  else {
    let left = index;
    let position = 0;
    while (left >= list.used[list.order[position]!]!) left -= list.used[list.order[position++]!]!;
    removeRow(list, position, left);
  }
  model.splice(index, 1);
}

test("the block list is a sorted list with exact least needs, least limits and sums in each block", () => {
  const property = fc.property(
    fc.array(step, { maxLength: 600, size: "max" }),
    fc.boolean(),
    (steps, growing) => {
      const list = createSortedJobs();
      const model: Row[] = [];
      steps.forEach(({ insert, key, submitMs, need, limitMs, pick, how }, jobIdx) => {
        if (insert || growing || model.length === 0) {
          insertJob(list, key, submitMs, jobIdx, need, limitMs);
          model.push({ key, submitMs, jobIdx, need, limitMs });
          model.sort((a, b) => a.key - b.key || a.submitMs - b.submitMs || a.jobIdx - b.jobIdx);
        } else remove(list, model, pick, how);
      });
      const copy = copySortedJobs(list);
      while (growing && model.length > 3) remove(list, model, model.length * 7, "row");
      expect(rowsOf(list)).toEqual(model);
      expect(list.length).toBe(model.length);
      expect(firstJob(list)).toBe(model[0]?.jobIdx ?? -1);
      expect(model.map((row) => rankOf(list, row.jobIdx))).toEqual(model.map((_, rank) => rank));
      expect(rankOf(list, 9_999)).toBe(-1);
      if (growing) expect(rowsOf(copy).length).toBe(steps.length);
    },
  );
  fc.assert(property, { numRuns: 60 });
});
