/** Jobs made up for a cluster fit it: each of them is taken and starts. */
import { describe, expect, test } from "vitest";
import { simulate } from "../../../src/cli/simulate.ts";
import { scenarioFromSlurm } from "../../../src/scenario/slurm/importCluster.ts";
import { replayOn } from "../../../src/scenario/slurm/replayOn.ts";
import type { SlurmFiles } from "../../../src/scenario/slurm/report.ts";
import { syntheticLoad } from "../../../src/scenario/slurm/syntheticLoad.ts";
import { must, mustRead } from "../scenarios.ts";
import { filesOf, parsed } from "./files.ts";

const NODES = "NodeName=n[1-8] CPUs=64 Gres=gpu:8\nNodeName=c[1-4] CPUs=64\n";

function loaded(texts: Partial<SlurmFiles>) {
  const files = filesOf(texts);
  const { scenario } = must(scenarioFromSlurm(files));
  const known = {
    tiers: scenario.tiers.map((each) => each.id),
    teams: scenario.teams.map((each) => each.id),
  };
  const jobs = syntheticLoad(parsed(files), known);
  return { jobs, scenario: mustRead({ ...scenario, workload: { jobs } }) };
}

describe("a load for a cluster", () => {
  test.each([
    ["one open partition", { conf: `${NODES}PartitionName=p Nodes=ALL Default=YES\n` }],
    [
      "whole nodes, a short limit and no default partition",
      { conf: `${NODES}PartitionName=p Nodes=n[1-8] OverSubscribe=EXCLUSIVE MaxTime=30\n` },
    ],
    [
      "accounts, users and QOS that are enforced",
      {
        conf: `${NODES}AccountingStorageEnforce=associations,limits,qos\nPartitionName=cpu Nodes=c[1-4] Default=YES\nPartitionName=gpu Nodes=n[1-8] AllowQos=long DenyAccounts=b\n`,
        accounting:
          "add qos long priority=5\nadd account a,b\nadd user u account=a qos=long,normal defaultqos=normal\nadd user v account=b\n",
      },
    ],
  ] satisfies readonly (readonly [string, Partial<SlurmFiles>])[])(
    "with %s: every job starts, and some of them wait",
    (_, texts) => {
      const { jobs, scenario } = loaded(texts);
      expect(jobs.length).toBeGreaterThan(200);
      const { metrics } = simulate(scenario, undefined, {
        checks: false,
        onChunk: () => undefined,
      });
      expect(metrics.started).toBe(jobs.length);
      expect(metrics.waitSec.p95!).toBeGreaterThan(60);
    },
  );

  test("is the same each time, in the order of submission", () => {
    const conf = `${NODES}PartitionName=p Nodes=ALL Default=YES\n`;
    const { jobs } = loaded({ conf });
    expect(loaded({ conf }).jobs).toEqual(jobs);
    expect(jobs).toEqual(jobs.toSorted((a, b) => a.submitMs - b.submitMs));
  });

  test("is empty where no partition has GPUs, or nobody may go there", () => {
    const noGpus = parsed({ conf: "NodeName=c1 CPUs=4\nPartitionName=p Nodes=ALL\n" });
    expect(syntheticLoad(noGpus, { tiers: ["normal"], teams: [] })).toEqual([]);
    const closed = parsed({ conf: `${NODES}PartitionName=p Nodes=ALL AllowAccounts=x\n` });
    expect(syntheticLoad(closed, { tiers: ["normal"], teams: [] })).toEqual([]);
  });
});

describe("a log replayed on the open cluster", () => {
  const open = loaded({
    conf: `${NODES}PartitionName=gpu Nodes=ALL Default=YES\n`,
    accounting: "add qos high priority=9\nadd account a\n",
  }).scenario;
  const log = mustRead({
    version: 1,
    title: "log",
    calendarStart: "2025-03-01T00:00:00",
    cluster: { nodeGroups: [{ id: "gpu", count: 1, gpus: 8 }] },
    tiers: ["high", "odd"].map((id) => ({ id, name: id, letter: "T" })),
    teams: [{ id: "a" }, { id: "z" }],
    queues: ["gpu", "night"],
  });
  const { scenario, unmatched } = replayOn(open, log, []);

  test("has its jobs and calendar, and the cluster, policy and names of the open one", () => {
    expect(scenario.cluster).toEqual(open.cluster);
    expect(scenario.pools).toEqual(open.pools);
    expect(scenario.calendarStart).toBe(log.calendarStart);
    expect(scenario.workload).toEqual(log.workload);
    expect(scenario.tiers.map((tier) => tier.id)).toEqual(["high", "normal", "odd"]);
    expect(mustRead(scenario).teams.map((team) => team.id)).toEqual(["a", "z"]);
  });

  test("tells each name that finds no match, and what becomes of it", () => {
    expect(unmatched).toEqual([
      "The configuration has no partition night: their jobs go to the default partition.",
      "The configuration has no QOS odd: they have no limits, and a priority by their rank.",
      "The configuration has no account z: where associations are enforced their jobs are refused.",
    ]);
  });
});

test("where no partition is the default, jobs that name none, or one that is not there, go where most GPUs are", () => {
  const conf = `${NODES}PartitionName=cpu Nodes=c[1-4]\nPartitionName=gpu Nodes=n[1-8]\n`;
  const { scenario } = loaded({ conf });
  const job = { submitMs: 0, workMs: 60_000, limitMs: 60_000, nodes: 1, gpusPerNode: 8 };
  const own = mustRead({
    ...scenario,
    queues: [...scenario.queues, "night"],
    workload: {
      jobs: [
        { ...job, id: "none" },
        { ...job, id: "other", queue: "night" },
      ],
    },
  });
  const { metrics } = simulate(own, undefined, { checks: false, onChunk: () => undefined });
  expect([metrics.started, metrics.refused]).toEqual([2, {}]);
});
