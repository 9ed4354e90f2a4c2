/** What holds of Volcano whatever the jobs: gangs start whole, devices are given once (checked by the engine), limits of queues are kept, and runs do not depend on snapshots. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { JobFlag } from "../../../src/model/jobs.ts";
import type { PoolSettings, Settings } from "../../../src/model/policy.ts";
import type { World } from "../../../src/model/world.ts";
import { readKubernetes } from "../../../src/scenario/kubernetes/readKubernetes.ts";
import { presetOf } from "../../../src/scenario/settings.ts";
import { runAll, sameWithSnapshots } from "../../support/labRuns.ts";
import { worldFromText } from "../../support/world.ts";

const RUNS = { numRuns: 80, endOnFailure: true };

const jobs = fc.array(
  fc.record({
    atSec: fc.integer({ min: 0, max: 30 }),
    members: fc.integer({ min: 1, max: 5 }),
    gpus: fc.integer({ min: 1, max: 3 }),
    workSec: fc.integer({ min: 1, max: 20 }),
    tier: fc.integer({ min: 0, max: 3 }),
    queue: fc.integer({ min: 0, max: 2 }),
    form: fc.constantFrom("", "min 1", "any", "share 500", "begin 12s"),
  }),
  { minLength: 2, maxLength: 20 },
);
const settings = fc.record({
  enqueue: fc.boolean(),
  preempt: fc.boolean(),
  reclaim: fc.boolean(),
  gangSpares: fc.boolean(),
  queuePlugin: fc.constantFrom("proportion", "capacity"),
  binpackWeight: fc.constantFrom(0, 1),
  binpackGpu: fc.constant(1),
  graceMs: fc.constantFrom(0, 2_500),
  podCreateMs: fc.constantFrom(0, 100),
  podStartMs: fc.constantFrom(0, 700),
});
type Jobs = typeof jobs extends fc.Arbitrary<infer V> ? V : never;

const YAML = `
apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata: { name: q0 }
spec: { weight: 1, capability: { nvidia.com/gpu: 5 }, deserved: { nvidia.com/gpu: 3 } }
---
apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata: { name: q1 }
spec: { weight: 3, deserved: { nvidia.com/gpu: 6 } }
`;

function poolOf(given: Settings): PoolSettings {
  const standard = Object.fromEntries(
    presetOf("volcano")!.settings.map((spec) => [spec.key, spec.standard]),
  );
  const read = readKubernetes(YAML, "");
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return { preset: "volcano", settings: { ...standard, ...given }, kubernetes: read.value };
}

function worldOf(drawn: Jobs, given: Settings): World {
  const list = [...drawn].sort((one, other) => one.atSec - other.atSec);
  const lines = list.map((job, i) => {
    const gpus = job.form.startsWith("share") ? 1 : job.gpus;
    return `${job.atSec}s j${i} ${job.members}*${gpus} ${job.workSec}s tier ${job.tier} ${job.form}`;
  });
  const world = worldFromText(
    `3 nodes x 4 gpus\n${lines.join("\n")}\n9s ! drain 1\n14s ! resume 1\n17s ! fail 0\n19s ! resume 0`,
    {
      pools: [poolOf(given)],
      horizonMs: 150_000,
    },
  );
  list.forEach((job, i) => {
    world.jobs.at.queue[i] = job.queue;
  });
  return { ...world, queues: ["q0", "q1", "q2"] };
}

test("a gang that cannot shrink gets all its devices at the instant in which its run starts", () => {
  fc.assert(
    fc.property(jobs, settings, (list, given) => {
      const world = worldOf(list, given);
      const { rects, runs } = runAll(world).chunk;
      const { components, at } = world.jobs;
      for (const [i, jobIdx] of runs.jobIdx.entries()) {
        const gang = (at.flags[jobIdx]! & JobFlag.gang) !== 0;
        const wanted = components.members[jobIdx]!;
        const whole = gang && components.minMembers[jobIdx] === wanted;
        if (!whole || components.shareMilli[jobIdx]! > 0 || runs.endMs[i] === runs.startMs[i])
          continue;
        const got = [...rects.jobIdx].reduce(
          (sum, job, row) =>
            job === jobIdx && rects.startMs[row] === runs.startMs[i]
              ? sum + rects.deviceCount[row]!
              : sum,
          0,
        );
        expect(got).toBe(wanted * components.gpus[jobIdx]!);
      }
    }),
    RUNS,
  );
});

test("no queue holds more than its limit", () => {
  fc.assert(
    fc.property(jobs, settings, (list, given) => {
      const world = worldOf(list, given);
      const { chunk } = runAll(world);
      const { rects } = chunk;
      const edges = [...rects.jobIdx].flatMap((jobIdx, i) =>
        world.jobs.at.queue[jobIdx] === 0 && world.jobs.components.shareMilli[jobIdx] === 0
          ? [
              { atMs: rects.startMs[i]!, change: rects.deviceCount[i]! },
              { atMs: rects.endMs[i]!, change: -rects.deviceCount[i]! },
            ]
          : [],
      );
      edges.sort((one, other) => one.atMs - other.atMs || one.change - other.change);
      let held = 0;
      for (const { change } of edges) {
        held += change;
        // Who is told to leave counts no more, and still holds its devices for the grace period.
        if (given.graceMs === 0 || (!given.preempt && !given.reclaim))
          expect(held).toBeLessThanOrEqual(5);
      }
    }),
    RUNS,
  );
});

test("slices, snapshots and going back leave a run as it is", () => {
  fc.assert(
    fc.property(jobs, settings, (list, given) => sameWithSnapshots(worldOf(list, given))),
    RUNS,
  );
});
