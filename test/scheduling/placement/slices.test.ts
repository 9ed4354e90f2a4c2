import { expect, test } from "vitest";
import { MIG_GEOMETRIES, sliceMask } from "../../../src/model/mig.ts";
import type { Sketch } from "../../../src/scheduling/placement/capacity.ts";
import { createSketch } from "../../../src/scheduling/placement/capacity.ts";
import { nodeRulesOf } from "../../../src/scheduling/placement/nodeRules.ts";
import { placeShape } from "../../../src/scheduling/placement/placeShape.ts";
import { Placing } from "../../../src/scheduling/placement/placing.ts";
import { shapesOf } from "../../../src/scheduling/placement/shapes.ts";
import { worldOf } from "../../support/world.ts";

const shapes = MIG_GEOMETRIES.find(({ model }) => model === "H100")!.shapes;
const profiles = [...shapes.keys()];

/** Whether instances of these profiles fit on one GPU, by trying all starts. */
function feasible(list: readonly string[], used = 0): boolean {
  const [first, ...rest] = list;
  if (first === undefined) return true;
  const shape = shapes.get(first)!;
  return shape.starts.some((start) => {
    const mask = sliceMask(shape.slices, start);
    return (used & mask) === 0 && feasible(rest, used | mask);
  });
}

/** All multisets of at most `most` profiles, in every order of the list that `turn` gives. */
function* multisets(most: number, from = 0): Generator<string[]> {
  yield [];
  if (most === 0) return;
  for (let i = from; i < profiles.length; i++)
    for (const rest of multisets(most - 1, i)) yield [profiles[i]!, ...rest];
}

test("the search finds a layout wherever there is one, in whatever order the slices are listed", () => {
  let found = 0;
  for (const list of multisets(7)) {
    if (list.length === 0) continue;
    const fits = feasible([...list].reverse());
    for (const order of [list, [...list].reverse()]) {
      const world = worldOf({
        cluster: { nodes: 1, gpus: 1 },
        jobs: [
          {
            name: "L",
            submitMs: 0,
            workMs: 1,
            components: order.map((mig) => ({ members: 1, gpus: 1, mig })),
          },
        ],
      });
      const table = shapesOf(world.jobs, world.cluster, nodeRulesOf({ migPacking: "search" }));
      const nodes = Int32Array.of(0);
      const sketch = createSketch({
        cluster: world.cluster,
        nodes,
        kindsOn: () => 0,
      } as unknown as Sketch);
      sketch.gpusFree.fill(1);
      sketch.gpusFreeTotal = 1;
      const placed = placeShape(sketch, table.list[0]!, null, "firstFit", new Placing());
      expect({ order, placed }).toEqual({ order, placed: fits });
      if (fits) found++;
    }
  }
  expect(found).toBeGreaterThan(100);
});

test("compute slices never add up to more than seven where places do not overlap", () => {
  for (const list of multisets(7)) {
    if (!feasible(list)) continue;
    const compute = list.reduce((sum, profile) => sum + shapes.get(profile)!.compute, 0);
    expect(compute).toBeLessThanOrEqual(7);
  }
});
