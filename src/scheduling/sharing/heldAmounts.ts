/**
 * What each job of a pool holds: devices (parts of a device count as such: a share of 1/4 is 0.25, a slice of 2 compute sevenths 2/7), CPUs and
 * memory. It says by how much a job's holdings have changed since they were last looked at, which is what books of usage need. O(its
 * runs of devices) per change, O(1) for whole jobs that start or end.
 */
import { Grant } from "../../engine/grant.ts";
import type { PoolView } from "../../engine/view.ts";
import { JobStateCode } from "../../model/states.ts";

export interface Amount {
  devices: number;
  cpuMilli: number;
  memMiB: number;
}

export const NOTHING: Readonly<Amount> = { devices: 0, cpuMilli: 0, memMiB: 0 };

const held = new Grant();

/** What a job holds now; nothing for one that waits or is over. */
export function heldNow(view: PoolView, jobIdx: number): Amount {
  const state = view.jobState[jobIdx]!;
  const amount = { ...NOTHING };
  if (state < JobStateCode.placed || state === JobStateCode.done) return amount;
  held.clear();
  view.holdings(jobIdx, held);
  const { components, at } = view.jobs;
  const first = at.firstComponent[jobIdx]!;
  for (let row = 0; row < held.length; row++) {
    const component = first + held.component[row]!;
    const members = held.members[row]!;
    amount.devices += deviceCount(view, component, held.count[row]!);
    amount.cpuMilli +=
      held.cpuMilli[row]! < 0 ? members * components.cpuMilli[component]! : held.cpuMilli[row]!;
    amount.memMiB +=
      held.memMiB[row]! < 0 ? members * components.memMiB[component]! : held.memMiB[row]!;
  }
  return amount;
}

/** What a waiting job asks for. O(components). */
export function askedBy(view: PoolView, jobIdx: number): Amount {
  const { components, at } = view.jobs;
  const amount = { ...NOTHING };
  const end = at.firstComponent[jobIdx + 1]!;
  for (let component = at.firstComponent[jobIdx]!; component < end; component++) {
    const members = components.members[component]!;
    const gpus = Math.max(0, components.gpus[component]!);
    amount.devices += members * deviceCount(view, component, gpus);
    amount.cpuMilli += members * components.cpuMilli[component]!;
    amount.memMiB += members * components.memMiB[component]!;
  }
  return amount;
}

function deviceCount(view: PoolView, component: number, count: number): number {
  const { shareMilli, mig } = view.jobs.components;
  if (shareMilli[component]! > 0) return (count * shareMilli[component]!) / 1_000;
  if (mig[component] === 0) return count;
  const sevenths = Number.parseInt(view.jobs.migProfiles[mig[component]! - 1] ?? "7", 10);
  return (count * (sevenths > 0 ? sevenths : 7)) / 7;
}
