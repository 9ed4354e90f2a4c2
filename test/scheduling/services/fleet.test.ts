import { describe, expect, it } from "vitest";
import type { FleetRule } from "../../../src/model/lab/services.ts";
import type { World } from "../../../src/model/world.ts";
import { type Chunk, DecisionKindCode } from "../../../src/record/shapes.ts";
import { labPool } from "../../schedulers/policyDocs.ts";
import { gaugeOf, runAll, runsOf, sameWithSnapshots } from "../../support/labRuns.ts";
import { serviceWorld } from "../../support/serviceWorld.ts";
import type { JobSpec } from "../../support/world.ts";

const MINUTE = 60_000;
const pools = [labPool({ order: "tiers", backfill: "easy" }), labPool({ backfill: "easy" })];

/** Six nodes of four devices, two of them serving at first; a queue of batch jobs that never ends; demand as a square wave. */
function fleetWorld(rule: Partial<FleetRule> = {}, highMs = 60 * MINUTE): World {
  const jobs: JobSpec[] = Array.from({ length: 900 }, (_, i) => ({
    name: `J${i}`,
    submitMs: 0,
    workMs: (2 + (i % 3)) * MINUTE,
    limitMs: 5 * MINUTE,
    tier: 2,
    pool: 1,
    components: [{ members: 1, gpus: 2 }],
  }));
  const demand = Array.from({ length: 6 }, (_, i): [number, number] => [
    i * highMs,
    i % 2 === 0 ? 2 : 7,
  ]);
  const world = serviceWorld(
    {
      min: 1,
      max: 20,
      coldStartMs: 30_000,
      targetMs: 12_000,
      demand,
      autoscale: { everyMs: 30_000, downDelayMs: 60_000 },
    },
    {
      cluster: { nodes: 6, gpus: 4 },
      jobs,
      pools,
      poolOfNode: [0, 0, 1, 1, 1, 1],
      horizonMs: 6 * highMs,
    },
  );
  const fleet: FleetRule = {
    serving: 0,
    batch: 1,
    everyMs: MINUTE,
    servingMin: 1,
    batchMin: 1,
    upAfterMs: 2 * MINUTE,
    downAfterMs: 10 * MINUTE,
    queueAbove: 0,
    spare: 0.8,
    nodesAtOnce: 2,
    handOverMs: MINUTE,
    ...rule,
  };
  return { ...world, fleet };
}

function handOvers(chunk: Chunk): [number, number, number][] {
  const { kind, atMs, jobIdx, value } = chunk.decisions;
  return [...kind].flatMap((code, i): [number, number, number][] =>
    code === DecisionKindCode.handNode ? [[atMs[i]!, jobIdx[i]!, value[i]!]] : [],
  );
}

describe("fleet controller", () => {
  it("follows a square wave with lag, once up and once down for each wave, and does not flap", () => {
    const { chunk } = runAll(fleetWorld());
    const given = handOvers(chunk);
    const up = given.filter(([, , pool]) => pool === 0);
    const down = given.filter(([, , pool]) => pool === 1);
    // 14 replicas are wanted at the peak: 16 devices, two nodes more; each wave takes them and gives them back once.
    expect(up.map(([atMs]) => Math.floor(atMs / (60 * MINUTE)))).toEqual([1, 1, 3, 3, 5, 5]);
    expect(down.length).toBeGreaterThanOrEqual(4);
    // Lag: the condition must have held for two minutes, jobs drain, the node is cleaned, replicas start.
    const peak = gaugeOf(chunk, "replicasServing").filter(
      ([atMs]) => atMs > 60 * MINUTE && atMs < 120 * MINUTE,
    );
    expect(peak.at(-1)![1]).toBe(14);
    expect(peak.at(-1)![0]).toBeGreaterThan(63 * MINUTE);
    expect(peak.at(-1)![0]).toBeLessThan(75 * MINUTE);
  });

  it("lets the condition hold anew before the next node follows", () => {
    const { chunk } = runAll(fleetWorld({ upAfterMs: 15 * MINUTE, nodesAtOnce: 1 }));
    const up = handOvers(chunk).flatMap(([atMs, , pool]) => (pool === 0 ? [atMs] : []));
    // A node is there at most 7 min after the decision: drained in 5, cleaned in one.
    const first = up.filter((atMs) => atMs > 60 * MINUTE && atMs < 120 * MINUTE);
    expect(first).toHaveLength(2);
    expect(first[1]! - first[0]!).toBeGreaterThan(8 * MINUTE);
  });

  it("counts shares of a GPU in the batch queue as the parts that they are", () => {
    // Ten jobs wait for half a GPU each: five GPUs, whatever their number.
    const half = { members: 1, gpus: 1, shareMilli: 500 };
    const job = { submitMs: 0, workMs: 500 * MINUTE, limitMs: 500 * MINUTE, tier: 2, pool: 1 };
    const crowded = (queueAbove: number): World => {
      const world = serviceWorld(
        { min: 1, max: 4, coldStartMs: 30_000, targetMs: 12_000, demand: [[0, 0.1]] },
        {
          cluster: { nodes: 3, gpus: 4 },
          jobs: [
            { ...job, name: "full", components: [{ members: 4, gpus: 1 }] },
            ...Array.from({ length: 10 }, (_, i) => ({
              ...job,
              name: `H${i}`,
              components: [half],
            })),
          ],
          pools,
          poolOfNode: [0, 0, 1],
          horizonMs: 60 * MINUTE,
        },
      );
      const { fleet } = fleetWorld({ queueAbove });
      return { ...world, fleet: fleet! };
    };
    expect(handOvers(runAll(crowded(5)).chunk)).toEqual([]);
    expect(handOvers(runAll(crowded(4)).chunk).length).toBeGreaterThan(0);
  });

  it("flaps without hysteresis when demand swings quickly", () => {
    const calm = handOvers(runAll(fleetWorld({}, 6 * MINUTE)).chunk).length;
    const rash = handOvers(
      runAll(fleetWorld({ upAfterMs: 0, downAfterMs: 0, spare: 1 }, 6 * MINUTE)).chunk,
    ).length;
    expect(rash).toBeGreaterThan(2 * calm);
  });

  it("does nothing at constant demand once the pools have what they need", () => {
    const world = fleetWorld();
    const service = world.services![0]!;
    const constant = {
      ...world,
      services: [{ ...service, demand: { atMs: Float64Array.of(0), perSec: Float64Array.of(2) } }],
    };
    const times = handOvers(runAll(constant).chunk).map(([atMs]) => atMs);
    for (const atMs of times) expect(atMs).toBeLessThan(20 * MINUTE);
  });

  it("keeps the least number of nodes on each side, and a node in one pool", () => {
    const { chunk } = runAll(
      fleetWorld({ servingMin: 2, batchMin: 3, upAfterMs: 0, downAfterMs: 0 }),
    );
    const owner = [0, 0, 1, 1, 1, 1];
    const count = [2, 4];
    for (const [, node, pool] of handOvers(chunk)) {
      expect(owner[node]).toBe(1 - pool);
      owner[node] = pool;
      count[pool]!++;
      count[1 - pool]!--;
      expect(count[0]).toBeGreaterThanOrEqual(2);
      expect(count[1]).toBeGreaterThanOrEqual(3);
    }
    expect(handOvers(chunk).length).toBeGreaterThan(0);
  });

  it("lets replicas start elsewhere when their node leaves, and stops no batch job", () => {
    const { chunk } = runAll(fleetWorld());
    const world = fleetWorld();
    for (let i = 0; i < 30; i++) {
      const runs = runsOf(world, chunk, `J${i}`);
      expect(runs).toHaveLength(1);
      expect(runs[0]![1] - runs[0]![0]).toBe((2 + (i % 3)) * MINUTE);
    }
  });

  it("gives the same run with snapshots, rewinds and slices", () => {
    sameWithSnapshots(fleetWorld({ upAfterMs: MINUTE, downAfterMs: 2 * MINUTE }, 10 * MINUTE));
  });
});
