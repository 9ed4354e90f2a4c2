import { describe, expect, test } from "vitest";
import type { Change } from "../../src/model/world.ts";
import { draw, runLines, runWorld } from "../support/draw.ts";
import { job, S, spec } from "../support/specs.ts";
import { fcfs } from "../support/testScheduler.ts";
import { type JobSpec, worldOf } from "../support/world.ts";

describe("commands that the engine carries out", () => {
  const run = (jobs: JobSpec[], ...changes: (Record<string, unknown> & { atMs: number })[]) =>
    runWorld(
      worldOf(
        spec(
          jobs,
          changes.map((change, source) => ({ source, ...change }) as unknown as Change),
        ),
      ),
      () => fcfs,
    );

  test("a held job waits until it is released; one that runs is held when it is queued again", () => {
    const outcome = run(
      [job("A", 0, 5 * S), job("B", 0, 5 * S)],
      { atMs: 0, kind: "hold", jobIdx: 0, by: "user" },
      { atMs: 2 * S, kind: "hold", jobIdx: 1, by: "admin" },
      { atMs: 3 * S, kind: "requeue", jobIdx: 1, hold: false },
      { atMs: 9 * S, kind: "release", jobIdx: 0 },
      { atMs: 10 * S, kind: "release", jobIdx: 1 },
    );
    expect(runLines(outcome)).toEqual([
      "B#1 0-3s x1 requeued",
      "A#1 9-14s x1 completed",
      "B#2 10-15s x1 completed",
    ]);
  });

  test("a job requeued and held waits for its release", () => {
    const outcome = run(
      [job("A", 0, 5 * S)],
      { atMs: 2 * S, kind: "requeue", jobIdx: 0, hold: true },
      { atMs: 6 * S, kind: "release", jobIdx: 0 },
    );
    expect(runLines(outcome)).toEqual(["A#1 0-2s x1 requeued", "A#2 6-11s x1 completed"]);
  });

  test("a suspended job makes no progress, keeps its device, and its limit stands still", () => {
    const outcome = run(
      [job("A", 0, 5 * S, { limitMs: 6 * S })],
      { atMs: 2 * S, kind: "suspend", jobIdx: 0 },
      { atMs: 5 * S, kind: "unsuspend", jobIdx: 0 },
    );
    expect(draw(outcome)).toContain("AAaaaAAA");
    expect(runLines(outcome)).toEqual(["A#1 0-8s x1 completed"]);
  });

  test("a changed limit holds for a running job", () => {
    const update = { kind: "update", jobIdx: 0, limitMs: 3 * S, nice: null, priority: null };
    const outcome = run([job("A", 0, 9 * S, { limitMs: 20 * S })], { atMs: S, ...update });
    expect(runLines(outcome)).toEqual(["A#1 0-3s x1 timeout"]);
  });

  test("a command about a job that has not come, or is done, does nothing", () => {
    const outcome = run(
      [job("A", 0, S), job("B", 5 * S, S)],
      { atMs: 2 * S, kind: "hold", jobIdx: 0, by: "user" },
      { atMs: 2 * S, kind: "hold", jobIdx: 1, by: "user" },
    );
    expect(runLines(outcome)).toEqual(["A#1 0-1s x1 completed", "B#1 5-6s x1 completed"]);
  });
});
