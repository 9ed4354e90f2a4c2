import { describe, expect, test } from "vitest";
import { waitReasonLines } from "../../support/draw.ts";
import { jobNamed } from "../../support/world.ts";
import { gauge, reasons, run, starts } from "./tenancy.ts";

const auction = { quota: "auction", auctionEveryMs: 10_000 } as const;

describe("hard quota, auctioned rest", () => {
  test("what no quota needs goes to the highest bids at the next clearing; the highest losing bid is the price", () => {
    const outcome = run(
      auction,
      `8 gpus
       team red
       team blue
       0s A x4 8s team red bid 5
       0s B x4 8s team blue bid 3
       0s C x4 8s team red bid 2
       1s D x4 8s team blue bid 9`,
    );
    expect(starts(outcome)).toEqual({ A: 0, B: 0, D: 10, C: 10 });
    expect(reasons(outcome, "start")).toEqual(["A#1 won", "B#1 won", "C#1 won", "D#1 won"]);
    expect(waitReasonLines(outcome)).toContain("0s C auction");
    expect(gauge(outcome, "price", 0)).toEqual(["0s 2", "10s 0"]);
  });

  test("equal bids: who was submitted first wins", () => {
    const outcome = run(
      auction,
      `2 gpus
       team red
       0s A x2 5s team red bid 2
       1s B x2 5s team red bid 2
       2s C x2 5s team red bid 2`,
    );
    expect(starts(outcome)).toEqual({ A: 0, B: 10, C: 20 });
  });

  test("a job within its team's quota starts at once and takes its devices back, from the lowest bid first", () => {
    const outcome = run(
      auction,
      `4 gpus
       team red quota 2
       team blue quota 2
       0s A x2 20s team red
       0s B x1 20s team red bid 4
       0s C x1 20s team red bid 3
       3s D x1 5s team blue`,
    );
    expect(starts(outcome)).toEqual({ A: 0, B: 0, C: 0, D: 3, "C#2": 10 });
    expect(reasons(outcome, "stop")).toContain("C#1 reclaimed");
    expect(gauge(outcome, "borrowed", 0)).toEqual(["0s 2", "3s 1", "10s 2", "20s 0"]);
    expect(gauge(outcome, "lent", 1)).toEqual(["0s 2", "3s 1", "10s 2", "20s 0"]);
  });

  test("whoever bids more at a later clearing takes the place over", () => {
    const outcome = run(
      auction,
      `2 gpus
       team red
       0s A x2 15s team red bid 1
       4s B x2 5s team red bid 2`,
    );
    expect(starts(outcome)).toEqual({ A: 0, B: 10, "A#2": 20 });
    expect(reasons(outcome, "stop")).toEqual(["A#1 outbid", "B#1 workDone", "A#2 workDone"]);
  });

  test("won capacity is held for one burst; then the next in line has its turn", () => {
    const outcome = run(
      { ...auction, burstMs: 20_000 },
      `2 gpus
       team red
       0s A x2 30s team red bid 1
       1s B x2 5s team red bid 1`,
      { horizonMs: 55_000 },
    );
    // A, which saves nothing, sits out the clearing of the moment at which its burst ends.
    expect(starts(outcome)).toEqual({ A: 0, B: 20, "A#2": 30 });
    expect(reasons(outcome, "stop")).toEqual(["A#1 burstOver", "B#1 workDone", "A#2 burstOver"]);
  });

  test("a team pays for the time used, at the price, and wins nothing that it could not pay", () => {
    // 2 devices for 10 s at 360 credits a device-hour: 2 credits.
    const outcome = run(
      { ...auction, refillEveryMs: 40_000 },
      `2 gpus
       team red budget 5
       team blue budget 5
       0s A x2 10s team red bid 720
       0s B x2 10s team blue bid 360
       0s C x2 10s team red bid 720`,
    );
    expect(gauge(outcome, "price", 0)).toEqual(["0s 360", "10s 0"]);
    expect(gauge(outcome, "credits", 0)).toEqual(["0s 5", "10s 3", "40s 5"]);
    expect(starts(outcome)).toEqual({ A: 0, B: 10, C: 40 });
  });

  test("a job that may not be preempted waits for its quota", () => {
    const outcome = run(
      auction,
      `4 gpus
       team red quota 2
       0s A x2 5s team red
       0s B x2 5s team red rigid`,
    );
    expect(starts(outcome)).toEqual({ A: 0, B: 5 });
    expect(waitReasonLines(outcome)).toContain("0s B quota");
  });

  test("why it waits: the quota is full, or the credits do not reach", () => {
    const outcome = run(
      auction,
      `2 gpus
       team red budget 1
       0s A x2 5s team red bid 720`,
      { horizonMs: 30_000 },
    );
    const said = outcome.simulation.explain(jobNamed(outcome.world, "A"), 3_000)!;
    expect(said.share).toEqual({
      whose: "team red",
      used: 0,
      most: 1,
      ever: 1,
      asked: 4,
      unit: "credits",
    });
  });
});

test("what an owner keeps to itself is not sold", () => {
  const outcome = run(
    auction,
    `4 gpus
     team red quota 4 lend 1
     team blue
     0s A x1 5s team blue bid 2
     0s B x1 5s team blue bid 1`,
  );
  expect(starts(outcome)).toEqual({ A: 0, B: 10 });
});
