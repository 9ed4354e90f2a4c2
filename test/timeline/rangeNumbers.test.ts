import { expect, test } from "vitest";
import { EndStateCode, MemberStateCode } from "../../src/model/states.ts";
import { rectBits } from "../../src/record/shapes.ts";
import { type RangeSource, rangeNumbers } from "../../src/timeline/rangeNumbers.ts";
import { syntheticRecord } from "../../src/timeline/syntheticRecord.ts";

const [chunk] = syntheticRecord({ nodes: 1, gpusPerNode: 4, rects: 10 }).chunks;
const bits = rectBits(MemberStateCode.running, EndStateCode.completed, 0);

/** Four devices. Job 0 (tier 0): queued 0, runs 10–30 on two. Job 1 (tier 1): queued 5, runs 30–60 on four. Job 2 (tier 1): queued 35, still runs from 60 on one, half of it. */
const source: RangeSource = {
  chunks: [
    {
      ...chunk!,
      fromMs: 0,
      toMs: 80,
      rects: {
        startMs: Float64Array.of(10, 30),
        endMs: Float64Array.of(30, 60),
        jobIdx: Uint32Array.of(0, 1),
        device: Uint32Array.of(0, 0),
        deviceCount: Uint16Array.of(2, 4),
        bits: Uint16Array.of(bits, bits),
      },
      runs: {
        ...chunk!.runs,
        startMs: Float64Array.of(10, 30),
        endMs: Float64Array.of(30, 60),
        jobIdx: Uint32Array.of(0, 1),
        run: Uint16Array.of(1, 1),
      },
      waits: {
        fromMs: Float64Array.of(0, 5, 35),
        toMs: Float64Array.of(10, 30, 60),
        jobIdx: Uint32Array.of(0, 1, 2),
      },
    },
  ],
  open: {
    atMs: 80,
    waits: { ...chunk!.waits, jobIdx: new Uint32Array(0) },
    nodeSpans: chunk!.nodeSpans,
    rects: {
      startMs: Float64Array.of(60),
      endMs: Float64Array.of(Number.POSITIVE_INFINITY),
      jobIdx: Uint32Array.of(2),
      device: Uint32Array.of(0),
      deviceCount: Uint16Array.of(1),
      bits: Uint16Array.of(rectBits(MemberStateCode.running, 0, 500)),
    },
  },
  knownMs: 80,
  jobs: { count: 3, at: { submitMs: Float64Array.of(0, 5, 35), tier: Uint8Array.of(0, 1, 1) } },
  tiers: 2,
  lostAtMs: (jobIdx) => (jobIdx === 1 ? 55 : Number.POSITIVE_INFINITY),
  capacity: [
    { atMs: 0, devices: 4 },
    { atMs: 70, devices: 2 },
  ],
};

function numbers(fromMs: number, toMs: number) {
  const steps = rangeNumbers(source, { fromMs, toMs });
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

test("a stretch counts what began and ended in it, and what devices did meanwhile", () => {
  const { all, byTier, idleMs } = numbers(20, 65);
  // Jobs 1 and 2 started (the second still runs); 0 and 1 ended; only 2 was submitted.
  expect(all).toMatchObject({ queued: 1, started: 2, ended: 2, meanWaitMs: 25, p95WaitMs: 25 });
  // 2 devices for 10 ms, 4 for 30 ms, half of one for 5 ms.
  expect(all.heldMs).toBe(20 + 120 + 2.5);
  expect(all.lostMs).toBe(120);
  expect(idleMs).toBe(45 * 4 - all.heldMs);
  expect(byTier[0]).toMatchObject({ queued: 0, started: 0, ended: 1, heldMs: 20, lostMs: 0 });
  expect(byTier[1]).toMatchObject({ queued: 1, started: 2, ended: 1 });
});

test("its start belongs to a stretch, its end does not; nobody started means no wait, and nothing is known beyond the record", () => {
  expect(numbers(10, 30).all).toMatchObject({ started: 1, ended: 0, meanWaitMs: 10 });
  expect(numbers(30, 31).all).toMatchObject({ started: 1, ended: 1, meanWaitMs: 25 });
  const late = numbers(65, 500);
  expect(late.all.started).toBe(0);
  expect(late.all.meanWaitMs).toBeNaN();
  expect(late.all.heldMs).toBe(7.5);
  expect(late.idleMs).toBe(5 * 4 + 10 * 2 - 7.5);
});

test("stretches side by side sum up to the whole", () => {
  const whole = numbers(0, 80);
  const parts = [numbers(0, 17), numbers(17, 44), numbers(44, 80)];
  for (const key of ["queued", "started", "ended", "heldMs", "lostMs"] as const)
    expect(parts.reduce((sum, part) => sum + part.all[key], 0)).toBe(whole.all[key]);
});
