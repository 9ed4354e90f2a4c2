/** Jobs that the rules of now can never let start: what is said of them, and what a change of the rules does. */
import { describe, expect, test } from "vitest";
import { jobNamed } from "../../support/world.ts";
import { run, starts } from "./tenancy.ts";

type Outcome = ReturnType<typeof run>;

/** What a job asks for, what its ceiling leaves it at most, and whose that is. */
function ever(outcome: Outcome, name: string, atMs = 3_000): string {
  const { share } = outcome.simulation.explain(jobNamed(outcome.world, name), atMs)!;
  return `${share?.whose}: ${share?.asked} of ${share?.ever} ${share?.unit}`;
}

describe("a job that can never start under the rules of now", () => {
  const teams = `8 gpus
    team red quota 4
    team blue quota 0 borrow 2
    0s A x2 10s team red
    1s B x5 5s team red
    1s C x1 5s team blue
    1s D x3 5s team blue`;

  test("static partition: beyond its team's quota, or with no quota at all", () => {
    const outcome = run({ quota: "static" }, teams, { horizonMs: 5_000 });
    expect(starts(outcome)).toEqual({});
    expect(ever(outcome, "B")).toBe("team red: 5 of 4 GPUs");
    expect(ever(outcome, "C")).toBe("team blue: 1 of 0 GPUs");
  });

  test("with borrowing, only what the team may borrow counts", () => {
    const outcome = run({ quota: "borrow" }, teams, { horizonMs: 5_000 });
    expect(ever(outcome, "D")).toContain("team blue: 3 of 2 GPUs");
  });

  test("limits and caps of zero", () => {
    const text = (line: string) => `4 gpus
      ${line}
      1s A x1 2s user ann tier 1`;
    const said = (line: string) => ever(run({}, text(line), { horizonMs: 5_000 }), "A");
    expect(said("limit user each gpus 0")).toBe("user ann: 1 of 0 GPUs");
    expect(said("limit user each jobs 0")).toBe("user ann: 1 of 0 jobs");
    expect(said("tier 1 cap 0")).toMatch(/^tier .*: 1 of 0 GPUs$/);
  });

  test("who only waits for others of its team is not one of them", () => {
    const outcome = run(
      { quota: "static" },
      `8 gpus
       team red quota 4
       0s A x3 10s team red
       1s B x4 5s team red`,
    );
    expect(ever(outcome, "B")).toBe("team red: 4 of 4 GPUs");
    expect(starts(outcome)).toEqual({ A: 0, B: 10 });
  });
});
