/** What holds of preemption whatever the jobs: the relation, usefulness, the bound of a cooldown, and runs that do not depend on snapshots. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type JobLife, PLAIN_LIFE } from "../../../src/model/lab/jobLife.ts";
import type { World } from "../../../src/model/world.ts";
import { DecisionKindCode } from "../../../src/record/shapes.ts";
import { addWalk } from "../../../src/schedulers/lab/lab.ts";
import { walk } from "../../../src/schedulers/lab/walk/walk.ts";
import { runAll, sameWithSnapshots } from "../../support/labRuns.ts";
import { worldFromText } from "../../support/world.ts";
import { labPool } from "../policyDocs.ts";

addWalk(walk);

const RUNS = { numRuns: 120, endOnFailure: true };

const jobs = fc.array(
  fc.record({
    atSec: fc.integer({ min: 0, max: 40 }),
    members: fc.integer({ min: 1, max: 6 }),
    gpus: fc.integer({ min: 1, max: 3 }),
    workSec: fc.integer({ min: 1, max: 30 }),
    tier: fc.integer({ min: 0, max: 3 }),
    shrinks: fc.boolean(),
    timesOut: fc.boolean(),
  }),
  { minLength: 3, maxLength: 24 },
);

const settings = fc.record({
  backfill: fc.constantFrom("none", "skip", "easy"),
  order: fc.constantFrom("fcfs", "tiers"),
  preemption: fc.constantFrom("cancel", "requeue", "suspend", "graceful", "wait"),
  victims: fc.constantFrom(
    "fewestJobs",
    "lowestPriority",
    "youngest",
    "leastLostWork",
    "mostOverShare",
  ),
  preemptUnit: fc.constantFrom("job", "node", "device"),
  placement: fc.constantFrom("firstFit", "spread", "fewestNodes"),
  newerEqual: fc.boolean(),
  onlyIfUseful: fc.constant(true),
  shrinkFirst: fc.boolean(),
  graceMs: fc.constantFrom(0, 2_000),
  giveUpMs: fc.constantFrom(0, 3_000),
  minRunMs: fc.constantFrom(0, 4_000),
  cooldownMs: fc.constantFrom(8_000, 20_000),
});

type Jobs = typeof jobs extends fc.Arbitrary<infer V> ? V : never;
type Settings = typeof settings extends fc.Arbitrary<infer V> ? V : never;

function worldOf(drawn: Jobs, set: Settings): World {
  const list = [...drawn].sort((one, other) => one.atSec - other.atSec);
  const lines = list.map(
    (job, i) =>
      `${job.atSec}s j${i} ${job.members}*${job.gpus} ${job.workSec}s limit ${job.workSec}s tier ${job.tier} ${job.shrinks ? "min 1" : ""}`,
  );
  const world = worldFromText(`3 nodes x 4 gpus\n${lines.join("\n")}`, { pools: [labPool(set)] });
  // In the table jobs stand as in the text.
  const lab = new Map(
    list.flatMap((job, i): [number, JobLife][] => {
      if (job.shrinks && job.members > 1)
        return [[i, { ...PLAIN_LIFE, elastic: anySize(job.members) }]];
      return job.timesOut ? [[i, { ...PLAIN_LIFE, collectiveTimeoutMs: 5_000 }]] : [];
    }),
  );
  return { ...world, jobs: { ...world.jobs, lab } };
}

function anySize(members: number): JobLife["elastic"] {
  const allowed = Array.from({ length: members }, (_, i) => i + 1);
  return {
    minMembers: 1,
    maxMembers: members,
    allowed,
    restart: "torchrun",
    rendezvousMs: 1_000,
    maxRestarts: 1_000,
    speedQ16: allowed.map((size) => Math.floor((65_536 * size) / members)),
  };
}

interface Decision {
  readonly kind: number;
  readonly atMs: number;
  readonly jobIdx: number;
  readonly value: number;
}

function decisionsOf(world: World): Decision[] {
  const { kind, atMs, jobIdx, value } = runAll(world).chunk.decisions;
  return [...kind].map((code, i) => ({
    kind: code,
    atMs: atMs[i]!,
    jobIdx: jobIdx[i]!,
    value: value[i]!,
  }));
}

test("no victim outside the relation that the policy declares", () => {
  const property = fc.property(jobs, settings, (list, set) => {
    const world = worldOf(list, set);
    const { tier, submitMs } = world.jobs.at;
    for (const { kind, jobIdx, value } of decisionsOf(world)) {
      if (kind !== DecisionKindCode.evict) continue;
      const higher = tier[value]! < tier[jobIdx]!;
      const older =
        submitMs[value]! < submitMs[jobIdx]! ||
        (submitMs[value] === submitMs[jobIdx] && value < jobIdx);
      const newerEqual = set.newerEqual && tier[value] === tier[jobIdx] && older;
      expect(higher || newerEqual).toBe(true);
    }
  });
  fc.assert(property, RUNS);
});

test("nobody is evicted at once without the job that it was for starting at that time", () => {
  const property = fc.property(jobs, settings, (list, set) => {
    const atOnce: Settings = {
      ...set,
      preemption: "requeue",
      preemptUnit: "job",
      shrinkFirst: false,
    };
    const decisions = decisionsOf(worldOf(list, atOnce));
    for (const { kind, atMs, value } of decisions) {
      if (kind !== DecisionKindCode.evict) continue;
      const starts = decisions.some(
        (other) =>
          other.kind === DecisionKindCode.start && other.atMs === atMs && other.jobIdx === value,
      );
      expect(starts).toBe(true);
    }
  });
  fc.assert(property, RUNS);
});

test("with a cooldown no job is evicted more often than its time allows", () => {
  const property = fc.property(jobs, settings, (list, set) => {
    const lastMs = new Map<number, number>();
    for (const { kind, atMs, jobIdx } of decisionsOf(worldOf(list, set))) {
      if (kind !== DecisionKindCode.evict) continue;
      const before = lastMs.get(jobIdx);
      if (before !== undefined) expect(atMs - before).toBeGreaterThanOrEqual(set.cooldownMs);
      lastMs.set(jobIdx, atMs);
    }
  });
  fc.assert(property, RUNS);
});

test("slices, snapshots and going back leave a run as it is", () => {
  const property = fc.property(jobs, settings, (list, set) => {
    sameWithSnapshots(worldOf(list, set));
  });
  fc.assert(property, { ...RUNS, numRuns: 60 });
});
