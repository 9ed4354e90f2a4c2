/** Reservations that a pass takes over from the last one, against the same runs in which each pass searches for all of them anew. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Simulation } from "../../../src/engine/simulation.ts";
import type { Scheduler } from "../../../src/engine/view.ts";
import type { WindowRule } from "../../../src/model/lab/tenancy.ts";
import type { World } from "../../../src/model/world.ts";
import type { WalkState } from "../../../src/schedulers/lab/walk/state.ts";
import { walk } from "../../../src/schedulers/lab/walk/walk.ts";
import { worldFromText } from "../../support/world.ts";
import { labPool } from "../policyDocs.ts";

const jobs = fc.array(
  fc.record({
    atSec: fc.integer({ min: 0, max: 60 }),
    members: fc.integer({ min: 1, max: 4 }),
    gpus: fc.integer({ min: 0, max: 4 }),
    workSec: fc.integer({ min: 1, max: 30 }),
    limitSec: fc.integer({ min: 1, max: 40 }),
    tier: fc.integer({ min: 0, max: 2 }),
    cpus: fc.integer({ min: 1, max: 6 }),
  }),
  { minLength: 10, maxLength: 40 },
);
const changes = fc.array(
  fc.record({
    atSec: fc.integer({ min: 0, max: 80 }),
    node: fc.integer({ min: 0, max: 3 }),
    kind: fc.constantFrom("fail", "drain", "resume"),
  }),
  { maxLength: 4 },
);
const settings = fc.record({
  backfill: fc.constantFrom("easy", "conservative", "reservations", "reservations"),
  reservations: fc.integer({ min: 1, max: 6 }),
  runTimes: fc.constantFrom("limit", "limit", "history", "exact"),
  order: fc.constantFrom("fcfs", "fcfs", "tiers", "shortest", "fairShare"),
  placement: fc.constantFrom("firstFit", "firstFit", "bestFit", "fewestNodes", "sameLeaf", "fgd"),
  preemption: fc.constantFrom("none", "none", "requeue", "graceful", "suspend"),
  graceMs: fc.constantFrom(0, 2_000),
});
const windows = fc.array(
  fc.record({
    startSec: fc.integer({ min: 0, max: 40 }),
    durationSec: fc.integer({ min: 1, max: 15 }),
    everySec: fc.constantFrom(20, 40),
    nodes: fc.constantFrom<number[]>([0], [1, 3]),
    tiers: fc.constantFrom<number[]>([], [0]),
    kill: fc.boolean(),
  }),
  { maxLength: 1 },
);

interface Drawn {
  readonly flat: boolean;
  /** Jobs ask for CPUs too. */
  readonly wide: boolean;
  readonly jobs: readonly {
    atSec: number;
    members: number;
    gpus: number;
    workSec: number;
    limitSec: number;
    tier: number;
    cpus: number;
  }[];
  readonly changes: readonly { atSec: number; node: number; kind: string }[];
  readonly settings: Parameters<typeof labPool>[0];
  readonly windows: readonly {
    startSec: number;
    durationSec: number;
    everySec: number;
    nodes: number[];
    tiers: number[];
    kill: boolean;
  }[];
}

function worldOf(drawnWorld: Drawn) {
  const { flat, wide, jobs: drawn, changes: later, settings: given, windows: own } = drawnWorld;
  const list = [...drawn].sort((one, other) => one.atSec - other.atSec);
  const lines = list.map(({ atSec, members, gpus, workSec, limitSec, tier, cpus }, i) => {
    const alone = wide ? `${gpus} cpus ${cpus}` : Math.max(1, gpus);
    const size = flat ? `x${Math.max(1, members * gpus)}` : `${members}*${alone}`;
    const [shape, ...more] = size.split(" ");
    return `${atSec}s j${i} ${shape} ${workSec}s limit ${limitSec}s tier ${tier} ${more.join(" ")}`;
  });
  if (!flat) lines.push(...later.map(({ atSec, node, kind }) => `${atSec}s ! ${kind} ${node}`));
  const cluster = flat ? "16 gpus" : "4 nodes x 4 gpus, 12 cpus";
  const text = `${cluster}\n${lines.join("\n")}`;
  const world = worldFromText(text, { pools: [labPool(given)], horizonMs: 400_000 });
  return { ...world, windows: own.map((one) => ruleOf(one, flat)) };
}

function ruleOf(one: Drawn["windows"][number], flat: boolean): WindowRule {
  return {
    name: "one",
    kind: one.tiers.length === 0 ? "maintenance" : "reserved",
    pool: 0,
    startMs: one.startSec * 1_000,
    durationMs: one.durationSec * 1_000,
    everyMs: one.everySec * 1_000,
    announcedMs: 0,
    kill: one.kill,
    nodes: flat ? [0] : one.nodes,
    nodeCount: 0,
    tiers: one.tiers,
    teams: [],
    queues: [],
  };
}

let kept = 0;
let stood = 0;

/** What was recorded, reasons among it, and all that is kept after each pass. */
function recordOf(world: World): unknown[] {
  const keeps: string[] = [];
  const scheduler: Scheduler<WalkState> = {
    ...walk,
    decide(view, happened, state, act) {
      const wakeMs = walk.decide(view, happened, state, act);
      if (state.one.jobIdx >= 0 && view.world.windows?.length === 1) stood++;
      for (const { jobIdx, startMs, endMs, placing } of state.kept)
        keeps.push(`${jobIdx} ${startMs} ${endMs} ${placing.node.subarray(0, placing.length)}`);
      return wakeMs;
    },
  };
  const simulation = new Simulation(world, () => scheduler as Scheduler<unknown>);
  simulation.advance({
    untilMs: Number.POSITIVE_INFINITY,
    maxEvents: Number.POSITIVE_INFINITY,
  });
  return [keeps, simulation.takeChunk()];
}

/** All that is kept after each pass, and what the one reservation leaves; `forgets`: a reservation of which nothing is known is searched for. */
function watched(forgets: boolean, passes: string[]): Scheduler<WalkState> {
  return {
    ...walk,
    decide(view, happened, state, act) {
      if (forgets) {
        kept += state.kept.length;
        state.kept = state.kept.map((one) => ({ ...one }));
        state.oneKept = null;
      }
      const before = state.oneKept;
      const wakeMs = walk.decide(view, happened, state, act);
      if (before !== null && state.kept.includes(before)) stood++;
      for (const { jobIdx, startMs, endMs, placing } of state.kept)
        passes.push(`${jobIdx} ${startMs} ${endMs} ${placing.node.subarray(0, placing.length)}`);
      const { one } = state;
      if (one.jobIdx >= 0) passes.push(`${one.gpusLeftTotal}: ${one.gpusFree} ${one.cpuMilliFree}`);
      return wakeMs;
    },
  };
}

function historyOf(world: World, forgets: boolean): string[] {
  const passes: string[] = [];
  const scheduler = watched(forgets, passes);
  const simulation = new Simulation(world, () => scheduler as Scheduler<unknown>);
  simulation.advance({
    untilMs: Number.POSITIVE_INFINITY,
    maxEvents: Number.POSITIVE_INFINITY,
  });
  return [...passes, simulation.digest()];
}

for (const flat of [true, false]) {
  test(`${flat ? "on a flat machine" : "on nodes"}, reservations that are taken over are those that a search would find`, () => {
    kept = 0;
    stood = 0;
    const drawn = fc.record({
      flat: fc.constant(flat),
      wide: fc.boolean(),
      jobs,
      changes,
      settings,
      windows,
    });
    const property = fc.property(drawn, (one) => {
      const world = worldOf(one);
      expect(historyOf(world, false)).toEqual(historyOf(world, true));
    });
    fc.assert(property, { numRuns: 300, endOnFailure: true });
    expect(kept).toBeGreaterThan(1_000);
    expect(stood).toBeGreaterThan(50);
  });
}

for (const flat of [true, false]) {
  test(`${flat ? "on a flat machine" : "on nodes"}, with windows the one reservation of EASY is that of a search through all that is planned`, () => {
    stood = 0;
    const plain = settings.map((one) => ({ ...one, backfill: "easy", preemption: "none" }));
    const own = windows.filter((some) => some.length === 1);
    const drawn = fc.record({
      flat: fc.constant(flat),
      wide: fc.boolean(),
      jobs,
      changes,
      settings: plain,
      windows: own,
    });
    const property = fc.property(drawn, (one) => {
      // Where it may look only so far ahead it plans on a profile.
      const searched = { backfill: "reservations", reservations: 1, windowMs: 10_000_000 };
      const other = { ...one, settings: { ...one.settings, ...searched } };
      expect(recordOf(worldOf(one))).toEqual(recordOf(worldOf(other)));
    });
    fc.assert(property, { numRuns: 300, endOnFailure: true });
    expect(stood).toBeGreaterThan(50);
  });
}
