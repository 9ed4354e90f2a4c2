/** Random small workloads for the comparison of the lab with the naive oracle, and both of them run on one. */
import fc from "fast-check";
import type { Presets } from "../../../src/engine/pool.ts";
import { Simulation } from "../../../src/engine/simulation.ts";
import { nodeOfDevice } from "../../../src/model/cluster.ts";
import { JobFlag } from "../../../src/model/jobs.ts";
import { EndStateCode } from "../../../src/model/states.ts";
import type { World } from "../../../src/model/world.ts";
import type { Chunk } from "../../../src/record/shapes.ts";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { worldOf } from "../../support/world.ts";
import { NAIVE_PLACEMENTS, type NaiveJob, type NaiveSetting } from "./naive.ts";

export interface Case {
  readonly setting: NaiveSetting;
  readonly jobs: readonly NaiveJob[];
}

const job = (flat: boolean, limits: "exact" | "upper" | "any") =>
  fc
    .record({
      submit: fc.integer({ min: 0, max: 60 }),
      run: fc.integer({ min: 1, max: 30 }),
      slack: fc.integer({ min: 0, max: 20 }),
      members: fc.integer({ min: 1, max: 6 }),
      gpus: fc.integer({ min: 1, max: 4 }),
      cpus: fc.constantFrom(0, 0, 0, 1, 3),
      ownNode: fc.boolean(),
      tier: fc.integer({ min: 0, max: 3 }),
    })
    .map(({ slack, ...rest }) => ({
      ...rest,
      cpus: flat ? 0 : rest.cpus,
      ownNode: !flat && rest.ownNode,
      limit:
        limits === "exact"
          ? rest.run
          : limits === "upper"
            ? rest.run + slack
            : Math.max(1, rest.run + slack - 10),
    }));

export function cases(
  backfill: NaiveSetting["backfill"],
  flat: boolean,
  limits: "exact" | "upper" | "any",
  jobsMost = 40,
): fc.Arbitrary<Case> {
  const setting = fc.record({
    nodes: flat ? fc.constant(1) : fc.integer({ min: 1, max: 6 }),
    gpus: flat ? fc.integer({ min: 4, max: 24 }) : fc.integer({ min: 2, max: 8 }),
    cpus: fc.integer({ min: 4, max: 12 }),
    leaves: fc.integer({ min: 1, max: 3 }),
    order: fc.constantFrom("fcfs", "fcfs", "shortest", "tiers"),
    backfill: fc.constant(backfill),
    placement: fc.constantFrom(...NAIVE_PLACEMENTS),
    depth: fc.constantFrom(1000, 1000, 3),
    reservations: fc.constantFrom(1, 2, 5, 1000),
    window: fc.constantFrom(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 10),
    cpusAreMemory: fc.boolean(),
    kill: limits === "any" ? fc.boolean() : fc.constant(true),
  });
  const jobs = fc.array(job(flat, limits), {
    minLength: jobsMost > 64 ? 64 : 1,
    maxLength: jobsMost,
    size: "max",
  });
  return fc.tuple(setting, jobs).map(([chosen, list]) => ({
    setting: { ...chosen, leaves: Math.min(chosen.leaves, chosen.nodes) } as NaiveSetting,
    jobs: [...list].sort((a, b) => a.submit - b.submit),
  }));
}

/** With `twoParts` every other job also gets the component of the job before it. */
export function worldOfCase(from: Case, flat: boolean, twoParts = false): World {
  const { setting, jobs } = from;
  const { order, backfill, placement, depth } = setting;
  const passing =
    backfill === "reservations"
      ? {
          reservations: setting.reservations!,
          windowMs: Number.isFinite(setting.window!) ? setting.window! : 0,
        }
      : {};
  return worldOf({
    cluster: {
      nodes: setting.nodes,
      gpus: setting.gpus,
      ...(setting.cpusAreMemory ? { memMiB: setting.cpus } : { cpus: setting.cpus }),
      leaves: setting.leaves,
      flat,
    },
    killAtLimit: setting.kill,
    pools: [
      {
        preset: "lab",
        settings: { order, backfill, placement, depth, gangTogether: true, ...passing },
      },
    ],
    jobs: jobs.map((spec, i) => ({
      name: `j${i}`,
      submitMs: spec.submit,
      workMs: spec.run,
      limitMs: spec.limit,
      tier: spec.tier,
      flags: JobFlag.gang,
      components: [spec, ...(twoParts && i % 2 === 1 ? [jobs[i - 1]!] : [])].map((part) => ({
        members: part.members,
        gpus: part.gpus,
        ownNode: part.ownNode,
        ...(setting.cpusAreMemory ? { memMiB: part.cpus } : { cpuMilli: part.cpus * 1_000 }),
      })),
    })),
  });
}

/** Runs a world with the lab and all checks on; snapshots as given. */
export function runLab(
  world: World,
  presets: Presets = schedulerOf,
): { simulation: Simulation; chunk: Chunk } {
  const simulation = new Simulation(world, presets, { checks: true });
  simulation.advance({ untilMs: Number.POSITIVE_INFINITY, maxEvents: Number.POSITIVE_INFINITY });
  return { simulation, chunk: simulation.takeChunk() };
}

/** Start and devices by node of each job, as text: `12: 0x4 2x8`; `-` for a job that never ran. */
export function startsOf(world: World, chunk: Chunk): string[] {
  const starts = new Array<string>(world.jobs.count).fill("-");
  const nodes = Array.from({ length: world.jobs.count }, () => new Map<number, number>());
  const { rects, runs } = chunk;
  for (let i = 0; i < rects.jobIdx.length; i++) {
    const byNode = nodes[rects.jobIdx[i]!]!;
    const node = nodeOfDevice(world.cluster, rects.device[i]!);
    byNode.set(node, (byNode.get(node) ?? 0) + rects.deviceCount[i]!);
  }
  for (let i = 0; i < runs.jobIdx.length; i++) {
    if (runs.endState[i] === EndStateCode.refused) continue;
    starts[runs.jobIdx[i]!] = describe(runs.startMs[i]!, nodes[runs.jobIdx[i]!]!);
  }
  return starts;
}

export function describe(startMs: number, devicesOfNode: ReadonlyMap<number, number>): string {
  const parts = [...devicesOfNode]
    .sort(([a], [b]) => a - b)
    .map(([node, count]) => `${node}x${count}`);
  return `${startMs}: ${parts.join(" ")}`;
}
