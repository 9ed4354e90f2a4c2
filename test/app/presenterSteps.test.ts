import { expect, test } from "vitest";
import { stepAt, stepFrom, stepsOf } from "../../src/app/presenter/steps.ts";
import type { Scenario } from "../../src/scenario/schema.ts";

const talk = (changes: readonly { atMs: number; off?: boolean }[]) =>
  ({
    interventions: changes.map((change) => ({ kind: "cancel", job: "a", ...change })),
  }) as unknown as Scenario;

test("a talk steps through the moments of its changes in order of time, from where it began", () => {
  const steps = stepsOf(talk([{ atMs: 900 }, { atMs: 300 }, { atMs: 900 }]), [], 100);
  expect(steps).toEqual([
    { atMs: 100, changes: [], marks: [] },
    { atMs: 300, changes: [1], marks: [] },
    { atMs: 900, changes: [0, 2], marks: [] },
  ]);
  expect(stepFrom(steps, 100, 1)?.atMs).toBe(300);
  expect(stepFrom(steps, 500, 1)?.atMs).toBe(900);
  expect(stepFrom(steps, 500, -1)?.atMs).toBe(300);
  expect(stepFrom(steps, 900, 1)).toBeNull();
  expect(stepFrom(steps, 100, -1)).toBeNull();
  expect([50, 100, 299, 300, 5_000].map((atMs) => stepAt(steps, atMs))).toEqual([-1, 0, 0, 1, 2]);
});

test("a change that is off is no step; without a change that acts there are none", () => {
  expect(stepsOf(talk([{ atMs: 300, off: true }]), [], 100)).toEqual([]);
  expect(
    stepsOf(talk([{ atMs: 300, off: true }, { atMs: 400 }]), [], 100).map((s) => s.atMs),
  ).toEqual([100, 400]);
  expect(stepsOf(talk([]), [], 100)).toEqual([]);
});

test("bookmarks are steps among the changes, also where nothing is changed", () => {
  const mark = { atMs: 300, text: "look here" };
  const steps = stepsOf(talk([{ atMs: 300 }]), [mark, { atMs: 700, text: "" }], 100);
  expect(steps.map(({ atMs }) => atMs)).toEqual([100, 300, 700]);
  expect(steps[1]).toEqual({ atMs: 300, changes: [0], marks: [mark] });
  expect(stepsOf(talk([]), [mark], 300)).toHaveLength(1);
});
