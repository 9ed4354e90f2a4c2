/** One MIG GPU of a model, filled by the product's own placement: for readers that only translate what is asked of it. */
import { MIG_GEOMETRIES, MIG_SLICES, migShapeKnown, sliceMask } from "../../model/mig.ts";
import { readScenario } from "../../scenario/read.ts";
import {
  createSketch,
  openEmpty,
  type Sketch,
  takePlacing,
} from "../../scheduling/placement/capacity.ts";
import { nodeRulesOf } from "../../scheduling/placement/nodeRules.ts";
import { placeShape } from "../../scheduling/placement/placeShape.ts";
import { Placing } from "../../scheduling/placement/placing.ts";
import { type Shape, shapesOf } from "../../scheduling/placement/shapes.ts";
import { choosePlace, chosen, FIRST_SLICE } from "../../scheduling/placement/slices.ts";
import { expand } from "../../workload/expand.ts";
import { problemLine } from "../fail.ts";

interface GpuModel {
  readonly gpuModel: string;
  readonly memGiB: number;
}

/** `A100-40GB`, `A100 40GB`, `GB200`: the memory is that of the model where the name does not say it. */
export function gpuModelOf(name: string): GpuModel {
  const own = /(\d+) ?GB$/i.exec(name)?.[1];
  const memGiB = MIG_GEOMETRIES.find(({ model }) => name.startsWith(model))?.memGiB ?? 0;
  return { gpuModel: name, memGiB: own === undefined ? memGiB : Number(own) };
}

/** The product's geometry of a profile; throws where it has none. */
export function shapeOf({ gpuModel, memGiB }: GpuModel, profile: string) {
  const shape = migShapeKnown(gpuModel, memGiB * 1_024, profile);
  if (shape === null) throw new Error(`${gpuModel} has no profile ${profile}`);
  return shape;
}

/** Profiles of a model that the product knows, by name. */
export function profilesOf(gpu: GpuModel): string[] {
  const names = MIG_GEOMETRIES.flatMap(({ shapes }) => [...shapes.keys()]);
  const known = (name: string) => migShapeKnown(gpu.gpuModel, gpu.memGiB * 1_024, name) !== null;
  return [...new Set(names)].filter(known);
}

/** An empty GPU, and what jobs of these instances (each a list of profiles) ask of it. */
function emptyGpu(
  { gpuModel, memGiB }: GpuModel,
  jobs: readonly (readonly string[])[],
  packing: string,
) {
  const read = readScenario({
    version: 1,
    title: "one GPU",
    cluster: { nodeGroups: [{ id: "gpu", count: 1, gpus: 1, gpuModel, gpuMemGiB: memGiB }] },
    workload: {
      jobs: jobs.map((profiles, at) => ({
        id: `job${at}`,
        submitMs: 0,
        workMs: 1,
        components: profiles.map((migProfile) => ({ members: 1, migProfile })),
      })),
    },
  });
  if (!read.ok) throw new Error(read.error.map(problemLine).join("; "));
  const world = expand(read.value);
  if (!world.ok) throw new Error(world.error.map(problemLine).join("; "));
  const { jobs: table, cluster } = world.value;
  const shapes = shapesOf(table, cluster, nodeRulesOf({ migPacking: packing }));
  const nodes = Int32Array.of(0);
  const sketch = createSketch({ cluster, nodes, kindsOn: () => 0 } as unknown as Sketch);
  openEmpty(sketch, 0);
  const shapeOfJob = (job: number): Shape => shapes.list[shapes.shapeOfJob[job]!]!;
  return { sketch, shapeOfJob };
}

/** The starts at which one more instance of each profile could be, ascending; `used`: bits of the places that are taken. */
export function startsLeft(gpu: GpuModel, profiles: readonly string[], used: number): number[][] {
  const { sketch, shapeOfJob } = emptyGpu(
    gpu,
    profiles.map((profile) => [profile]),
    "firstFit",
  );
  return profiles.map((profile, job) => {
    const [part] = shapeOfJob(job).parts;
    const { slices } = shapeOf(gpu, profile);
    // All places but those from one start on are hidden: the product takes them, or finds nothing.
    return Array.from({ length: MIG_SLICES }, (_, start) => start).filter((start) => {
      const hidden = ~sliceMask(slices, start) & 0xff;
      return (
        choosePlace(sketch, 0, part!, "firstFit", () => used | hidden) && chosen.start === start
      );
    });
  });
}

export interface Placed {
  readonly profile: string;
  /** −1: it found no place. */
  readonly start: number;
}

/** Jobs of some instances each, one after the other; a job that does not fit as a whole finds no place. */
export function placeJobs(
  gpu: GpuModel,
  jobs: readonly (readonly string[])[],
  packing: "firstFit" | "search",
): Placed[] {
  const { sketch, shapeOfJob } = emptyGpu(gpu, jobs, packing);
  return jobs.flatMap((profiles, job) => {
    const placing = new Placing();
    const shape = shapeOfJob(job);
    if (!placeShape(sketch, shape, null, "firstFit", placing))
      return profiles.map((profile) => ({ profile, start: -1 }));
    takePlacing(sketch, placing, shape.parts);
    return Array.from({ length: placing.length }, (_, row) => ({
      profile: profiles[placing.part[row]!]!,
      start: placing.milli[row]! - FIRST_SLICE,
    }));
  });
}
