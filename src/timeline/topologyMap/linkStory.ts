/**
 * What the uplinks of one leaf carry at a moment: the gangs that stand on both of their sides, and, where a network is modelled, what each could use of
 * them against what they carry. Without a network only places are known: a gang that reaches beyond the leaf crosses its links. O(devices + rectangles that close
 * after the moment).
 */
import type { Network } from "../../model/lab/services.ts";
import { firstUplink, linkCapacities } from "../../model/network/linkCapacity.ts";
import type { Chunk, OpenSet } from "../../record/shapes.ts";
import { type ContentionStage, contentionAt } from "./mapContention.ts";

/** A gang with devices under the leaf and elsewhere. */
export interface Crossing {
  readonly jobIdx: number;
  readonly here: number;
  readonly elsewhere: number;
  /** What it could use of the links, bytes per ms; null = not modelled, or it sends nothing. */
  readonly rate: number | null;
}

export interface LinkStory {
  readonly devices: number;
  readonly held: number;
  readonly crossings: readonly Crossing[];
  /** Bytes per ms in one direction; null = not modelled. */
  readonly capacity: number | null;
  /** Demand over capacity; null = not modelled. */
  readonly asked: number | null;
}

/** The gangs that cross the uplinks of a leaf, those with most devices under it first, then by index. O(devices). */
export function crossingsOf(
  { cluster }: Pick<ContentionStage, "cluster">,
  jobOfDevice: Int32Array,
  leaf: number,
): { readonly jobIdx: number; readonly here: number; readonly elsewhere: number }[] {
  const here = new Map<number, number>();
  const elsewhere = new Map<number, number>();
  for (let node = 0; node < cluster.nodeCount; node++) {
    const side = cluster.leafOfNode[node] === leaf ? here : elsewhere;
    for (let d = cluster.deviceBase[node]!; d < cluster.deviceBase[node + 1]!; d++) {
      const job = jobOfDevice[d]!;
      if (job >= 0) side.set(job, (side.get(job) ?? 0) + 1);
    }
  }
  return [...here]
    .filter(([jobIdx]) => elsewhere.has(jobIdx))
    .map(([jobIdx, count]) => ({ jobIdx, here: count, elsewhere: elsewhere.get(jobIdx) ?? 0 }))
    .sort((a, b) => b.here - a.here || a.jobIdx - b.jobIdx);
}

export function linkStoryAt(
  stage: ContentionStage,
  network: Network | null,
  jobOfDevice: Int32Array,
  leaf: number,
): LinkStory {
  const { cluster } = stage;
  let devices = 0;
  let held = 0;
  for (let node = 0; node < cluster.nodeCount; node++) {
    if (cluster.leafOfNode[node] !== leaf) continue;
    for (let d = cluster.deviceBase[node]!; d < cluster.deviceBase[node + 1]!; d++) {
      devices += 1;
      if (jobOfDevice[d]! >= 0) held += 1;
    }
  }
  const contention = network && contentionAt(stage, network, jobOfDevice);
  const rates = new Map(
    contention?.onUplinks
      .filter((use) => use.leaf === leaf)
      .map(({ jobIdx, rate }) => [jobIdx, rate]),
  );
  return {
    devices,
    held,
    crossings: crossingsOf(stage, jobOfDevice, leaf).map((crossing) => ({
      ...crossing,
      rate: rates.get(crossing.jobIdx) ?? null,
    })),
    capacity: network ? (linkCapacities(cluster, network)[firstUplink(cluster) + leaf] ?? 0) : null,
    asked: contention ? (contention.ofLeaf[leaf] ?? 0) : null,
  };
}

/** The job on each device at a time, −1 = free; of a shared device one of them. O(devices + rectangles that close after it). */
export function jobsOnDevicesAt(
  { chunks, open }: { readonly chunks: readonly Chunk[]; readonly open: OpenSet | null },
  deviceCount: number,
  atMs: number,
): Int32Array {
  const jobOfDevice = new Int32Array(deviceCount).fill(-1);
  const read = (rects: Chunk["rects"], isOpen: boolean) => {
    const { device, deviceCount: wide, startMs, endMs, jobIdx } = rects;
    for (let row = 0; row < device.length; row++) {
      if (startMs[row]! > atMs || (!isOpen && endMs[row]! <= atMs)) continue;
      jobOfDevice.fill(jobIdx[row]!, device[row]!, device[row]! + wide[row]!);
    }
  };
  for (const chunk of chunks) if (chunk.toMs > atMs) read(chunk.rects, false);
  if (open) read(open.rects, true);
  return jobOfDevice;
}
