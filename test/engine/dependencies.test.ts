import { describe, expect, test } from "vitest";
import type { Scheduler } from "../../src/engine/view.ts";
import { JobFlag } from "../../src/model/jobs.ts";
import type { Change } from "../../src/model/world.ts";
import { runLines, runWorld } from "../support/draw.ts";
import { job, living, S, spec } from "../support/specs.ts";
import { fcfs, type QueueState } from "../support/testScheduler.ts";
import { type JobSpec, worldOf } from "../support/world.ts";

describe("dependencies", () => {
  const edgeOn = (name: string, more: object = {}) => ({ name, kind: "afterOk" as const, ...more });
  const lines = (jobs: JobSpec[], changes: Change[] = []) =>
    runLines(runWorld(worldOf(spec(jobs, changes)), () => fcfs));

  test("work that ends with an error fails: afterNotOk is met by it, afterOk never", () => {
    expect(
      lines([
        job("A", 0, 5 * S, { flags: JobFlag.fails }),
        job("B", 0, 1 * S, { after: [edgeOn("A")] }),
        job("C", 0, 1 * S, { after: [edgeOn("A", { kind: "afterNotOk" })] }),
      ]),
    ).toEqual(["A#1 0-5s x1 failed", "B#0 5-5s x0 cancelled", "C#1 5-6s x1 completed"]);
  });

  test("some time after a start, whether the job still runs or not; after its end where it never started", () => {
    const late = (name: string) => [edgeOn(name, { kind: "after", delayMs: 10 * S })];
    expect(
      lines(
        [
          job("A", 0, 3 * S),
          job("B", 0, 1 * S, { after: late("A") }),
          job("C", 0, 1 * S, { beginMs: 50 * S }),
          job("D", 0, 1 * S, { after: late("C") }),
        ],
        [{ atMs: 20 * S, source: 0, kind: "cancel", jobIdx: 2 }],
      ),
    ).toEqual([
      "A#1 0-3s x1 completed",
      "B#1 10-11s x1 completed",
      "C#0 20-20s x0 cancelled",
      "D#1 30-31s x1 completed",
    ]);
  });

  test("of alternatives one is enough; when none is left the job leaves", () => {
    const either = (kind: "afterOk" | "afterNotOk") => [
      edgeOn("A", { kind, anyOf: true }),
      edgeOn("B", { kind, anyOf: true }),
    ];
    expect(
      lines([
        job("A", 0, 3 * S),
        job("B", 0, 6 * S),
        job("C", 0, 1 * S, { after: either("afterOk") }),
        job("D", 0, 1 * S, { after: either("afterNotOk") }),
      ]),
    ).toEqual([
      "A#1 0-3s x1 completed",
      "C#1 3-4s x1 completed",
      "B#1 0-6s x1 completed",
      "D#0 6-6s x0 cancelled",
    ]);
  });

  test("singletons of a group run one at a time, and wait for all that came before, whatever became of the last one", () => {
    const single = (name: string) => [edgeOn(name, { kind: "afterAny", singleton: true })];
    expect(
      lines(
        [
          job("A", 0, 20 * S),
          job("B", 1 * S, 5 * S, { after: single("A") }),
          job("C", 2 * S, 5 * S, { after: single("B") }),
        ],
        [{ atMs: 4 * S, source: 0, kind: "cancel", jobIdx: 1 }],
      ),
    ).toEqual(["B#0 4-4s x0 cancelled", "A#1 0-20s x1 completed", "C#1 20-25s x1 completed"]);
  });

  test("a job may not be started before what it depends on", () => {
    const world = worldOf(spec([job("A", 0, 5 * S), job("B", 0, 1 * S, { after: [edgeOn("A")] })]));
    const eager: Scheduler<QueueState> = { ...living({ ownHolds: true }) };
    expect(() => runWorld(world, () => eager)).toThrow("before what it depends on");
  });
});
