import { expect, test } from "vitest";
import { paintTopology, type TopologyInput } from "../../src/render/topologyPainter.ts";
import type { Palette } from "../../src/theme/palette.ts";
import { layoutRows } from "../../src/timeline/rows.ts";
import { rowUnitsOf } from "../../src/timeline/rowUnits.ts";
import { syntheticCluster } from "../../src/timeline/syntheticRecord.ts";

/** What is filled, and in which colour; text and lines are left aside. */
function fills(input: Partial<TopologyInput>): { colour: string; h: number; y: number }[] {
  const cluster = syntheticCluster({ nodes: 2, gpusPerNode: 2, rects: 0, nodesPerLeaf: 2 });
  const units = rowUnitsOf(cluster);
  const wish = { heightCss: 200, ratio: 1, u: 1, chosen: {}, selected: -1, hasParts: true };
  const done: { colour: string; h: number; y: number }[] = [];
  const target = {
    fillStyle: "",
    font: "11px sans",
    measureText: (text: string) => ({ width: text.length * 6 }),
    fillRect: (_x: number, y: number, _w: number, h: number) =>
      done.push({ colour: target.fillStyle, h, y }),
  };
  const context = new Proxy(target, {
    get: (of, key) => Reflect.get(of, key) ?? (() => undefined),
  }) as unknown as CanvasRenderingContext2D;
  const tier = (name: string) => ({ full: `${name} full`, pale: `${name} pale` });
  const palette = { u: 1, font: "sans", bg: "free", positions: [tier("first"), tier("second")] };
  paintTopology(
    context,
    {
      layout: layoutRows(units, wish),
      ratio: 1,
      scrollDev: 0,
      widthCss: 220,
      heightCss: 200,
      positionOfDevice: new Int8Array(4).fill(-1),
      heldOfDevice: new Float32Array(4),
      slices: new Map(),
      closedUnit: new Uint8Array(2),
      failedDevice: new Uint8Array(4),
      unitLink: new Float32Array(2),
      blockLink: new Float32Array(1),
      unitLabels: ["a", "b"],
      unitPools: ["", ""],
      nvswitchUnit: new Uint8Array(2),
      plannedUnit: new Uint8Array(2),
      workWaits: false,
      ...input,
    },
    palette as unknown as Palette,
  );
  return done.filter(({ colour }) => String(colour).endsWith("full"));
}

test("a device that is held in part is filled in part, each job's part in its colour", () => {
  const [whole] = fills({ positionOfDevice: Int8Array.of(0, -1, -1, -1) });
  const half = fills({
    positionOfDevice: Int8Array.of(1, -1, -1, -1),
    slices: new Map([
      [
        0,
        [
          { from: 0, to: 0.25, position: 0 },
          { from: 0.25, to: 0.5, position: 1 },
        ],
      ],
    ]),
  });
  expect(half.map(({ colour }) => colour)).toEqual(["first full", "second full"]);
  const end = half[1]!.y + half[1]!.h;
  expect(end - half[0]!.y).toBeGreaterThan(whole!.h * 0.4);
  expect(end - half[0]!.y).toBeLessThan(whole!.h * 0.6);
});
