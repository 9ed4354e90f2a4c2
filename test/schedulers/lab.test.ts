import { describe, expect, test } from "vitest";
import { JobFlag } from "../../src/model/jobs.ts";
import type { SettingValue } from "../../src/model/policy.ts";
import { WAIT_REASONS } from "../../src/model/reasons.ts";
import type { World } from "../../src/model/world.ts";
import { DecisionKindCode } from "../../src/record/shapes.ts";
import { PRESETS } from "../../src/scenario/settings.ts";
import { schedulerOf } from "../../src/schedulers/registry.ts";
import type { Outcome } from "../support/draw.ts";
import { draw, runLines, runWorld, waitReasonLines } from "../support/draw.ts";
import { jobNamed, worldFromText } from "../support/world.ts";
import { labPool } from "./policyDocs.ts";

type Given = Readonly<Record<string, SettingValue>>;

function worldWith(
  settings: Given,
  text: string,
  flags: Readonly<Record<string, number>> = {},
): World {
  const world = worldFromText(text, { pools: [labPool(settings)] });
  for (const [name, flag] of Object.entries(flags)) {
    const jobIdx = jobNamed(world, name);
    world.jobs.at.flags[jobIdx] = world.jobs.at.flags[jobIdx]! | flag;
  }
  return world;
}

function run(settings: Given, text: string, flags: Readonly<Record<string, number>> = {}): Outcome {
  return runWorld(worldWith(settings, text, flags), schedulerOf);
}

function explain(outcome: Outcome, name: string, atSec: number) {
  const explanation = outcome.simulation.explain(jobNamed(outcome.world, name), atSec * 1_000);
  if (explanation === null) throw new Error(`${name} does not wait at ${atSec} s`);
  return { ...explanation, reason: WAIT_REASONS[explanation.reason]! };
}

test("every preset that a document may name has a scheduler, and nothing else has", () => {
  for (const { id } of PRESETS) expect(schedulerOf(id).decide).toBeTypeOf("function");
  expect(() => schedulerOf("toString")).toThrow("no preset toString");
});

describe("why a job waits", () => {
  test("the blocked head waits for devices, those behind it for their turn", () => {
    const outcome = run(
      { backfill: "none" },
      `4 gpus
       0s A x3 10s
       1s B x4 5s
       2s C x1 4s`,
    );
    expect(waitReasonLines(outcome)).toEqual([
      "1s B resources",
      "2s C priority",
      "10s C resources",
    ]);
    expect(explain(outcome, "C", 5)).toMatchObject({
      reason: "priority",
      position: 1,
      headJobIdx: 1,
    });
  });

  test("with EASY a job that fits but would delay the head waits for its reservation", () => {
    const outcome = run(
      { backfill: "easy" },
      `4 gpus
       0s A x3 10s limit 12s
       1s B x4 5s limit 5s
       2s C x1 11s limit 11s`,
    );
    expect(waitReasonLines(outcome)).toEqual([
      "1s B resources",
      "2s C reservation",
      "10s C resources",
    ]);
    expect(explain(outcome, "C", 5)).toMatchObject({
      reason: "reservation",
      reservedForJobIdx: 1,
      gpusNeeded: 1,
      gpusFree: 1,
      unit: "devices",
      frees: [],
    });
    expect(explain(outcome, "B", 5)).toMatchObject({
      reason: "resources",
      position: 0,
      plannedMs: 12_000,
      frees: [{ jobIdx: 0, atMs: 12_000, units: 3 }],
    });
  });

  test("enough GPUs in all, but no whole node, is fragmentation; the plan names the nodes", () => {
    const outcome = run(
      { backfill: "easy", placement: "spread" },
      `2 nodes x 2 gpus
       0s A x1 4s limit 4s
       0s B x1 6s limit 6s
       1s C 1x2 2s limit 2s`,
    );
    expect(waitReasonLines(outcome)).toEqual(["1s C fragmentation"]);
    expect(explain(outcome, "C", 2)).toMatchObject({
      reason: "fragmentation",
      unit: "nodes",
      unitsNeeded: 1,
      unitsFree: 0,
      plannedMs: 4_000,
      plannedNodes: [0],
      frees: [{ jobIdx: 0, atMs: 4_000, units: 1 }],
    });
  });

  test("free GPUs without CPUs beside them are named as such", () => {
    const outcome = run(
      { backfill: "none" },
      `1 node x 4 gpus, 8 cpus
       0s A x1 4s cpus 6
       1s B x1 2s cpus 4`,
    );
    expect(waitReasonLines(outcome)).toEqual(["1s B cpuOrMemory"]);
  });

  test("a job that closed nodes could serve says so, and one that no node could ever serve is refused", () => {
    const outcome = run(
      { backfill: "none" },
      `2 nodes x 2 gpus
       0s ! drain 1
       1s A 2x2 2s
       2s B 3x2 2s
       5s ! resume 1`,
    );
    expect(waitReasonLines(outcome)).toEqual(["1s A nodesClosed"]);
    expect(runLines(outcome).filter((line) => line.startsWith("A"))).toEqual([
      "A#1 5-7s x4 completed",
    ]);
    expect(outcome.simulation.refused).toEqual({ never: 1 });
  });

  test("with every node drained each job waits for them, the one behind the head too", () => {
    const outcome = run(
      { backfill: "none" },
      `2 nodes x 4 gpus
       0s ! drain 0
       0s ! drain 1
       1s A x6 4s
       2s B x8 2s
       9s ! resume 0
       9s ! resume 1`,
    );
    expect(waitReasonLines(outcome)).toEqual([
      "1s A nodesClosed",
      "2s B priority",
      "9s B resources",
    ]);
    for (const [name, gpus] of [
      ["A", 6],
      ["B", 8],
    ] as const) {
      const { frees: _, ...why } = explain(outcome, name, 5);
      expect(why).toMatchObject({
        reason: "nodesClosed",
        gpusNeeded: gpus,
        gpusFree: 0,
        gpusClosed: 8,
      });
    }
  });

  for (const backfill of ["none", "easy", "conservative"] as const) {
    test(`a job larger than the open nodes waits for the closed ones while they could not serve it now: ${backfill}`, () => {
      const outcome = run(
        { backfill },
        `2 nodes x 4 gpus
         0s A x4 9s limit 9s
         1s ! drain 1
         2s B x8 2s limit 2s
         3s C x2 1s limit 1s
         12s ! resume 1`,
      );
      expect(waitReasonLines(outcome)).toContain("2s B nodesClosed");
      expect(explain(outcome, "B", 5)).toMatchObject({ reason: "nodesClosed", gpusClosed: 4 });
      expect(explain(outcome, "C", 5).reason, "its turn comes on open nodes").not.toBe(
        "nodesClosed",
      );
    });
  }

  test("promises of conservative backfill are written sparsely while far off, exactly when near, never too early", () => {
    const jobs = Array.from({ length: 100 }, (_, i) => `0s J${i} x1 9s limit 10s`);
    const outcome = run({ backfill: "conservative" }, ["1 gpus", ...jobs].join("\n"));
    const { decisions } = outcome.chunks[0]!;
    const last = jobNamed(outcome.world, "J99");
    const promises: { atMs: number; startMs: number }[] = [];
    for (let i = 0; i < decisions.jobIdx.length; i++) {
      if (decisions.kind[i] !== DecisionKindCode.plan || decisions.jobIdx[i] !== last) continue;
      promises.push({ atMs: decisions.atMs[i]!, startMs: decisions.value[i]! });
    }
    expect(promises[0]).toEqual({ atMs: 0, startMs: 990_000 });
    expect(promises.length).toBeGreaterThan(32);
    expect(promises.length).toBeLessThan(50);
    for (const { atMs, startMs } of promises) {
      // After n early ends the job is promised a start 99 − n limits after the n-th of them.
      const heldMs = atMs + (99 - atMs / 9_000) * 10_000;
      expect(startMs).toBe(heldMs);
    }
    expect(promises.at(-1)!.startMs).toBe(99 * 9_000);
  });

  test("beyond the planning depth nobody is planned", () => {
    const outcome = run(
      { backfill: "conservative", depth: 1 },
      `2 gpus
       0s A x2 4s limit 4s
       1s B x2 2s limit 2s
       2s C x1 1s limit 1s`,
    );
    expect(waitReasonLines(outcome)).toEqual(["1s B resources", "2s C depth", "4s C resources"]);
    expect(explain(outcome, "C", 3).plannedMs).toBe(Number.POSITIVE_INFINITY);
    expect(explain(outcome, "C", 5).plannedMs).toBe(6_000);
  });

  test("members that hold devices and wait for the others wait for their gang", () => {
    const outcome = run(
      { backfill: "none", gangTogether: false },
      `4 gpus
       0s A x4 3s
       0s B x4 3s
       9s ! cancel A`,
    );
    expect(waitReasonLines(outcome)).toEqual(["0s A gang", "0s B gang"]);
  });
});

describe("placement wishes bind", () => {
  const text = `4 nodes x 2 gpus, 2 leaves
    0s A 1x2 4s
    0s B x4 2s`;

  test("within a leaf", () => {
    expect(draw(run({ backfill: "none" }, text, { B: JobFlag.sameLeaf }))).toContain("n2g0 BB");
    expect(draw(run({ backfill: "none" }, text))).toContain("n1g0 BB");
  });

  test("a job larger than any NVSwitch domain is refused when it must stay in one", () => {
    const outcome = run({ backfill: "none" }, text, { B: JobFlag.sameNvswitch });
    expect(outcome.simulation.refused).toEqual({ never: 1 });
  });

  test("what a leaf has free is the unit that is short", () => {
    const outcome = run(
      { backfill: "easy" },
      `4 nodes x 2 gpus, 2 leaves
       0s A 1x2 4s limit 4s
       0s X 3x1 6s limit 6s
       1s B x4 2s limit 2s`,
      { B: JobFlag.sameLeaf },
    );
    expect(explain(outcome, "B", 2)).toMatchObject({
      unit: "leafDevices",
      unitsNeeded: 4,
      unitsFree: 2,
    });
  });
});

describe("parts of a GPU", () => {
  test("shares fill a GPU in use before they open another", () => {
    const outcome = run(
      { backfill: "easy" },
      `1 node x 2 gpus
       0s A x1 4s share 500 limit 4s
       0s B x1 4s share 500 limit 4s
       1s C x1 2s limit 2s`,
    );
    expect(runLines(outcome)).toContain("C#1 1-3s x1 completed");
  });

  test("where a workload has slices too, a share takes a GPU that nobody uses, and waits for one", () => {
    const outcome = run(
      { backfill: "none" },
      `1 node x 2 gpus
       0s A x1 5s mig 1g.10gb
       0s B x1 3s share 500
       0s C x1 2s share 500`,
    );
    expect(runLines(outcome)).toEqual([
      "B#1 0-3s x1 completed",
      "A#1 0-5s x1 completed",
      "C#1 3-5s x1 completed",
    ]);
  });

  for (const backfill of ["none", "easy", "conservative"]) {
    test(`shares, slices and whole GPUs run side by side: ${backfill}`, () => {
      const outcome = run(
        { backfill },
        `2 nodes x 2 gpus
         0s A x3 4s share 300 limit 5s
         0s B x2 3s mig 1g.10gb limit 3s
         0s C 1x2 4s limit 4s
         1s D x2 2s share 700 limit 2s
         1s E x4 2s limit 2s`,
      );
      expect(runLines(outcome).length).toBe(5);
    });
  }
});

describe("changes during a run", () => {
  test("a new policy takes over running and waiting jobs", () => {
    const text = `4 gpus
      0s A x3 10s limit 10s
      1s B x4 5s limit 5s
      2s C x1 4s limit 4s`;
    const world = worldWith({ backfill: "none" }, text);
    const changed: World = {
      ...world,
      changes: [
        {
          atMs: 4_000,
          source: 0,
          kind: "policy",
          pool: 0,
          settings: labPool({ backfill: "easy" }),
        },
      ],
    };
    expect(runLines(runWorld(changed, schedulerOf))).toContain("C#1 4-8s x1 completed");
    expect(runLines(runWorld(world, schedulerOf))).toContain("C#1 15-19s x1 completed");
  });

  test("a job of a higher tier goes first from the moment it has it", () => {
    const outcome = run(
      { order: "tiers", backfill: "none" },
      `1 gpus
       0s A x1 4s
       1s B x1 2s tier 2
       1s C x1 2s tier 2
       2s ! retier C 1`,
    );
    expect(runLines(outcome)).toEqual([
      "A#1 0-4s x1 completed",
      "C#1 4-6s x1 completed",
      "B#1 6-8s x1 completed",
    ]);
  });

  test("gangs caught in a deadlock go on when members start together again", () => {
    const world = worldWith(
      { backfill: "easy", gangTogether: false },
      `4 gpus
       0s A x4 3s limit 3s
       0s B x4 3s limit 3s
       5s ! cancel B`,
    );
    const settings = labPool({ backfill: "easy" });
    const changed: World = {
      ...world,
      changes: [{ atMs: 4_000, source: 0, kind: "policy", pool: 0, settings }, ...world.changes],
    };
    expect(runLines(runWorld(changed, schedulerOf)).filter((line) => line.startsWith("A"))).toEqual(
      ["A#1 0-8s x4 completed"],
    );
  });

  test("a job that lost its node is queued again in its old place", () => {
    const outcome = run(
      { backfill: "easy" },
      `2 nodes x 1 gpus
       0s A x2 6s limit 6s
       1s B x2 2s limit 2s
       2s ! fail 1
       4s ! resume 1`,
    );
    expect(runLines(outcome).slice(-2)).toEqual([
      "A#2 4-10s x2 completed",
      "B#1 10-12s x2 completed",
    ]);
  });
});
