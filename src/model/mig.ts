/**
 * MIG geometry: a GPU is eight memory places in a row, of which an instance takes some from a start that the driver accepts, and
 * seven compute slices, which all instances share; instances never move. On a GPU of four places each counts as two eighths here.
 * Source: NVIDIA MIG user guide, "Supported MIG profiles", in agreement with listings of `nvidia-smi mig -lgipp`. Of GB200 and B300 only
 * the names of profiles are published; their places are taken to be those of the others. For GPUs that are not here any start is
 * allowed at which slices do not overlap, and a profile takes places by its memory.
 *
 * In these tables the sum of compute slices follows from the places (place 7 is reached only by profiles with more memory than
 * compute), so whoever keeps places apart keeps the sum.
 */
export const MIG_SLICES = 8;
const COMPUTE_SLICES = 7;

/** What an instance takes: places in a row, compute slices, and where it may start (ascending). */
export interface MigShape {
  readonly slices: number;
  readonly compute: number;
  readonly starts: readonly number[];
}

interface Geometry {
  readonly model: string;
  readonly memGiB: number;
  /** By profile, which a document may name as it likes (`constructor`): a map, not an object. */
  readonly shapes: ReadonlyMap<string, MigShape>;
}

const SEVENTHS: readonly MigShape[] = [
  { compute: 1, slices: 1, starts: [0, 1, 2, 3, 4, 5, 6] },
  { compute: 1, slices: 2, starts: [0, 2, 4, 6] },
  { compute: 2, slices: 2, starts: [0, 2, 4] },
  { compute: 3, slices: 4, starts: [0, 4] },
  { compute: 4, slices: 4, starts: [0] },
  { compute: 7, slices: 8, starts: [0] },
];
/** A30: four places. */
const QUARTERS: readonly MigShape[] = [
  { compute: 1, slices: 2, starts: [0, 2, 4, 6] },
  { compute: 2, slices: 4, starts: [0, 4] },
  { compute: 4, slices: 8, starts: [0] },
];

/** Profiles from the smallest to the whole GPU, in the order of the shapes. */
function geometry(
  model: string,
  memGiB: number,
  profiles: readonly string[],
  shapes: readonly MigShape[] = SEVENTHS,
): Geometry {
  return { model, memGiB, shapes: new Map(profiles.map((profile, i) => [profile, shapes[i]!])) };
}

export const MIG_GEOMETRIES: readonly Geometry[] = [
  geometry("A100", 40, ["1g.5gb", "1g.10gb", "2g.10gb", "3g.20gb", "4g.20gb", "7g.40gb"]),
  geometry("A100", 80, ["1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb"]),
  geometry("H100", 80, ["1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb"]),
  geometry("H200", 141, ["1g.18gb", "1g.35gb", "2g.35gb", "3g.71gb", "4g.71gb", "7g.141gb"]),
  geometry("B200", 180, ["1g.23gb", "1g.45gb", "2g.45gb", "3g.90gb", "4g.90gb", "7g.180gb"]),
  geometry("GB200", 186, ["1g.23gb", "1g.47gb", "2g.47gb", "3g.93gb", "4g.93gb", "7g.186gb"]),
  geometry("B300", 269, ["1g.34gb", "1g.67gb", "2g.67gb", "3g.135gb", "4g.135gb", "7g.269gb"]),
  geometry("A30", 24, ["1g.6gb", "2g.12gb", "4g.24gb"], QUARTERS),
];

/** Memory as people and tools state it differs a little from the name of the GPU. */
const MEMORY_TOLERANCE = 0.1;

/** The table of a GPU of such a name with so much memory; undefined where there is none. */
function geometryOf(gpuModel: string, gpuMemMiB: number): Geometry | undefined {
  const name = gpuModel.toUpperCase().replace(/^NVIDIA[ -]/, "");
  const memGiB = gpuMemMiB / 1024;
  return MIG_GEOMETRIES.find(
    ({ model, memGiB: whole }) =>
      name.startsWith(model) && Math.abs(memGiB - whole) <= whole * MEMORY_TOLERANCE,
  );
}

/** Names of the profiles of a GPU, from the smallest on; none where it is not known. */
export function migProfilesOf(gpuModel: string, gpuMemMiB: number): readonly string[] {
  return [...(geometryOf(gpuModel, gpuMemMiB)?.shapes.keys() ?? [])];
}

/** The shape of `3g.40gb` on a GPU named `A100-SXM4-80GB` with so much memory; null where that is not known. A suffix (`+me`) does not change it. */
export function migShapeKnown(
  gpuModel: string,
  gpuMemMiB: number,
  profile: string,
): MigShape | null {
  const shapes = geometryOf(gpuModel, gpuMemMiB)?.shapes;
  return shapes?.get(profile.replace(/\+.*$/, "")) ?? null;
}

const PROFILE = /^(\d+)g\.(\d+)gb/;
const EIGHTHS_BY_COMPUTE: readonly number[] = [1, 1, 2, 4, 4, 8, 8, 8];

/** The shape of a profile; where no table has it, places by its memory and any start. A profile of unknown form takes the whole GPU. */
export function migShape(gpuModel: string, gpuMemMiB: number, profile: string): MigShape {
  const known = migShapeKnown(gpuModel, gpuMemMiB, profile);
  if (known !== null) return known;
  const match = PROFILE.exec(profile);
  let slices = MIG_SLICES;
  if (match !== null && gpuMemMiB <= 0) slices = EIGHTHS_BY_COMPUTE[Number(match[1])] ?? MIG_SLICES;
  else if (match !== null) {
    const eighths = Math.round((Number(match[2]) * 1024 * MIG_SLICES) / gpuMemMiB);
    slices = Math.min(MIG_SLICES, Math.max(1, eighths));
  }
  const starts = Array.from({ length: MIG_SLICES - slices + 1 }, (_, start) => start);
  return { slices, compute: match === null ? COMPUTE_SLICES : Number(match[1]), starts };
}

/** Bits of the places that an instance takes from a start. */
export function sliceMask(slices: number, start: number): number {
  return ((1 << slices) - 1) << start;
}
