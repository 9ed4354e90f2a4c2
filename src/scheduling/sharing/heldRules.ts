/**
 * Sharing by what is held now, without memory. Rule of `drf`: whoever's dominant share (the largest of its parts of all devices, CPUs and
 * memory) is smallest for its weight is next; of `maxMin`: whoever holds the fewest devices for its weight. Weights are the shares of teams.
 * Ties: the next job's class, submit time, index. O(1) a comparison.
 *
 * Pathology: who has just had the whole cluster is, at the instant when its jobs end, as poor as a newcomer (field case
 * "memoryless fairness"). Source: A. Ghodsi et al.: Dominant resource fairness, NSDI 2011.
 */
import type { PoolView } from "../../engine/view.ts";
import type { GroupRule } from "./groupRule.ts";
import { type HeldBook, lookAtHeld } from "./heldBook.ts";
import { groupOf, type ShareGroups, shareGroups, shareOfSetting } from "./shareGroups.ts";

export interface HeldBooks {
  readonly groups: ShareGroups;
  readonly devices: Float64Array;
  readonly cpuMilli: Float64Array;
  readonly memMiB: Float64Array;
  readonly heldBook: HeldBook;
  /** All of the pool; made anew when it gains or loses nodes. */
  total: { nodes: number; devices: number; cpuMilli: number; memMiB: number };
}

function totalsOf(view: PoolView): HeldBooks["total"] {
  const total = { nodes: view.nodes.length, devices: 0, cpuMilli: 0, memMiB: 0 };
  for (const node of view.nodes) {
    const group = view.cluster.groups[view.cluster.nodeGroup[node]!]!;
    total.devices += group.gpusPerNode;
    total.cpuMilli += group.cpusPerNode * 1_000;
    total.memMiB += group.memMiBPerNode;
  }
  return total;
}

function noteHeld(books: HeldBooks, view: PoolView, jobIdx: number): void {
  const group = groupOf(books.groups, view, jobIdx);
  lookAtHeld(books.heldBook, view, jobIdx, group, ({ group: whose, amount }, sign) => {
    books.devices[whose]! += sign * amount.devices;
    books.cpuMilli[whose]! += sign * amount.cpuMilli;
    books.memMiB[whose]! += sign * amount.memMiB;
  });
}

const part = (held: number, all: number): number => (all > 0 ? held / all : 0);

function partsHeld(books: HeldBooks, view: PoolView, group: number) {
  if (books.total.nodes !== view.nodes.length) books.total = totalsOf(view);
  return {
    devices: part(books.devices[group]!, books.total.devices),
    cpus: part(books.cpuMilli[group]!, books.total.cpuMilli),
    memory: part(books.memMiB[group]!, books.total.memMiB),
  };
}

function dominantShare(books: HeldBooks, view: PoolView, group: number): number {
  const { devices, cpus, memory } = partsHeld(books, view, group);
  return Math.max(devices, cpus, memory);
}

/** Nobody with a share of 0 stands before anybody else. */
function weighed(books: HeldBooks, group: number, amount: number): number {
  const share = books.groups.shares[group]!;
  return share > 0 ? amount / share : Number.POSITIVE_INFINITY;
}

const common: Pick<
  GroupRule<HeldBooks>,
  "create" | "copy" | "groupOf" | "overShare" | "held" | "rows"
> = {
  create(view, pool) {
    const groups = shareGroups(view, shareOfSetting(pool.settings));
    return {
      groups,
      devices: new Float64Array(groups.count),
      cpuMilli: new Float64Array(groups.count),
      memMiB: new Float64Array(groups.count),
      heldBook: new Map(),
      total: totalsOf(view),
    };
  },
  copy: (books) => ({
    ...books,
    devices: books.devices.slice(),
    cpuMilli: books.cpuMilli.slice(),
    memMiB: books.memMiB.slice(),
    heldBook: new Map(books.heldBook),
    total: { ...books.total },
  }),
  groupOf: (books, view, jobIdx) => groupOf(books.groups, view, jobIdx),
  overShare: ({ groups, devices }, view, group) =>
    devices[group]! - part(groups.shares[group]!, groups.sharesTotal) * view.gpusOpenTotal,
  held: noteHeld,
  rows: (books, view) =>
    Array.from({ length: books.groups.count }, (_, index) => ({
      per: books.groups.of,
      index,
      gpusHeld: books.devices[index]!,
      gpusWaited: Number.NaN,
      gpusDue: part(books.groups.shares[index]!, books.groups.sharesTotal) * view.gpusOpenTotal,
      gpusBorrowed: Number.NaN,
      gpusLent: Number.NaN,
      usageGpuHours: Number.NaN,
      factor: -weighed(books, index, dominantShare(books, view, index)),
      credits: Number.NaN,
    })),
};

export const drfRule: GroupRule<HeldBooks> = {
  ...common,
  level: (books, view, group) => weighed(books, group, dominantShare(books, view, group)),
  shown: (books, view, group) => -weighed(books, group, dominantShare(books, view, group)),
  terms(books, view, group) {
    const { devices, cpus, memory } = partsHeld(books, view, group);
    return [
      { name: "devicePart", value: devices },
      { name: "cpuPart", value: cpus },
      { name: "memoryPart", value: memory },
      { name: "shares", value: books.groups.shares[group]! },
      { name: "level", value: weighed(books, group, Math.max(devices, cpus, memory)) },
    ];
  },
};

export const maxMinRule: GroupRule<HeldBooks> = {
  ...common,
  level: (books, _view, group) => weighed(books, group, books.devices[group]!),
  shown: (books, _view, group) => -weighed(books, group, books.devices[group]!),
  terms: (books, _view, group) => [
    { name: "devicesHeld", value: books.devices[group]! },
    { name: "shares", value: books.groups.shares[group]! },
    { name: "level", value: weighed(books, group, books.devices[group]!) },
  ],
};
