/**
 * The base painter alone, in Node, in CPU time: full repaints and strips on synthetic records. It says where a frame's time goes
 * without a browser around it. How to run it is in the README.
 */
import { BasePainter, type GanttView } from "../../src/panels/gantt/basePainter.ts";
import { GanttScene } from "../../src/panels/gantt/scene.ts";
import { rasterPaletteOf } from "../../src/render/rasterPalette.ts";
import { EMPTY_FUTURE } from "../../src/store/runData.ts";
import { scanLabels } from "../../src/timeline/labelSpans.ts";
import { type LevelCode, layoutRows } from "../../src/timeline/rows.ts";
import { createHolders, holdersAt } from "../../src/timeline/stateAt.ts";
import { syntheticRecord } from "../../src/timeline/syntheticRecord.ts";
import { paletteOf } from "../../test/support/palette.ts";

const WIDTH = 1_200;
const HEIGHT = 600;

function cpuMs(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const used = process.cpuUsage(start);
  return (used.user + used.system) / 1_000;
}

function median(values: number[]): string {
  return values
    .sort((a, b) => a - b)
    [values.length >> 1]!.toFixed(2)
    .padStart(8);
}

function bench(bars: number, nodes: number): void {
  const record = syntheticRecord({
    nodes,
    gpusPerNode: 8,
    rects: bars,
    nodesPerLeaf: 8,
    chunks: 64,
  });
  const scene = new GanttScene();
  const indexMs = cpuMs(() => {
    scene.update({
      version: 1,
      stage: record.stage,
      current: {
        ...EMPTY_FUTURE,
        chunks: record.chunks,
        open: record.open,
        knownMs: record.knownMs,
        endMs: record.endMs,
        done: true,
      },
      ghost: null,
      ghostFromMs: 0,
      progress: null,
    });
    while (scene.step(64));
  });
  console.log(
    `${bars} bars, ${nodes * 8} GPUs, ${WIDTH} × ${HEIGHT} px: index ${indexMs.toFixed(0)} ms, ${scene.index!.parts.length} parts`,
  );
  const palette = rasterPaletteOf(paletteOf("dark"));
  for (const level of [0, 1, 2] as const) {
    const chosen: Record<number, LevelCode> = {};
    for (let leaf = 0; leaf < record.stage.cluster.leafCount; leaf++) chosen[leaf] = level;
    const layout = layoutRows(scene.units!, {
      heightCss: HEIGHT,
      ratio: 1,
      u: 1,
      chosen,
      selected: -1,
    });
    for (const share of [1, 0.25, 0.01]) {
      const pxPerMs = WIDTH / (record.endMs * share);
      const view = (px: number, cursorMs: number): GanttView => ({
        scale: { pxPerMs, originPx: Math.floor(record.endMs * (0.5 - share / 2) * pxPerMs) + px },
        width: WIDTH,
        height: HEIGHT,
        layout,
        scrollDev: 0,
        cursorMs,
        ratio: 1,
        zeroMs: null,
      });
      const full: number[] = [];
      const strip: number[] = [];
      const label: number[] = [];
      let painted = 0;
      for (let i = 0; i < 15; i++) {
        const painter = new BasePainter(scene);
        painter.paint(view(0, record.endMs / 2), palette);
        full.push(
          cpuMs(() => scene.version++ && painter.paint(view(0, record.endMs / 2), palette)),
        );
        painted = painter.counts.bars;
        strip.push(cpuMs(() => painter.paint(view(6, record.endMs / 2), palette)));
        const { scale } = view(0, 0);
        label.push(
          cpuMs(() =>
            scanLabels(scene.index!.parts, layout, scale, WIDTH, 0, HEIGHT, 1, record.knownMs),
          ),
        );
      }
      console.log(
        `  level ${level} window ${String(share).padEnd(5)} full ${median(full)} strip of 6 px ${median(strip)} label scan ${median(label)} ms  ${painted} bars`,
      );
    }
  }
  const holders = createHolders(record.stage.cluster);
  const state: number[] = [];
  for (let i = 0; i < 15; i++)
    state.push(
      cpuMs(() => holdersAt(scene.index!.parts, scene.units!, (record.endMs * i) / 15, holders)),
    );
  console.log(`  holders at a time ${median(state)} ms`);
}

const asked = process.argv.slice(2).map(Number);
for (const bars of asked.length > 0 ? asked : [10_000, 100_000, 1_000_000])
  bench(bars, bars >= 1_000_000 ? 1_024 : 128);
