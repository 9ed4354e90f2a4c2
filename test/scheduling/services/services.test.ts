import { describe, expect, it } from "vitest";
import { DecisionKindCode } from "../../../src/record/shapes.ts";
import { labPool } from "../../schedulers/policyDocs.ts";
import { gaugeOf, runAll, runsOf, sameWithSnapshots } from "../../support/labRuns.ts";
import { type ServiceSpec, serviceWorld } from "../../support/serviceWorld.ts";
import type { WorldSpec } from "../../support/world.ts";

const pools = [labPool({ order: "tiers", backfill: "easy" })];

function worldWith(spec: ServiceSpec, rest: Partial<WorldSpec> = {}) {
  return serviceWorld(spec, {
    cluster: { nodes: 2, gpus: 4 },
    pools,
    jobs: [],
    horizonMs: 60_000,
    ...rest,
  });
}

describe("services", () => {
  it("scale with demand: at 50 % of a request a second each, two replicas for each request a second", () => {
    const world = worldWith({
      min: 1,
      max: 8,
      coldStartMs: 3_000,
      demand: [
        [0, 0.5],
        [10_000, 2],
        [30_000, 1],
      ],
    });
    const { chunk } = runAll(world);
    expect(gaugeOf(chunk, "replicasWanted")).toEqual([
      [0, 1],
      [10_000, 4],
      [30_000, 2],
    ]);
    expect(gaugeOf(chunk, "replicasServing")).toEqual([
      [0, 0],
      [3_000, 1],
      [13_000, 4],
      [30_000, 2],
    ]);
  });

  it("wait for devices like any job of their tier: ahead of lower tiers, behind higher ones", () => {
    const spec: ServiceSpec = {
      min: 1,
      max: 4,
      tier: 1,
      demand: [
        [0, 0.5],
        [2_000, 2],
      ],
    };
    const servingFrom = (tier: number) => {
      const J = { name: "J", submitMs: 2_000, workMs: 5_000, tier };
      const jobs = [{ ...J, components: [{ members: 3, gpus: 1 }] }];
      const world = worldWith(spec, { cluster: { nodes: 1, gpus: 4 }, jobs });
      const { chunk } = runAll(world);
      return gaugeOf(chunk, "replicasServing").at(-1);
    };
    expect(servingFrom(2)).toEqual([2_000, 4]);
    expect(servingFrom(0)).toEqual([7_000, 4]);
  });

  it("preempt lower tiers where the policy lets them, and those only beyond the guaranteed minimum", () => {
    const preempting = [labPool({ order: "tiers", backfill: "easy", preemption: "requeue" })];
    const J = {
      name: "J",
      submitMs: 0,
      workMs: 30_000,
      tier: 3,
      components: [{ members: 1, gpus: 3 }],
    };
    const spec: ServiceSpec = {
      min: 1,
      max: 4,
      tier: 1,
      demand: [
        [0, 0.5],
        [5_000, 2],
        [20_000, 0.5],
      ],
    };
    const rest = { cluster: { nodes: 1, gpus: 4 }, pools: preempting };
    const world = worldWith(spec, { ...rest, jobs: [J] });
    const { chunk } = runAll(world);
    expect(gaugeOf(chunk, "replicasServing")).toContainEqual([5_000, 4]);
    expect(runsOf(world, chunk, "J")[0]).toEqual([0, 5_000]);
    // An urgent job takes the three that are not guaranteed, and waits for the fourth device in vain.
    const urgent = (gpus: number) => {
      const K = { ...J, name: "K", submitMs: 10_000, tier: 0, workMs: 5_000 };
      const jobs = [{ ...K, components: [{ members: 1, gpus }] }];
      const other = worldWith(spec, { ...rest, jobs });
      return runsOf(other, runAll(other).chunk, "K");
    };
    expect(urgent(3)).toEqual([[10_000, 15_000]]);
    expect(urgent(4)).toEqual([]);
  });

  it("shrink by the youngest, and give the devices to those who wait in the same instant", () => {
    const world = worldWith(
      {
        min: 1,
        max: 4,
        demand: [
          [0, 0.5],
          [2_000, 2],
          [10_000, 0.5],
        ],
      },
      {
        cluster: { nodes: 1, gpus: 4 },
        jobs: [
          {
            name: "J",
            submitMs: 3_000,
            workMs: 5_000,
            tier: 2,
            components: [{ members: 3, gpus: 1 }],
          },
        ],
      },
    );
    const { chunk, simulation } = runAll(world);
    expect(runsOf(world, chunk, "J")).toEqual([[10_000, 15_000]]);
    for (const replica of [1, 2, 3])
      expect(runsOf(world, chunk, `chat/${replica}`)).toEqual([[2_000, 10_000]]);
    expect(runsOf(world, chunk, "chat/0")).toEqual([]);
    expect([...simulation.openSet().rects.jobIdx]).toEqual([0]);
  });

  it("wait no longer for replicas that they do not want: nothing is counted as waiting then", () => {
    const { chunk, simulation } = runAll(worldWith({ min: 1, max: 8, demand: [[0, 0.5]] }));
    expect(chunk.waits.jobIdx.length).toBe(0);
    expect(simulation.openSet().waits.jobIdx.length).toBe(0);
  });

  it("come down only when no wish of the last minutes was higher, and go up at once", () => {
    const demand: [number, number][] = [
      [0, 1],
      [10_000, 3],
      [11_000, 1],
      [14_000, 3],
      [15_000, 1],
    ];
    const slow = runAll(worldWith({ min: 1, max: 8, demand, autoscale: { downDelayMs: 10_000 } }));
    expect(gaugeOf(slow.chunk, "replicasWanted")).toEqual([
      [0, 2],
      [10_000, 6],
      [25_000, 2],
    ]);
    const quick = runAll(worldWith({ min: 1, max: 8, demand }));
    expect(gaugeOf(quick.chunk, "replicasWanted")).toHaveLength(5);
  });

  it("catch up where what has piled up counts as demand", () => {
    // Two requests a second from 10 s to 20 s meet one replica until a cold start of 5 s is over.
    const demand: [number, number][] = [
      [0, 0],
      [10_000, 2],
    ];
    const spec = { min: 1, max: 8, coldStartMs: 5_000, demand };
    const autoscale = { target: 1, everyMs: 5_000 };
    const without = runAll(worldWith({ ...spec, autoscale }));
    const counted = worldWith({ ...spec, autoscale: { ...autoscale, catchUpMs: 5_000 } });
    const withIt = runAll(counted);
    const wanted = (chunk: typeof withIt.chunk) =>
      Math.max(...gaugeOf(chunk, "replicasWanted").map(([, replicas]) => replicas));
    // Five requests have piled up at 15 s: one a second more for five seconds.
    expect([wanted(without.chunk), wanted(withIt.chunk)]).toEqual([2, 3]);
    const late = (chunk: typeof withIt.chunk) => gaugeOf(chunk, "latency").at(-1)![1];
    expect(late(withIt.chunk)).toBeLessThan(late(without.chunk));
    sameWithSnapshots(counted);
  });

  it("go up only when every wish of the delay was higher", () => {
    const demand: [number, number][] = [
      [0, 1],
      [10_000, 3],
      [12_000, 1],
      [20_000, 3],
    ];
    const { chunk } = runAll(
      worldWith({ min: 2, max: 8, demand, autoscale: { upDelayMs: 5_000 } }),
    );
    expect(gaugeOf(chunk, "replicasWanted")).toEqual([
      [0, 2],
      [25_000, 6],
    ]);
  });

  it("leave a difference within the tolerance alone", () => {
    const demand: [number, number][] = [
      [0, 5],
      [10_000, 5.4],
      [20_000, 5.6],
    ];
    const cluster = { nodes: 4, gpus: 4 };
    const spec = { min: 1, max: 16, demand, autoscale: { tolerance: 0.1 } };
    const { chunk } = runAll(worldWith(spec, { cluster }));
    expect(gaugeOf(chunk, "replicasWanted")).toEqual([
      [0, 10],
      [20_000, 12],
    ]);
  });

  it("ask by latency for as many replicas as meet the target", () => {
    const demand: [number, number][] = [
      [0, 1],
      [10_000, 6],
    ];
    const spec = {
      min: 1,
      max: 16,
      demand,
      targetMs: 3_200,
      autoscale: { metric: "latency" as const },
    };
    const { chunk } = runAll(worldWith(spec, { cluster: { nodes: 4, gpus: 4 } }));
    const [last] = gaugeOf(chunk, "replicasWanted").slice(-1);
    const latencies = gaugeOf(chunk, "latency");
    expect(last![0]).toBe(10_000);
    expect(latencies.at(-1)![1]).toBeLessThanOrEqual(3_200);
    expect(last![1]).toBeLessThan(12);
  });

  it("have a backlog when they do not keep up, which shows as latency and is worked off", () => {
    const demand: [number, number][] = [
      [0, 3],
      [10_000, 0.5],
    ];
    const world = worldWith({ min: 2, max: 2, cv2: 0, demand, autoscale: { metric: "fixed" } });
    const latencies = new Map(gaugeOf(runAll(world).chunk, "latency"));
    // One request a second more than two replicas can do: 10 wait at 10 s, 5 s of work; then 1.5 a second fewer.
    expect(latencies.get(10_000)).toBeCloseTo(6_000, 3);
    expect(latencies.get(12_000)).toBeCloseTo(4_500, 3);
    expect([...latencies.keys()].at(-1)).toBe(17_000);
  });

  it("start a lost replica again, and count it as serving only after its cold start", () => {
    const world = worldWith(
      { min: 4, max: 4, coldStartMs: 2_000, demand: [[0, 1]], autoscale: { metric: "fixed" } },
      { changes: [{ atMs: 10_000, source: 0, kind: "fail", nodes: [0] }] },
    );
    const { chunk } = runAll(world);
    expect(gaugeOf(chunk, "replicasServing")).toEqual([
      [0, 0],
      [2_000, 4],
      [10_000, 0],
      [12_000, 4],
    ]);
  });

  it("do not swing at constant demand, and stay within their limits whatever demand does", () => {
    const demand = Array.from({ length: 50 }, (_, i): [number, number] => [
      i * 1_000,
      [0, 7, 2, 40, 0.1][i % 5]!,
    ]);
    const wild = runAll(worldWith({ min: 2, max: 6, demand }));
    for (const [, replicas] of gaugeOf(wild.chunk, "replicasWanted")) {
      expect(replicas).toBeGreaterThanOrEqual(2);
      expect(replicas).toBeLessThanOrEqual(6);
    }
    const calm = runAll(worldWith({ min: 1, max: 8, demand: [[0, 1.9]] }));
    expect(gaugeOf(calm.chunk, "replicasWanted")).toEqual([[0, 4]]);
    const holds = [...calm.chunk.decisions.kind].filter((kind) => kind === DecisionKindCode.evict);
    expect(holds).toHaveLength(0);
  });

  it("give the same run with snapshots, rewinds and slices", () => {
    const demand = Array.from({ length: 30 }, (_, i): [number, number] => [
      i * 1_700,
      [1, 3, 2, 4, 0.1][i % 5]!,
    ]);
    const autoscale = { downDelayMs: 4_000, upDelayMs: 1_000 };
    const jobs = Array.from({ length: 12 }, (_, i) => ({
      name: `J${i}`,
      submitMs: i * 3_000,
      workMs: 4_000 + 700 * i,
      tier: 2,
      components: [{ members: 1 + (i % 3), gpus: 1 }],
    }));
    sameWithSnapshots(worldWith({ min: 1, max: 8, coldStartMs: 900, demand, autoscale }, { jobs }));
  });
});
