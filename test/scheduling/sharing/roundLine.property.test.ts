import fc from "fast-check";
import { expect, test } from "vitest";
import type { PoolView } from "../../../src/engine/view.ts";
import { RoundLine } from "../../../src/scheduling/sharing/roundLine.ts";

const drawn = fc.record({
  jobs: fc.array(
    fc.record({
      key: fc.integer({ min: 0, max: 5 }),
      submitMs: fc.integer({ min: 0, max: 3 }),
      gpus: fc.integer({ min: 0, max: 9 }),
    }),
    { maxLength: 200 },
  ),
  devices: fc.integer({ min: 0, max: 600 }),
});

test("the end of a line is that of the sorted line, and those before it ask for what there is at most", () => {
  const property = fc.property(drawn, ({ jobs, devices }) => {
    const submitMs = Float64Array.from(jobs, (job) => job.submitMs);
    const gpuTotal = Int32Array.from(jobs, (job) => job.gpus);
    const view = { jobs: { at: { submitMs, gpuTotal } } } as unknown as PoolView;
    const line = new RoundLine();
    jobs.forEach((job, jobIdx) => {
      line.push(jobIdx, job.key);
      line.mark[jobIdx] = job.key;
    });
    const from = line.sortRest(view, devices);
    const sorted = jobs
      .map((job, jobIdx) => ({ ...job, jobIdx }))
      .sort((a, b) => a.key - b.key || a.submitMs - b.submitMs || a.jobIdx - b.jobIdx);
    const found = Array.from({ length: line.length }, (_, at) => line.jobIdx[at]!);
    expect(found.slice(from)).toEqual(sorted.slice(from).map((job) => job.jobIdx));
    const asked = sorted.slice(0, from).reduce((sum, job) => sum + job.gpus, 0);
    expect(asked).toBeLessThanOrEqual(devices);
    // Not further than needed: with the first of the rest it is too much.
    if (from < jobs.length) expect(asked + sorted[from]!.gpus).toBeGreaterThan(devices);
    for (let at = 0; at < line.length; at++) {
      expect(line.key[at]).toBe(jobs[line.jobIdx[at]!]!.key);
      expect(line.mark[at]).toBe(jobs[line.jobIdx[at]!]!.key);
    }
  });
  fc.assert(property, { endOnFailure: true });
});
