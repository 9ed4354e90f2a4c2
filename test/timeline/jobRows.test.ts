import fc from "fast-check";
import { expect, test } from "vitest";
import { meanOver, scaleTo } from "../../src/timeline/groupLoad.ts";
import { otherRunsOnLanes } from "../../src/timeline/jobRects.ts";
import { heldByBlock, type LaneSource, LaneWork, laneRows } from "../../src/timeline/jobRows.ts";
import { layoutLanes } from "../../src/timeline/laneLayout.ts";
import { Level } from "../../src/timeline/rows.ts";
import { rowsOfBlock } from "../../src/timeline/rowUnits.ts";
import { syntheticRecord } from "../../src/timeline/syntheticRecord.ts";

function sourceOf(rects: number, seed: number): LaneSource {
  const record = syntheticRecord({ nodes: 4, gpusPerNode: 8, nodesPerLeaf: 2, rects, seed });
  const { stage } = record;
  // The synthetic record has no runs: each start of a job is one.
  const runs = record.chunks.map((chunk) => {
    const rows = new Map<string, number>();
    for (const [i, job] of chunk.rects.jobIdx.entries())
      rows.set(`${job} ${chunk.rects.startMs[i]}`, i);
    const order = [...rows.values()];
    return {
      ...chunk,
      runs: {
        ...chunk.runs,
        jobIdx: Uint32Array.from(order, (i) => chunk.rects.jobIdx[i]!),
        startMs: Float64Array.from(order, (i) => chunk.rects.startMs[i]!),
        endMs: Float64Array.from(order, (i) => chunk.rects.endMs[i]!),
      },
    };
  });
  return {
    jobs: stage.jobs,
    names: stage.tiers.map((tier) => tier.name),
    chunks: runs,
    open: record.open,
    endMs: record.endMs,
    positionOfJob: stage.jobs.at.tier,
  };
}

function made(by: "team" | "tier" | "job", source: LaneSource) {
  const work = laneRows(by, source);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

test("by tier no two runs share a lane at a time, every run has a lane of its tier, and a lane more would be too many", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 20, max: 300 }),
      fc.integer({ min: 1, max: 99 }),
      (rects, seed) => {
        const source = sourceOf(rects, seed);
        const { units, chunks, open } = made("tier", source);
        const bars: { lane: number; fromMs: number; toMs: number; job: number }[] = [];
        for (const { rects: one } of [...chunks, ...(open ? [open] : [])])
          for (const [i, fromMs] of one.startMs.entries())
            bars.push({ lane: one.device[i]!, fromMs, toMs: one.endMs[i]!, job: one.jobIdx[i]! });
        bars.sort((a, b) => a.lane - b.lane || a.fromMs - b.fromMs);
        for (const [i, bar] of bars.entries()) {
          const block = units.blockOfUnit[units.unitOfDevice[bar.lane]!]!;
          expect(units.groups!.ofBlock[block]).toBe(source.jobs.at.tier[bar.job]);
          const next = bars[i + 1];
          if (next?.lane === bar.lane && next.job !== bar.job)
            expect(next.fromMs).toBeGreaterThanOrEqual(bar.toMs);
        }
        // As many lanes as jobs of a tier ever run at once.
        for (let b = 0; b < units.blockCount; b++) {
          const tier = units.groups!.ofBlock[b]!;
          const own = bars.filter((bar) => source.jobs.at.tier[bar.job] === tier);
          const most = Math.max(
            ...own.map(
              ({ fromMs }) =>
                new Set(
                  own
                    .filter((bar) => bar.fromMs <= fromMs && fromMs < bar.toMs)
                    .map((bar) => bar.job),
                ).size,
            ),
          );
          expect(rowsOfBlock(units, b)).toBe(most);
        }
      },
    ),
    { numRuns: 25, endOnFailure: true },
  );
});

test("by job a row is a job, whose bars are all of its runs", () => {
  const source = sourceOf(120, 5);
  const { units, chunks } = made("job", source);
  expect(units.unitOfDevice.length).toBe(source.jobs.count);
  for (const { rects } of chunks) expect([...rects.device]).toEqual([...rects.jobIdx]);
});

test("what groups hold at a time is what the record says that devices do", () => {
  const source = sourceOf(200, 3);
  const { units } = made("tier", source);
  const atMs = source.endMs / 2;
  const held = heldByBlock(units, source, atMs);
  let devices = 0;
  for (const { rects } of [...source.chunks, source.open!])
    rects.startMs.forEach((startMs, i) => {
      if (startMs <= atMs && atMs < rects.endMs[i]!) devices += rects.deviceCount[i]!;
    });
  expect(devices).toBeGreaterThan(0);
  expect(held.devices.reduce((sum, count) => sum + count, 0)).toBe(devices);
});

test("a folded strip stands for devices: what tiers hold on average is what the record says, and a team has its right", () => {
  const source = sourceOf(200, 3);
  const { cluster, jobs, teams } = syntheticRecord({
    nodes: 4,
    gpusPerNode: 8,
    nodesPerLeaf: 2,
    rects: 200,
    seed: 3,
  }).stage;
  const world = { cluster, jobs, teams };
  const { load } = made("tier", { ...source, world });
  let deviceMs = 0;
  for (const { rects } of [...source.chunks, source.open!])
    rects.startMs.forEach((startMs, i) => {
      const endMs = Math.min(rects.endMs[i]!, source.open!.atMs);
      deviceMs += rects.deviceCount[i]! * Math.max(0, endMs - startMs);
    });
  const heldMs = load!.reduce((sum, { held }) => sum + meanOver(held, 0, 1e9) * 1e9, 0);
  expect(heldMs / deviceMs).toBeCloseTo(1, 6);
  expect(load!.every(({ due }) => due === null)).toBe(true);
  const halves = [
    { id: "a", name: "", shares: 1, quotaGpus: 12 },
    { id: "b", name: "", shares: 1 },
  ];
  const byTeam = made("team", { ...source, names: ["a", "b"], world: { ...world, teams: halves } });
  expect(byTeam.load![0]!.due?.most).toBe(12);
  expect(byTeam.load![0]!.most).toBeGreaterThanOrEqual(12);
});

test("bars of a strip keep their proportions while they come to add up to what is held", () => {
  const sums = Float64Array.of(9, 1, 3, 0, 9);
  scaleTo(sums, 1, 3, 8);
  expect([...sums]).toEqual([9, 2, 6, 0, 9]);
  scaleTo(sums, 3, 1, 8);
  expect(sums[3]).toBe(0);
});

test("runs of another future stand on the lanes of this one, in order, and on the first of the group where there are no more", () => {
  const rect = (startMs: number, device: number, deviceCount = 1) => ({
    startMs,
    endMs: startMs + 10,
    device,
    deviceCount,
    bits: 0,
  });
  const other = [rect(0, 3, 8), rect(0, 20, 8), rect(50, 4)];
  expect(
    otherRunsOnLanes(other, [rect(5, 7)], 2).map((one) => [
      one.startMs,
      one.device,
      one.deviceCount,
    ]),
  ).toEqual([
    [0, 7, 1],
    [50, 7, 1],
  ]);
  expect(otherRunsOnLanes(other, [], 2).map(({ device }) => device)).toEqual([2, 2]);
  expect(otherRunsOnLanes(other, [], -1)).toEqual([]);
});

test("rows change in one step, when those of more of the run are complete", () => {
  const source = sourceOf(400, 7);
  const work = new LaneWork("tier");
  work.update({ ...source, chunks: source.chunks.slice(0, 1), open: null });
  while (work.step(1));
  const first = work.rows;
  expect(first).not.toBeNull();
  work.update(source);
  expect(work.step(1)).toBe(true);
  expect(work.rows).toBe(first);
  while (work.step(1));
  expect(work.rows!.chunks.length).toBe(source.chunks.length);
});

test("all groups fit where they can, names always have room, and what does not fit scrolls", () => {
  const { units } = made("tier", sourceOf(300, 2));
  const wish = { ratio: 1, u: 1, chosen: {}, selected: -1 };
  const roomy = layoutLanes(units, { ...wish, heightCss: 4_000 });
  expect([...roomy.level].every((level) => level === Level.near)).toBe(true);
  const tight = layoutLanes(units, { ...wish, heightCss: 60 });
  expect(tight.heightDev).toBeGreaterThan(60);
  for (const layout of [roomy, tight])
    for (let b = 0; b < units.blockCount; b++) {
      expect(layout.blockH[b]).toBeGreaterThanOrEqual(15);
      if (b > 0)
        expect(layout.blockY[b]).toBeGreaterThanOrEqual(
          layout.blockY[b - 1]! + layout.blockH[b - 1]!,
        );
    }
  const folded = layoutLanes(units, { ...wish, heightCss: 4_000, chosen: { 0: Level.far } });
  expect(folded.blockH[0]).toBeLessThan(roomy.blockH[0]!);
});
