/** Published preemptive policies in rounds, through the engine: who runs in which round, and that nothing is lost by it. */
import { describe, expect, test } from "vitest";
import { Simulation } from "../../../src/engine/simulation.ts";
import type { SettingValue } from "../../../src/model/policy.ts";
import { STOP_REASONS } from "../../../src/model/reasons.ts";
import { DecisionKindCode } from "../../../src/record/shapes.ts";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { documentWorld } from "../../support/documentWorld.ts";
import { draw, runWorld } from "../../support/draw.ts";
import { tenancyWorld } from "../../support/tenancyWorld.ts";
import { labPool } from "../policyDocs.ts";

type Given = Readonly<Record<string, SettingValue>>;

function drawn(settings: Given, text: string): string[] {
  const pools = [labPool({ backfill: "skip", ...settings })];
  return draw(runWorld(tenancyWorld(text, { pools }), schedulerOf))
    .split("\n")
    .map((line) => line.split(" ")[1]!);
}

const hours = (deviceSeconds: number): number => deviceSeconds / 3_600;

describe("least attained service", () => {
  test("two jobs on one device take turns, and no work is lost", () =>
    expect(
      drawn(
        { order: "leastAttained", roundMs: 2_000 },
        `1 gpus
         0s A x1 6s
         1s B x1 4s`,
      ),
    ).toEqual(["AABBAABBAA"]));
  test("a round of 0 stops nobody", () =>
    expect(
      drawn(
        { order: "leastAttained", roundMs: 0 },
        `1 gpus
         0s A x1 6s
         1s B x1 4s`,
      ),
    ).toEqual(["AAAAAABBBB"]));
  test("who may not be preempted is left alone", () =>
    expect(
      drawn(
        { order: "leastAttained", roundMs: 2_000 },
        `1 gpus
         0s A x1 6s rigid
         1s B x1 4s`,
      ),
    ).toEqual(["AAAAAABBBB"]));
  test("nobody is stopped whose devices nobody wants", () =>
    // C needs one node. A and B have had the same: A, submitted first, stays, and only B gives way; when A is through, B goes on.
    expect(
      drawn(
        { order: "leastAttained", roundMs: 4_000 },
        `2 nodes x 2 gpus
         0s A 1x2 8s
         0s B 1x2 8s
         1s C 1x2 4s`,
      ),
    ).toEqual(["AAAAAAAABBBB", "AAAAAAAABBBB", "BBBBCCCC....", "BBBBCCCC...."]));
});

describe("Tiresias", () => {
  test("a job leaves the first queue when its device time reaches the threshold, first come first served in each", () =>
    // Threshold 4 device-seconds, reviewed every second: A (2 devices) is through it at 2 s, B and C run 4 s, then A goes on.
    expect(
      drawn(
        { order: "tiresias", roundMs: 1_000, attainedHours: hours(4), promoteFactor: 0 },
        `2 gpus
         0s A x2 6s
         1s B x2 1s
         1s C x2 1s`,
      ),
    ).toEqual(["AABCAAAA", "AABCAAAA"]));
  test("device time counts devices: a wide job is through sooner than a narrow one", () =>
    expect(
      drawn(
        { order: "tiresias", roundMs: 1_000, attainedHours: hours(4), promoteFactor: 0 },
        `2 gpus
         0s A x1 6s
         0s W x1 6s
         2s B x2 1s`,
      ),
    ).toEqual(["AAAABAA", "WWWWBWW"]));
  test("who has waited long for what it ran goes back to the first queue", () => {
    const text = `1 gpus
      0s A x1 4s
      1s B x1 2s
      2s C x1 2s
      3s D x1 2s
      4s E x1 2s`;
    const settings = { order: "tiresias", roundMs: 1_000, attainedHours: hours(2) };
    expect(drawn({ ...settings, promoteFactor: 0 }, text)).toEqual(["AABBCCDDEEAA"]);
    // After 2 s of running and 4 s of waiting A is in the first queue again, and was submitted first.
    expect(drawn({ ...settings, promoteFactor: 2 }, text)).toEqual(["AABBCCAADDEE"]);
  });
});

describe("Themis", () => {
  test("the job whose finish is delayed most against having its devices alone goes first", () =>
    // At 2 s: A (2 + 6)/8 = 1, B (1 + 2)/2 = 1.5: B. At 4 s B is done: A (4 + 6)/8 = 1.25, C (1 + 8)/8: A. At 6 s: A (6 + 4)/8 = 1.25, C (3 + 8)/8.
    expect(
      drawn(
        { order: "themis", roundMs: 2_000 },
        `1 gpus
         0s A x1 8s
         1s B x1 2s
         3s C x1 8s`,
      )[0]!.slice(0, 8),
    ).toBe("AABBAACC"));
});

describe("Gavel", () => {
  test("with one model jobs of one size share the time of the devices evenly", () =>
    expect(
      drawn(
        { order: "gavel", roundMs: 2_000 },
        `1 gpus
         0s A x1 6s
         0s B x1 6s`,
      ),
    ).toEqual(["AABBAABBAABB"]));
});

test("the log tells of a round before the evictions of it, and only where somebody gave way", () => {
  const pools = [labPool({ order: "leastAttained", roundMs: 2_000, backfill: "skip" })];
  const world = tenancyWorld("1 gpus\n0s A x1 6s\n1s B x1 4s", { pools });
  const { chunks } = runWorld(world, schedulerOf);
  const told = chunks.flatMap(({ decisions: { kind, atMs, value, reason } }) =>
    [...kind].flatMap((code, row) => {
      if (code === DecisionKindCode.round) return [`${atMs[row]! / 1_000}s round ${value[row]}`];
      if (code !== DecisionKindCode.evict) return [];
      return [`${atMs[row]! / 1_000}s ${STOP_REASONS[reason[row]!]}`];
    }),
  );
  expect(told.slice(0, 4)).toEqual(["2s round 1", "2s preempted", "4s round 1", "4s preempted"]);
});

test("no rounds come while all that runs is suspended by the user, and they come again when it goes on", () => {
  const world = (resumed: object[]) =>
    documentWorld({
      version: 1,
      cluster: { nodeGroups: [{ id: "n", count: 1, gpus: 1 }] },
      pools: [{ id: "all", policy: { settings: { order: "gavel", roundMs: 2_000 } } }],
      workload: {
        jobs: [
          { id: "A", submitMs: 0, workMs: 60_000, components: [{}] },
          { id: "B", submitMs: 0, workMs: 60_000, components: [{}] },
        ],
      },
      interventions: [{ kind: "suspend", atMs: 1_000, job: "A" }, ...resumed],
    });
  const run = (resumed: object[]) => {
    const simulation = new Simulation(world(resumed), schedulerOf, { checks: true });
    simulation.advance({ untilMs: Number.POSITIVE_INFINITY, maxEvents: 1_000 });
    return simulation;
  };
  const suspended = run([]);
  expect(suspended.done).toBe(true);
  expect([...suspended.openSet().waits.jobIdx]).toEqual([1]);
  const resumed = run([{ kind: "unsuspend", atMs: 41_000, job: "A" }]);
  expect(resumed.done).toBe(true);
  expect(resumed.takeChunk().runs.startMs.length).toBeGreaterThan(10);
});
