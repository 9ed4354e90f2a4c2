import { describe, expect, test } from "vitest";
import { Grant } from "../../../src/engine/grant.ts";
import type { Elastic } from "../../../src/model/lab/jobLife.ts";
import { StartReasonCode } from "../../../src/model/reasons.ts";
import { JobStateCode } from "../../../src/model/states.ts";
import { type Outcome, runWorld } from "../../support/draw.ts";
import { type Step, scripted, testPresets } from "../../support/testScheduler.ts";
import { elastic, ends, log, SAVES, stretches, worldOfLives } from "./lives.ts";

const run = (...args: Parameters<typeof worldOfLives>): Outcome =>
  runWorld(worldOfLives(...args), testPresets);

/** Gives a job so many members more, on the nodes from this one on. */
const give =
  (members: number, node: number): Step =>
  (view, act) => {
    const grant = new Grant();
    for (let i = 0; i < members; i++) view.takeDevices(node + i, 1, 0, 1, grant);
    act.place(0, grant, StartReasonCode.inOrder);
  };

describe("a gang that loses members and does not notice", () => {
  const life = { collectiveTimeoutMs: 5_000 };

  test("holds the rest without progress until its collective times out, then fails", () => {
    const outcome = run("3 nodes x 2 gpus\n0s A 3x2 9s\n4s ! fail 1", { A: life });
    expect(stretches(outcome, "A")).toEqual(["0-4s running x6", "4-9s stalled x4"]);
    expect(ends(outcome)).toEqual(["A 0-9s failed hung"]);
  });

  test("hangs as well when single devices are taken from it", () => {
    const world = worldOfLives("4 gpus\n0s A x4 9s", { A: life });
    const outcome = runWorld(world, () =>
      scripted({
        3000: (view, act) => {
          act.shrink(0, 0, 1);
          expect(view.jobState[0]).toBe(JobStateCode.running);
          expect(view.gpusFreeTotal).toBe(1);
        },
      }),
    );
    expect(ends(outcome)).toEqual(["A 0-8s failed hung"]);
  });

  test("is queued again at once where nothing is said of a time-out, or where its scheduler stops it", () => {
    const text = "3 nodes x 2 gpus\n0s A 2x2 9s\n4s ! fail 1";
    expect(ends(run(text, { A: {} }))).toEqual([
      "A 0-4s nodeFailed nodeFailed",
      "A 4-13s completed workDone",
    ]);
    const stopped = runWorld(worldOfLives(text, { A: life }), () =>
      scripted({ 5000: (_, act) => act.evict(0, "requeue", 0, -1) }),
    );
    expect(ends(stopped).at(-1)).toBe("A 5-14s completed workDone");
  });

  test("stops at its limit where that comes first", () => {
    const outcome = run("2 nodes x 1 gpus\n0s A 2x1 9s limit 6s\n4s ! fail 1", { A: life });
    expect(ends(outcome)).toEqual(["A 0-6s timeout timeLimit"]);
  });
});

describe("an elastic job", () => {
  const text = "4 nodes x 1 gpus\n0s A 4x1 60s min 3";
  const three = (more: Partial<Elastic> = {}) => ({
    A: { elastic: elastic(4, { minMembers: 3, restart: "horovod", rendezvousMs: 1_000, ...more }) },
  });

  test("goes on with fewer members after a pause: 240 node-minutes, one of four lost at 20", () => {
    const outcome = run(`${text}\n20s ! fail 3`, three());
    expect(ends(outcome)).toEqual(["A 0-74.334s completed workDone"]);
    expect(stretches(outcome, "A")[1]).toBe("20-21s restoring x3");
  });

  test("does not run below its minimum: it holds the rest and goes on when members are back", () => {
    const outcome = runWorld(worldOfLives(`${text}\n20s ! fail 2 3\n30s ! resume 2`, three()), () =>
      scripted({ 0: give(4, 0), 30000: give(1, 2) }, false),
    );
    // 20 s of work done; held from 20 to 30 s, pause, 40 s of work left at three quarters of the speed.
    expect(ends(outcome)).toEqual(["A 0-84.334s completed workDone"]);
    expect(stretches(outcome, "A")).toContain("20-30s held x2");
  });

  test("gives up when members do not come back before its collective times out", () => {
    const lives = { A: { ...three().A, collectiveTimeoutMs: 600_000 } };
    const outcome = runWorld(worldOfLives(`${text}\n20s ! fail 2 3`, lives), () =>
      scripted({ 0: give(4, 0) }, false),
    );
    expect(ends(outcome)).toEqual(["A 0-620s failed hung"]);
  });

  test("loses under torchrun what it had not saved, and spends a restart for a loss", () => {
    const lives = (maxRestarts: number) => ({
      A: {
        ...three({ restart: "torchrun", maxRestarts }).A,
        checkpoint: { ...SAVES, everyMs: 15_000, costMs: 1_000 },
      },
    });
    const outcome = run(`${text}\n20s ! fail 3`, lives(1));
    // Saved 15 of 60 s; from 21 s on 45 s at 3/4 of the speed, with a checkpoint each 15 s of run time: three of them.
    expect(ends(outcome)).toEqual(["A 0-84s completed workDone"]);
    expect(log(outcome, "restart")).toEqual(["20s A restart"]);
    const leftAt = (atMs: number) => outcome.simulation.jobFacts(0, atMs)?.restartsLeft;
    expect([leftAt(10_000), leftAt(30_000)]).toEqual([1, 0]);
    expect(ends(run(`${text}\n20s ! fail 3`, lives(0)))).toEqual(["A 0-20s failed restartsUsed"]);
  });

  test("grows: its members form a group anew, and none of its work is lost where state stays in memory", () => {
    const grown = (restart: Elastic["restart"]) =>
      runWorld(worldOfLives(text, three({ restart })), () =>
        scripted({ 0: give(3, 0), 20000: give(1, 3) }, false),
      );
    // 15 s of reference work in 20 s.
    expect(ends(grown("horovod"))).toEqual(["A 0-66s completed workDone"]);
    expect(ends(grown("none"))).toEqual(["A 0-65s completed workDone"]);
    expect(ends(grown("torchrun"))).toEqual(["A 0-81s completed workDone"]);
  });

  test("members in reserve hold their devices and do no work, until the group needs them", () => {
    const allowed = [2, 4];
    const job = (restart: Elastic["restart"]) => ({
      A: { elastic: elastic(4, { minMembers: 2, maxMembers: 4, allowed, restart }) },
    });
    // A loses one of four at 4 s: two go on at half the speed, the third waits. It has done 4 s of 8.
    const text = "4 nodes x 1 gpus\n0s A 4x1 8s min 2\n4s ! fail 3";
    expect(stretches(run(text, job("none")), "A")).toEqual([
      "0-4s running x2",
      "0-12s running x2",
      "4-12s held x1",
    ]);
    // Another loss at 6 s takes one of the group, and the third takes its place.
    expect(stretches(run(`${text}\n6s ! fail 0`, job("none")), "A")).toEqual([
      "0-4s running x2",
      "0-6s running x1",
      "0-12s running x1",
      "4-6s held x1",
      "6-12s running x1",
    ]);
    // Devices that lie together are told apart where the group ends: three of four work, 8 s of the work of four.
    const together = run("1 nodes x 4 gpus\n0s A 4*1 6s min 3", {
      A: { elastic: elastic(4, { minMembers: 3, maxMembers: 4, allowed: [3], restart: "none" }) },
    });
    expect(stretches(together, "A")).toEqual(["0-8s running x3", "0-8s held x1"]);
  });

  test("keeps members in reserve that make no allowed size", () => {
    const eight = "8 nodes x 1 gpus\n0s A 8x1 40s min 2\n10s ! fail 7";
    const allowed = [2, 4, 8];
    const speedQ16 = [16_384, 32_768, 65_536];
    const lives = {
      A: { elastic: elastic(8, { minMembers: 2, allowed, speedQ16, restart: "none" as const }) },
    };
    // Seven members run as four: half the speed.
    expect(ends(run(eight, lives))).toEqual(["A 0-70s completed workDone"]);
  });
});

describe("an interactive session", () => {
  test("is used, then stands idle until its time-out", () => {
    const outcome = run("1 gpus\n0s A x1 100s", {
      A: { session: { activeMs: 4_000, idleTimeoutMs: 3_000 } },
    });
    expect(stretches(outcome, "A")).toEqual(["0-4s running x1", "4-7s held x1"]);
    expect(ends(outcome)).toEqual(["A 0-7s completed idle"]);
  });

  test("stays to its limit where nobody ends it", () => {
    const idleTimeoutMs = Number.POSITIVE_INFINITY;
    const outcome = run("1 gpus\n0s A x1 4s limit 9s", {
      A: { session: { activeMs: 4_000, idleTimeoutMs } },
    });
    expect(ends(outcome)).toEqual(["A 0-9s timeout timeLimit"]);
  });
});
