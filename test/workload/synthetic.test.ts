import { describe, expect, test } from "vitest";
import { nameOf } from "../../src/model/jobs.ts";
import { DAY_MS, HOUR_MS, SPEED_ONE } from "../../src/model/units.ts";
import type { SyntheticClass } from "../../src/scenario/schema.ts";
import { calendarOf, drawArrivals, rateFactor } from "../../src/workload/arrivals.ts";
import { expand } from "../../src/workload/expand.ts";
import { must, mustRead, small } from "../scenario/scenarios.ts";

interface DrawnJob {
  readonly id: string;
  readonly submitMs: number;
  readonly workMs: number;
  readonly limitMs: number;
  readonly gpus: number;
  readonly user: string;
}

const base = {
  id: "a",
  arrivals: { perHour: 20 },
  untilMs: 2 * DAY_MS,
  gpus: [
    { value: 1, weight: 3 },
    { value: 4, weight: 1 },
  ],
  work: { medianMs: HOUR_MS, spread: 2 },
};

function draw(classes: readonly object[], seed = 1): DrawnJob[] {
  const { jobs } = must(expand(mustRead({ ...small, seed, workload: { synthetic: classes } })));
  return Array.from({ length: jobs.count }, (_, job) => ({
    id: nameOf(jobs.ids, job),
    submitMs: jobs.at.submitMs[job]!,
    workMs: jobs.at.workQ16[job]! / SPEED_ONE,
    limitMs: jobs.at.limitMs[job]!,
    gpus: jobs.at.gpuTotal[job]!,
    user: jobs.users[jobs.at.user[job]!]!,
  }));
}
const ofClass = (jobs: readonly DrawnJob[], id: string) =>
  jobs.filter((job) => job.id.startsWith(`${id}-`));
const without = (jobs: readonly DrawnJob[], key: keyof DrawnJob) =>
  jobs.map((job) => ({ ...job, [key]: 0 }));

describe("draws do not shift each other", () => {
  const alone = draw([base]);

  test("another class before it changes no job of a class", () => {
    expect(ofClass(draw([{ ...base, id: "b", arrivals: { perHour: 3 } }, base]), "a")).toEqual(
      alone,
    );
  });

  test("another size mix changes sizes only", () => {
    const other = draw([{ ...base, gpus: [{ value: 2, weight: 1 }] }]);
    expect(without(other, "gpus")).toEqual(without(alone, "gpus"));
    expect(other).not.toEqual(alone);
  });

  test("another arrival rate moves the jobs and leaves the n-th job what it was", () => {
    const denser = draw([{ ...base, arrivals: { perHour: 40 } }]);
    expect(denser.length).toBeGreaterThan(alone.length);
    expect(without(denser.slice(0, alone.length), "submitMs")).toEqual(without(alone, "submitMs"));
  });

  test("a later end only adds jobs", () => {
    expect(draw([{ ...base, untilMs: 4 * DAY_MS }]).slice(0, alone.length)).toEqual(alone);
  });

  test("another seed draws another workload", () => {
    expect(draw([base], 2)).not.toEqual(alone);
  });
});

describe("what is drawn has the asked distribution", () => {
  const jobs = draw([
    {
      ...base,
      arrivals: { perHour: 200 },
      untilMs: 10 * DAY_MS,
      work: { medianMs: HOUR_MS, spread: 2, leastMs: 60_000, mostMs: 5 * HOUR_MS },
    },
  ]);
  const works = jobs.map((job) => job.workMs).sort((a, b) => a - b);
  // 48,000 jobs: a rate has a standard error of 0.5 %, a quantile of about 1 %; the bounds are five times that.
  test("the rate", () => expect(jobs.length / 240).toBeCloseTo(200, -1));
  test("the median", () => expect(works[works.length >> 1]! / HOUR_MS).toBeCloseTo(1, 1));
  test("the spread: the 84th percentile is twice the median", () => {
    expect(works[Math.floor(works.length * 0.8413)]! / HOUR_MS).toBeGreaterThan(1.9);
    expect(works[Math.floor(works.length * 0.8413)]! / HOUR_MS).toBeLessThan(2.1);
  });
  test("the cut", () => expect(works.at(-1)).toBe(5 * HOUR_MS));
  test("the size mix", () => {
    const single = jobs.filter((job) => job.gpus === 1).length / jobs.length;
    expect(single).toBeGreaterThan(0.73);
    expect(single).toBeLessThan(0.77);
  });
  test("limits are above the work, in steps of ten minutes", () => {
    expect(jobs.filter((job) => job.limitMs < job.workMs * 1.1)).toEqual([]);
    expect(jobs.filter((job) => job.limitMs % 600_000 !== 0)).toEqual([]);
  });
});

describe("arrival patterns", () => {
  const classOf = (arrivals: object): SyntheticClass =>
    mustRead({
      ...small,
      workload: {
        synthetic: [{ ...base, untilMs: 28 * DAY_MS, arrivals: { perHour: 50, ...arrivals } }],
      },
    }).workload.synthetic[0]!;
  const timesOf = (arrivals: object, calendarStart?: string) =>
    drawArrivals(1, classOf(arrivals), 28 * DAY_MS, calendarOf(calendarStart), 1_000_000);
  const hourOf = (ms: number) => Math.floor((ms % DAY_MS) / HOUR_MS);

  test("by day and night the peak hour has most jobs, twelve hours later fewest", () => {
    const times = timesOf({ pattern: "diurnal", dayNight: 0.8, peakHour: 14 });
    const at = (hour: number) => times.filter((ms) => hourOf(ms) === hour).length;
    expect(at(14) / at(2)).toBeGreaterThan(5);
    expect(times.length / (28 * 24)).toBeCloseTo(50, -0.5);
  });

  test("weekends have their part of the rate, and the week keeps its mean", () => {
    const times = timesOf({ weekend: 0.2 }, "2026-03-07T00:00:00");
    const weekend = times.filter((ms) => Math.floor(ms / DAY_MS) % 7 < 2).length / 8;
    const weekday = times.filter((ms) => Math.floor(ms / DAY_MS) % 7 >= 2).length / 20;
    expect(weekend / weekday).toBeGreaterThan(0.17);
    expect(weekend / weekday).toBeLessThan(0.23);
    expect(times.length / (28 * 24)).toBeGreaterThan(47);
    expect(times.length / (28 * 24)).toBeLessThan(53);
  });

  test("bursts come close together and keep the mean rate", () => {
    const times = timesOf({ pattern: "bursts", burstJobs: 10, burstMs: 60_000 });
    const sorted = [...times].sort((a, b) => a - b);
    const close = sorted.filter((ms, i) => i > 0 && ms - sorted[i - 1]! < 60_000).length;
    expect(close / sorted.length).toBeGreaterThan(0.8);
    expect(times.length / (28 * 24)).toBeGreaterThan(45);
    expect(times.length / (28 * 24)).toBeLessThan(55);
  });

  test("the rate factors of a week have mean 1", () => {
    const entry = classOf({ pattern: "diurnal", dayNight: 0.7, weekend: 0.3 });
    const minutes = Array.from({ length: 7 * 24 * 60 }, (_, minute) =>
      rateFactor(entry, calendarOf("2026-11-29T05:30:00"), minute * 60_000),
    );
    expect(minutes.reduce((sum, factor) => sum + factor, 0) / minutes.length).toBeCloseTo(1, 6);
  });

  test.each([
    ["2026-11-29T00:00:00", 6],
    ["2026-03-02T08:00:00", 0],
    ["2000-02-29T00:00:00", 1],
    ["1900-01-01T00:00:00", 0],
  ])("%s falls on weekday %i, Monday being 0", (date, weekday) => {
    expect(calendarOf(date).weekday).toBe(weekday);
  });
});
