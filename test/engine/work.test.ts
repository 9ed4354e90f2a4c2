import { describe, expect, test } from "vitest";
import { ceilDivide } from "../../src/engine/progress.ts";
import { SPEED_ONE } from "../../src/model/units.ts";
import { dedent, draw, runLines, runWorld } from "../support/draw.ts";
import { type Step, scripted } from "../support/testScheduler.ts";
import { worldFromText } from "../support/world.ts";

function runScript(text: string, steps: Record<number, Step>) {
  return runWorld(worldFromText(text), () => scripted(steps));
}

describe("work, not run time", () => {
  test("at half speed the rest of the work takes twice as long", () => {
    const outcome = runScript("1 gpus\n0s A x1 10s", {
      4000: (_, act) => act.setSpeed(0, SPEED_ONE / 2),
    });
    expect(runLines(outcome)).toEqual(["A#1 0-16s x1 completed"]);
  });

  test("several changes of speed add up without rounding, and the end is rounded up to a whole millisecond", () => {
    const outcome = runScript("1 gpus\n0s A x1 10s", {
      1000: (_, act) => act.setSpeed(0, 3 * SPEED_ONE),
      2000: (_, act) => act.setSpeed(0, SPEED_ONE / 4),
      4000: (_, act) => act.setSpeed(0, 7),
      4001: (_, act) => act.setSpeed(0, 3 * SPEED_ONE),
    });
    // 1 s + 3 s + 0.5 s + 7/65,536 ms are done; 5.5 s less that little at triple speed take 1,833.33 ms.
    expect(runLines(outcome)).toEqual(["A#1 0-5.835s x1 completed"]);
  });

  test("speed 0 stops the work, not the clock of the limit", () => {
    const outcome = runScript("1 gpus\n0s A x1 10s limit 12s", {
      4000: (_, act) => act.setSpeed(0, 0),
    });
    expect(runLines(outcome)).toEqual(["A#1 0-12s x1 timeout"]);
  });

  test("a suspended job keeps its devices, makes no progress, and its limit waits", () => {
    const outcome = runScript("1 gpus\n0s A x1 6s limit 7s\n1s B x1 1s", {
      2000: (_, act) => act.suspend(0),
      5000: (_, act) => act.resume(0),
    });
    expect(draw(outcome)).toBe("gpu0 AAaaaAAAAB");
  });

  test("a service ends at its limit, not with its work", () => {
    const outcome = runWorld(worldFromText("1 gpus\n0s A x1 3s limit 9s service"), () =>
      scripted({}),
    );
    expect(runLines(outcome)).toEqual(["A#1 0-9s x1 timeout"]);
  });

  test("a year of work stays exact", () => {
    const yearMs = 366 * 86_400_000;
    expect(ceilDivide(yearMs * SPEED_ONE, SPEED_ONE)).toBe(yearMs);
    expect(ceilDivide(yearMs * SPEED_ONE - 1, SPEED_ONE)).toBe(yearMs);
    expect(ceilDivide(yearMs * SPEED_ONE + 1, SPEED_ONE)).toBe(yearMs + 1);
  });
});

describe("eviction", () => {
  const text = `2 gpus
    0s A x2 8s
    1s B x2 2s`;

  test("with grace holds the devices until the grace is over, then the job starts anew", () => {
    const outcome = runScript(text, {
      2000: (_, act) => act.evict(0, "requeue", 2_000, 1),
      4000: (view, act) => {
        for (const jobIdx of [...view.waiting().at.subarray(0, view.waiting().length)])
          if (jobIdx === 0) act.hold(0);
      },
      6000: (_, act) => act.admit(0),
    });
    expect(draw(outcome)).toBe(dedent`
      gpu0 AAaaBBAAAAAAAA
      gpu1 AAaaBBAAAAAAAA`);
    expect(runLines(outcome)).toEqual([
      "A#1 0-4s x2 preempted",
      "B#1 4-6s x2 completed",
      "A#2 6-14s x2 completed",
    ]);
  });

  test("without grace frees the devices for the same pass", () => {
    const outcome = runScript(text, { 3000: (_, act) => act.evict(0, "cancel", 0, -1) });
    expect(runLines(outcome)).toEqual(["A#1 0-3s x2 cancelled", "B#1 3-5s x2 completed"]);
  });
});
