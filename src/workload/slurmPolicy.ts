/**
 * A Slurm policy of the document: the configuration that its texts say, held to the cluster. The texts are the truth; the cluster is what
 * exists: a node that only the texts know, or one of which they claim more than it has, is a problem.
 */
import type { Problem } from "../base/problem.ts";
import { err, ok } from "../base/result.ts";
import type { Cluster, NodeGroupInfo } from "../model/cluster.ts";
import type { SlurmConfig, SlurmNode } from "../model/slurm/config.ts";
import { withClusterGpus } from "../scenario/slurm/clusterGpus.ts";
import { parseSlurm } from "../scenario/slurm/parse.ts";
import type { PolicyReader } from "./policyReaders.ts";

const NO_FILES = { conf: "", gres: "", topology: "", accounting: "" };
/** The field of the document that holds each file. */
const FIELDS: Readonly<Record<string, string>> = {
  "slurm.conf": "conf",
  "gres.conf": "gres",
  "topology.conf": "topology",
  sacctmgr: "accounting",
};

/** Reads the files of a Slurm policy. O(texts + nodes). */
export const readSlurmPolicy: PolicyReader = (policy, cluster, nodesOfPool, place) => {
  // A flat machine is one node of the document, and as many of Slurm as it has processors.
  const names = cluster.flat ? [] : nodesOfPool.map((node) => cluster.nodeNames[node]!);
  const parsed = parseSlurm(policy.slurm ?? NO_FILES, names);
  if (!parsed.ok) return err(parsed.error.map((problem) => within(problem, place)));
  if (cluster.flat) return ok({ slurm: parsed.value.config });
  // Nodes of other pools may stand in slurm.conf: they are down until they come over.
  const anywhere = cluster.nodeNames.map((_, node) => node);
  const config = withClusterGpus(parsed.value.config, gpusByName(cluster, anywhere));
  const problems: Problem[] = [];
  checkNodes(config, cluster, names[0], `${place}/slurm/conf`, problems);
  return problems.length > 0 ? err(problems) : ok({ slurm: config });
};

function gpusByName(cluster: Cluster, nodes: readonly number[]): (name: string) => number {
  const gpus = new Map(
    nodes.map((node) => [
      cluster.nodeNames[node]!,
      cluster.groups[cluster.nodeGroup[node]!]!.gpusPerNode,
    ]),
  );
  return (name) => gpus.get(name) ?? 0;
}

/** `slurm.conf:12, NodeName` → `/pools/0/policy/slurm/conf:12, NodeName`. */
function within(problem: Problem, place: string): Problem {
  const at = problem.place.search(/[:,]/);
  const file = at < 0 ? problem.place : problem.place.slice(0, at);
  const rest = at < 0 ? "" : problem.place.slice(at);
  return { ...problem, place: `${place}/slurm/${FIELDS[file] ?? file}${rest}` };
}

/** Problems told of one kind; a cluster that is another one altogether would give thousands. */
const TOLD_MOST = 20;

function checkNodes(
  config: SlurmConfig,
  cluster: Cluster,
  example: string | undefined,
  place: string,
  problems: Problem[],
): void {
  const nodeOf = new Map(cluster.nodeNames.map((name, node) => [name, node]));
  let told = 0;
  for (const line of config.nodes) {
    if (line.state === "future" || told === TOLD_MOST) continue;
    const node = nodeOf.get(line.name);
    const found =
      node === undefined
        ? unknownNode(line.name, example)
        : contradiction(line, cluster.groups[cluster.nodeGroup[node]!]!);
    if (found === null) continue;
    problems.push({ place: `${place}, NodeName=${line.name}`, ...found });
    told++;
  }
}

type Words = Omit<Problem, "place">;

function unknownNode(name: string, example: string | undefined): Words {
  return {
    message: `slurm.conf names a node "${name}" that the cluster does not have.`,
    remedy: `Name the nodes of this pool (such as "${example ?? ""}"), or give the node group the names of slurm.conf.`,
  };
}

/** CPUs and memory are checked only where the cluster says how much there is. */
function contradiction(line: SlurmNode, group: NodeGroupInfo): Words | null {
  const gpus = line.gres
    .filter((gres) => gres.name === "gpu")
    .reduce((sum, gres) => sum + gres.count, 0);
  const rows = [
    { what: "GPUs", said: gpus, has: group.gpusPerNode, wrong: gpus !== group.gpusPerNode },
    {
      what: "CPUs",
      said: line.cpus,
      has: group.cpusPerNode,
      wrong: group.cpusPerNode > 0 && line.cpus > group.cpusPerNode,
    },
    {
      what: "MiB of memory",
      said: line.realMemoryMiB,
      has: group.memMiBPerNode,
      wrong: group.memMiBPerNode > 0 && line.realMemoryMiB > group.memMiBPerNode,
    },
  ];
  const first = rows.find((row) => row.wrong);
  if (first === undefined) return null;
  return {
    message: `slurm.conf gives node "${line.name}" ${first.said} ${first.what}; its node group "${group.id}" has ${first.has}.`,
    remedy: "Change one of the two, so that both say the same.",
  };
}
