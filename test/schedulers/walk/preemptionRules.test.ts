/** Who is chosen, what is taken of a victim, and who is safe: a small scenario for each rule, through the engine. */
import { describe, expect, test } from "vitest";
import { type JobLife, PLAIN_LIFE } from "../../../src/model/lab/jobLife.ts";
import type { SettingValue } from "../../../src/model/policy.ts";
import { START_REASONS, STOP_REASONS, WaitReasonCode } from "../../../src/model/reasons.ts";
import { END_STATES } from "../../../src/model/states.ts";
import type { World } from "../../../src/model/world.ts";
import { DecisionKindCode } from "../../../src/record/shapes.ts";
import { addWalk } from "../../../src/schedulers/lab/lab.ts";
import { walk } from "../../../src/schedulers/lab/walk/walk.ts";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { draw, runWorld, waitReasonLines } from "../../support/draw.ts";
import { runAll, runsOf } from "../../support/labRuns.ts";
import { jobNamed, worldFromText } from "../../support/world.ts";
import { labPool } from "../policyDocs.ts";

addWalk(walk);

type Given = Readonly<Record<string, SettingValue>>;

function worldWith(
  settings: Given,
  text: string,
  lives: Readonly<Record<string, Partial<JobLife>>> = {},
): World {
  const world = worldFromText(text, {
    pools: [labPool({ backfill: "skip", preemption: "requeue", ...settings })],
  });
  const lab = new Map(
    Object.entries(lives).map(([name, life]) => [
      jobNamed(world, name),
      { ...PLAIN_LIFE, ...life },
    ]),
  );
  return { ...world, jobs: { ...world.jobs, lab } };
}

/** Who was evicted, suspended or shrunk, in order: `A@3`. */
function victims(world: World): string[] {
  const { chunk } = runAll(world);
  const { kind, jobIdx, atMs } = chunk.decisions;
  const names = world.jobs.names.texts;
  return [...kind].flatMap((code, i) =>
    code === DecisionKindCode.evict ? [`${names.get(jobIdx[i]!)}@${atMs[i]! / 1_000}`] : [],
  );
}

function drawn(world: World): string[] {
  return draw(runWorld(world, schedulerOf))
    .split("\n")
    .map((line) => line.split(" ")[1]!);
}

describe("who goes", () => {
  const THREE = `6 gpus
    0s A x3 100s tier 3
    0s B x1 100s tier 2
    2s C x2 100s tier 3
    10s U x3 5s tier 0`;

  test("fewest jobs: one large one rather than two small ones", () =>
    expect(victims(worldWith({ victims: "fewestJobs" }, THREE))).toEqual(["A@10"]));

  test("youngest: the latest start of the lowest tier first, and no more than needed", () =>
    expect(victims(worldWith({ victims: "youngest" }, THREE))).toEqual(["A@10"]));

  test("youngest goes first where it is enough", () =>
    expect(victims(worldWith({ victims: "youngest" }, THREE.replace("U x3", "U x2")))).toEqual([
      "C@10",
    ]));

  test("fewest jobs: among equally many the lowest tier, then the least lost work", () =>
    expect(
      victims(
        worldWith(
          {},
          `4 gpus
           0s A x2 100s tier 2
           1s B x2 100s tier 3
           10s U x2 5s tier 0`,
        ),
      ),
    ).toEqual(["B@10"]));

  test("least lost work looks past the tier", () =>
    expect(
      victims(
        worldWith(
          { victims: "leastLostWork" },
          `4 gpus
           0s A x2 100s tier 3
           4s B x2 100s tier 2
           10s U x2 5s tier 0`,
        ),
      ),
    ).toEqual(["B@10"]));

  test("lowest priority: within a tier whoever stands last in the queue's order", () =>
    expect(
      victims(
        worldWith(
          { victims: "lowestPriority" },
          `4 gpus
           0s A x2 100s tier 3
           4s B x2 100s tier 3
           10s U x2 5s tier 0`,
        ),
      ),
    ).toEqual(["B@10"]));

  test("a checkpoint makes a victim cheap", () =>
    expect(
      victims(
        worldWith(
          { victims: "leastLostWork" },
          `4 gpus
           0s A x2 100s tier 3
           4s B x2 100s tier 3
           10s U x2 5s tier 0`,
          {
            A: {
              checkpoint: {
                everyMs: 9_000,
                costMs: 0,
                sizeGiB: 0,
                location: "shared",
                restoreMs: 0,
                onSignal: false,
              },
            },
          },
        ),
      ),
    ).toEqual(["A@10"]));

  test("a job that may not be preempted is left alone", () => {
    const world = worldWith({}, THREE);
    world.jobs.at.flags[jobNamed(world, "A")] = 0;
    expect(victims(world)).toEqual(["C@10", "B@10"]);
  });
});

describe("whom the tiers let it stop", () => {
  const TWO = `2 gpus
    0s A x2 100s tier 2
    10s U x2 5s tier 1`;

  test("a tier may preempt every tier below it, and no other", () => {
    expect(victims(worldWith({}, TWO))).toEqual(["A@10"]);
    expect(victims(worldWith({}, TWO.replace("tier 1", "tier 2")))).toEqual([]);
    expect(victims(worldWith({}, TWO.replace("tier 1", "tier 3")))).toEqual([]);
  });

  test("the table of tiers says otherwise where it names tiers", () => {
    const world = worldWith({}, TWO);
    const named = (mayPreempt: string[]): World => ({
      ...world,
      tiers: world.tiers.map((tier, i) => (i === 1 ? { ...tier, mayPreempt } : tier)),
    });
    expect(victims(named(["low"]))).toEqual([]);
    expect(victims(named(["normal"]))).toEqual(["A@10"]);
  });

  test("a tier's own mode stands over the policy's", () => {
    const world = worldWith({}, TWO);
    const tiers = world.tiers.map((tier, i) =>
      i === 2 ? { ...tier, preemptMode: "cancel" as const } : tier,
    );
    const { chunk } = runAll({ ...world, tiers });
    expect(runsOf(world, chunk, "A")).toEqual([[0, 10_000]]);
  });

  test("with newer equals the later of two jobs of a tier gives way", () => {
    const text = `2 gpus
      0s A x1 4s tier 2
      1s U x2 5s tier 2
      2s N x1 50s tier 2`;
    expect(victims(worldWith({ newerEqual: true }, text))).toEqual(["N@4"]);
    expect(victims(worldWith({ newerEqual: false }, text))).toEqual([]);
  });

  test("within a tier a larger priority of its own stands above a smaller", () => {
    const lives = { U: { priority: 5 } };
    expect(victims(worldWith({}, TWO.replace("tier 1", "tier 2"), lives))).toEqual(["A@10"]);
  });
});

describe("who is safe", () => {
  const ONE = `2 gpus
    0s A x2 100s tier 3
    10s U x2 5s tier 0`;

  test("a run is safe in its first stretch, and the urgent job says so", () => {
    const world = worldWith({ minRunMs: 30_000 }, ONE);
    expect(victims(world)).toEqual(["A@30"]);
    const outcome = runWorld(world, schedulerOf);
    expect(waitReasonLines(outcome)).toContain("10s U protected");
    const said = outcome.simulation.explain(jobNamed(world, "U"), 11_000);
    expect(said?.reason).toBe(WaitReasonCode.protected);
  });

  test("a run that has gone on long enough is safe to its end", () =>
    expect(victims(worldWith({ exemptMs: 5_000 }, ONE))).toEqual([]));

  test("a cooldown keeps urgent jobs from stopping the same job again and again", () => {
    const often = `2 gpus
      0s A x2 20s tier 3
      10s U x2 5s tier 0
      16s V x2 5s tier 0`;
    expect(victims(worldWith({}, often))).toEqual(["A@10", "A@16"]);
    expect(victims(worldWith({ cooldownMs: 60_000 }, often))).toEqual(["A@10"]);
  });

  test("a job is stopped only so often, by the policy and by its own word", () => {
    const often = `2 gpus
      0s A x2 20s tier 3
      10s U x2 5s tier 0
      16s V x2 5s tier 0`;
    expect(victims(worldWith({ evictionsMost: 1 }, often))).toEqual(["A@10"]);
    expect(victims(worldWith({}, often, { A: { maxEvictions: 0 } }))).toEqual([]);
  });

  test("a disruption budget lets one job an hour go, whoever asks", () => {
    const world = worldWith(
      {},
      `4 gpus
       0s A x2 9000s tier 3
       0s B x2 9000s tier 3
       10s U x2 9000s tier 0
       20s V x2 5s tier 0`,
    );
    const disruptionBudgets = [{ per: "tier" as const, index: 3, jobs: 1, periodMs: 3_600_000 }];
    expect(victims(world)).toEqual(["A@10", "B@20"]);
    expect(victims({ ...world, disruptionBudgets })).toEqual(["A@10", "B@3610"]);
  });
});

describe("what is taken", () => {
  const elastic: JobLife["elastic"] = {
    minMembers: 2,
    maxMembers: 8,
    allowed: [2, 4, 6, 7, 8],
    restart: "none",
    rendezvousMs: 0,
    maxRestarts: 0,
    speedQ16: [16_384, 32_768, 49_152, 57_344, 65_536],
  };

  test("an elastic job loses members and goes on, as far as its sizes allow", () => {
    const world = worldWith(
      {},
      `1 node x 8 gpus
       0s E 8*1 40s min 2 tier 3
       10s U 3*1 5s tier 0`,
      { E: { elastic } },
    );
    expect(victims(world)).toEqual([]);
    // Of 8, 7, 6, 4 and 2 the first that leaves three devices is 4.
    expect(drawn(world).map((row) => row[12])).toEqual([..."EEEEUUU."]);
  });

  test("with single devices a rigid gang loses one, hangs until its collective times out, and fails", () => {
    const world = worldWith(
      { preemptUnit: "device" },
      `1 node x 4 gpus
       0s G 4*1 100s tier 3
       10s U 1*1 5s tier 0`,
      { G: { collectiveTimeoutMs: 20_000 } },
    );
    const { chunk } = runAll(world);
    expect(runsOf(world, chunk, "U")).toEqual([[10_000, 15_000]]);
    expect(runsOf(world, chunk, "G")).toEqual([[0, 30_000]]);
    const row = [...chunk.runs.jobIdx].indexOf(jobNamed(world, "G"));
    expect(END_STATES[chunk.runs.endState[row]!]).toBe("failed");
    expect(STOP_REASONS[chunk.runs.stopReason[row]!]).toBe("hung");
  });

  test("with whole nodes everything on the chosen node goes", () => {
    const text = `2 nodes x 4 gpus
      0s A 1*2 100s tier 3
      0s B 1*2 100s tier 3
      0s C 1*3 100s tier 3
      0s D 1*1 100s tier 0
      10s U 1*1 5s tier 0`;
    const settings = { placement: "firstFit" };
    expect(victims(worldWith({ ...settings, preemptUnit: "job" }, text))).toEqual(["A@10"]);
    // On the other node runs a job that may not be stopped.
    expect(victims(worldWith({ ...settings, preemptUnit: "node" }, text))).toEqual([
      "A@10",
      "B@10",
    ]);
  });

  test("a job that started by preemption says so, and so does the run that ended for it", () => {
    const world = worldWith(
      {},
      `2 gpus
       0s A x2 20s tier 3
       10s U x2 5s tier 0`,
    );
    const { runs } = runAll(world).chunk;
    const rowOf = (name: string, run: number) =>
      [...runs.jobIdx].findIndex((job, i) => job === jobNamed(world, name) && runs.run[i] === run);
    expect(START_REASONS[runs.startReason[rowOf("U", 1)]!]).toBe("preempting");
    expect(STOP_REASONS[runs.stopReason[rowOf("A", 1)]!]).toBe("preempted");
    expect(END_STATES[runs.endState[rowOf("A", 1)]!]).toBe("preempted");
  });
});
