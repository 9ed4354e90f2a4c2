/** The profile of what runs that the walk keeps from round to round, against one made from nothing, after every pass of random runs. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Simulation } from "../../../src/engine/simulation.ts";
import type { PoolView, Scheduler } from "../../../src/engine/view.ts";
import type { Change, World } from "../../../src/model/world.ts";
import { profileOfRuns } from "../../../src/schedulers/lab/runsProfile.ts";
import { isFlat } from "../../../src/schedulers/lab/starts.ts";
import { RunsProfile } from "../../../src/schedulers/lab/walk/keep/keepRuns.ts";
import type { WalkState } from "../../../src/schedulers/lab/walk/state.ts";
import { walk } from "../../../src/schedulers/lab/walk/walk.ts";
import type { Profile } from "../../../src/scheduling/backfill/profile.ts";
import { type Steps, stepAt } from "../../../src/scheduling/backfill/steps.ts";
import { nodeRulesOf } from "../../../src/scheduling/placement/nodeRules.ts";
import { shapesOf } from "../../../src/scheduling/placement/shapes.ts";
import { worldFromText } from "../../support/world.ts";
import { labPool } from "../policyDocs.ts";

const jobs = fc.array(
  fc.record({
    atSec: fc.integer({ min: 0, max: 40 }),
    members: fc.integer({ min: 1, max: 3 }),
    gpus: fc.integer({ min: 0, max: 3 }),
    workSec: fc.integer({ min: 1, max: 20 }),
    limitSec: fc.integer({ min: 1, max: 20 }),
    tier: fc.integer({ min: 0, max: 2 }),
    cpus: fc.integer({ min: 1, max: 6 }),
  }),
  { minLength: 2, maxLength: 20 },
);
const changes = fc.array(
  fc.record({
    atSec: fc.integer({ min: 0, max: 60 }),
    node: fc.integer({ min: 0, max: 2 }),
    kind: fc.constantFrom("fail", "drain", "resume"),
  }),
  { maxLength: 5 },
);
/** One that fails as another comes back leaves the sum of what is free as it was. */
const devices = fc.array(
  fc.record({
    atSec: fc.constantFrom(3, 9, 15, 27),
    device: fc.integer({ min: 0, max: 7 }),
    kind: fc.constantFrom("failDevices" as const, "resumeDevices" as const),
  }),
  { maxLength: 8 },
);
const settings = fc.record({
  backfill: fc.constantFrom("easy", "conservative", "reservations", "skip"),
  reservations: fc.integer({ min: 1, max: 4 }),
  runTimes: fc.constantFrom("limit", "history", "exact"),
  order: fc.constantFrom("fcfs", "tiers", "shortest"),
  preemption: fc.constantFrom("none", "requeue", "graceful"),
  graceMs: fc.constantFrom(0, 2_000),
});

interface Drawn {
  readonly flat: boolean;
  readonly jobs: readonly (typeof jobs extends fc.Arbitrary<readonly (infer J)[]> ? J : never)[];
  readonly changes: readonly { atSec: number; node: number; kind: string }[];
  readonly devices: readonly {
    atSec: number;
    device: number;
    kind: "failDevices" | "resumeDevices";
  }[];
  readonly settings: Parameters<typeof labPool>[0];
}

function worldOf(one: Drawn): World {
  const { flat, jobs: drawn, changes: later, settings: given } = one;
  const list = [...drawn].sort((one, other) => one.atSec - other.atSec);
  const lines = list.map(({ atSec, members, gpus, workSec, limitSec, tier, cpus }, i) => {
    const size = flat ? `x${Math.max(1, members * gpus)}` : `${members}*${gpus} cpus ${cpus}`;
    const [shape, ...more] = size.split(" ");
    return `${atSec}s j${i} ${shape} ${workSec}s limit ${limitSec}s tier ${tier} ${more.join(" ")}`;
  });
  if (!flat) lines.push(...later.map(({ atSec, node, kind }) => `${atSec}s ! ${kind} ${node}`));
  const cluster = flat ? "8 gpus" : "3 nodes x 4 gpus, 12 cpus";
  const world = worldFromText(`${cluster}\n${lines.join("\n")}`, { pools: [labPool(given)] });
  const ofDevices = one.devices.map(({ atSec, device, kind }): Change => {
    return { atMs: atSec * 1_000, source: 0, kind, devices: [device] };
  });
  const all = [...world.changes, ...ofDevices].sort((a, b) => a.atMs - b.atMs);
  return { ...world, changes: all };
}

/** What is free at each of the times from now on. */
function freeAt(steps: Steps, times: readonly number[]): number[][] {
  return times.map((atMs) => {
    const at = stepAt(steps, atMs);
    const wide = steps.wide ? [steps.cpuMilli[at]!, steps.memMiB[at]!] : [];
    return [steps.gpus[at]!, ...wide];
  });
}

function timesOf(nowMs: number, ...profiles: readonly Profile[]): number[] {
  const all = profiles.flatMap(({ total, ofNode }) => [total, ...ofNode]);
  const times = all.flatMap((steps) => [...steps.times.subarray(0, steps.length)]);
  return [...new Set([nowMs, ...times])].filter((atMs) => atMs >= nowMs).sort((a, b) => a - b);
}

/** Jobs that end at each time after now, where any do. */
function endsOf({ total }: Profile, nowMs: number): [number, number][] {
  return [...total.times.subarray(0, total.length)].flatMap((atMs, at): [number, number][] =>
    atMs > nowMs && total.ends[at] !== 0 ? [[atMs, total.ends[at]!]] : [],
  );
}

let compared = 0;

function expectAsFromNothing(view: PoolView, state: WalkState): void {
  const { runs, endMsOf, pool } = state;
  const shapes = shapesOf(view.jobs, view.cluster, nodeRulesOf(pool.settings));
  const flat = isFlat(view, shapes);
  const kept = new RunsProfile().now({ view, runs, endMsOf, shapes, flat });
  const anew = profileOfRuns(view, runs, flat, shapes.plainOnly);
  const times = timesOf(view.nowMs, kept, anew);
  expect(freeAt(kept.total, times)).toEqual(freeAt(anew.total, times));
  expect(endsOf(kept, view.nowMs)).toEqual(endsOf(anew, view.nowMs));
  for (const node of flat ? [] : view.nodes)
    expect(freeAt(kept.ofNode[node]!, times)).toEqual(freeAt(anew.ofNode[node]!, times));
  compared++;
}

function laterView(view: PoolView, byMs: number): PoolView {
  return new Proxy(view, {
    get(target, key) {
      if (key === "nowMs") return target.nowMs + byMs;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

const watched: Scheduler<WalkState> = {
  ...walk,
  decide(view, happened, state, act) {
    const wakeMs = walk.decide(view, happened, state, act);
    expectAsFromNothing(view, state);
    // As the page asks, when some of what runs is past its estimate.
    if (compared % 4 === 0) expectAsFromNothing(laterView(view, 3_000), state);
    return wakeMs;
  },
};

for (const flat of [true, false]) {
  test(`${flat ? "on a flat machine" : "on nodes"}, what the walk counts on to be free is what a profile made from nothing says`, () => {
    compared = 0;
    const drawn = fc.record({ flat: fc.constant(flat), jobs, changes, devices, settings });
    const property = fc.property(drawn, (one) => {
      const world = worldOf(one);
      const simulation = new Simulation(world, () => watched as Scheduler<unknown>);
      simulation.advance({
        untilMs: Number.POSITIVE_INFINITY,
        maxEvents: Number.POSITIVE_INFINITY,
      });
    });
    fc.assert(property, { numRuns: 150, endOnFailure: true });
    expect(compared).toBeGreaterThan(1_000);
  });
}
