import { expect, test } from "vitest";
import { barInRow, barNear, nextBar } from "../../src/timeline/barCursor.ts";
import { hitTest } from "../../src/timeline/hitTest.ts";
import { boxesOf, mainBlock, rectsOfJob, rectsOfJobs } from "../../src/timeline/jobRects.ts";
import { scanLabels } from "../../src/timeline/labelSpans.ts";
import { pixelScaleOf, xDevOf } from "../../src/timeline/pixelScale.ts";
import { RowIndex } from "../../src/timeline/rowIndex.ts";
import { layoutRows, rowTop } from "../../src/timeline/rows.ts";
import { rowUnitsOf } from "../../src/timeline/rowUnits.ts";
import { syntheticRecord } from "../../src/timeline/syntheticRecord.ts";

const record = syntheticRecord({ nodes: 8, gpusPerNode: 8, nodesPerLeaf: 4, rects: 400 });
const units = rowUnitsOf(record.stage.cluster);
const index = new RowIndex(units);
index.update(record.chunks, record.open);
index.finish();
const layout = layoutRows(units, {
  heightCss: 400,
  ratio: 1,
  u: 1,
  chosen: { 0: 2, 1: 1 },
  selected: -1,
});
const scale = pixelScaleOf({ fromMs: 0, toMs: record.knownMs }, 4_000);
const { rects } = record.chunks[4]!;

test("a bar is hit where it is drawn, with its job, device and times", () => {
  let wide = 0;
  for (let i = 0; i < rects.startMs.length; i++) {
    const x0 = xDevOf(rects.startMs[i]!, scale);
    const x1 = xDevOf(rects.endMs[i]!, scale);
    if (x1 - x0 < 4) continue;
    wide += 1;
    const unit = units.unitOfDevice[rects.device[i]!]!;
    const row = rects.device[i]! - units.unitFirst[unit]!;
    const hit = hitTest(
      index.parts,
      layout,
      scale,
      (x0 + x1) / 2,
      rowTop(layout, unit, row),
      record.knownMs,
    );
    expect(hit).toMatchObject({
      jobIdx: rects.jobIdx[i],
      device: rects.device[i],
      startMs: rects.startMs[i],
      barCount: 1,
    });
  }
  expect(wide).toBeGreaterThan(5);
});

test("where bars share a pixel the longest is named and all are counted", () => {
  const crowded = pixelScaleOf({ fromMs: 0, toMs: record.knownMs }, 12);
  let most = 0;
  for (let x = 0; x < 12; x++) {
    const hit = hitTest(index.parts, layout, crowded, x, layout.unitY[0]!, record.knownMs);
    most = Math.max(most, hit?.barCount ?? 0);
  }
  expect(most).toBeGreaterThan(1);
});

test("the keyboard walks a row from its first bar to its last and back", () => {
  const forward: number[] = [];
  let bar = barNear(index.parts, units, 3, Number.NEGATIVE_INFINITY);
  for (; bar; bar = nextBar(index.parts, units, bar, 1)) forward.push(bar.startMs);
  expect(forward.length).toBeGreaterThan(3);
  expect(forward).toEqual([...forward].sort((a, b) => a - b));
  const back: number[] = [];
  bar = barNear(index.parts, units, 3, Number.POSITIVE_INFINITY);
  for (; bar; bar = nextBar(index.parts, units, bar, -1)) back.push(bar.startMs);
  expect(back.reverse()).toEqual(forward);
});

test("a step down leaves the bar, and a bar on a whole node is one step", () => {
  for (let i = 0; i < rects.startMs.length; i++) {
    if (rects.deviceCount[i] !== 8 || rects.device[i]! >= 56) continue;
    const from = {
      device: rects.device[i]!,
      jobIdx: rects.jobIdx[i]!,
      startMs: rects.startMs[i]!,
      endMs: rects.endMs[i]!,
      bits: 0,
    };
    const next = barInRow(index.parts, units, from, 1, from.startMs);
    expect(units.unitOfDevice[next!.device]).toBeGreaterThan(units.unitOfDevice[from.device]!);
  }
});

test("a gang on whole nodes of a middle leaf is one box, and one a node in a near leaf", () => {
  const gang = [...rects.jobIdx].find(
    (job, i) => rects.deviceCount[i] === 8 && rectsOfJob(record.chunks, null, job).length >= 2,
  )!;
  const all = rectsOfJob(record.chunks, record.open, gang);
  const inLeaf = (leaf: number) =>
    all.filter((rect) => units.blockOfUnit[units.unitOfDevice[rect.device]!] === leaf);
  const expected = inLeaf(0).length + (inLeaf(1).length > 0 ? 1 : 0);
  expect(boxesOf(all, layout, scale, record.knownMs)).toHaveLength(expected);
  expect(inLeaf(mainBlock(all, units, record.knownMs)).length * 2).toBeGreaterThanOrEqual(
    all.length,
  );
});

test("labels stand only where a bar is wide and high enough, once for a gang's block", () => {
  const { spans } = scanLabels(index.parts, layout, scale, 4_000, 0, 400, 1, record.knownMs);
  expect(spans.length).toBeGreaterThan(5);
  const seen = new Set<string>();
  for (const span of spans) {
    expect(xDevOf(span.endMs, scale) - xDevOf(span.startMs, scale)).toBeGreaterThanOrEqual(29);
    expect(span.y1 - span.y0).toBeGreaterThanOrEqual(11);
    const key = `${span.jobIdx} ${span.startMs} ${span.y0}`;
    expect(seen.has(key)).toBe(false);
    seen.add(key);
  }
});

test("the rectangles of several jobs are those of each, in order of start", () => {
  const jobs = [rects.jobIdx[0]!, rects.jobIdx[3]!, record.open.rects.jobIdx[0]!];
  const each = [...new Set(jobs)].flatMap((job) => rectsOfJob(record.chunks, record.open, job));
  expect(rectsOfJobs(record.chunks, record.open, jobs)).toEqual(
    each.sort((a, b) => a.startMs - b.startMs || a.device - b.device),
  );
});
