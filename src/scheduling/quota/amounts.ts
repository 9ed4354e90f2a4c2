/**
 * What a job asks for and holds, in thousandths of a device: whole devices count 1,000, a share what it is, a MIG slice its compute slices of
 * seven. Integers, so that books balance exactly. A job that was given whole nodes holds all of their devices.
 */
import { Grant } from "../../engine/grant.ts";
import type { PoolView } from "../../engine/view.ts";
import { JobFlag, type JobTable } from "../../model/jobs.ts";
import { JobStateCode } from "../../model/states.ts";

export const MILLI = 1_000;
const MIG_SLICES = 7;
const held = new Grant();

/** Thousandths of a device that one member of a component row takes. */
function memberMilli(jobs: JobTable, row: number): number {
  const { gpus, mig, shareMilli } = jobs.components;
  if (shareMilli[row]! > 0) return shareMilli[row]!;
  if (mig[row]! === 0) return gpus[row]! * MILLI;
  const slices = Number.parseInt(jobs.migProfiles[mig[row]! - 1] ?? "", 10);
  return Math.round((MILLI * Math.min(MIG_SLICES, slices > 0 ? slices : MIG_SLICES)) / MIG_SLICES);
}

/** What all members of a job ask for. O(components). */
export function askedMilli(jobs: JobTable, jobIdx: number): number {
  let milli = 0;
  const end = jobs.at.firstComponent[jobIdx + 1]!;
  for (let row = jobs.at.firstComponent[jobIdx]!; row < end; row++)
    milli += jobs.components.members[row]! * memberMilli(jobs, row);
  return milli;
}

/** What a job holds now. O(its runs of devices). */
export function heldMilli(view: PoolView, jobIdx: number): number {
  if (!holds(view, jobIdx)) return 0;
  held.clear();
  view.holdings(jobIdx, held);
  const first = view.jobs.at.firstComponent[jobIdx]!;
  let milli = 0;
  for (let row = 0; row < held.length; row++) {
    milli +=
      held.part[row]! > 0
        ? held.members[row]! * memberMilli(view.jobs, first + held.component[row]!)
        : held.count[row]! * MILLI;
  }
  return milli;
}

/** Whether it is in a state in which a job holds devices. */
export function holds(view: PoolView, jobIdx: number): boolean {
  const state = view.jobState[jobIdx]!;
  return state >= JobStateCode.placed && state !== JobStateCode.done;
}

/** Whether what it holds can be taken back: its owner allows it, and it is not ending anyway. */
export function isTakeable(view: PoolView, jobIdx: number): boolean {
  return (
    (view.jobs.at.flags[jobIdx]! & JobFlag.preemptible) !== 0 &&
    view.jobState[jobIdx] !== JobStateCode.ending
  );
}
