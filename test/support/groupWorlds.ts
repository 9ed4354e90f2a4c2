/** Random worlds for Volcano and KAI, and what has to hold of both: gangs start whole, limits of queues are kept, snapshots and left-out sessions change nothing. */
import fc from "fast-check";
import { expect } from "vitest";
import type { Presets } from "../../src/engine/pool.ts";
import { JobFlag } from "../../src/model/jobs.ts";
import type { PoolSettings, Settings } from "../../src/model/policy.ts";
import type { World } from "../../src/model/world.ts";
import { readKubernetes } from "../../src/scenario/kubernetes/readKubernetes.ts";
import { presetOf } from "../../src/scenario/settings.ts";
import { runAll } from "./labRuns.ts";
import { worldFromText } from "./world.ts";

export interface GroupJob {
  readonly atSec: number;
  readonly members: number;
  readonly gpus: number;
  readonly workSec: number;
  readonly tier: number;
  readonly queue: number;
  readonly form: string;
}

export function groupJobs(forms: readonly string[]): fc.Arbitrary<GroupJob[]> {
  return fc.array(
    fc.record({
      atSec: fc.integer({ min: 0, max: 30 }),
      members: fc.integer({ min: 1, max: 5 }),
      gpus: fc.integer({ min: 1, max: 3 }),
      workSec: fc.integer({ min: 1, max: 20 }),
      tier: fc.integer({ min: 0, max: 3 }),
      queue: fc.integer({ min: 0, max: 2 }),
      form: fc.constantFrom(...forms),
    }),
    { minLength: 2, maxLength: 20 },
  );
}

function poolOf(preset: string, yaml: string, given: Settings): PoolSettings {
  const standard = presetOf(preset)!.settings.map((spec) => [spec.key, spec.standard] as const);
  const read = readKubernetes(yaml, "");
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  const settings = { ...Object.fromEntries(standard), ...given };
  return { preset, settings, kubernetes: read.value };
}

/** Three nodes of four GPUs, of which one is drained for a while and one fails; queues q0, q1, q2. */
export function groupWorld(
  preset: string,
  yaml: string,
  drawn: readonly GroupJob[],
  given: Settings,
): World {
  const list = [...drawn].sort((one, other) => one.atSec - other.atSec);
  const lines = list.map((job, i) => {
    const gpus = job.form.startsWith("share") ? 1 : job.gpus;
    return `${job.atSec}s j${i} ${job.members}*${gpus} ${job.workSec}s tier ${job.tier} ${job.form}`;
  });
  const world = worldFromText(
    `3 nodes x 4 gpus\n${lines.join("\n")}\n9s ! drain 1\n14s ! resume 1\n17s ! fail 0\n19s ! resume 0`,
    { pools: [poolOf(preset, yaml, given)], horizonMs: 150_000 },
  );
  const { at } = world.jobs;
  list.forEach((job, i) => {
    at.queue[i] = job.queue;
    if (job.form === "fixed") at.flags[i] = at.flags[i]! & ~JobFlag.preemptible;
  });
  return { ...world, queues: ["q0", "q1", "q2"] };
}

/** A gang that cannot shrink gets all its devices at the instant in which its run starts. */
export function gangsStartWhole(world: World): void {
  const { rects, runs } = runAll(world).chunk;
  const { components, at } = world.jobs;
  for (const [i, jobIdx] of runs.jobIdx.entries()) {
    const gang = (at.flags[jobIdx]! & JobFlag.gang) !== 0;
    const wanted = components.members[jobIdx]!;
    const whole = gang && components.minMembers[jobIdx] === wanted;
    if (!whole || components.shareMilli[jobIdx]! > 0 || runs.endMs[i] === runs.startMs[i]) continue;
    const got = [...rects.jobIdx].reduce(
      (sum, job, row) =>
        job === jobIdx && rects.startMs[row] === runs.startMs[i]
          ? sum + rects.deviceCount[row]!
          : sum,
      0,
    );
    expect(got).toBe(wanted * components.gpus[jobIdx]!);
  }
}

/** Queue q0 never holds more whole devices than this. */
export function firstQueueHoldsAtMost(world: World, most: number): void {
  const { rects } = runAll(world).chunk;
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
    expect(held).toBeLessThanOrEqual(most);
  }
}

/** The scheduler that leaves out what decides nothing and the one that computes it all come to the same. */
export function sameUnder(world: World, every: Presets): void {
  const straight = runAll(world).simulation.digest();
  expect(runAll(world, {}, every).simulation.digest()).toBe(straight);
}
