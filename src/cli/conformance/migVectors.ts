/** MIG: the starts that are open to a profile beside the instances that are there, by the places that the product gives out on a GPU of this model. */
import { sliceMask } from "../../model/mig.ts";
import { gpuModelOf, shapeOf, startsLeft } from "./migGpu.ts";
import type { VectorCheck } from "./schedVectors.ts";

interface PlacementInput {
  readonly gpu: string;
  readonly profiles: readonly { readonly name: string; readonly memSlices: number }[];
  readonly existing: readonly { readonly profile: string; readonly start: number }[];
  readonly requests: readonly string[];
}

export const migPlacement: VectorCheck = (input) => {
  const { gpu: name, profiles, existing, requests } = input as unknown as PlacementInput;
  const gpu = gpuModelOf(name);
  /** Places of the product for one of the case's, whose GPU may have fewer. */
  const scaleOf = (profile: string): number => {
    const found = profiles.find((one) => one.name === profile);
    if (found === undefined) throw new Error(`the GPU has no profile ${profile}`);
    return shapeOf(gpu, profile).slices / found.memSlices;
  };
  let used = 0;
  for (const { profile, start } of existing)
    used |= sliceMask(shapeOf(gpu, profile).slices, start * scaleOf(profile));
  const starts = startsLeft(gpu, requests, used);
  const results = requests.map((profile, at) => ({
    profile,
    possibleStarts: starts[at]!.map((start) => start / scaleOf(profile)),
  }));
  return { results };
};
