/** What the lab adds to the ground that jobs stand on: rented nodes and when the cloud takes them back, the fleet rule, network, shared filesystem. */
import exponentialQuantile from "@stdlib/stats-base-dists-exponential-quantile";
import { randomStream } from "../../base/random.ts";
import type { Cluster } from "../../model/cluster.ts";
import type { BurstRule, FleetRule } from "../../model/lab/services.ts";
import type { World } from "../../model/world.ts";
import type { Scenario } from "../../scenario/schema.ts";

type Grounds = Pick<World, "burst" | "unbornNodes" | "fleet" | "network" | "storage">;

/** `untilMs`: up to which spot interruptions are drawn. Keys of parts that the document does not give are absent. O(nodes + interruptions). */
export function groundsOf(scenario: Scenario, cluster: Cluster, untilMs: number): Grounds {
  const burst = burstOf(scenario, cluster, untilMs);
  const { network, storage } = scenario.cluster;
  const fleet = fleetOf(scenario);
  return {
    ...(burst.length === 0
      ? {}
      : { burst, unbornNodes: burst.flatMap((rule) => rule.nodes).sort((a, b) => a - b) }),
    ...(fleet === null ? {} : { fleet }),
    ...(network === undefined ? {} : { network }),
    ...(storage === undefined
      ? {}
      : {
          storage: {
            writeGBps: storage.writeGBps,
            readGBps: storage.readGBps ?? storage.writeGBps,
          },
        }),
  };
}

function fleetOf({ fleet, pools }: Scenario): FleetRule | null {
  if (fleet === undefined) return null;
  const poolOf = (id: string) =>
    Math.max(
      0,
      pools.findIndex((pool) => pool.id === id),
    );
  return { ...fleet, serving: poolOf(fleet.serving), batch: poolOf(fleet.batch) };
}

function burstOf(scenario: Scenario, cluster: Cluster, untilMs: number): BurstRule[] {
  return scenario.cluster.nodeGroups.flatMap(({ burst }, group) => {
    if (burst === undefined) return [];
    const nodes = [...cluster.nodeGroup.keys()].filter((node) => cluster.nodeGroup[node] === group);
    const { spotMeanMs, spotNoticeMs, ...rule } = burst;
    if (spotMeanMs === undefined) return [{ ...rule, nodes, noticeMs: spotNoticeMs }];
    const takenMs = nodes.map((node) =>
      takenAt(scenario.seed, cluster.nodeNames[node]!, spotMeanMs, untilMs),
    );
    return [{ ...rule, nodes, noticeMs: spotNoticeMs, takenMs }];
  });
}

/** Exponential gaps forget how long a node has been rented, so the times can be drawn without knowing when that is. */
function takenAt(seed: number, node: string, meanMs: number, untilMs: number): Float64Array {
  const stream = randomStream(seed, "spot", node);
  const gapMs = exponentialQuantile.factory(1 / meanMs);
  const times: number[] = [];
  for (let atMs = gapMs(stream()); atMs < untilMs; atMs += gapMs(stream()))
    times.push(Math.ceil(atMs));
  return Float64Array.from(times);
}
