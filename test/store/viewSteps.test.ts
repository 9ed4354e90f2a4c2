import { expect, test } from "vitest";
import { joins, makesSteps, stepKind, withoutStep } from "../../src/store/viewSteps.ts";

const home = { selection: null, drawer: "none", comparing: false } as const;
const job = (jobIdx: number) => ({ ...home, selection: { kind: "job", jobIdx } as const });

test("another job, a drawer and a comparison are steps; the same job picked again is none", () => {
  expect(stepKind(home, job(3))).toBe("selection");
  expect(stepKind(job(3), job(3))).toBeNull();
  expect(stepKind(job(3), { ...job(3), drawer: "map" })).toBe("drawer");
  expect(stepKind(home, { ...home, comparing: true })).toBe("comparing");
});

test("a key held down makes one step; a drawer opened after a selection is a step of its own", () => {
  const last = { kind: "selection", atMs: 1_000, from: home } as const;
  expect(joins(last, "selection", 1_400)).toBe(true);
  expect(joins(last, "selection", 1_600)).toBe(false);
  expect(joins(last, "drawer", 1_400)).toBe(false);
  expect(joins(last, "drawer", 1_001)).toBe(true);
});

test("what is part of something else makes no step, also where it fails", () => {
  expect(() =>
    withoutStep(() => {
      expect(makesSteps()).toBe(false);
      throw new Error("refused");
    }),
  ).toThrow("refused");
  expect(makesSteps()).toBe(true);
});
