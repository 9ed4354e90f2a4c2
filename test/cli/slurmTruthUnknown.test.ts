import { expect, test } from "vitest";
import { readRecording } from "../../src/cli/conformance/slurmTruthFile.ts";
import { scenarioOf } from "../../src/cli/conformance/slurmTruthScenario.ts";

const JOB = { user: "alice", submitSec: 5, runtimeSec: 30, gpusPerNode: 1 };

function refusedOf(enforce: string, jobs: readonly object[]): Record<string, string> {
  const { refused } = scenarioOf(
    readRecording({
      schema: "slurm-truth/1",
      scenario: "made-up",
      cluster: {},
      config: {
        slurmConf: ["GresTypes=gpu", `AccountingStorageEnforce=${enforce}`],
        nodes: ["NodeName=n[1-4] CPUs=64 Gres=gpu:8"],
        partitions: ["PartitionName=main Nodes=ALL Default=YES"],
        sacctmgr: ["add account acct", "add user alice account=acct"],
      },
      toleranceSec: 2,
      jobs: jobs.map((job) => ({ ...JOB, ...job })),
      commands: [{ atSec: 9, cmd: "scancel @P" }],
      results: {},
    }),
  );
  return Object.fromEntries(refused.map(({ job, message }) => [job.id, message]));
}

test("jobs that name what there is not are refused with the words of sbatch", () => {
  const refused = refusedOf("associations,limits,qos", [
    { id: "fine", partition: "main", account: "acct", nodelist: "n[2-3]" },
    { id: "P", partition: "nosuch" },
    { id: "A", account: "nosuch" },
    { id: "Q", qos: "nosuch" },
    { id: "N", nodelist: "n[3-5]" },
    { id: "X", exclude: "m1" },
  ]);
  expect(refused).toEqual({
    P: "Invalid partition name specified",
    A: "Invalid account or account/partition combination specified",
    Q: "Invalid qos specification",
    N: "Invalid node name specified",
    X: "Invalid node name specified",
  });
});
