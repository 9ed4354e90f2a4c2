/**
 * How much of a device a rectangle of the record holds, and a waiting job asks for, as a whole number of parts: all of one, a share in 1/1,000, or a MIG slice by its compute slices, of
 * seven. In whole numbers sums come out equal and not just close.
 */
import type { JobTable } from "./jobs.ts";
import { DEVICE_PARTS, WHOLE_DEVICE } from "./units.ts";

/** A MIG slice counts by its compute slices, of seven. */
const MIG_COMPUTE = 7;

/** What one device of an allocation counts, in 1/7,000. `part`: 0 = all of it, up to 1,000 a share, above a MIG slice of the profile. */
export function devicePartsOf(part: number, profile: string | undefined): number {
  if (part === 0) return DEVICE_PARTS;
  if (part <= WHOLE_DEVICE) return part * MIG_COMPUTE;
  return WHOLE_DEVICE * Math.min(MIG_COMPUTE, Number(/^(\d+)g/.exec(profile ?? "")?.[1] ?? 1));
}

export type WeighedJobs = Pick<JobTable, "at"> &
  Partial<Pick<JobTable, "components" | "migProfiles">>;

export class DeviceWeight {
  /** Parts of a device in which everything is counted: 1, or 7,000 where jobs ask for shares or slices. */
  readonly unit: number;
  readonly #jobs: WeighedJobs;

  constructor(jobs: WeighedJobs) {
    this.#jobs = jobs;
    this.unit = hasParts(jobs) ? DEVICE_PARTS : 1;
  }

  /** What one device counts, in `unit`: part 0 = all of it, up to 1,000 a share, above a MIG slice. */
  of(job: number, part: number): number {
    if (part === 0 || this.unit === 1) return this.unit;
    return devicePartsOf(part, part > WHOLE_DEVICE ? profileOf(this.#jobs, job) : undefined);
  }
}

/** What all members of a job ask for, in 1/7,000 of a device; where components are not known, whole devices. O(its components). */
export function askedParts(
  { at, components, migProfiles = [] }: WeighedJobs,
  jobIdx: number,
): number {
  let parts = at.gpuTotal[jobIdx]! * DEVICE_PARTS;
  if (components === undefined) return parts;
  const { members, gpus, shareMilli, mig } = components;
  for (let row = at.firstComponent[jobIdx]!; row < at.firstComponent[jobIdx + 1]!; row++) {
    const part = mig[row]! > 0 ? WHOLE_DEVICE + 1 : shareMilli[row]!;
    if (part === 0) continue;
    const each = devicePartsOf(part, migProfiles[mig[row]! - 1]);
    parts -= members[row]! * gpus[row]! * (DEVICE_PARTS - each);
  }
  return parts;
}

/** Whether any job may hold less than a device. Without components nobody knows. */
function hasParts({ components }: WeighedJobs): boolean {
  if (components === undefined) return true;
  return components.shareMilli.some((share) => share > 0) || components.mig.some((mig) => mig > 0);
}

/** The job's MIG profile, where it is known. O(its components). */
function profileOf({ at, components, migProfiles }: WeighedJobs, job: number): string | undefined {
  if (components === undefined || migProfiles === undefined) return undefined;
  for (let row = at.firstComponent[job]!; row < at.firstComponent[job + 1]!; row++) {
    const name = migProfiles[components.mig[row]! - 1];
    if (name !== undefined) return name;
  }
  return undefined;
}
