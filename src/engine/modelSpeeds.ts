/**
 * How fast a job runs on the devices that it holds: as its document says for each device model, the slowest of them for all, since the members
 * of a gang wait for each other at each step; and slower by its own factor where a member's GPUs lie in two NUMA domains, so that it loads
 * its data across the link between sockets: the factor takes the whole job's work for what waits for data, an approximation. Jobs that say nothing of either run as their work says. O(entries and devices of the job).
 */
import { crossesDomains } from "../model/numa.ts";
import { SPEED_ONE } from "../model/units.ts";
import type { World } from "../model/world.ts";
import type { Allocations } from "./allocations.ts";
import type { LiveJobs } from "./liveJobs.ts";
import type { SpeedFactor } from "./speeds.ts";

export function modelSpeeds(
  { cluster, jobs }: World,
  live: LiveJobs,
  allocations: Allocations,
): SpeedFactor[] {
  const slowestModel = (
    slot: number,
    models: readonly { readonly model: string; readonly speedQ16: number }[],
  ): number => {
    const { at } = allocations.holdings;
    let slowestQ16 = Number.POSITIVE_INFINITY;
    for (let entry = live.at.first[slot]!; entry >= 0; entry = at.next[entry]!) {
      const { gpuModel } = cluster.groups[cluster.nodeGroup[at.node[entry]!]!]!;
      const wish = models.find(({ model }) => model === gpuModel);
      slowestQ16 = Math.min(slowestQ16, wish?.speedQ16 ?? SPEED_ONE);
    }
    return slowestQ16 === Number.POSITIVE_INFINITY ? SPEED_ONE : slowestQ16;
  };
  const isRemote = (slot: number): boolean => {
    const { at } = allocations.holdings;
    const devices = new Map<string, number[]>();
    for (let entry = live.at.first[slot]!; entry >= 0; entry = at.next[entry]!) {
      if (at.device[entry]! < 0 || at.part[entry] !== 0) continue;
      const key = `${at.node[entry]} ${at.component[entry]}`;
      const list = devices.get(key) ?? [];
      for (let i = 0; i < at.count[entry]!; i++) list.push(at.device[entry]! + i);
      devices.set(key, list);
    }
    return [...devices].some(([key, list]) => {
      const [node, row] = key.split(" ").map(Number);
      return crossesDomains(cluster, node!, list, Math.max(1, jobs.components.gpus[row!]!));
    });
  };
  return [
    {
      name: "model",
      ofQ16: (slot, jobIdx) => {
        const models = jobs.lab.get(jobIdx)?.nodes?.models ?? [];
        return models.length === 0 ? SPEED_ONE : slowestModel(slot, models);
      },
    },
    {
      name: "numa",
      ofQ16: (slot, jobIdx) => {
        const remoteNumaQ16 = jobs.lab.get(jobIdx)?.nodes?.remoteNumaQ16 ?? SPEED_ONE;
        return remoteNumaQ16 === SPEED_ONE || !isRemote(slot) ? SPEED_ONE : remoteNumaQ16;
      },
    },
  ];
}
