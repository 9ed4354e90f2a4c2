/** A file of a cluster dropped onto an open scenario joins the texts that are there. */
import { describe, expect, test } from "vitest";
import { readScenario } from "../../../src/scenario/read.ts";
import type { Scenario, ScenarioInput } from "../../../src/scenario/schema.ts";
import { joinSlurmFiles, slurmFilesOf } from "../../../src/scenario/slurm/joinFile.ts";
import type { SlurmFiles } from "../../../src/scenario/slurm/report.ts";

function opened(input: ScenarioInput): Scenario {
  const read = readScenario(input);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

function joined(
  scenario: Scenario,
  kind: keyof SlurmFiles,
  text: string,
): { scenario: Scenario; newCluster: boolean } {
  const result = joinSlurmFiles(scenario, { [kind]: text });
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return { scenario: opened(result.value.scenario), newCluster: result.value.newCluster };
}

const lab = opened({
  version: 1,
  cluster: { nodeGroups: [{ id: "h100", count: 2, gpus: 8 }] },
  workload: { jobs: [{ id: "j", submitMs: 0, workMs: 1_000, gpus: 1, tier: "high", team: "t" }] },
  teams: [{ id: "t" }],
});
const CONF = "NodeName=n[1-2] CPUs=8 Gres=gpu:4\nPartitionName=p Nodes=ALL Default=YES\n";

describe("slurm.conf with nodes", () => {
  const { scenario, newCluster } = joined(lab, "conf", CONF);

  test("brings its cluster and partitions; the jobs stay, with what they name", () => {
    expect(newCluster).toBe(true);
    expect(scenario.cluster.nodeGroups).toMatchObject([{ count: 2, gpus: 4, names: "n[1-2]" }]);
    expect(scenario.workload.jobs).toHaveLength(1);
    expect(scenario.tiers.map((tier) => tier.id)).toEqual(["normal", "critical", "high", "low"]);
    expect(scenario.teams.map((team) => team.id)).toEqual(["t"]);
    expect(scenario.queues).toEqual(["p"]);
  });

  test("then gres.conf, topology.conf and accounting join it", () => {
    const withGres = joined(
      scenario,
      "gres",
      "NodeName=n[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-3]\n",
    ).scenario;
    expect(withGres.cluster.nodeGroups[0]!.gpuModel).toBe("A100");
    const withTopology = joined(withGres, "topology", "SwitchName=s Nodes=n[1-2]\n").scenario;
    expect(withTopology.cluster.switches).toMatchObject([{ name: "s", nodes: "n[1-2]" }]);
    const last = joined(withTopology, "accounting", "add qos high priority=9\n");
    expect(last.newCluster).toBe(false);
    expect(opened(last.scenario).tiers[0]!.id).toBe("high");
    expect(Object.values(slurmFilesOf(last.scenario)).every((text) => text !== "")).toBe(true);
  });
});

test("slurm.conf without nodes governs the cluster that is open", () => {
  const { scenario, newCluster } = joined(
    lab,
    "conf",
    "KillWait=5\nPartitionName=p Nodes=h100-000\n",
  );
  expect(newCluster).toBe(false);
  expect(scenario.cluster).toEqual(lab.cluster);
  expect(scenario.pools).toMatchObject([
    { policy: { preset: "slurm", slurm: { conf: expect.stringContaining("KillWait=5") } } },
  ]);
});

test("a wrong file changes nothing and says where it is wrong", () => {
  expect(joinSlurmFiles(lab, { conf: "KillWait=x\n" })).toMatchObject({
    ok: false,
    error: [{ place: "slurm.conf:1, KillWait" }],
  });
  expect(joinSlurmFiles(lab, { accounting: "add user u account=ghost\n" })).toMatchObject({
    ok: false,
  });
});

test("files dropped together are read together", () => {
  const result = joinSlurmFiles(lab, {
    conf: `${CONF}TopologyPlugin=topology/tree\n`,
    topology: "SwitchName=s Nodes=n[1-2]\n",
    accounting: "add qos high priority=9\n",
  });
  const { scenario } = result.ok ? result.value : { scenario: lab };
  expect(scenario.cluster.switches).toMatchObject([{ name: "s" }]);
  expect(opened(scenario).tiers[0]!.id).toBe("high");
});

test("slurm.conf of another cluster leaves the other files of the open one behind; a newer one of the same keeps them", () => {
  const { scenario } = joined(lab, "conf", CONF);
  const whole = joined(scenario, "accounting", "add qos high priority=9\n").scenario;
  const newer = joined(whole, "conf", CONF.replace("gpu:4", "gpu:8")).scenario;
  expect(slurmFilesOf(newer).accounting).toContain("high");
  const other = joined(whole, "conf", CONF.replaceAll("n[1-2]", "x[1-2]")).scenario;
  expect(slurmFilesOf(other).accounting).toBe("");
});
