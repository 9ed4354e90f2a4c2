import { expect, test } from "vitest";
import { GanttScene } from "../../../src/panels/gantt/scene.ts";
import { DIM } from "../../../src/render/rasterPalette.ts";
import { EMPTY_FUTURE } from "../../../src/store/runData.ts";
import { syntheticRecord } from "../../../src/timeline/syntheticRecord.ts";

const record = syntheticRecord({ nodes: 4, gpusPerNode: 8, nodesPerLeaf: 2, rects: 100 });

test("jobs that the search does not find keep their tier and become paler; no search, no paleness", () => {
  const scene = new GanttScene();
  scene.update({
    version: 1,
    stage: record.stage,
    current: { ...EMPTY_FUTURE, chunks: record.chunks, open: record.open },
    ghost: null,
    ghostFromMs: 0,
    progress: null,
  });
  const { version } = scene;
  scene.find(Uint32Array.of(2));
  expect(scene.version).toBeGreaterThan(version);
  expect(scene.paintOfJob[2]).toBe(scene.positionOfJob[2]);
  expect(scene.paintOfJob[1]).toBe(scene.positionOfJob[1]! + DIM);
  scene.find(null);
  expect([...scene.paintOfJob]).toEqual([...scene.positionOfJob]);
});
