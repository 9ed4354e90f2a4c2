/**
 * Demand over capacity of links at a moment, by the model of communication: what each gang could use if it had the link for itself, summed, divided by what the
 * link carries. A gang is as loaded as the most loaded link that it crosses; one that stays within one domain crosses none. Devices a job was given beyond those
 * it asked for (whole nodes) take no part. O(devices + what gangs hold).
 */
import type { Cluster } from "../../model/cluster.ts";
import type { JobTable } from "../../model/jobs.ts";
import type { Network } from "../../model/lab/services.ts";
import { cardsOf, domainOf, type Gang } from "../../model/network/gang.ts";
import { firstUplink, linkCapacities } from "../../model/network/linkCapacity.ts";
import { edgesOf } from "../../model/network/stepTime.ts";
import type { Stage } from "../../protocol/messages.ts";

export interface Contention {
  /** Demand over capacity of the most loaded link that a job crosses; absent = it crosses none. */
  readonly ofJob: ReadonlyMap<number, number>;
  /** Demand over capacity of each leaf's uplinks. */
  readonly ofLeaf: Float64Array;
  /** What each gang could use of the uplinks it crosses, bytes per ms. */
  readonly onUplinks: readonly UplinkUse[];
}

export interface UplinkUse {
  readonly jobIdx: number;
  readonly leaf: number;
  readonly rate: number;
}

export type ContentionStage = Pick<Stage, "cluster" | "traffic"> & {
  readonly jobs: { readonly at: Pick<JobTable["at"], "gpuTotal"> };
};

/** What a job sends in a step; undefined where it sends nothing or no network is modelled. */
export function trafficOfJob({ traffic }: Pick<Stage, "traffic">, jobIdx: number) {
  return traffic?.kinds[(traffic.ofJob[jobIdx] ?? 0) - 1];
}

export function contentionAt(
  stage: ContentionStage,
  network: Network,
  jobOfDevice: Int32Array,
): Contention {
  const { cluster } = stage;
  const capacity = linkCapacities(cluster, network);
  const firstLeaf = firstUplink(cluster);
  const asked = new Float64Array(capacity.length);
  const cardsShared = cluster.groups.some((group) => group.gpusPerNode > network.nicsPerNode);
  const onUplinks: UplinkUse[] = [];
  const crossings: [jobIdx: number, links: readonly number[]][] = [];
  for (const [jobIdx, devices] of gangsOf(stage, jobOfDevice)) {
    const { gang, domains, leaves } = layoutOf(cluster, network.nicsPerNode, devices);
    const traffic = trafficOfJob(stage, jobIdx);
    if (!traffic || domains.length < 2) continue;
    const { mostRate, ofDomain, ofLeaf } = edgesOf(gang, traffic, network);
    const links: number[] = [];
    const cross = (link: number, edges: number) => {
      asked[link]! += mostRate * edges;
      links.push(link);
    };
    for (const [i, domain] of cardsShared ? domains.entries() : []) cross(domain, ofDomain[i]!);
    for (const [i, leaf] of leaves.length > 1 ? leaves.entries() : []) {
      cross(firstLeaf + leaf, ofLeaf[i]!);
      onUplinks.push({ jobIdx, leaf, rate: mostRate * ofLeaf[i]! });
    }
    crossings.push([jobIdx, links]);
  }
  const load = asked.map((value, link) => (capacity[link]! > 0 ? value / capacity[link]! : 0));
  return {
    ofJob: new Map(
      crossings
        .filter(([, links]) => links.length > 0)
        .map(([jobIdx, links]) => [
          jobIdx,
          links.reduce((most, link) => Math.max(most, load[link]!), 0),
        ]),
    ),
    ofLeaf: load.subarray(firstLeaf),
    onUplinks,
  };
}

/** Devices of each job with traffic, ascending, at most as many as it asked for. */
function gangsOf(stage: ContentionStage, jobOfDevice: Int32Array): ReadonlyMap<number, number[]> {
  const gangs = new Map<number, number[]>();
  for (let d = 0; d < jobOfDevice.length; d++) {
    const job = jobOfDevice[d]!;
    if (job < 0 || !trafficOfJob(stage, job)) continue;
    const devices = gangs.get(job);
    if (!devices) gangs.set(job, [d]);
    else if (devices.length < stage.jobs.at.gpuTotal[job]!) devices.push(d);
  }
  return gangs;
}

interface GangLayout {
  readonly gang: Gang;
  readonly domains: readonly number[];
  readonly leaves: readonly number[];
}

function layoutOf(cluster: Cluster, nicsPerNode: number, devices: readonly number[]): GangLayout {
  const domains = new Map<number, { gpus: number; cards: Set<number> }>();
  const leaves = new Map<number, number>();
  let node = 0;
  for (const device of devices) {
    while (cluster.deviceBase[node + 1]! <= device) node += 1;
    const base = cluster.deviceBase[node]!;
    const domain = domainOf(cluster, node);
    const held = domains.get(domain) ?? { gpus: 0, cards: new Set<number>() };
    domains.set(domain, held);
    held.gpus += 1;
    const [from, to] = cardsOf(device - base, 1, cluster.deviceBase[node + 1]! - base, nicsPerNode);
    for (let card = from; card < to; card++) held.cards.add(node * nicsPerNode + card);
    const leaf = cluster.leafOfNode[node]!;
    leaves.set(leaf, (leaves.get(leaf) ?? 0) + 1);
  }
  const spines = new Set([...leaves.keys()].map((leaf) => cluster.spineOfLeaf[leaf]));
  const gang = {
    gpus: devices.length,
    domains: [...domains.values()].map(({ gpus, cards }) => ({ gpus, cards: cards.size })),
    leaves: [...leaves.values()],
    tiers: leaves.size < 2 ? 1 : spines.size < 2 ? 2 : 3,
    nvswitch: [...domains.keys()].every((domain) => domain < cluster.nvswitchCount),
  };
  return { gang, domains: [...domains.keys()], leaves: [...leaves.keys()] };
}
