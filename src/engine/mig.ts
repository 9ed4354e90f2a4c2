/**
 * How much of a GPU a MIG profile takes, in eighths of its memory: the unit in which slices lie side by side on A100 to B200
 * (NVIDIA MIG user guide, "memory slices"). Which starts a driver accepts is in `model/mig.ts`; the ledger holds both.
 */
const PROFILE = /^(\d+)g\.(\d+)gb/;
const EIGHTHS_BY_COMPUTE: readonly number[] = [1, 1, 2, 4, 4, 8, 8, 8];
export const MIG_SLICES = 8;

/** Eighths of a GPU with `gpuMemMiB` that the profile `2g.20gb` takes; a profile of unknown form takes the whole GPU. */
export function migSlices(profile: string, gpuMemMiB: number): number {
  const match = PROFILE.exec(profile);
  if (match === null) return MIG_SLICES;
  if (gpuMemMiB <= 0) return EIGHTHS_BY_COMPUTE[Number(match[1])] ?? MIG_SLICES;
  const slices = Math.round((Number(match[2]) * 1024 * MIG_SLICES) / gpuMemMiB);
  return Math.min(MIG_SLICES, Math.max(1, slices));
}
