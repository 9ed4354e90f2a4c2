import { expect, test } from "vitest";
import {
  joins,
  makesSteps,
  notePress,
  pressNow,
  stepKind,
  withoutStep,
} from "../../src/store/viewSteps.ts";

const home = { selection: null, drawer: "none", comparing: false } as const;
const job = (jobIdx: number) => ({ ...home, selection: { kind: "job", jobIdx } as const });

test("another job, a drawer and a comparison are steps; the same job picked again is none", () => {
  expect(stepKind(home, job(3))).toBe("selection");
  expect(stepKind(job(3), job(3))).toBeNull();
  expect(stepKind(job(3), { ...job(3), drawer: "map" })).toBe("drawer");
  expect(stepKind(home, { ...home, comparing: true })).toBe("comparing");
});

test("a key held down makes one step; a drawer opened after a selection is a step of its own", () => {
  const last = { kind: "selection", atMs: 1_000, press: 1, from: home } as const;
  expect(joins(last, "selection", 1_400, 5)).toBe(true);
  expect(joins(last, "selection", 1_600, 1)).toBe(false);
  expect(joins(last, "drawer", 1_400, 1)).toBe(false);
  expect(joins(last, "drawer", 1_001, 1)).toBe(true);
});

test("two presses are two steps, however fast one follows the other", () => {
  const before = pressNow();
  notePress();
  const last = { kind: "selection", atMs: 1_000, press: before, from: home } as const;
  expect(joins(last, "drawer", 1_001, pressNow())).toBe(false);
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
