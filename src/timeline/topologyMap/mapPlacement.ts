/**
 * How a job is placed at a moment, against the fewest places that could hold it: nodes, NVSwitch domains, leaves. Where the run models communication, also how
 * fast it goes by it, and how much shorter this run would have been as packed: the time it holds its devices, less what its recorded speeds leave of it.
 * O(devices + decisions of the job).
 */
import type { Cluster } from "../../model/cluster.ts";
import type { JobTable } from "../../model/jobs.ts";
import { domainOf, groundOf } from "../../model/network/gang.ts";
import { DecisionKindCode } from "../../record/shapes.ts";
import type { JobStory } from "../jobStory.ts";

export interface Places {
  readonly nodes: number;
  readonly domains: number;
  readonly leaves: number;
}

export interface Placement {
  readonly devices: number;
  readonly now: Places;
  readonly fewest: Places;
}

export type PlacementJobs = {
  readonly at: Pick<JobTable["at"], "firstComponent">;
  readonly components: Pick<JobTable["components"], "members" | "gpus" | "ownNode">;
};

/** Null where the job holds nothing. */
export function placementOf(
  cluster: Cluster,
  jobs: PlacementJobs,
  jobOfDevice: Int32Array,
  jobIdx: number,
): Placement | null {
  const nodes = new Set<number>();
  let devices = 0;
  let node = 0;
  for (let d = 0; d < jobOfDevice.length; d++) {
    if (jobOfDevice[d] !== jobIdx) continue;
    while (cluster.deviceBase[node + 1]! <= d) node += 1;
    nodes.add(node);
    devices += 1;
  }
  if (devices === 0) return null;
  const count = (keyOf: (node: number) => number) => new Set([...nodes].map(keyOf)).size;
  const now = {
    nodes: nodes.size,
    domains: count((one) => domainOf(cluster, one)),
    leaves: count((one) => cluster.leafOfNode[one]!),
  };
  return { devices, now, fewest: fewestPlaces(cluster, jobs, jobIdx, now) };
}

/** Never more than it has now: with fewer members than asked for it may need less than all of them would. */
function fewestPlaces(cluster: Cluster, jobs: PlacementJobs, jobIdx: number, now: Places): Places {
  const ground = groundOf(cluster);
  const { firstComponent } = jobs.at;
  let nodes = 0;
  for (let row = firstComponent[jobIdx]!; row < firstComponent[jobIdx + 1]!; row++) {
    const gpus = jobs.components.gpus[row]!;
    if (gpus === 0) continue;
    const perNode =
      jobs.components.ownNode[row] === 1 ? 1 : Math.max(1, Math.floor(ground.gpusPerNode / gpus));
    nodes += Math.ceil(jobs.components.members[row]! / perNode);
  }
  const least = Math.max(1, Math.min(now.nodes, nodes));
  return {
    nodes: least,
    domains: Math.min(now.domains, Math.ceil(least / ground.nodesPerDomain)),
    leaves: Math.min(now.leaves, Math.ceil(least / ground.nodesPerLeaf)),
  };
}

export interface SpeedStory {
  /** What communication leaves of its speed at the moment, 1 = as packed. */
  readonly speedNow: number;
  /** Of the run that holds the devices at the moment: how long it lasts as far as known, and how much less it would have been as packed. */
  readonly lastsMs: number;
  readonly savedMs: number;
}

/** Null where no run of the job is under way. `knownMs` ends a run whose end is not known. */
export function speedStory(story: JobStory, atMs: number, knownMs: number): SpeedStory | null {
  const run = story.runs.find(({ startMs, endMs }) => startMs <= atMs && atMs < endMs);
  if (!run) return null;
  const endMs = Number.isFinite(run.endMs) ? run.endMs : Math.max(knownMs, atMs);
  let fromMs = run.startMs;
  let speed = 1;
  let speedNow = 1;
  let savedMs = 0;
  for (const { kind, atMs: whenMs, value } of story.decisions) {
    if (kind !== DecisionKindCode.speed || whenMs < run.startMs || whenMs >= endMs) continue;
    savedMs += (whenMs - fromMs) * (1 - speed);
    fromMs = whenMs;
    speed = value;
    if (whenMs <= atMs) speedNow = value;
  }
  savedMs += (endMs - fromMs) * (1 - speed);
  return { speedNow, lastsMs: endMs - run.startMs, savedMs: Math.max(0, savedMs) };
}
