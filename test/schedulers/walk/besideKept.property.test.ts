/** What is free beside what is kept, node by node, against a profile out of which all of it has been taken. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { PoolView } from "../../../src/engine/view.ts";
import { BesideKept } from "../../../src/schedulers/lab/walk/keep/besideKept.ts";
import type { KeptJob } from "../../../src/schedulers/lab/walk/state.ts";
import { lessenOver, type Profile, takeOver } from "../../../src/scheduling/backfill/profile.ts";
import { addOver, createSteps, stepAt } from "../../../src/scheduling/backfill/steps.ts";
import type { Sketch } from "../../../src/scheduling/placement/capacity.ts";
import { Placing } from "../../../src/scheduling/placement/placing.ts";
import type { Shape, Shapes } from "../../../src/scheduling/placement/shapes.ts";

const NODES = 3;
const DEVICES = 8;

const node = fc.integer({ min: 0, max: NODES - 1 });
const devices = fc.integer({ min: 1, max: 3 });
const ends = fc.array(fc.record({ node, devices, endMs: fc.integer({ min: 1, max: 30 }) }), {
  maxLength: 8,
});
const keeps = fc.array(
  fc.record({
    nodes: fc.uniqueArray(node, { minLength: 1, maxLength: NODES }),
    devices,
    startMs: fc.integer({ min: 0, max: 30 }),
    lengthMs: fc.integer({ min: 1, max: 20 }),
  }),
  { maxLength: 6 },
);
const times = fc.record({
  fromMs: fc.integer({ min: 0, max: 35 }),
  lengthMs: fc.integer({ min: 1, max: 35 }),
});

const shapeOf = (gpus: number): Shape =>
  ({
    gpusWhole: gpus,
    members: 1,
    parts: [{ gpus, members: 1, cpuMilli: 0, memMiB: 0, exclusive: null }],
  }) as unknown as Shape;

/** What runs gives its devices back at its end. */
function runsOf(runs: readonly { node: number; devices: number; endMs: number }[]): Profile {
  const ofNode = Array.from({ length: NODES }, (_, at) => {
    const held = runs.filter((run) => run.node === at).reduce((sum, run) => sum + run.devices, 0);
    return createSteps(0, Math.max(0, DEVICES - held));
  });
  const total = createSteps(0, 0);
  for (const { node: at, devices: gpus, endMs } of runs)
    addOver(ofNode[at]!, endMs, Number.POSITIVE_INFINITY, gpus, 0, 0);
  return { total, ofNode, held: new Map() };
}

function placingOn(nodes: readonly number[]): Placing {
  const placing = new Placing();
  for (const at of nodes) placing.push(0, at, 1);
  return placing;
}

function sketchOf({ ofNode }: Profile): Sketch {
  const gpusFree = Int32Array.from(ofNode, ({ gpus }) => gpus[0]!);
  const gpusFreeTotal = gpusFree.reduce((sum, free) => sum + free, 0);
  return { nodes: Int32Array.from(ofNode.keys()), gpusFree, gpusFreeTotal } as unknown as Sketch;
}

test("node by node the same is free as in a profile out of which all that is kept was taken", () => {
  const property = fc.property(ends, keeps, times, (runs, kept, { fromMs, lengthMs }) => {
    const list = kept.map(
      (one, jobIdx): KeptJob => ({
        jobIdx,
        startMs: one.startMs,
        endMs: one.startMs + one.lengthMs,
        placing: placingOn(one.nodes),
      }),
    );
    const shapes = {
      list: kept.map((one) => shapeOf(one.devices)),
      shapeOfJob: Int32Array.from(kept.keys()),
    } as unknown as Shapes;
    const alone = runsOf(runs);
    const profile = runsOf(runs);
    const beside = new BesideKept();
    beside.newRound();
    // Some are known before others are added.
    beside.with(alone, list.slice(0, 2), shapes);
    beside.with(alone, list, shapes);
    for (const one of list)
      takeOver(profile, shapes.list[one.jobIdx]!, one.placing, one.startMs, one.endMs, 1);
    const toMs = fromMs + lengthMs;
    for (let at = 0; at < NODES; at++) {
      const steps = profile.ofNode[at]!;
      const first = stepAt(steps, fromMs);
      let least = steps.gpus[first]!;
      for (let step = first + 1; step < steps.length && steps.times[step]! < toMs; step++)
        least = Math.min(least, steps.gpus[step]!);
      expect(beside.least(at, fromMs, toMs)).toBe(least);
      for (let atMs = 0; atMs <= 60; atMs++) {
        const own = beside.on(at)!;
        expect(own.gpus[stepAt(own, atMs)]).toBe(steps.gpus[stepAt(steps, atMs)]);
      }
      expect(beside.isFree(shapeOf(2), placingOn([at]), fromMs, toMs)).toBe(least >= 2);
    }
    const [one, other] = [sketchOf(alone), sketchOf(alone)];
    beside.lessen(one, { nowMs: 0 } as PoolView, toMs);
    lessenOver(profile, other, 0, toMs);
    expect(one).toEqual(other);
  });
  fc.assert(property, { numRuns: 500 });
});
