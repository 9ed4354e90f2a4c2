import { describe, expect, test } from "vitest";
import { waitReasonLines } from "../../support/draw.ts";
import { jobNamed } from "../../support/world.ts";
import { evictions, reasons, run, starts } from "./tenancy.ts";

describe("ceilings", () => {
  test("devices of each user", () => {
    const outcome = run(
      {},
      `8 gpus
       limit user each gpus 3
       0s A x2 10s user ann
       0s B x2 10s user ann
       0s C x2 5s user bob`,
    );
    expect(starts(outcome)).toEqual({ A: 0, C: 0, B: 10 });
    expect(waitReasonLines(outcome)).toContain("0s B limit");
    expect(outcome.simulation.explain(jobNamed(outcome.world, "B"), 3_000)!.share).toEqual({
      whose: "user ann",
      used: 2,
      most: 3,
      ever: 3,
      asked: 2,
      unit: "GPUs",
    });
  });

  test("running jobs of one team, others not concerned", () => {
    const outcome = run(
      {},
      `8 gpus
       team red
       team blue
       limit team red jobs 1
       0s A x1 4s team red
       0s B x1 4s team red
       0s C x1 4s team blue
       0s D x1 4s team blue`,
    );
    expect(starts(outcome)).toEqual({ A: 0, C: 0, D: 0, B: 4 });
  });

  test("device-hours in a sliding window: a job starts when enough has left the window", () => {
    // 36 device-seconds in 20 s. A uses 20 in 0–10, B needs 20 and waits until A's first 4 have left: 2 s after 20 s.
    const outcome = run(
      {},
      `4 gpus
       team red
       limit team red hours 0.01 period 20s
       0s A x2 10s limit 10s team red
       0s B x2 10s limit 10s team red`,
    );
    expect(starts(outcome)).toEqual({ A: 0, B: 22 });
    expect(waitReasonLines(outcome)).toContain("0s B gpuHours");
  });

  test("device-hours for ever: what does not fit under them never starts", () => {
    const outcome = run(
      {},
      `4 gpus
       team red
       limit team red hours 0.01
       0s A x2 10s limit 10s team red
       0s B x2 10s limit 10s team red
       0s C x2 8s limit 8s team red`,
    );
    expect(starts(outcome)).toEqual({ A: 0, C: 0 });
  });
});

describe("columns of the table of tiers", () => {
  test("cap: a tier never has more at once", () => {
    const outcome = run(
      {},
      `8 gpus
       tier 3 cap 2
       0s A x2 5s tier 3
       0s B x2 5s tier 3
       0s C x4 5s tier 2`,
    );
    expect(starts(outcome)).toEqual({ A: 0, C: 0, B: 5 });
    expect(waitReasonLines(outcome)).toContain("0s B limit");
  });

  test("guarantee: lower tiers use it only while it can be taken back", () => {
    const text = `4 gpus
      tier 1 guaranteed 3
      0s A x1 20s tier 2 rigid
      0s B x1 20s tier 2 rigid
      0s C x2 20s tier 3
      5s D x2 5s tier 1`;
    const outcome = run({}, text);
    expect(starts(outcome)).toEqual({ A: 0, C: 0, D: 5, "C#2": 10, B: 20 });
    expect(reasons(outcome, "stop")).toContain("C#1 reclaimed");
    expect(waitReasonLines(outcome)).toContain("0s B limit");
    const without = run({}, text.replace(/tier 1 guaranteed 3/, "tier 1"));
    expect(starts(without)).toMatchObject({ A: 0, B: 0, C: 0, D: 20 });
  });

  test("guarantee: nobody takes back more than it, nor from a tier within its own", () => {
    const outcome = run(
      { order: "tiers" },
      `4 gpus
       tier 1 guaranteed 2
       tier 3 guaranteed 2
       0s A x2 20s tier 3
       0s B x2 20s tier 3
       1s C x2 5s tier 1
       2s D x2 5s tier 1`,
    );
    expect(evictions(outcome)).toBe(1);
    expect(starts(outcome)).toMatchObject({ A: 0, B: 0, C: 1, D: 6 });
  });
});
