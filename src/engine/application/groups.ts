/**
 * Elastic jobs: members of the first component form a group whose size is one of the allowed ones; members beyond it stay in reserve. Speed goes
 * by the size of the group. What a change of members costs depends on who runs it:
 *
 * - `torchrun`: all workers stop and form a group anew from what is saved; a loss spends a restart, joining members spend none (TorchElastic's agent loop).
 * - `horovod`: they stop at the next commit and go on from memory, nothing is lost (Horovod Elastic).
 * - `none`: members come and go while the others work.
 *
 * Known pathology: without checkpoints every growth under torchrun throws all work of the run away.
 */
import type { Elastic } from "../../model/lab/jobLife.ts";
import { SPEED_ONE } from "../../model/units.ts";
import type { World } from "../../model/world.ts";
import type { Allocations } from "../allocations.ts";
import type { Clock } from "../clock.ts";
import type { LiveJobs } from "../liveJobs.ts";

/** Place in `allowed` of the largest size that so many members can form; −1 = they are too few. O(log sizes). */
export function sizeIdx(elastic: Elastic, members: number): number {
  let low = 0;
  let high = elastic.allowed.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (elastic.allowed[middle]! <= members) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Speed of a group of an allowed size, in 1/65,536; 0 for no group. */
export function groupSpeedQ16(elastic: Elastic | null, group: number): number {
  if (elastic === null) return SPEED_ONE;
  const place = sizeIdx(elastic, group);
  return place < 0 ? 0 : elastic.speedQ16[place]!;
}

/** The size of the group that the members of a job that have started up can form now. O(entries). */
export function groupSize(
  world: World,
  live: LiveJobs,
  allocations: Allocations,
  clock: Clock,
  elastic: Elastic,
  jobIdx: number,
): number {
  const row = world.jobs.at.firstComponent[jobIdx]!;
  const slot = live.slotOf[jobIdx]!;
  let members = allocations.membersHeld[row]!;
  if (live.at.readyMs[slot]! > clock.nowMs) {
    const { at } = allocations.holdings;
    for (let entry = live.at.first[slot]!; entry >= 0; entry = at.next[entry]!)
      if (at.component[entry] === row && at.readyMs[entry]! > clock.nowMs)
        members -= at.members[entry]!;
  }
  const place = sizeIdx(elastic, members);
  return place < 0 ? 0 : elastic.allowed[place]!;
}
