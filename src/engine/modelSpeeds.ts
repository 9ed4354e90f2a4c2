/**
 * How fast a job runs on the device models that it holds: as its document says for each model, the slowest of them for all, since the members of a
 * gang wait for each other at each step. Jobs that name no models run as their work says. O(entries of the job).
 */
import { SPEED_ONE } from "../model/units.ts";
import type { World } from "../model/world.ts";
import type { Allocations } from "./allocations.ts";
import type { LiveJobs } from "./liveJobs.ts";
import type { SpeedFactor } from "./speeds.ts";

export function modelSpeeds(
  { cluster, jobs }: World,
  live: LiveJobs,
  allocations: Allocations,
): SpeedFactor {
  return (slot, jobIdx) => {
    const models = jobs.lab.get(jobIdx)?.nodes?.models ?? [];
    if (models.length === 0) return SPEED_ONE;
    const { at } = allocations.holdings;
    let slowestQ16 = Number.POSITIVE_INFINITY;
    for (let entry = live.at.first[slot]!; entry >= 0; entry = at.next[entry]!) {
      const { gpuModel } = cluster.groups[cluster.nodeGroup[at.node[entry]!]!]!;
      const wish = models.find(({ model }) => model === gpuModel);
      slowestQ16 = Math.min(slowestQ16, wish?.speedQ16 ?? SPEED_ONE);
    }
    return slowestQ16 === Number.POSITIVE_INFINITY ? SPEED_ONE : slowestQ16;
  };
}
