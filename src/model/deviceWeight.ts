/**
 * How much of a device a rectangle of the record holds, as a whole number of parts: all of one, a share in 1/1,000, or a MIG slice by its compute slices, of
 * seven. In whole numbers sums come out equal and not just close.
 */
import type { JobTable } from "./jobs.ts";
import { WHOLE_DEVICE } from "./units.ts";

/** A MIG slice counts by its compute slices, of seven. */
const MIG_COMPUTE = 7;

export type WeighedJobs = Pick<JobTable, "at"> &
  Partial<Pick<JobTable, "components" | "migProfiles">>;

export class DeviceWeight {
  /** Parts of a device in which everything is counted: 1, or 7,000 where jobs ask for shares or slices. */
  readonly unit: number;
  readonly #jobs: WeighedJobs;

  constructor(jobs: WeighedJobs) {
    this.#jobs = jobs;
    this.unit = hasParts(jobs) ? WHOLE_DEVICE * MIG_COMPUTE : 1;
  }

  /** What one device counts, in `unit`: part 0 = all of it, up to 1,000 a share, above a MIG slice. */
  of(job: number, part: number): number {
    if (part === 0 || this.unit === 1) return this.unit;
    if (part <= WHOLE_DEVICE) return part * MIG_COMPUTE;
    return WHOLE_DEVICE * computeSlices(this.#jobs, job);
  }
}

/** Whether any job may hold less than a device. Without components nobody knows. */
function hasParts({ components }: WeighedJobs): boolean {
  if (components === undefined) return true;
  return components.shareMilli.some((share) => share > 0) || components.mig.some((mig) => mig > 0);
}

/** Compute slices of the job's MIG profile (`3g.40gb` → 3); 1 where it is not known. O(its components). */
function computeSlices({ at, components, migProfiles }: WeighedJobs, job: number): number {
  if (components === undefined || migProfiles === undefined) return 1;
  for (let row = at.firstComponent[job]!; row < at.firstComponent[job + 1]!; row++) {
    const name = migProfiles[components.mig[row]! - 1];
    if (name !== undefined) return Math.min(MIG_COMPUTE, Number(/^(\d+)g/.exec(name)?.[1] ?? 1));
  }
  return 1;
}
