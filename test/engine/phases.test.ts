import { describe, expect, test } from "vitest";
import { Grant } from "../../src/engine/grant.ts";
import type { Actions, PoolView } from "../../src/engine/view.ts";
import { StartReasonCode } from "../../src/model/reasons.ts";
import { JobStateCode, MEMBER_STATES } from "../../src/model/states.ts";
import { SPEED_ONE } from "../../src/model/units.ts";
import { DecisionKindCode, memberStateOf } from "../../src/record/shapes.ts";
import { dedent, draw, type Outcome, runLines, runWorld } from "../support/draw.ts";
import { type Step, scripted } from "../support/testScheduler.ts";
import { worldFromText } from "../support/world.ts";

function give(
  view: PoolView,
  act: Actions,
  jobIdx: number,
  members: number,
  startupMs: number,
  node = 0,
): void {
  const grant = new Grant();
  view.takeDevices(node, members * view.jobs.components.gpus[jobIdx]!, 0, members, grant);
  act.place(jobIdx, grant, StartReasonCode.inOrder, startupMs);
}

function runScript(text: string, steps: Record<number, Step>, serve = false): Outcome {
  return runWorld(worldFromText(text), () => scripted(steps, serve));
}

function rectLines(outcome: Outcome): string[] {
  return outcome.chunks.flatMap(({ rects }) =>
    Array.from(rects.jobIdx, (_, i) => {
      const times = `${rects.startMs[i]! / 1_000}-${rects.endMs[i]! / 1_000}s`;
      const state = MEMBER_STATES[memberStateOf(rects.bits[i]!)];
      return `g${rects.device[i]} x${rects.deviceCount[i]} ${times} ${state}`;
    }),
  );
}

describe("start-up", () => {
  test("holds the devices in a rectangle of its own and delays the work, not the start of the run", () => {
    const outcome = runScript("2 gpus\n0s A x2 4s", {
      0: (view, act) => give(view, act, 0, 2, 3_000),
      1000: (view) => {
        expect(view.jobState[0]).toBe(JobStateCode.starting);
        expect([view.startMs(0), view.waiting().length]).toEqual([0, 0]);
      },
    });
    expect(rectLines(outcome)).toEqual(["g0 x2 0-3s starting", "g0 x2 3-7s running"]);
    expect(runLines(outcome)).toEqual(["A#1 0-7s x2 completed"]);
  });

  test("counts for the time limit: a run may end before it has begun its work", () => {
    const place: Step = (view, act) => give(view, act, 0, 1, 3_000);
    expect(runLines(runScript("1 gpus\n0s A x1 4s limit 6s", { 0: place }))).toEqual([
      "A#1 0-6s x1 timeout",
    ]);
    expect(runLines(runScript("1 gpus\n0s A x1 4s limit 2s", { 0: place }))).toEqual([
      "A#1 0-2s x1 timeout",
    ]);
  });

  test("of a gang begins when its minimum holds, not with its first devices", () => {
    const outcome = runScript("2 gpus\n0s A x2 2s", {
      0: (view, act) => give(view, act, 0, 1, 3_000),
      2000: (view, act) => give(view, act, 0, 1, 3_000),
    });
    expect(draw(outcome)).toBe(dedent`
      gpu0 aaaaaAA
      gpu1 ..aaaAA`);
  });

  test("of members that join leaves the others at work, and members are ready one after the other", () => {
    const outcome = runScript("3 gpus\n0s A x3 9s min 1", {
      0: (view, act) => give(view, act, 0, 1, 0),
      1000: (view, act) => give(view, act, 0, 1, 4_000),
      2000: (view, act) => give(view, act, 0, 1, 1_000),
    });
    expect(draw(outcome)).toBe(dedent`
      gpu0 AAAAAAAAA
      gpu1 .aaaaAAAA
      gpu2 ..aAAAAAA`);
  });

  test("of members that join counts when the ready ones fall below the minimum: the run waits for them", () => {
    const outcome = runScript(
      `2 nodes x 2 gpus
      0s A 3x1 6s min 1
      2s ! fail 0`,
      {
        0: (view, act) => give(view, act, 0, 1, 0, 0),
        1000: (view, act) => give(view, act, 0, 1, 4_000, 1),
      },
    );
    expect(draw(outcome)).toBe(dedent`
      n0g0 AA.......
      n0g1 .........
      n1g0 .aaaaAAAA
      n1g1 .........`);
    expect(runLines(outcome)).toEqual(["A#1 0-9s x2 completed"]);
  });

  test("ends with the job when it is cancelled, evicted or loses its node", () => {
    const text = "1 nodes x 1 gpus\n0s A x1 4s";
    const start: Step = (view, act) => give(view, act, 0, 1, 3_000);
    expect(runLines(runScript(`${text}\n1s ! cancel A`, { 0: start }))).toEqual([
      "A#1 0-1s x1 cancelled",
    ]);
    const evict: Step = (_, act) => act.evict(0, "cancel", 1_000, -1);
    expect(runLines(runScript(text, { 0: start, 1000: evict }))).toEqual(["A#1 0-2s x1 cancelled"]);
    const failed = runScript(`${text}\n1s ! fail 0\n5s ! resume 0`, { 0: start }, true);
    expect(runLines(failed)).toEqual(["A#1 0-1s x1 nodeFailed", "A#2 5-9s x1 completed"]);
  });
});

describe("checkpoints", () => {
  test("stop the work while they last, and an evicted job goes on from the last one", () => {
    const outcome = runScript(
      "1 gpus\n0s A x1 10s",
      {
        4000: (_, act) => act.checkpoint(0, 2_000),
        9000: (_, act) => act.evict(0, "requeue", 0, -1),
      },
      true,
    );
    // 4 s are safe, 3 s more are lost.
    expect(draw(outcome)).toBe("gpu0 AAAAaaAAAAAAAAA");
    expect(runLines(outcome)).toEqual(["A#1 0-9s x1 requeued", "A#2 9-15s x1 completed"]);
  });

  test("keep what was done at several speeds, to the smallest unit of work", () => {
    const outcome = runScript(
      "1 gpus\n0s A x1 10s",
      {
        1000: (_, act) => act.setSpeed(0, SPEED_ONE / 2),
        3000: (_, act) => act.checkpoint(0, 500),
        3500: (_, act) => act.evict(0, "requeue", 0, -1),
      },
      true,
    );
    expect(runLines(outcome)).toEqual(["A#1 0-3.5s x1 requeued", "A#2 3.5-11.5s x1 completed"]);
  });

  test("cut short by an eviction keep nothing, an earlier one stays good", () => {
    const outcome = runScript(
      "1 gpus\n0s A x1 10s",
      {
        2000: (_, act) => act.checkpoint(0, 1_000),
        6000: (_, act) => act.checkpoint(0, 2_000),
        7000: (_, act) => act.evict(0, "requeue", 3_000, -1),
      },
      true,
    );
    expect(runLines(outcome)).toEqual(["A#1 0-10s x1 requeued", "A#2 10-18s x1 completed"]);
    const saved = outcome.chunks[0]!.decisions;
    const times = [...saved.atMs].filter((_, i) => saved.kind[i] === DecisionKindCode.saved);
    expect(times).toEqual([3_000]);
  });

  test("survive the failure of a node, and a second failure before the next one loses only what came after", () => {
    const outcome = runScript(
      `3 nodes x 1 gpus
      0s A 1x1 10s
      6s ! fail 0
      9s ! fail 1`,
      { 4000: (_, act) => act.checkpoint(0, 0) },
      true,
    );
    expect(runLines(outcome)).toEqual([
      "A#1 0-6s x1 nodeFailed",
      "A#2 6-9s x1 nodeFailed",
      "A#3 9-15s x1 completed",
    ]);
  });

  test("of a job that loses a member meanwhile fail, and the rest goes on", () => {
    const outcome = runScript(
      `2 nodes x 1 gpus
      0s A 2x1 6s min 1
      3s ! fail 1`,
      {
        2000: (_, act) => act.checkpoint(0, 3_000),
        4000: (_, act) => act.evict(0, "requeue", 0, -1),
      },
      true,
    );
    expect(runLines(outcome)[0]).toBe("A#1 0-4s x2 requeued");
    expect(rectLines(outcome).slice(0, 4)).toEqual([
      "g0 x1 0-2s running",
      "g1 x1 0-2s running",
      "g1 x1 2-3s checkpointing",
      "g0 x1 2-3s checkpointing",
    ]);
    const { kind } = outcome.chunks[0]!.decisions;
    expect(kind.includes(DecisionKindCode.saved)).toBe(false);
  });

  test("count for the time limit", () => {
    const outcome = runScript(
      "1 gpus\n0s A x1 4s limit 5s",
      { 2000: (_, act) => act.checkpoint(0, 4_000) },
      true,
    );
    expect(runLines(outcome)).toEqual(["A#1 0-5s x1 timeout"]);
  });
});
