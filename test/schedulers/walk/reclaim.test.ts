/** Taking back: who is protected, who shrinks, who saves first, and that nobody starts only to be stopped at once. */
import { describe, expect, test } from "vitest";
import type { SettingValue } from "../../../src/model/policy.ts";
import type { World } from "../../../src/model/world.ts";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { runLines, runWorld, waitReasonLines } from "../../support/draw.ts";
import { sameWithSnapshots } from "../../support/labRuns.ts";
import { tenancyWorld } from "../../support/tenancyWorld.ts";
import { labPool } from "../policyDocs.ts";

type Given = Readonly<Record<string, SettingValue>>;

const RECLAIM = { quota: "reclaim", backfill: "skip" };

function worldOf(text: string, settings: Given, more: Partial<World> = {}): World {
  return { ...tenancyWorld(text, { pools: [labPool({ ...RECLAIM, ...settings })] }), ...more };
}

/** Name, number, start and end of each run, seconds. */
function spans(world: World): string[] {
  sameWithSnapshots(world);
  const outcome = runWorld(world, schedulerOf);
  return runLines(outcome)
    .map((line) => line.replace(/ .*?([\d.]+-[\d.]+).*/, " $1"))
    .sort();
}

const TEAMS = `4 gpus
  team red quota 2
  team blue quota 2`;

const LENT = `${TEAMS}
  0s A x2 10s team red
  0s B x2 10s team red
  1s C x2 3s team blue`;

describe("what protects a borrower from its lender", () => {
  test("nothing: B gives way at once", () =>
    expect(spans(worldOf(LENT, {}))).toEqual(["A#1 0-10", "B#1 0-1", "B#2 4-14", "C#1 1-4"]));

  test("its minimum run time: the owner waits until it is over, and no longer", () => {
    const world = worldOf(LENT, { minRunMs: 5_000 });
    expect(spans(world)).toEqual(["A#1 0-10", "B#1 0-5", "B#2 8-18", "C#1 5-8"]);
    expect(waitReasonLines(runWorld(world, schedulerOf))).toContain("1s C protected");
  });

  test("the number of its evictions", () => {
    const again = `${LENT}
      6s D x2 3s team blue`;
    const free = spans(worldOf(again, {}));
    const bound = spans(worldOf(again, { evictionsMost: 1 }));
    expect(free.filter((run) => run.startsWith("B"))).toEqual(["B#1 0-1", "B#2 4-6", "B#3 9-19"]);
    expect(bound.filter((run) => run.startsWith("B"))).toEqual(["B#1 0-1", "B#2 4-14"]);
  });

  test("a disruption budget of its team", () => {
    const again = `${LENT}
      6s D x2 3s team blue`;
    const budget = { per: "team" as const, index: 0, jobs: 1, periodMs: 8_000 };
    const world = worldOf(again, {}, { disruptionBudgets: [budget] });
    // Evicted at 1 s; the next eviction of a red job comes when 8 s have gone by.
    expect(spans(world).filter((run) => run.startsWith("D"))).toEqual(["D#1 9-12"]);
  });

  test("grace: it saves, and the owner gets the room when it has", () => {
    const text = `${TEAMS}
      0s A x2 10s team red
      0s B x2 10s save never cost 2s onsignal team red
      1s C x2 3s team blue`;
    const world = worldOf(text, { preemption: "graceful", graceMs: 4_000 });
    const runs = spans(world);
    // Two seconds to save; one second of its work is done by then.
    expect(runs).toEqual(["A#1 0-10", "B#1 0-3", "B#2 6-15", "C#1 3-6"]);
  });

  test("the grace of another: meanwhile the owner takes nothing else", () => {
    const text = `6 gpus
      team red quota 2
      team blue quota 4
      0s A x2 10s team red
      0s B x2 10s team red
      0s D x2 10s team red
      1s C x2 3s team blue
      1s E x2 3s team blue`;
    const runs = spans(worldOf(text, { preemption: "graceful", graceMs: 2_000 }));
    expect(runs.filter((run) => /^[CE]|#1 0/.test(run))).toEqual([
      "A#1 0-10",
      "B#1 0-5",
      "C#1 3-6",
      "D#1 0-3",
      "E#1 5-8",
    ]);
  });

  test("its elasticity: it goes on with fewer members", () => {
    const text = `${TEAMS}
      0s B 4*1 8s elastic 2-4 free team red
      1s C x2 3s team blue`;
    const runs = spans(worldOf(text, {}));
    expect(runs.filter((run) => run.startsWith("B"))).toHaveLength(1);
    expect(runs.find((run) => run.startsWith("C"))).toBe("C#1 1-4");
  });
});

describe("nobody starts only to be stopped at the same instant", () => {
  test("a borrower ahead of the owner", () => {
    const world = worldOf(
      `${TEAMS}
       0s A x2 9s team red
       1s B x2 9s team red
       1s C x2 3s team blue`,
      {},
    );
    expect(spans(world)).toEqual(["A#1 0-9", "B#1 4-13", "C#1 1-4"]);
  });

  test("a low tier ahead of one within its guarantee", () => {
    const world = worldOf(
      `4 gpus
       tier 0 guaranteed 2
       0s A x4 9s tier 2
       0s C x2 3s tier 0`,
      { quota: "none", order: "fcfs" },
    );
    expect(spans(world)).toEqual(["A#1 3-12", "C#1 0-3"]);
  });

  test("a borrower that disturbs nobody starts in the same pass", () =>
    expect(
      spans(
        worldOf(
          `${TEAMS}
           0s A x3 9s team red
           0s C x1 3s team blue`,
          {},
        ),
      ),
    ).toEqual(["A#1 0-9", "C#1 0-3"]));
});

test("a job longer than a burst that saves nothing bids three times and is refused", () => {
  const text = `1 gpus
    team red quota 0
    team blue quota 0
    0s A x1 60s bid 9 team red`;
  const world = worldOf(text, {
    quota: "auction",
    auctionEveryMs: 10_000,
    burstMs: 10_000,
    refillEveryMs: 0,
  });
  const outcome = runWorld(world, schedulerOf);
  expect(outcome.simulation.refused).toEqual({ auction: 1 });
  expect(runLines(outcome).filter((line) => line.startsWith("A#"))).toHaveLength(4);
  sameWithSnapshots(world);
});
