/** Random worlds for Volcano and KAI, and what has to hold of both: gangs start whole, limits of queues are kept, snapshots and left-out sessions change nothing. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Presets } from "../../src/engine/pool.ts";
import { JobFlag } from "../../src/model/jobs.ts";
import type { PoolSettings, Settings } from "../../src/model/policy.ts";
import type { World } from "../../src/model/world.ts";
import { readKubernetes } from "../../src/scenario/kubernetes/readKubernetes.ts";
import { presetOf } from "../../src/scenario/settings.ts";
import type { GroupRules } from "../../src/schedulers/podGroups/sessions.ts";
import { groupScheduler } from "../../src/schedulers/podGroups/sessions.ts";
import type { GroupState } from "../../src/schedulers/podGroups/state.ts";
import { schedulerOf } from "../../src/schedulers/registry.ts";
import { runAll, sameWithSnapshots } from "./labRuns.ts";
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
function gangsStartWhole(world: World): void {
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
function firstQueueHoldsAtMost(world: World, most: number): void {
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
function sameUnder(world: World, every: Presets): void {
  const straight = runAll(world).simulation.digest();
  expect(runAll(world, {}, every).simulation.digest()).toBe(straight);
}

/** What is drawn for one of the presets of pod groups. */
interface GroupDraws<S extends GroupState, G extends Settings> {
  readonly preset: string;
  /** With `everySearch` also those searches are made that cannot end well. */
  readonly rules: (everySearch?: boolean) => GroupRules<S>;
  /** Kinds of jobs, as words of a line. */
  readonly forms: readonly string[];
  readonly settings: fc.Arbitrary<G>;
  /** Queue q0 may hold five GPUs. */
  readonly yaml: string;
  /** Does nobody hold devices of whom the queue no longer counts? Who is told to leave does, for the grace period. */
  readonly countsAll: (given: G) => boolean;
  readonly numRuns: number;
}

/** The properties of a scheduler of pod groups, whatever the jobs. Devices are given once: that the engine checks. */
export function groupProperties<S extends GroupState, G extends Settings>(
  draws: GroupDraws<S, G>,
): void {
  const { preset, rules, settings, yaml, countsAll, numRuns } = draws;
  const holds = (title: string, check: (world: World, given: G) => void) =>
    test(title, () => {
      const drawn = fc.property(groupJobs(draws.forms), settings, (list, given) =>
        check(groupWorld(preset, yaml, list, given), given),
      );
      fc.assert(drawn, { numRuns, endOnFailure: true });
    });
  const instead =
    (every: ReturnType<typeof groupScheduler<S>>): Presets =>
    (name) =>
      name === preset ? every : schedulerOf(name);
  const everySession = instead(groupScheduler(rules(), true));
  const everySearch = instead(groupScheduler(rules(true)));
  holds(
    "a gang that cannot shrink gets all its devices at the instant in which its run starts",
    gangsStartWhole,
  );
  holds("no queue holds more than its limit", (world, given) => {
    if (countsAll(given)) firstQueueHoldsAtMost(world, 5);
  });
  holds("slices, snapshots and going back leave a run as it is", (world) =>
    sameWithSnapshots(world),
  );
  holds("sessions left out would have decided nothing", (world) => sameUnder(world, everySession));
  holds("searches for room and for victims left out would have found none", (world) =>
    sameUnder(world, everySearch),
  );
}
