/** Which workers the autoscaler adds, and the strategies beside the default one. Amounts: GPUs, CPUs, memory. */
import { expect, test } from "vitest";
import { affinityOf } from "../../../src/scheduling/ray/affinity.ts";
import { isPassedOver } from "../../../src/scheduling/ray/fairDispatch.ts";
import { type Demand, nodesToAdd } from "../../../src/scheduling/ray/nodeTypes.ts";
import type { RayNodes } from "../../../src/scheduling/ray/resources.ts";
import { spreadNode } from "../../../src/scheduling/ray/spread.ts";

const ALL = Uint8Array.of(1, 1, 1);
const demand = (request: readonly number[], count = 1, apart = false): Demand => ({
  request: Float64Array.from(request),
  count,
  apart,
  kinds: ALL,
});
const kind = (total: readonly number[], left: number) => ({
  total: Float64Array.from(total),
  left,
});
const units = [1, 1, 1];
const CPU_KIND = kind([0, 16, 64], 10);
const GPU_KIND = kind([8, 64, 512], 10);

test("work without GPUs is given workers without GPUs, and GPU workers where there are no others left", () => {
  const calls = [demand([0, 8, 0], 6)];
  const added = (left: number) =>
    nodesToAdd({
      gangs: [],
      calls,
      kinds: [GPU_KIND, { ...CPU_KIND, left }],
      there: [],
      units,
    });
  expect(added(10)).toEqual([0, 3]);
  expect(added(1)).toEqual([1, 1]);
});

test("of two kinds that hold a call the one that it uses better is added", () => {
  const kinds = [kind([8, 64, 0], 5), kind([2, 16, 0], 5)];
  const added = nodesToAdd({ gangs: [], calls: [demand([2, 8, 0])], kinds, there: [], units });
  expect(added).toEqual([0, 1]);
});

test("a gang that not all of its bundles find room for adds nothing, and takes nothing from those behind it", () => {
  const kinds = [kind([4, 0, 0], 2)];
  const three = [demand([4, 0, 0], 3)];
  const two = [demand([4, 0, 0], 2)];
  expect(nodesToAdd({ gangs: [three, two], calls: [], kinds, there: [], units })).toEqual([2]);
  expect(nodesToAdd({ gangs: [two, three], calls: [], kinds, there: [], units })).toEqual([2]);
});

test("bundles that keep apart are given a worker each, though one would hold both", () => {
  const kinds = [kind([8, 0, 0], 5)];
  const gang = (apart: boolean) => [[demand([1, 0, 0], 2, apart)]];
  expect(nodesToAdd({ gangs: gang(false), calls: [], kinds, there: [], units })).toEqual([1]);
  expect(nodesToAdd({ gangs: gang(true), calls: [], kinds, there: [], units })).toEqual([2]);
});

test("what is free on workers that are there or come is used first, and marked", () => {
  const there = [3, 8].map((gpus) => ({
    kind: 0,
    room: Float64Array.of(gpus, 0, 0),
    used: false,
  }));
  const kinds = [kind([8, 0, 0], 5)];
  const calls = [demand([4, 0, 0], 3)];
  expect(nodesToAdd({ gangs: [], calls, kinds, there, units })).toEqual([1]);
  expect(there.map(({ used }) => used)).toEqual([false, true]);
});

test("a call that no kind is large enough for adds nothing", () => {
  const calls = [demand([9, 0, 0]), demand([1, 1, 0])];
  expect(nodesToAdd({ gangs: [], calls, kinds: [GPU_KIND, CPU_KIND], there: [], units })).toEqual([
    1, 0,
  ]);
});

const nodes = (available: readonly number[], total: readonly number[]): RayNodes => ({
  count: available.length,
  width: 1,
  available: Float64Array.from(available),
  total: Float64Array.from(total),
});

test("SPREAD goes on behind the last node, to one that can start it now before one that is only large enough", () => {
  const three = nodes([1, 0, 1], [1, 1, 1]);
  expect(spreadNode([1], null, three, 1)).toBe(2);
  expect(spreadNode([1], Uint8Array.of(0, 1, 0), three, 0)).toBe(1);
  expect(spreadNode([2], null, three, 0)).toBe(-1);
});

test("a node that is named is waited for; only where it is not there or too small soft and hard differ", () => {
  const two = nodes([0, 1], [1, 1]);
  expect(affinityOf([1], 0, true, null, two)).toBe("wait");
  expect(affinityOf([1], 1, false, null, two)).toBe("take");
  expect(affinityOf([2], 1, false, null, two)).toBe("fail");
  expect(affinityOf([1], -1, true, null, two)).toBe("elsewhere");
});

test("a function that runs no more than the average, rounded down, is not passed over", () => {
  const load = { cpuAsked: 8, cpuThere: 3, running: 2, classes: 2 };
  expect(isPassedOver(load, 2)).toBe(true);
  expect(isPassedOver(load, 1)).toBe(false);
  expect(isPassedOver({ ...load, cpuAsked: 3 }, 2)).toBe(false);
});
