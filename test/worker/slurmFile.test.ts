/** Files of a Slurm cluster as the page hands them over: alone, together, one after the other, and files that are something else. */
import { describe, expect, test } from "vitest";
import type { ReadCluster, SlurmOutcome } from "../../src/protocol/messages.ts";
import type { JobEntry, Scenario } from "../../src/scenario/schema.ts";
import { readSlurmFiles } from "../../src/worker/slurmFile.ts";

const CONF =
  "ClusterName=c1\nNodeName=n[1-2] CPUs=8 Gres=gpu:4\nPartitionName=p Nodes=ALL Default=YES\n";

function drop(texts: Readonly<Record<string, string>>, open: Scenario | null): SlurmOutcome {
  const files = Object.entries(texts).map(([name, text]) => ({
    name,
    bytes: new TextEncoder().encode(text).buffer,
  }));
  return readSlurmFiles(files, open);
}

function read(texts: Readonly<Record<string, string>>, open: Scenario | null = null) {
  const outcome = drop(texts, open);
  if (outcome.kind !== "read") throw new Error(JSON.stringify(outcome));
  return outcome;
}

function scenarioIn(cluster: ReadCluster | null): Scenario {
  if (cluster?.kind !== "scenario") throw new Error(JSON.stringify(cluster));
  return JSON.parse(cluster.json) as Scenario;
}

describe("files of a Slurm cluster", () => {
  test("make a scenario that opens, with jobs that fit it beside", () => {
    const outcome = read({ "slurm.conf": CONF });
    expect(outcome).toMatchObject({
      files: [{ name: "slurm.conf", file: "conf" }],
      others: [],
      joined: null,
      guessed: false,
    });
    expect(scenarioIn(outcome.own)).toMatchObject({
      title: "c1",
      queues: ["p"],
      workload: { jobs: [] },
      pools: [{ policy: { preset: "slurm" } }],
    });
    expect((JSON.parse(outcome.load!) as JobEntry[]).length).toBeGreaterThan(100);
  });

  test("are told apart by their content and taken together; others are named", () => {
    const outcome = read({
      a: "NodeName=n[1-2] Name=gpu Type=h100 File=/dev/nvidia[0-3]\n",
      b: `${CONF}TopologyPlugin=topology/tree\n`,
      c: "SwitchName=s1 Nodes=n1\nSwitchName=s2 Nodes=n2\nSwitchName=top Switches=s[1-2]\n",
      d: "JobID|State|Submit\n1|COMPLETED|2025-01-01T00:00:00\n",
      e: CONF,
    });
    expect(outcome.files.map(({ file }) => file)).toEqual(["gres", "conf", "topology"]);
    expect(outcome.others).toEqual(["d", "e"]);
    const { cluster } = scenarioIn(outcome.own);
    expect(cluster.nodeGroups[0]!.gpuModel).toBe("H100");
    expect(cluster.switches).toHaveLength(3);
  });

  test("after others join them", () => {
    const first = scenarioIn(read({ "slurm.conf": CONF }).own);
    const gres = "NodeName=n[1-2] Name=gpu Type=h100 File=/dev/nvidia[0-3]\n";
    const outcome = read({ "gres.conf": gres }, first);
    expect(outcome.own).toBeNull();
    const second = scenarioIn(outcome.joined);
    expect(second.cluster.nodeGroups[0]!.gpuModel).toBe("H100");
    expect(second.pools[0]!.policy.slurm!.conf).toBe(CONF);
  });

  test("that are wrong give their problems, with file and line", () => {
    const wrong = read({ "slurm.conf": "NodeName=n1\nKillWait=x\n" });
    expect(wrong.own).toMatchObject({
      kind: "problems",
      problems: [{ place: "slurm.conf:2, KillWait" }],
    });
    expect(wrong.load).toBe("[]");
    expect(drop({ "slurm.conf": `# ${"x".repeat(600_000)}\n${CONF}` }, null)).toMatchObject({
      kind: "problems",
    });
  });
});

test("another file is none of Slurm's", () => {
  expect(drop({ a: '{"version":1}' }, null)).toEqual({ kind: "other" });
  expect(drop({ a: "1 0 0 10 1 -1 -1 1 10 -1 1 1 1 1 1 1 -1 -1\n" }, null)).toEqual({
    kind: "other",
  });
});
