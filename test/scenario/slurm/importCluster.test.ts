/** A scenario from the files of a cluster: what becomes of nodes, switches, partitions, QOS and accounts. */
import { describe, expect, test } from "vitest";
import { withClusterGpus } from "../../../src/scenario/slurm/clusterGpus.ts";
import type { ImportedSlurm } from "../../../src/scenario/slurm/importCluster.ts";
import { scenarioFromSlurm } from "../../../src/scenario/slurm/importCluster.ts";
import type { SlurmFiles } from "../../../src/scenario/slurm/report.ts";
import { filesOf, parsed } from "./files.ts";

function imported(files: Partial<SlurmFiles>): ImportedSlurm {
  const result = scenarioFromSlurm(filesOf(files));
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

describe("nodes", () => {
  test("of the same hardware that are neighbours are one group, by the names they have", () => {
    const { scenario } = imported({
      conf: "ClusterName=c1\nNodeName=dgx-a[01-03] CPUs=128 RealMemory=1031680 Gres=gpu:a100:8\nNodeName=dgx-a04 CPUs=128 RealMemory=1031680 Gres=gpu:a100:8 Weight=9\nNodeName=cpu[1-2] CPUs=32\nNodeName=old1 CPUs=40 Gres=gpu:tesla_v100-pcie-32gb:2\n",
    });
    expect(scenario.title).toBe("c1");
    expect(scenario.cluster.nodeGroups).toMatchObject([
      {
        id: "dgx-a",
        count: 4,
        names: "dgx-a[01-04]",
        gpuModel: "A100",
        gpus: 8,
        cpus: 128,
        memGiB: 1_008,
      },
      { id: "cpu", count: 2, names: "cpu[1-2]", gpus: 0, cpus: 32 },
      { id: "old", count: 1, names: "old1", gpuModel: "V100", gpuMemGiB: 32, gpus: 2 },
    ]);
  });

  test("that stand apart are groups of their own with different ids", () => {
    const { scenario } = imported({
      conf: "NodeName=n1 CPUs=1\nNodeName=n2 CPUs=2\nNodeName=n3 CPUs=1\n",
    });
    expect(scenario.cluster.nodeGroups.map((group) => group.id)).toEqual(["n", "n-2", "n-3"]);
  });

  test("that are FUTURE are left out, with a note", () => {
    const { scenario, notes } = imported({
      conf: "GresTypes=gpu\nNodeName=n1 Gres=gpu:1\nNodeName=f[1-9] State=FUTURE\n",
    });
    expect(scenario.cluster.nodeGroups).toHaveLength(1);
    expect(notes.filter((note) => note.kind !== "ignored")).toMatchObject([
      { key: "State", kind: "approximated" },
    ]);
  });

  test("must be there", () => {
    expect(scenarioFromSlurm(filesOf({ conf: "KillWait=3\n" }))).toMatchObject({
      ok: false,
      error: [{ place: "slurm.conf" }],
    });
  });

  test("of MIG slices have the profile as their model", () => {
    const { scenario } = imported({ conf: "NodeName=m1 Gres=gpu:1g.10gb:7\n" });
    expect(scenario.cluster.nodeGroups[0]).toMatchObject({
      gpus: 7,
      gpuModel: "1g.10gb",
      gpuMemGiB: 10,
    });
  });
});

describe("GPUs of which no line speaks", () => {
  test("are eight where names speak of GPUs, with a note", () => {
    const { scenario, notes } = imported({
      conf: "NodeName=dgx[1-2] CPUs=96\nNodeName=login CPUs=8\n",
    });
    expect(scenario.cluster.nodeGroups.map((group) => group.gpus)).toEqual([8, 0]);
    expect(notes).toMatchObject([{ key: "Gres", kind: "approximated" }]);
  });

  test("make each node a device of its own elsewhere", () => {
    const { scenario } = imported({ conf: "NodeName=c[1-2] CPUs=96\n" });
    expect(scenario.cluster.nodeGroups).toMatchObject([{ gpus: 1, gpuModel: "node" }]);
  });

  test("are left to the cluster that is open, node by node", () => {
    const config = withClusterGpus(
      parsed({ conf: "NodeName=a\nNodeName=b Gres=shard:2\n" }),
      (name) => (name === "a" ? 4 : 0),
    );
    expect(config.nodes.map((node) => node.gres)).toEqual([
      [{ name: "gpu", type: "", count: 4 }],
      [{ name: "shard", type: "", count: 2 }],
    ]);
    const said = parsed({ conf: "NodeName=a\nNodeName=b Gres=gpu:2\n" });
    expect(withClusterGpus(said, () => 4)).toBe(said);
  });
});

test("switches are those of topology.conf, also where Slurm does not look at them", () => {
  const { scenario } = imported({
    conf: "NodeName=n[1-4]\n",
    topology:
      "SwitchName=l1 Nodes=n[1-2]\nSwitchName=l2 Nodes=n[3-4]\nSwitchName=top Switches=l1,l2\n",
  });
  expect(scenario.cluster.switches).toEqual([
    { name: "l1", nodes: "n[1-2]" },
    { name: "l2", nodes: "n[3-4]" },
    { name: "top", switches: ["l1", "l2"] },
  ]);
});

test("partitions are queues, accounts are teams, QOS are tiers by falling priority with letters of their own", () => {
  const { scenario } = imported({
    conf: "NodeName=n1\nPartitionName=p Nodes=ALL\nPartitionName=q Nodes=n1\n",
    accounting:
      "add qos high,hot\nmodify qos high set priority=9\nmodify qos hot set priority=5\nadd account a fairshare=3\nadd account b parent=a fairshare=parent\nadd user u account=b\n",
  });
  expect(scenario.queues).toEqual(["p", "q"]);
  expect(scenario.teams).toEqual([
    { id: "a", shares: 3 },
    { id: "b", shares: 1 },
  ]);
  expect(scenario.tiers).toEqual([
    { id: "high", name: "high", letter: "H" },
    { id: "hot", name: "hot", letter: "O" },
    { id: "normal", name: "normal", letter: "N" },
  ]);
});

test("more QOS than tiers are noted, and normal keeps its tier", () => {
  const names = Array.from({ length: 15 }, (_, index) => `q${index}`);
  const { scenario, notes } = imported({
    conf: "GresTypes=gpu\nNodeName=n1 Gres=gpu:1\n",
    accounting: names.map((name, index) => `add qos ${name} priority=${100 - index}\n`).join(""),
  });
  expect(scenario.tiers).toHaveLength(12);
  expect(scenario.tiers.at(-1)!.id).toBe("normal");
  expect(new Set(scenario.tiers.map((tier) => tier.letter)).size).toBe(12);
  expect(notes.filter((note) => note.kind !== "ignored")).toMatchObject([{ key: "QOS" }]);
});

test("the texts are the policy of the one pool, as they are", () => {
  const files = filesOf({ conf: "# mine\nNodeName=n1\n", gres: "# none\n" });
  expect(imported(files).scenario.pools).toEqual([
    { id: "all", policy: { preset: "slurm", slurm: files, settings: {} } },
  ]);
});
