/** MIG: the starts that are open to a profile beside the instances that are there, by the geometry that the product places with. */
import { type MigShape, openStarts, sliceMask } from "../../model/mig.ts";
import type { VectorCheck } from "./schedVectors.ts";

interface Profile {
  readonly name: string;
  readonly computeSlices: number;
  readonly memSlices: number;
  readonly starts: readonly number[];
}

interface PlacementInput {
  readonly profiles: readonly Profile[];
  readonly existing: readonly { readonly profile: string; readonly start: number }[];
  readonly requests: readonly string[];
}

export const migPlacement: VectorCheck = (input) => {
  const { profiles, existing, requests } = input as unknown as PlacementInput;
  const shapeOf = (name: string): MigShape => {
    const found = profiles.find((profile) => profile.name === name);
    if (found === undefined) throw new Error(`the GPU has no profile ${name}`);
    return { slices: found.memSlices, compute: found.computeSlices, starts: found.starts };
  };
  let usedBits = 0;
  let computeUsed = 0;
  for (const { profile, start } of existing) {
    const { slices, compute } = shapeOf(profile);
    usedBits |= sliceMask(slices, start);
    computeUsed += compute;
  }
  const computeAll = Math.max(...profiles.map((profile) => profile.computeSlices));
  const results = requests.map((profile) => ({
    profile,
    possibleStarts: openStarts(shapeOf(profile), usedBits, computeUsed, computeAll),
  }));
  return { results };
};
