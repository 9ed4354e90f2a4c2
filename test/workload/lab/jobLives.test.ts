import { describe, expect, test } from "vitest";
import { nameOf } from "../../../src/model/jobs.ts";
import type { JobLife } from "../../../src/model/lab/jobLife.ts";
import { HOUR_MS, MINUTE_MS, SPEED_ONE } from "../../../src/model/units.ts";
import type { World } from "../../../src/model/world.ts";
import { expand } from "../../../src/workload/expand.ts";
import { must, mustRead, small } from "../../scenario/scenarios.ts";

const worldOf = (input: object): World => must(expand(mustRead({ ...small, ...input })));
const job = (id: string, fields: object) => ({
  id,
  submitMs: 0,
  workMs: HOUR_MS,
  ...("components" in fields || "nodes" in fields ? {} : { gpus: 8 }),
  ...fields,
});
const jobs = (...list: object[]) => ({ workload: { jobs: list } });
const lifeOf = (fields: object, others: object = {}): JobLife =>
  worldOf({ ...others, ...jobs(job("a", fields)) }).jobs.lab.get(0)!;

describe("what a job does in its life", () => {
  test("a job without a word of it has no entry", () => {
    expect(worldOf(jobs(job("a", {}))).jobs.lab.size).toBe(0);
  });

  test("what is left out is resolved to nothing, never or no limit", () => {
    expect(lifeOf({ startupMs: 5 })).toEqual({
      startupMs: 5,
      checkpoint: null,
      elastic: null,
      session: null,
      deadlineMs: Number.POSITIVE_INFINITY,
      bid: 0,
      traffic: null,
      collectiveTimeoutMs: Number.POSITIVE_INFINITY,
      requeueAtLimit: false,
      maxEvictions: Number.POSITIVE_INFINITY,
      nodes: null,
    });
  });

  test("jobs with the same words share one object: spelled out, tasks of an array, drawn and injected", () => {
    const checkpoint = { every: 60_000, costMs: 1_000 };
    const { jobs: table } = worldOf({
      horizonMs: 100 * HOUR_MS,
      workload: {
        jobs: [job("a", { checkpoint }), job("b", { checkpoint, array: { count: 3 } })],
        synthetic: [
          {
            id: "c",
            arrivals: { perHour: 1 },
            gpus: [{ value: 1, weight: 1 }],
            work: { medianMs: HOUR_MS },
            checkpoint,
          },
        ],
      },
      interventions: [
        { kind: "inject", atMs: 9, job: { id: "d", gpus: 1, workMs: 1, checkpoint } },
      ],
    });
    expect(table.lab.size).toBe(table.count);
    expect(table.count).toBeGreaterThan(50);
    expect(new Set(table.lab.values()).size).toBe(1);
  });

  test("a deadline counts from submission", () => {
    const world = worldOf(jobs(job("a", { submitMs: 7_000, deadlineInMs: 1_000 })));
    expect(world.jobs.lab.get(0)!.deadlineMs).toBe(8_000);
  });

  test("GPU models are taken in order, each with its speed", () => {
    const { nodes } = lifeOf({ gpuModels: [{ model: "H100" }, { model: "A100", speed: 0.5 }] });
    expect(nodes).toMatchObject({
      exclusive: false,
      models: [
        { model: "H100", speedQ16: SPEED_ONE },
        { model: "A100", speedQ16: SPEED_ONE / 2 },
      ],
      remoteNumaQ16: SPEED_ONE,
    });
  });
});

describe("checkpoints", () => {
  const failures = [{ of: "gpu", mtbfMs: 80 * HOUR_MS, repairMs: HOUR_MS }];

  test("Young's interval is that of the failure rate of the GPUs asked for: 8 GPUs at 80 h, 30 s of cost", () => {
    const { checkpoint } = lifeOf({ checkpoint: { every: "young", costMs: 30_000 } }, { failures });
    expect(checkpoint!.everyMs).toBe(Math.round(Math.sqrt(2 * 30_000 * 10 * HOUR_MS)));
  });

  test("where one costs nearly nothing, an interval is a second and not a millisecond", () => {
    const cluster = { ...small.cluster, storage: { writeGBps: 2 } };
    const nearlyFree = { every: "young", costMs: 1, sizeGiB: 1e-100, location: "shared" };
    const { checkpoint } = lifeOf({ checkpoint: nearlyFree }, { failures, cluster });
    expect(checkpoint!.everyMs).toBe(1_000);
  });

  test("half the GPUs, √2 times the interval; rates of GPUs and nodes add up", () => {
    const one = lifeOf({ gpus: 4, checkpoint: { every: "young", costMs: 30_000 } }, { failures });
    expect(one.checkpoint!.everyMs).toBe(Math.round(Math.sqrt(2 * 30_000 * 20 * HOUR_MS)));
    const both = [...failures, { of: "node", mtbfMs: 20 * HOUR_MS, repairMs: HOUR_MS }];
    const two = lifeOf({ checkpoint: { every: "young", costMs: 30_000 } }, { failures: both });
    // 8 GPUs: 0.1 an hour, the two nodes that they fill: 0.1 an hour.
    expect(two.checkpoint!.everyMs).toBe(Math.round(Math.sqrt(2 * 30_000 * 5 * HOUR_MS)));
  });

  test("with a shared filesystem the size counts: 10 GiB at 2 GB/s take 5.369 s; on the node the cost does", () => {
    const cluster = { ...small.cluster, storage: { writeGBps: 2 } };
    const words = { every: 60_000, costMs: 1_000, sizeGiB: 10 };
    expect(lifeOf({ checkpoint: words }, { cluster }).checkpoint).toMatchObject({
      sizeGiB: 10,
      costMs: 5_369,
    });
    expect(
      lifeOf({ checkpoint: { ...words, location: "node" } }, { cluster }).checkpoint,
    ).toMatchObject({ sizeGiB: 0, costMs: 1_000 });
    expect(lifeOf({ checkpoint: words }).checkpoint).toMatchObject({ sizeGiB: 0, costMs: 1_000 });
  });
});

describe("elastic jobs", () => {
  test("all numbers from least to most are allowed, at linear speed; the least is what the job starts with", () => {
    const world = worldOf(jobs(job("a", { elastic: { minMembers: 6, maxMembers: 10 } })));
    const { elastic } = world.jobs.lab.get(0)!;
    expect(elastic!.allowed).toEqual([6, 7, 8, 9, 10]);
    expect(elastic!.speedQ16).toEqual([6, 7, 8, 9, 10].map((n) => (n * SPEED_ONE) / 8));
    expect([world.jobs.components.members[0], world.jobs.components.minMembers[0]]).toEqual([8, 6]);
  });

  test("a list is sorted, each number once", () => {
    const elastic = { minMembers: 1, maxMembers: 8, allowed: [8, 2, 4, 2] };
    expect(lifeOf({ elastic }).elastic!.allowed).toEqual([2, 4, 8]);
  });

  test("with a factor of 0.9 each doubling gives 1.8 times the speed", () => {
    const elastic = { minMembers: 2, maxMembers: 16, allowed: [2, 4, 8, 16], scaling: 0.9 };
    const speeds = lifeOf({ elastic }).elastic!.speedQ16.map((speed) => speed / SPEED_ONE);
    const expected = [1 / 1.8 / 1.8, 1 / 1.8, 1, 1.8];
    speeds.forEach((speed, index) => {
      expect(speed).toBeCloseTo(expected[index]!, 4);
    });
  });

  test("a table of speeds is joined by straight lines and held at its ends", () => {
    const throughput = [
      { members: 8, speed: 1 },
      { members: 4, speed: 0.6 },
    ];
    const elastic = { minMembers: 2, maxMembers: 10, allowed: [2, 4, 6, 8, 10], throughput };
    const speeds = lifeOf({ elastic }).elastic!.speedQ16.map((speed) => speed / SPEED_ONE);
    [0.6, 0.6, 0.8, 1, 1].forEach((speed, index) => {
      expect(speeds[index]).toBeCloseTo(speed, 4);
    });
  });

  test("DeepSpeed's numbers are GPUs: members of two GPUs take half of them", () => {
    const deepspeed = { microBatches: [2, 4, 6], maxBatch: 2_000 };
    const elastic = { minMembers: 1, maxMembers: 10_000, deepspeed };
    const single = lifeOf({ elastic }).elastic!.allowed;
    expect(single).toHaveLength(32);
    const pairs = lifeOf({ nodes: 4, gpusPerNode: 2, elastic }).elastic!.allowed;
    expect(pairs).toEqual(single.filter((gpus) => gpus % 2 === 0).map((gpus) => gpus / 2));
  });
});

describe("a long job as a chain of stages", () => {
  const chain = job("long", { workMs: 100, stages: 3, fails: true });
  const world = worldOf(jobs(chain, job("next", { after: [{ job: "long" }] })));
  const idOf = (jobIdx: number) => nameOf(world.jobs.ids, jobIdx);

  test("shares the work in whole milliseconds", () => {
    expect([...world.jobs.at.workQ16].slice(0, 3).map((work) => work / SPEED_ONE)).toEqual([
      33, 33, 34,
    ]);
  });

  test("each stage waits for the last one; who waits for the job waits for its last stage", () => {
    expect(
      world.jobs.dependencies.map(({ jobIdx, onJobIdx, kind }) => [
        idOf(jobIdx),
        kind,
        idOf(onJobIdx),
      ]),
    ).toEqual([
      ["long.2", "afterOk", "long.1"],
      ["long.3", "afterOk", "long.2"],
      ["next", "afterOk", "long.3"],
    ]);
  });

  test("only the last stage ends with the error of the job", () => {
    const fails = [...world.jobs.at.flags].map((flags) => (flags & 64) !== 0);
    expect(fails).toEqual([false, false, true, false]);
  });

  test("what is told to the job is told to every stage", () => {
    const { changes } = worldOf({
      ...jobs(chain),
      interventions: [{ kind: "cancel", atMs: 5, job: "long" }],
    });
    expect(changes).toHaveLength(3);
  });
});

test("a job that names no tier gets the first tier that is for its kind, else the standard one", () => {
  const tiers = [
    { id: "serve", name: "Serve", letter: "S", kinds: ["inference"] },
    { id: "mid", name: "Middle", letter: "M" },
    { id: "ci", name: "CI", letter: "C", kinds: ["ci", "interactive"] },
  ];
  const { jobs: table } = worldOf({
    tiers,
    horizonMs: MINUTE_MS,
    ...jobs(
      job("a", { kind: "ci" }),
      job("b", { kind: "inference" }),
      job("c", {}),
      job("d", { kind: "ci", tier: "mid" }),
    ),
    services: [{ id: "s", maxReplicas: 1, requestMs: 10, demand: {} }],
  });
  const byId = new Map(
    Array.from({ length: table.count }, (_, i) => [nameOf(table.ids, i), table.at.tier[i]]),
  );
  expect(Object.fromEntries(byId)).toEqual({ a: 2, b: 0, c: 1, d: 1, "s/0": 0 });
});
