import { describe, expect, test } from "vitest";
import type { Scheduler } from "../../src/engine/view.ts";
import { DEVICE_PARTS } from "../../src/model/units.ts";
import { draw, runLines, runWorld, waitReasonLines } from "../support/draw.ts";
import { fcfs, type QueueState, scripted } from "../support/testScheduler.ts";
import { worldFromText } from "../support/world.ts";

const run = (text: string) => runWorld(worldFromText(text), () => fcfs);

describe("interventions", () => {
  test("a cancelled job leaves the queue, or its devices", () => {
    const outcome = run(`1 gpus
      0s A x1 10s
      1s B x1 5s
      1s C x1 2s
      2s ! cancel B
      3s ! cancel A`);
    expect(runLines(outcome)).toEqual([
      "B#0 2-2s x0 cancelled",
      "A#1 0-3s x1 cancelled",
      "C#1 3-5s x1 completed",
    ]);
  });

  test("a job that is cancelled before it comes never comes", () => {
    const outcome = run("1 gpus\n0s A x1 3s\n5s B x1 3s\n1s ! cancel B");
    expect(runLines(outcome)).toEqual(["A#1 0-3s x1 completed"]);
    expect(outcome.open.waits.jobIdx.length).toBe(0);
  });

  test("a job that starts the moment it is submitted leaves no wait; one that waits leaves one, from then to its start", () => {
    const { waits } = run("1 gpus\n0s A x1 3s\n1s B x1 2s").chunks[0]!;
    expect([[...waits.jobIdx], [...waits.fromMs], [...waits.toMs]]).toEqual([
      [1],
      [1_000],
      [3_000],
    ]);
  });

  test("a job that changes its tier takes what it holds and what it waits for along in the curves", () => {
    const outcome = run(
      "4 gpus\n0s A x3 4s tier 1\n0s B x2 1s tier 1\n1s ! retier A 2\n2s ! retier B 0",
    );
    const { series } = outcome.chunks[0]!;
    const rows = Array.from(series.atMs, (atMs, i) => [
      atMs / 1_000,
      series.tier[i],
      series.heldParts[i]! / DEVICE_PARTS,
      series.jobsWaiting[i],
      series.waitedParts[i]! / DEVICE_PARTS,
    ]);
    expect(rows).toEqual([
      [0, 1, 3, 1, 2],
      [1, 1, 0, 1, 2],
      [1, 2, 3, 0, 0],
      [2, 0, 0, 1, 2],
      [2, 1, 0, 0, 0],
      [4, 0, 2, 0, 0],
      [4, 2, 0, 0, 0],
      [5, 0, 0, 0, 0],
    ]);
  });

  test("an edit that comes at an instant acts before the arrivals of that instant", () => {
    const outcome = run("1 gpus\n0s A x1 9s\n2s B x1 1s\n2s ! cancel A");
    expect(runLines(outcome)).toEqual(["A#1 0-2s x1 cancelled", "B#1 2-3s x1 completed"]);
  });
});

describe("begin times and dependencies", () => {
  test("a job is held until its begin time and until what it depends on is met", () => {
    const outcome = run(`1 gpus
      0s A x1 3s
      0s B x1 2s begin 5s
      0s C x1 1s after:ok A
      0s D x1 1s after:any B begin 1s`);
    expect(draw(outcome)).toBe("gpu0 AAAC.BBD");
    expect(waitReasonLines(outcome)).toEqual([
      "0s B beginTime",
      "0s C dependency",
      "0s D dependency",
    ]);
  });

  test("after a start: the dependent may start at the same instant, in a second pass", () => {
    const outcome = run("4 gpus\n0s A x1 3s begin 2s\n0s B x1 3s after A");
    expect(runLines(outcome)).toEqual(["A#1 2-5s x1 completed", "B#1 2-5s x1 completed"]);
  });

  test("a dependency that can never be met ends the job, and those that hang on it by success", () => {
    const outcome = run(`2 gpus
      0s A x1 9s limit 3s
      0s B x1 1s after:ok A
      0s C x1 1s after:ok B
      0s D x1 1s after:notok A
      0s E x1 1s after:any B`);
    expect(runLines(outcome)).toEqual([
      "A#1 0-3s x1 timeout",
      "B#0 3-3s x0 cancelled",
      "C#0 3-3s x0 cancelled",
      "D#1 3-4s x1 completed",
      "E#1 3-4s x1 completed",
    ]);
  });

  test("a dependency on a job that ended before the dependent came is judged at submission", () => {
    const outcome = run("1 gpus\n0s A x1 1s\n3s B x1 1s after:ok A\n3s C x1 1s after:notok A");
    expect(runLines(outcome)).toEqual([
      "A#1 0-1s x1 completed",
      "C#0 3-3s x0 cancelled",
      "B#1 3-4s x1 completed",
    ]);
  });
});

describe("change of policy", () => {
  const inits: string[] = [];
  const spy: Scheduler<QueueState> = {
    ...fcfs,
    init: (view, pool) => {
      const list = (jobs: { length: number; at: Int32Array }) =>
        [...jobs.at.subarray(0, jobs.length)].join(" ");
      inits.push(
        `${view.nowMs / 1_000}s waiting ${list(view.waiting())} running ${list(view.running())}`,
      );
      return fcfs.init(view, pool);
    },
  };

  test("hands waiting and running jobs over; promises, admissions and holds of the old scheduler are void", () => {
    const old = scripted(
      {
        2000: (view, act) => {
          act.admit(1);
          act.plan(1, 50_000);
          act.hold(2);
          expect(view.waiting().length).toBe(1);
        },
      },
      true,
    );
    const world = worldFromText(`1 gpus
      0s A x1 6s
      1s B x1 1s
      1s C x1 1s
      4s D x1 1s
      4s ! policy 0 spy`);
    const outcome = runWorld(world, (name) => (name === "spy" ? spy : old));
    expect(inits).toEqual(["4s waiting 1 2 running 0"]);
    expect(runLines(outcome)).toEqual([
      "A#1 0-6s x1 completed",
      "B#1 6-7s x1 completed",
      "C#1 7-8s x1 completed",
      "D#1 8-9s x1 completed",
    ]);
  });

  test("a wake-up of the old scheduler does not ring for the new one", () => {
    const calls: number[] = [];
    const clock: Scheduler<QueueState> = { ...fcfs, decide: (view) => view.nowMs + 1_000 };
    const counting: Scheduler<QueueState> = {
      ...fcfs,
      decide(view, happened, state, act) {
        calls.push(view.nowMs);
        return fcfs.decide(view, happened, state, act);
      },
    };
    const world = worldFromText("1 gpus\n0s A x1 3s\n2.5s ! policy 0 counting");
    runWorld(world, (name) => (name === "counting" ? counting : clock));
    expect(calls).toEqual([2_500, 5_500]);
  });
});

describe("timers", () => {
  test("a scheduler with passes every 30 s starts jobs only then", () => {
    const slow: Scheduler<QueueState> = {
      ...fcfs,
      decide(view, happened, state, act) {
        if (happened.timer) state.queue = [...view.waiting().at.subarray(0, view.waiting().length)];
        if (happened.timer)
          fcfs.decide(view, { ...happened, queued: NONE, withdrawn: NONE }, state, act);
        return Math.floor(view.nowMs / 30_000) * 30_000 + 30_000;
      },
    };
    const NONE = { length: 0, at: new Int32Array(0) };
    const outcome = runWorld(
      worldFromText("2 gpus\n1s A x1 5s\n29s B x1 5s\n31s C x1 5s"),
      () => slow,
    );
    expect(runLines(outcome)).toEqual([
      "A#1 30-35s x1 completed",
      "B#1 30-35s x1 completed",
      "C#1 60-65s x1 completed",
    ]);
  });

  test("a run in which only timers ring for nothing comes to its end", () => {
    const clock: Scheduler<QueueState> = { ...fcfs, decide: (view) => view.nowMs + 30_000 };
    const outcome = runWorld(worldFromText("1 gpus\n0s A x2 5s"), () => clock);
    expect(outcome.simulation.done).toBe(true);
    expect(outcome.open.waits.jobIdx.length).toBe(1);
  });

  test("a wake-up in the past is a scheduler's bug", () => {
    const clock: Scheduler<QueueState> = { ...fcfs, decide: (view) => view.nowMs };
    expect(() => runWorld(worldFromText("1 gpus\n0s A x1 5s"), () => clock)).toThrow(
      /asked to be woken/,
    );
  });
});
