import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Simulation } from "../../src/engine/simulation.ts";
import type { Snapshot } from "../../src/engine/snapshot.ts";
import { SnapshotShelf } from "../../src/engine/snapshotShelf.ts";
import { WAIT_REASONS } from "../../src/model/reasons.ts";
import type { World } from "../../src/model/world.ts";
import { fcfs, testPresets } from "../support/testScheduler.ts";
import { type JobSpec, jobNamed, worldFromText, worldOf } from "../support/world.ts";

const TO_THE_END = { untilMs: Number.POSITIVE_INFINITY, maxEvents: Number.POSITIVE_INFINITY };

function manyJobs(count: number): JobSpec[] {
  return Array.from({ length: count }, (_, i) => ({
    name: `j${i}`,
    submitMs: i * 1_000,
    workMs: 1_000 + ((i * 7_919) % 9_000),
    components: [{ members: 1 + (i % 4), gpus: 1 }],
  }));
}

function runInChunks(world: World, maxEvents: number): Simulation {
  const simulation = new Simulation(world, testPresets);
  while (simulation.advance({ untilMs: Number.POSITIVE_INFINITY, maxEvents }) === "more")
    simulation.takeChunk();
  simulation.takeChunk();
  return simulation;
}

describe("explanations by re-execution", () => {
  const world = worldFromText(`4 gpus
    0s A x3 10s
    1s B x4 5s
    2s C x1 4s
    3s D x1 1s begin 20s`);

  test("say why a job waited at any past time, and leave the run alone", () => {
    const simulation = runInChunks(world, 2);
    const digest = simulation.digest();
    const ask = (name: string, atMs: number) => {
      const answer = simulation.explain(jobNamed(world, name), atMs);
      return (
        answer &&
        `${WAIT_REASONS[answer.reason]}, ${answer.gpusFree} free, place ${answer.position}`
      );
    };
    expect(ask("C", 11_000)).toBe("resources, 0 free, place 0");
    expect(ask("C", 2_000)).toBe("priority, 1 free, place 1");
    expect(ask("B", 1_000)).toBe("resources, 1 free, place 0");
    expect(ask("B", 9_999)).toBe("resources, 1 free, place 0");
    expect(ask("B", 10_000)).toBeNull();
    expect(ask("D", 5_000)).toBe("beginTime, 1 free, place -1");
    expect(ask("A", 0)).toBeNull();
    expect(ask("C", 1_999)).toBeNull();
    expect(simulation.digest()).toBe(digest);
  });

  test("are the same with and without snapshots", () => {
    const jobs = worldOf({ cluster: { nodes: 1, gpus: 6, flat: true }, jobs: manyJobs(200) });
    const withSnapshots = runInChunks(jobs, 20);
    const without = new Simulation(jobs, testPresets, { snapshots: false });
    without.advance(TO_THE_END);
    for (const atMs of [150_000, 3_000, 90_500, 91_000, 40_000]) {
      const jobIdx = Math.floor(atMs / 1_000) - 2;
      expect(withSnapshots.explain(jobIdx, atMs)).toEqual(without.explain(jobIdx, atMs));
    }
  });
});

describe("slices and ends", () => {
  test("an instant is never cut in two, however small the budget", () => {
    const simulation = new Simulation(
      worldFromText("8 gpus\n1s A x1 1s\n1s B x1 1s\n1s C x1 1s"),
      testPresets,
    );
    const budget = { untilMs: Number.POSITIVE_INFINITY, maxEvents: 1 };
    simulation.advance(budget);
    simulation.advance(budget);
    expect(simulation.nowMs).toBe(1_000);
    expect(simulation.openSet().rects.jobIdx.length).toBe(3);
  });

  test("a run with a horizon stops there, and what is open stays open", () => {
    const simulation = new Simulation(
      worldFromText("1 gpus\n0s A x1 9s\n1s B x1 1s", { horizonMs: 5_500 }),
      testPresets,
    );
    expect(simulation.advance(TO_THE_END)).toBe("done");
    expect(simulation.nowMs).toBe(5_500);
    const open = simulation.openSet();
    expect([open.rects.jobIdx[0], open.rects.startMs[0], open.rects.endMs[0]]).toEqual([
      0,
      0,
      Number.POSITIVE_INFINITY,
    ]);
    expect([open.waits.jobIdx[0], open.waits.fromMs[0]]).toEqual([1, 1_000]);
  });

  test("untilMs is included", () => {
    const simulation = new Simulation(worldFromText("1 gpus\n0s A x1 2s\n4s B x1 1s"), testPresets);
    expect(simulation.advance({ untilMs: 2_000, maxEvents: 100 })).toBe("more");
    expect(simulation.jobsDone).toBe(1);
    expect(simulation.advance(TO_THE_END)).toBe("done");
    expect(simulation.jobsDone).toBe(2);
  });

  test("the digest covers runs that are still open", () => {
    const digestAt = (untilMs: number, workMs: number) => {
      const jobs = [{ name: "A", submitMs: 0, workMs, components: [{ members: 1, gpus: 1 }] }];
      const simulation = new Simulation(
        worldOf({ cluster: { nodes: 1, gpus: 1 }, jobs }),
        testPresets,
      );
      simulation.advance({ untilMs, maxEvents: 100 });
      return simulation.digest();
    };
    expect(digestAt(1_000, 5_000)).toBe(digestAt(3_000, 9_000));
    expect(digestAt(1_000, 5_000)).not.toBe(digestAt(5_000, 5_000));
  });

  test("the digest tells placements apart", () => {
    const digestOf = (node: number) => {
      const world = worldFromText("2 nodes x 1 gpus\n0s A x1 2s");
      const placing = {
        ...fcfs,
        decide: ((view, happened, state, act) =>
          fcfs.decide(
            {
              ...view,
              nowMs: view.nowMs,
              nodes: Int32Array.of(node),
              takeDevices: view.takeDevices.bind(view),
              waiting: view.waiting.bind(view),
            } as typeof view,
            happened,
            state,
            act,
          )) as typeof fcfs.decide,
      };
      const simulation = new Simulation(world, () => placing);
      simulation.advance(TO_THE_END);
      return simulation.digest();
    };
    expect(digestOf(0)).not.toBe(digestOf(1));
  });
});

describe("snapshots", () => {
  test("hold only what lives: their size does not grow with the jobs that are done", () => {
    const sizeAfter = (jobs: number) => {
      const simulation = new Simulation(
        worldOf({ cluster: { nodes: 1, gpus: 64, flat: true }, jobs: manyJobs(jobs) }),
        testPresets,
      );
      simulation.advance({ untilMs: (jobs - 1) * 1_000, maxEvents: Number.POSITIVE_INFINITY });
      simulation.takeChunk();
      return simulation.snapshotBytes;
    };
    expect(sizeAfter(4_000)).toBeLessThan(1.2 * sizeAfter(400));
  });

  test("shrink after a rush, and the run goes on as if nothing had moved", () => {
    const rush = Array.from({ length: 6_000 }, (_, i) => ({
      name: `r${i}`,
      submitMs: 0,
      workMs: 1_000,
      components: [{ members: 1, gpus: 1 }],
    }));
    const long = {
      name: "long",
      submitMs: 0,
      workMs: 100_000,
      components: [{ members: 3, gpus: 1 }],
    };
    const late = { ...long, name: "late", submitMs: 50_000, workMs: 5_000 };
    const world = worldOf({
      cluster: { nodes: 1, gpus: 1_003, flat: true },
      jobs: [...rush, long, late],
    });
    const simulation = new Simulation(world, testPresets, { checks: true });
    const sizes: number[] = [];
    for (const untilMs of [500, 6_500, 20_000, 120_000]) {
      simulation.advance({ untilMs, maxEvents: Number.POSITIVE_INFINITY });
      const before = simulation.snapshotBytes;
      const { runs } = simulation.takeChunk();
      sizes.push(simulation.snapshotBytes - before);
      if (untilMs === 120_000) expect([...runs.endMs]).toEqual([55_000, 105_000]);
    }
    expect(sizes[1]!).toBeLessThan(sizes[0]! / 4);
    expect(simulation.jobsDone).toBe(6_002);
  });

  const MIB = 1024 * 1024;
  const shelved = (atMs: number, bytes: number) => ({ atMs, eventCount: atMs, bytes }) as Snapshot;

  test("are thinned to 64 MiB together, whatever each weighs, the newest kept", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 * MIB }), { minLength: 2 }), (sizes) => {
        const shelf = new SnapshotShelf();
        sizes.forEach((bytes, i) => {
          shelf.add(shelved(i + 1, bytes), i);
          expect(shelf.lastAtOrBefore(i + 1)?.atMs).toBe(i + 1);
          expect(shelf.bytes).toBeLessThanOrEqual(Math.max(64 * MIB, bytes));
        });
      }),
    );
  });

  test("are at most 256, however light; one that is too heavy by itself is not kept", () => {
    const shelf = new SnapshotShelf();
    for (let i = 1; i <= 600; i++) shelf.add(shelved(i, 1), i);
    expect(shelf.count).toBe(256);
    shelf.add(shelved(601, 65 * MIB), 601);
    expect(shelf.lastAtOrBefore(601)?.atMs).toBe(600);
  });

  test("lie dense near the end and ever wider apart before, and no time is far from the last one before it", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(12, 16, 32, 64),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 100, maxLength: 600 }),
        (kept, steps) => {
          const shelf = new SnapshotShelf();
          let events = 0;
          for (const [i, step] of steps.entries()) {
            events += step;
            shelf.add(shelved(events, Math.floor((64 * MIB) / kept)), i);
          }
          for (let at = 1; at <= events; at += 3) {
            const replayed = at - (shelf.lastAtOrBefore(at)?.atMs ?? 0);
            const most = (5 * (events - at + events / 8)) / kept;
            expect(replayed).toBeLessThanOrEqual(most + 50);
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  test("an edit at t goes back to a snapshot strictly before t: one taken at t has seen its ends already", () => {
    const world = worldFromText("1 gpus\n0s A x1 2s\n2s B x1 2s\n4s C x1 2s");
    const simulation = new Simulation(world, testPresets);
    simulation.advance({ untilMs: 0, maxEvents: 100 });
    simulation.takeChunk();
    simulation.advance({ untilMs: 2_000, maxEvents: 100 });
    simulation.takeChunk();
    expect(simulation.rewind(world, 2_000)).toEqual({ atMs: 0, keepChunks: 1 });
    expect(simulation.rewind(world, 0)).toEqual({ atMs: 0, keepChunks: 0 });
  });
});
