import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PriorityConfig } from "../../../src/model/slurm/config.ts";
import { defaultConfig } from "../../../src/model/slurm/defaults.ts";
import {
  basicPriority,
  TOP_PRIORITY,
  topPriorities,
} from "../../../src/scheduling/priority/basic.ts";
import {
  afterTick,
  ageTerm,
  fixedTerms,
  multifactorPriority,
  type PriorityJob,
  priorityScale,
} from "../../../src/scheduling/priority/multifactor.ts";

const CONFIG: PriorityConfig = {
  ...defaultConfig().priority,
  type: "multifactor",
  weightAge: 1000,
  weightAssoc: 10,
  weightFairshare: 4000,
  weightJobSize: 2000,
  weightPartition: 500,
  weightQos: 3000,
  maxAgeMs: 600_000,
};
const JOB: PriorityJob = {
  nodes: 1,
  cpus: 64,
  limitMs: 600_000,
  nice: 0,
  assocPriority: 5,
  qosPriority: 20,
  partitionFactor: 10,
  tres: { "gres/gpu": 8 },
  partitionTres: { "gres/gpu": 32 },
};

function terms(changes: Partial<PriorityConfig>, job: Partial<PriorityJob> = {}) {
  const priorities = { qos: [20, 100], assocs: [10], partitions: [10, 40] };
  const scale = priorityScale({ ...CONFIG, ...changes }, { nodes: 4, cpus: 256 }, priorities);
  return fixedTerms(scale, { ...JOB, ...job });
}

describe("priority/basic", () => {
  it("gives the numbers of recording 18a: submission, hold and release, top, each", () => {
    let lowest = TOP_PRIORITY;
    const next = (nice: number): number => {
      const given = basicPriority(lowest, nice);
      lowest = given.lowest;
      return given.priority;
    };
    const [x, a0, b, c, d, f] = [0, 0, -50, 50, 0, 0].map(next);
    expect([x, a0, b, c, d, f]).toEqual([
      4294901759, 4294901758, 4294901807, 4294901706, 4294901755, 4294901754,
    ]);
    const [a, e] = [0, 0].map(next);
    expect([a, e]).toEqual([4294901753, 4294901752]);
    const nices = [0, -50, 50, 0, 0, 0];
    const jobs = [a!, b!, c!, d!, e!, f!].map((priority, jobIdx) => ({
      jobIdx,
      priority,
      nice: nices[jobIdx]!,
    }));
    const moved = topPriorities(jobs, 5);
    expect(moved.map((job) => job.priority)).toEqual([
      4294901743, 4294901797, 4294901695, 4294901744, 4294901741, 4294901807,
    ]);
    expect(moved.map((job) => job.nice)).toEqual([10, -40, 61, 11, 11, -53]);
  });

  it("top keeps the sum of priorities and puts the job at the former highest", () => {
    const priorities = fc.array(fc.integer({ min: 1e6, max: 2e6 }), { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(priorities, fc.nat(), (list, pick) => {
        const top = pick % list.length;
        const jobs = list.map((priority, jobIdx) => ({ jobIdx, priority, nice: 0 }));
        const moved = topPriorities(jobs, top);
        const sum = (of: readonly { priority: number }[]) =>
          of.reduce((all, job) => all + job.priority, 0);
        expect(moved[top]!.priority).toBe(Math.max(...list));
        if (list.length > 1) expect(sum(moved)).toBe(sum(jobs));
      }),
    );
  });
});

describe("priority/multifactor", () => {
  it("norms association, partition and QOS by the highest, and not at all where told so", () => {
    expect(terms({})).toMatchObject({ assoc: 5, partition: 125, qos: 600 });
    const flags = { noNormalAssoc: true, noNormalPart: true, noNormalQos: true };
    expect(terms(flags)).toMatchObject({ assoc: 50, partition: 5000, qos: 60_000 });
  });

  it("job size is half nodes, half CPUs; GPUs do not enter", () => {
    expect(terms({}).jobSize).toBe(500);
    expect(terms({}, { cpus: 1 }).jobSize).toBe(2000 * 0.126953125);
    expect(terms({ favorSmall: true }).jobSize).toBe(1500);
    expect(terms({}, { cpus: 0, nodes: 3 }).jobSize).toBe(1500);
  });

  it("SMALL_RELATIVE_TO_TIME divides the size in CPUs by the time limit in minutes", () => {
    expect(terms({ smallRelativeToTime: true }).jobSize).toBe(50);
    expect(terms({ smallRelativeToTime: true, favorSmall: true }).jobSize).toBe(1950);
    expect(
      terms({ smallRelativeToTime: true }, { limitMs: Number.POSITIVE_INFINITY }).jobSize,
    ).toBe(0);
  });

  it("TRES are parts of the partition's, or counted as they are with NO_NORMAL_TRES", () => {
    const weightTres = { "gres/gpu": 1000, mem: 5 };
    expect(terms({ weightTres }).tres).toBe(250);
    expect(terms({ weightTres, noNormalTres: true }).tres).toBe(8000);
  });

  it("age grows by the second up to PriorityMaxAge, and not before the job accrues", () => {
    expect(ageTerm(CONFIG, 3_000, 54_700)).toBe(85);
    expect(ageTerm(CONFIG, 3_000, 3_000)).toBe(0);
    expect(ageTerm(CONFIG, 0, 10_000_000)).toBe(1000);
    expect(ageTerm(CONFIG, Number.POSITIVE_INFINITY, 10_000_000)).toBe(0);
  });

  it("is cut to a whole number from 1 to 4,294,967,295", () => {
    expect(multifactorPriority(CONFIG, terms({}), 85.9, 1)).toBe(5315);
    expect(multifactorPriority(CONFIG, terms({}, { nice: 99_999 }), 0, 0)).toBe(1);
    expect(multifactorPriority(CONFIG, terms({ weightQos: 1e12 }), 0, 0)).toBe(4_294_967_295);
  });

  it("a tick leaves a held job at 0, and with INCR_ONLY never lowers a priority", () => {
    expect(afterTick(CONFIG, 0, 500)).toBe(0);
    expect(afterTick(CONFIG, 600, 500)).toBe(500);
    expect(afterTick({ ...CONFIG, incrOnly: true }, 600, 500)).toBe(600);
  });
});
