import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LAB_PLACEMENTS } from "../../../src/model/policy.ts";
import type { Sketch } from "../../../src/scheduling/placement/capacity.ts";
import {
  buildIndex,
  createSketch,
  takePlacing,
} from "../../../src/scheduling/placement/capacity.ts";
import {
  classesOf,
  FragBook,
  fragmentedPart,
} from "../../../src/scheduling/placement/fragmentation.ts";
import { nodeRulesOf } from "../../../src/scheduling/placement/nodeRules.ts";
import { placeShape } from "../../../src/scheduling/placement/placeShape.ts";
import { Placing } from "../../../src/scheduling/placement/placing.ts";
import { type Shapes, shapesOf } from "../../../src/scheduling/placement/shapes.ts";
import { type JobSpec, worldOf } from "../../support/world.ts";

const NODES = 5;
const GPUS = 4;
const CPUS = 16;

/** A job from a few numbers: whole devices, a share, a slice or CPUs alone. */
const job = fc
  .record({
    kind: fc.constantFrom("whole", "whole", "share", "slice", "cpu"),
    members: fc.integer({ min: 1, max: 4 }),
    gpus: fc.integer({ min: 1, max: GPUS }),
    share: fc.constantFrom(100, 250, 460, 810),
    mig: fc.constantFrom("1g.10gb", "2g.20gb", "3g.40gb", "4g.40gb"),
    cpus: fc.integer({ min: 0, max: 6 }),
    ownNode: fc.boolean(),
  })
  .map(({ kind, members, gpus, share, mig, cpus, ownNode }): JobSpec => {
    const own = ownNode && kind === "whole";
    const base = { members, ownNode: own, cpuMilli: cpus * 1_000, memMiB: 0 };
    const component =
      kind === "whole"
        ? { ...base, gpus }
        : kind === "share"
          ? { ...base, gpus: 1, shareMilli: share }
          : kind === "slice"
            ? { ...base, gpus: 1, mig }
            : { ...base, gpus: 0 };
    return { name: "j", submitMs: 0, workMs: 1_000, components: [component] };
  });

function worldFor(jobs: readonly JobSpec[], numa = 1) {
  const world = worldOf({ cluster: { nodes: NODES, gpus: GPUS, cpus: CPUS, leaves: 2 }, jobs });
  const groups = world.cluster.groups.map((group) => ({ ...group, numaDomains: numa }));
  return { ...world, cluster: { ...world.cluster, groups } };
}

function emptySketch({ cluster }: ReturnType<typeof worldFor>): Sketch {
  const nodes = Int32Array.from({ length: NODES }, (_, node) => node);
  const sketch = createSketch({ cluster, nodes, kindsOn: () => 0 } as unknown as Sketch);
  sketch.gpusFree.fill(GPUS);
  sketch.cpuMilliFree.fill(CPUS * 1_000);
  sketch.gpusFreeTotal = NODES * GPUS;
  return sketch;
}

/** Places jobs one after the other by a rule; after each placement `look` is called. */
function fill(
  world: ReturnType<typeof worldFor>,
  shapes: Shapes,
  rule: (typeof LAB_PLACEMENTS)[number],
  look: (sketch: Sketch, placing: Placing, jobIdx: number) => void,
): void {
  const sketch = emptySketch(world);
  const placing = new Placing();
  for (let jobIdx = 0; jobIdx < world.jobs.count; jobIdx++) {
    const shape = shapes.list[shapes.shapeOfJob[jobIdx]!]!;
    buildIndex(sketch);
    if (!placeShape(sketch, shape, null, rule, placing)) continue;
    takePlacing(sketch, placing, shape.parts);
    look(sketch, placing, jobIdx);
  }
}

const RULES = [
  {},
  { migPacking: "firstFit", sharePacking: "tightest" },
  { migPacking: "bestFit", sharePacking: "spread", cpuReserve: 1 },
  { migPacking: "search", numa: "single" },
].map(nodeRulesOf);

const jobs = fc.array(job, { minLength: 1, maxLength: 25 });
const settings = { numRuns: 60, endOnFailure: true };

describe("every placement rule", () => {
  for (const rule of LAB_PLACEMENTS) {
    test(`${rule} places all members and never more than there is, the same each time`, () => {
      fc.assert(
        fc.property(jobs, fc.constantFrom(...RULES), (list, rules) => {
          const world = worldFor(list, 2);
          const shapes = shapesOf(world.jobs, world.cluster, rules);
          const placed: string[] = [];
          fill(world, shapes, rule, (sketch, placing, jobIdx) => {
            let members = 0;
            for (let row = 0; row < placing.length; row++) members += placing.members[row]!;
            expect(members).toBe(list[jobIdx]!.components[0]!.members);
            for (let node = 0; node < NODES; node++) {
              expect(sketch.gpusFree[node]).toBeGreaterThanOrEqual(0);
              expect(sketch.cpuMilliFree[node]).toBeGreaterThanOrEqual(0);
              const idle = sketch.deviceUsed.subarray(node * GPUS, (node + 1) * GPUS);
              expect(idle.filter((used) => used === 0).length).toBe(sketch.gpusFree[node]);
            }
            placed.push(
              `${jobIdx}: ${placing.node.subarray(0, placing.length).join()} ${placing.device.subarray(0, placing.length).join()}`,
            );
          });
          const again: string[] = [];
          fill(world, shapesOf(world.jobs, world.cluster, rules), rule, (_, placing, jobIdx) => {
            again.push(
              `${jobIdx}: ${placing.node.subarray(0, placing.length).join()} ${placing.device.subarray(0, placing.length).join()}`,
            );
          });
          expect(again).toEqual(placed);
        }),
        settings,
      );
    });
  }
});

test("a book that follows changes says what one made anew says", () => {
  fc.assert(
    fc.property(jobs, (list) => {
      const world = worldFor(list);
      const shapes = shapesOf(world.jobs, world.cluster, RULES[2]!);
      const { mix } = shapes.list[0]!;
      const book = new FragBook(mix, world.cluster);
      fill(world, shapes, "fgd", (sketch) => {
        book.follow(sketch);
        const anew = new FragBook(mix, world.cluster);
        anew.follow(sketch);
        expect([...book.ofNode]).toEqual([...anew.ofNode]);
        const part = fragmentedPart(mix, sketch);
        expect(part >= 0 && part <= 1).toBe(true);
      });
    }),
    settings,
  );
});

test("the measure of a node, by hand: half of the members want a whole GPU, half 400 of one", () => {
  const spec = (shareMilli: number, cpuMilli: number): JobSpec => ({
    name: "j",
    submitMs: 0,
    workMs: 1,
    components: [{ members: 1, gpus: 1, ...(shareMilli > 0 ? { shareMilli } : {}), cpuMilli }],
  });
  const world = worldFor([spec(0, 4_000), spec(400, 1_000)]);
  const { mix } = shapesOf(world.jobs, world.cluster).list[0]!;
  const book = new FragBook(mix, world.cluster);
  const sketch = emptySketch(world);
  expect(classesOf(mix).map(({ popularity }) => popularity)).toEqual([0.5, 0.5]);
  book.follow(sketch);
  expect(book.ofNode[0]).toBe(0);
  // Left on node 0: 1000, 500, 300 and 0. The whole one loses 800, the share 300.
  sketch.deviceUsed.set([0, 500, 700, 1_000]);
  sketch.gpusFree[0] = 1;
  book.follow(sketch);
  expect(book.ofNode[0]).toBe(0.5 * 800 + 0.5 * 300);
  // With 3 CPUs left the whole one does not fit: all 1,800 are lost to it.
  sketch.cpuMilliFree[0] = 3_000;
  book.follow(sketch);
  expect(book.ofNode[0]).toBe(0.5 * 1_800 + 0.5 * 300);
});

test("only the frequent classes count: those that together are 95 % of the members, and no more of them", () => {
  const spec = (gpus: number): JobSpec => ({
    name: "j",
    submitMs: 0,
    workMs: 1_000,
    components: [{ members: 1, gpus }],
  });
  const popularities = (often: number, rare: number) => {
    const jobs = [...Array(often).fill(spec(1)), ...Array(rare).fill(spec(2))];
    const world = worldFor(jobs);
    return classesOf(shapesOf(world.jobs, world.cluster).list[0]!.mix).map(
      ({ popularity }) => popularity,
    );
  };
  expect(popularities(19, 1)).toEqual([1]);
  expect(popularities(18, 2)).toEqual([0.9, 0.1]);
});
