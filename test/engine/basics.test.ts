import { expect, test } from "vitest";
import { dedent, draw, runLines, runWorld, waitReasonLines } from "../support/draw.ts";
import { testPresets } from "../support/testScheduler.ts";
import { worldFromText } from "../support/world.ts";

test("strict order lets nobody pass a blocked head", () => {
  const outcome = runWorld(
    worldFromText(`4 gpus
      0s A x3 10s
      1s B x4 5s
      2s C x1 4s`),
    testPresets,
  );
  expect(draw(outcome)).toBe(dedent`
    gpu0 AAAAAAAAAABBBBBCCCC
    gpu1 AAAAAAAAAABBBBB....
    gpu2 AAAAAAAAAABBBBB....
    gpu3 ..........BBBBB....`);
  expect(runLines(outcome)).toEqual([
    "A#1 0-10s x3 completed",
    "B#1 10-15s x4 completed",
    "C#1 15-19s x1 completed",
  ]);
  expect(waitReasonLines(outcome)).toEqual(["1s B resources", "2s C priority", "10s C resources"]);
});

test("at one instant ends come before arrivals and the scheduler runs once after both", () => {
  const outcome = runWorld(
    worldFromText(`2 gpus
      0s A x2 5s
      5s B x2 5s`),
    testPresets,
  );
  expect(runLines(outcome)).toEqual(["A#1 0-5s x2 completed", "B#1 5-10s x2 completed"]);
  expect(waitReasonLines(outcome)).toEqual([]);
});

test("a job that works past its limit is killed at the limit, unless the world says otherwise", () => {
  const text = `1 gpus
    0s A x1 10s limit 4s
    0s B x1 3s limit 3s`;
  expect(runLines(runWorld(worldFromText(text), testPresets))).toEqual([
    "A#1 0-4s x1 timeout",
    "B#1 4-7s x1 completed",
  ]);
  const lenient = worldFromText(text, { killAtLimit: false });
  expect(runLines(runWorld(lenient, testPresets))).toEqual([
    "A#1 0-10s x1 completed",
    "B#1 10-13s x1 completed",
  ]);
});

test("a job larger than the machine is refused and counted", () => {
  const outcome = runWorld(worldFromText("2 gpus\n0s A x3 5s\n0s B x1 1s"), testPresets);
  expect(runLines(outcome)).toEqual(["A#0 0-0s x0 refused", "B#1 0-1s x1 completed"]);
  expect(outcome.simulation.refused).toEqual({ never: 1 });
});

test("jobs without work take no time, one after another at the same instant", () => {
  const outcome = runWorld(
    worldFromText("1 gpus\n3s A x1 0s\n3s B x1 0s\n3s C x1 1s"),
    testPresets,
  );
  expect(runLines(outcome)).toEqual([
    "A#1 3-3s x1 completed",
    "B#1 3-3s x1 completed",
    "C#1 3-4s x1 completed",
  ]);
});
