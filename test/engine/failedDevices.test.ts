import { describe, expect, test } from "vitest";
import { STOP_REASONS } from "../../src/model/reasons.ts";
import type { Change } from "../../src/model/world.ts";
import { dedent, draw, runLines, runWorld } from "../support/draw.ts";
import { testPresets } from "../support/testScheduler.ts";
import { worldFromText } from "../support/world.ts";

function run(text: string, ...changes: readonly Change[]) {
  const world = worldFromText(text);
  return runWorld({ ...world, changes }, testPresets);
}

const fails = (second: number, ...devices: readonly number[]): Change => ({
  atMs: second * 1_000,
  source: 0,
  kind: "failDevices",
  devices,
});
const back = (second: number, ...devices: readonly number[]): Change => ({
  atMs: second * 1_000,
  source: 0,
  kind: "resumeDevices",
  devices,
});

describe("a single device that fails", () => {
  test("takes the member on it along; the others of the node work on, and nobody gets it until it is back", () => {
    const outcome = run("4 gpus\n0s A 4*1 6s min 2\n2s B x1 2s", fails(2, 1), back(8, 1));
    expect(draw(outcome)).toBe(dedent`
      gpu0 AAAAAABB
      gpu1 AA......
      gpu2 AAAAAA..
      gpu3 AAAAAA..`);
  });

  test("costs a gang its run, and the whole member where a member has several devices", () => {
    const outcome = run("2 nodes x 4 gpus\n0s A 2*2 4s\n0s B 1*2 9s", fails(2, 1));
    // A's two members lie on the first node: devices 0–3. It starts again where two members fit.
    expect(runLines(outcome)).toContain("A#1 0-2s x4 nodeFailed");
    expect(runLines(outcome)).toContain("B#1 0-9s x2 completed");
    expect(STOP_REASONS[outcome.chunks[0]!.runs.stopReason[0]!]).toBe("deviceFailed");
    expect(draw(outcome).split("\n")[1]).toBe("n0g1 AA.......");
  });

  test("counts once, and a device that is idle may fail as well", () => {
    const outcome = run("2 gpus\n0s A x1 2s\n3s B x2 1s", fails(1, 1), fails(2, 1), back(5, 1));
    expect(runLines(outcome)).toEqual(["A#1 0-2s x1 completed", "B#1 5-6s x2 completed"]);
  });
});
