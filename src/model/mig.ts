/**
 * Where MIG slices may start on a GPU: eight memory places in a row, of which an instance takes some from a start that the driver
 * accepts. Source: NVIDIA MIG user guide, "Supported MIG profiles", in agreement with listings of `nvidia-smi mig -lgipp`. Only GPUs whose
 * table is published are here; for others any start is allowed at which slices do not overlap.
 */
const EVERY = [0, 1, 2, 3, 4, 5, 6] as const;
const PAIRS = [0, 2, 4, 6] as const;
const TWOS = [0, 2, 4] as const;
const HALVES = [0, 4] as const;
const FIRST = [0] as const;

interface Geometry {
  readonly model: string;
  readonly memGiB: number;
  /** By profile, which a document may name as it likes (`constructor`): a map, not an object. */
  readonly starts: ReadonlyMap<string, readonly number[]>;
}

/** Profiles from the smallest to the whole GPU; the second is the one of one compute slice with twice the memory. */
function geometry(model: string, memGiB: number, profiles: readonly string[]): Geometry {
  const places = [EVERY, PAIRS, TWOS, HALVES, FIRST, FIRST];
  return {
    model,
    memGiB,
    starts: new Map(profiles.map((profile, i) => [profile, places[i]!])),
  };
}

export const MIG_GEOMETRIES: readonly Geometry[] = [
  geometry("A100", 40, ["1g.5gb", "1g.10gb", "2g.10gb", "3g.20gb", "4g.20gb", "7g.40gb"]),
  geometry("A100", 80, ["1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb"]),
  geometry("H100", 80, ["1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb"]),
];

/**
 * The starts that a driver accepts for `3g.40gb` on a GPU named `A100-SXM4-80GB` with so much memory; null where that is not
 * known. A suffix (`+me`) does not change the place. O(1).
 */
export function migStarts(
  gpuModel: string,
  gpuMemMiB: number,
  profile: string,
): readonly number[] | null {
  const name = gpuModel.toUpperCase().replace(/^NVIDIA[ -]/, "");
  const memGiB = gpuMemMiB / 1024;
  const found = MIG_GEOMETRIES.find(
    ({ model, memGiB: whole }) => name.startsWith(model) && memGiB > whole * 0.9 && memGiB <= whole,
  );
  return found?.starts.get(profile.replace(/\+.*$/, "")) ?? null;
}
