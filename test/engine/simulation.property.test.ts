import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Presets } from "../../src/engine/pool.ts";
import { Simulation } from "../../src/engine/simulation.ts";
import { JobFlag } from "../../src/model/jobs.ts";
import { MemberStateCode } from "../../src/model/states.ts";
import { SPEED_ONE } from "../../src/model/units.ts";
import type { World } from "../../src/model/world.ts";
import { type Chunk, memberStateOf, type OpenSet, partOf } from "../../src/record/shapes.ts";
import { randomScheduler } from "../support/randomScheduler.ts";
import { randomWorldSpec } from "../support/randomWorld.ts";
import { fcfs } from "../support/testScheduler.ts";
import { type JobSpec, type WorldSpec, worldOf } from "../support/world.ts";

const presetsOf =
  (world: { readonly pools?: readonly unknown[] }): Presets =>
  (name) =>
    name === "order" ? fcfs : randomScheduler(7, world.pools?.length, name === "own");
const runs = { numRuns: 300 };

interface Full {
  readonly rows: Record<string, number[]>;
  readonly digest: string;
  readonly open: OpenSet;
}

/** Runs on to the end in slices of so many events, a chunk after each. */
function finish(
  simulation: Simulation,
  maxEvents: number,
  before: readonly Chunk[] = [],
): { chunks: Chunk[]; full: Full } {
  const chunks = [...before];
  for (;;) {
    const state = simulation.advance({ untilMs: Number.POSITIVE_INFINITY, maxEvents });
    chunks.push(simulation.takeChunk());
    if (state === "done") break;
  }
  return {
    chunks,
    full: { rows: rowsOf(chunks), digest: simulation.digest(), open: simulation.openSet() },
  };
}

function rowsOf(chunks: readonly Chunk[]): Record<string, number[]> {
  const rows: Record<string, number[]> = {};
  for (const chunk of chunks) {
    for (const table of ["rects", "runs", "waits", "decisions", "nodeSpans", "series"] as const) {
      for (const [column, values] of Object.entries(chunk[table])) {
        const name = `${table}.${column}`;
        rows[name] = (rows[name] ?? []).concat(Array.from(values));
      }
    }
  }
  return rows;
}

function simulate(world: World, maxEvents = Number.POSITIVE_INFINITY) {
  return finish(new Simulation(world, presetsOf(world), { checks: true }), maxEvents);
}

describe("whatever a scheduler does", () => {
  test("no device is used beyond the whole, no MIG slice twice", () => {
    fc.assert(
      fc.property(randomWorldSpec, (spec) => {
        const { full } = simulate(worldOf(spec));
        for (const device of deviceUses(full)) {
          const edges = device.flatMap((use) => [
            { atMs: use.fromMs, milli: use.milli },
            { atMs: use.toMs, milli: -use.milli },
          ]);
          edges.sort((a, b) => a.atMs - b.atMs || a.milli - b.milli);
          let used = 0;
          for (const edge of edges) {
            used += edge.milli;
            expect(used).toBeLessThanOrEqual(1_000);
          }
        }
      }),
      runs,
    );
  });

  test("nothing starts before its submit and begin time", () => {
    fc.assert(
      fc.property(randomWorldSpec, (spec) => {
        const world = worldOf(spec);
        const { rows, open } = simulate(world).full;
        const starts = (jobIdx: number, startMs: number) => {
          expect(startMs).toBeGreaterThanOrEqual(world.jobs.at.beginMs[jobIdx]!);
        };
        rows["runs.jobIdx"]?.forEach((jobIdx, i) => {
          if (rows["runs.run"]![i]! > 0) starts(jobIdx, rows["runs.startMs"]![i]!);
        });
        open.rects.jobIdx.forEach((jobIdx, i) => {
          starts(jobIdx, open.rects.startMs[i]!);
        });
      }),
      runs,
    );
  });

  test("a job makes progress only while at least its minimum of members runs", () => {
    fc.assert(
      fc.property(randomWorldSpec, (spec) => {
        const world = worldOf(spec);
        const { full } = simulate(world);
        for (let jobIdx = 0; jobIdx < world.jobs.count; jobIdx++) {
          const least = leastDevices(world, jobIdx);
          for (const stretch of runningStretches(full, jobIdx))
            expect(stretch.devices).toBeGreaterThanOrEqual(least);
        }
      }),
      runs,
    );
  });

  test("a completed run at unit speed has taken its work, no more and no less", () => {
    fc.assert(
      fc.property(randomWorldSpec, (spec) => {
        const world = worldOf({
          ...spec,
          changes: [],
          pools: spec.pools!.map(() => ({ preset: "order", settings: {} })),
        });
        const { rows } = simulate(world).full;
        rows["runs.jobIdx"]?.forEach((jobIdx, i) => {
          if (rows["runs.endState"]![i] !== 1) return;
          expect(rows["runs.endMs"]![i]! - rows["runs.startMs"]![i]!).toBe(
            world.jobs.at.workQ16[jobIdx]! / SPEED_ONE,
          );
        });
      }),
      runs,
    );
  });
});

describe("the record and the digest", () => {
  test("do not depend on slices, chunks and snapshots", () => {
    fc.assert(
      fc.property(randomWorldSpec, fc.integer({ min: 1, max: 40 }), (spec, maxEvents) => {
        expect(simulate(worldOf(spec), maxEvents).full).toEqual(simulate(worldOf(spec)).full);
      }),
      runs,
    );
  });

  test("a run that went back to a snapshot and on again equals the straight run", () => {
    fc.assert(
      fc.property(randomWorldSpec, fc.integer({ min: 0, max: 60_000 }), (spec, backMs) => {
        const simulation = new Simulation(worldOf(spec), presetsOf(spec), { checks: true });
        const { chunks, full } = finish(simulation, 10);
        const { keepChunks, atMs } = simulation.rewind(worldOf(spec), backMs);
        expect(atMs).toBeLessThanOrEqual(backMs);
        expect(finish(simulation, 7, chunks.slice(0, keepChunks)).full).toEqual(full);
      }),
      runs,
    );
  });

  test("an edit keeps everything before it to the bit and equals a fresh run of the edited world", () => {
    fc.assert(
      fc.property(
        randomWorldSpec,
        fc.integer({ min: 1, max: 50 }),
        fc.constantFrom("cancel", "fail", "policy", "inject"),
        (spec, second, kind) => {
          const editMs = second * 1_000;
          const simulation = new Simulation(worldOf(spec), presetsOf(spec), { checks: true });
          const { chunks } = finish(simulation, 10);
          const edited = worldOf(edit(spec, editMs, kind));
          const { keepChunks } = simulation.rewind(edited, editMs);
          const kept = chunks.slice(0, keepChunks);
          for (const chunk of kept) expect(chunk.toMs).toBeLessThan(editMs);
          expect(finish(simulation, 10, kept).full).toEqual(simulate(edited).full);
        },
      ),
      runs,
    );
  });
});

function edit(spec: WorldSpec, atMs: number, kind: string): WorldSpec {
  const changes = spec.changes ?? [];
  const jobIdx = spec.jobs.length - 1;
  const settings = { preset: "order", settings: {} };
  if (kind === "cancel")
    return { ...spec, changes: [...changes, { atMs, source: 9, kind: "cancel", jobIdx }] };
  if (kind === "fail")
    return { ...spec, changes: [...changes, { atMs, source: 9, kind: "fail", nodes: [0] }] };
  if (kind === "policy")
    return {
      ...spec,
      changes: [...changes, { atMs, source: 9, kind: "policy", pool: 0, settings }],
    };
  const injected: JobSpec = {
    name: "new",
    submitMs: atMs,
    workMs: 5_000,
    components: [{ members: 1, gpus: 1 }],
  };
  return { ...spec, jobs: [...spec.jobs, injected], injectedFrom: spec.jobs.length };
}

interface Use {
  readonly fromMs: number;
  readonly toMs: number;
  readonly milli: number;
}

/** Uses of each device in 1/1,000, from closed and open rectangles. MIG slices in these worlds are one eighth. */
function deviceUses(full: Full): Use[][] {
  const devices: Use[][] = [];
  eachRect(full, (_, device, count, bits, fromMs, toMs) => {
    const part = partOf(bits);
    const milli = part === 0 ? 1_000 : part > 1_000 ? 125 : part;
    for (let d = device; d < device + count; d++) {
      devices[d] = [...(devices[d] ?? []), { fromMs, toMs, milli }];
    }
  });
  return devices.filter((uses) => uses !== undefined);
}

function eachRect(
  full: Full,
  visit: (
    jobIdx: number,
    device: number,
    count: number,
    bits: number,
    fromMs: number,
    toMs: number,
  ) => void,
): void {
  const { rows, open } = full;
  rows["rects.jobIdx"]?.forEach((jobIdx, i) => {
    const [device, count, bits] = [
      rows["rects.device"]![i]!,
      rows["rects.deviceCount"]![i]!,
      rows["rects.bits"]![i]!,
    ];
    visit(jobIdx, device, count, bits, rows["rects.startMs"]![i]!, rows["rects.endMs"]![i]!);
  });
  open.rects.jobIdx.forEach((jobIdx, i) => {
    const { device, deviceCount, bits, startMs, endMs } = open.rects;
    visit(jobIdx, device[i]!, deviceCount[i]!, bits[i]!, startMs[i]!, endMs[i]!);
  });
}

/** Devices that a job's minimum of members has, where all its components use whole devices; 0 otherwise. */
function leastDevices(world: World, jobIdx: number): number {
  const { at, components } = world.jobs;
  let devices = 0;
  for (let row = at.firstComponent[jobIdx]!; row < at.firstComponent[jobIdx + 1]!; row++) {
    devices += components.minMembers[row]! * components.gpus[row]!;
  }
  return (at.flags[jobIdx]! & JobFlag.service) !== 0 ? Math.min(1, devices) : devices;
}

/** Devices in state running over time, for each stretch between changes in which there are any. */
function runningStretches(full: Full, jobIdx: number): { fromMs: number; devices: number }[] {
  const edges: { atMs: number; devices: number }[] = [];
  eachRect(full, (job, _device, count, bits, fromMs, toMs) => {
    if (job !== jobIdx || memberStateOf(bits) !== MemberStateCode.running) return;
    edges.push({ atMs: fromMs, devices: count }, { atMs: toMs, devices: -count });
  });
  edges.sort((a, b) => a.atMs - b.atMs);
  const stretches: { fromMs: number; devices: number }[] = [];
  let devices = 0;
  edges.forEach((edge, i) => {
    devices += edge.devices;
    if (devices > 0 && edges[i + 1]?.atMs !== edge.atMs)
      stretches.push({ fromMs: edge.atMs, devices });
  });
  return stretches;
}
