/**
 * What holds of Ray whatever the calls: devices are given once (checked by the engine), placement groups start whole and keep their strategy, workers of a group never exceed its most, and runs do
 * not depend on snapshots.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { JobFlag } from "../../../src/model/jobs.ts";
import type { RayRequest } from "../../../src/model/kubernetes/rayRequest.ts";
import { RAY_STRATEGIES } from "../../../src/model/kubernetes/rayRequest.ts";
import type { PoolSettings, Settings } from "../../../src/model/policy.ts";
import type { World } from "../../../src/model/world.ts";
import { readKubernetes } from "../../../src/scenario/kubernetes/readKubernetes.ts";
import { presetOf } from "../../../src/scenario/settings.ts";
import { runAll, sameWithSnapshots } from "../../support/labRuns.ts";
import { worldFromText } from "../../support/world.ts";

const RUNS = { numRuns: 1500, endOnFailure: true };
const NODES = 4;
const GPUS = 4;

const jobs = fc.array(
  fc.record({
    atSec: fc.integer({ min: 0, max: 30 }),
    members: fc.integer({ min: 1, max: 5 }),
    gpus: fc.integer({ min: 1, max: 3 }),
    workSec: fc.integer({ min: 1, max: 20 }),
    queue: fc.integer({ min: 0, max: 2 }),
    form: fc.constantFrom("", "min 1", "any", "share 300", "share 700", "begin 12s"),
    kind: fc.constantFrom(undefined, "tasks" as const, "actors" as const),
    strategy: fc.constantFrom(undefined, ...RAY_STRATEGIES),
    scheduling: fc.constantFrom(undefined, "SPREAD" as const),
    node: fc.constantFrom(undefined, undefined, "n-001", "n-009"),
    soft: fc.boolean(),
    retries: fc.integer({ min: -1, max: 1 }),
  }),
  { minLength: 2, maxLength: 20 },
);
const settings = fc.record({
  driver: fc.constantFrom("head", "firstNode"),
  spreadThreshold: fc.constantFrom(0, 0.5, 1),
  topKFraction: fc.constantFrom(0.2, 1),
  fairDispatch: fc.boolean(),
  upscalingSpeed: fc.constantFrom(1, 1_000),
  maxConcurrentLaunches: fc.constantFrom(1, 10),
  idleTimeoutMs: fc.constantFrom(0, 3_000),
  autoscalerPeriodMs: fc.constantFrom(1_000, 2_500),
  nodeStartMs: fc.constantFrom(0, 1_500),
  rpcMs: fc.constantFrom(0, 5),
  broadcastMs: fc.constantFrom(0, 100),
  groupRetryMs: fc.constantFrom(300, 1_000),
  workerStartMs: fc.constantFrom(0, 700),
});
type Jobs = typeof jobs extends fc.Arbitrary<infer V> ? V : never;

const MOST = 3;
const SCALING = `
apiVersion: ray.io/v1
kind: RayCluster
metadata: { name: team }
spec:
  enableInTreeAutoscaling: true
  workerGroupSpecs:
    - { groupName: gpu, replicas: 1, minReplicas: 1, maxReplicas: ${MOST} }
`;

function poolOf(given: Settings, yaml: string): PoolSettings {
  const standard = Object.fromEntries(
    presetOf("ray")!.settings.map((spec) => [spec.key, spec.standard]),
  );
  const read = readKubernetes(yaml, "");
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return { preset: "ray", settings: { ...standard, ...given }, kubernetes: read.value };
}

const EVENTS = "9s ! drain 1\n14s ! resume 1\n17s ! fail 0\n19s ! resume 0";

function worldOf(drawn: Jobs, given: Settings, yaml = "", events = EVENTS): World {
  const list = [...drawn].sort((one, other) => one.atSec - other.atSec);
  const lines = list.map((job, i) => {
    const gpus = job.form.startsWith("share") ? 1 : job.gpus;
    return `${job.atSec}s j${i} ${job.members}*${gpus} ${job.workSec}s ${job.form}`;
  });
  const world = worldFromText(`${NODES} nodes x ${GPUS} gpus\n${lines.join("\n")}\n${events}`, {
    pools: [poolOf(given, yaml)],
    horizonMs: 150_000,
  });
  const requests = new Map<number, { ray: RayRequest }>();
  list.forEach((job, i) => {
    world.jobs.at.queue[i] = job.queue;
    const { kind, strategy, scheduling, node, soft, retries } = job;
    const ray = { strategy, scheduling, node, soft, maxRetries: retries, maxRestarts: retries };
    requests.set(i, { ray: kind === undefined ? ray : { ...ray, kind } });
  });
  return {
    ...world,
    jobs: { ...world.jobs, kubernetes: requests },
    queues: ["q0", "q1", "q2"],
  };
}

/** Devices that each run of a job was given at the instant in which it started, by node. */
function givenAtStart(world: World) {
  const { rects, runs } = runAll(world).chunk;
  return [...runs.jobIdx.entries()].flatMap(([run, jobIdx]) => {
    if (runs.endMs[run] === runs.startMs[run]) return [];
    const byNode = new Map<number, number>();
    for (const [row, job] of [...rects.jobIdx].entries()) {
      if (job !== jobIdx || rects.startMs[row] !== runs.startMs[run]) continue;
      const node = Math.floor(rects.device[row]! / GPUS);
      byNode.set(node, (byNode.get(node) ?? 0) + rects.deviceCount[row]!);
    }
    return [{ jobIdx, byNode }];
  });
}

test("a placement group is given all its bundles at once, as its strategy wants them", () => {
  let seen = 0;
  fc.assert(
    fc.property(jobs, settings, (list, given) => {
      const world = worldOf(list, given);
      const { components, at } = world.jobs;
      for (const { jobIdx, byNode } of givenAtStart(world)) {
        const ray = world.jobs.kubernetes!.get(jobIdx)!.ray!;
        const members = components.members[jobIdx]!;
        const gang = (at.flags[jobIdx]! & JobFlag.gang) !== 0;
        if (ray.kind !== undefined || !gang || members === 1 || components.shareMilli[jobIdx]! > 0)
          continue;
        const each = components.gpus[jobIdx]!;
        expect([...byNode.values()].reduce((sum, gpus) => sum + gpus, 0)).toBe(members * each);
        if (ray.strategy === "STRICT_PACK") expect(byNode.size).toBe(1);
        if (ray.strategy === "STRICT_SPREAD") expect(byNode.size).toBe(members);
        seen++;
      }
    }),
    RUNS,
  );
  expect(seen).toBeGreaterThan(20);
});

test("a worker group that scales never holds more nodes than its most", () => {
  fc.assert(
    fc.property(jobs, settings, (list, given) => {
      const { rects } = runAll(worldOf(list, given, SCALING, "")).chunk;
      for (const atMs of rects.startMs) {
        const nodes = new Set<number>();
        for (const [row, startMs] of [...rects.startMs].entries())
          if (startMs <= atMs && atMs < rects.endMs[row]!)
            nodes.add(Math.floor(rects.device[row]! / GPUS));
        expect(nodes.size).toBeLessThanOrEqual(MOST);
      }
    }),
    RUNS,
  );
});

test("slices, snapshots and going back leave a run as it is", () => {
  fc.assert(
    fc.property(jobs, settings, fc.boolean(), (list, given, scales) =>
      sameWithSnapshots(worldOf(list, given, scales ? SCALING : "")),
    ),
    RUNS,
  );
});

test("rented workers come for what waits and are given back; snapshots change nothing", () => {
  let rented = 0;
  fc.assert(
    fc.property(jobs, settings, (list, given) => {
      const base = worldOf(list, given, "", "");
      const nodes = [2, 3];
      const rule = { nodes, startupMs: 2_000, idleTimeoutMs: 1, afterWaitMs: 1, noticeMs: 0 };
      const world = { ...base, burst: [rule], unbornNodes: nodes };
      sameWithSnapshots(world);
      const { rects } = runAll(world).chunk;
      if ([...rects.device].some((device) => device >= 2 * GPUS)) rented++;
      for (const [row, device] of [...rects.device].entries())
        if (device >= 2 * GPUS) expect(rects.startMs[row]).toBeGreaterThanOrEqual(rule.startupMs);
    }),
    RUNS,
  );
  expect(rented).toBeGreaterThan(5);
});
