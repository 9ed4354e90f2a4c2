/** Clusters for tests of the map, laid out from documents as a run lays them out. */
import type { Cluster } from "../../../src/model/cluster.ts";
import { readScenario } from "../../../src/scenario/read.ts";
import type { ScenarioInput } from "../../../src/scenario/schema.ts";
import { layCluster } from "../../../src/workload/clusterLayout.ts";

type ClusterInput = ScenarioInput["cluster"];

export function clusterFrom(cluster: ClusterInput): Cluster {
  const read = readScenario({
    version: 1,
    cluster,
    workload: { jobs: [{ id: "a", submitMs: 0, gpus: 1, workMs: 1 }] },
  });
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return layCluster(read.value);
}

/** `racks` racks of 18 nodes with four GPUs, one NVSwitch domain each, two racks under a leaf. */
export function racks(count: number): Cluster {
  return clusterFrom({
    nodeGroups: [{ id: "gb", count: 18 * count, gpus: 4, numaDomains: 2, nvswitchNodes: 18 }],
    fabric: { nodesPerLeaf: 36 },
  });
}
