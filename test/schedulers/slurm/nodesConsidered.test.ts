/** What removed each node from those that a pending job of Slurm was weighed against, on four nodes by hand. */
import { describe, expect, test } from "vitest";
import { Simulation } from "../../../src/engine/simulation.ts";
import { CANDIDATE_RULES, type Candidates } from "../../../src/model/lab/candidates.ts";
import { slurmReasonOf } from "../../../src/model/reasons.ts";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { expand } from "../../../src/workload/expand.ts";
import { scenarioFor, type TinyRun } from "./tinyCluster.ts";

/** What is said of the last job at a second. */
function considered(run: TinyRun, atSec = 10): Candidates | null {
  const world = expand(scenarioFor(run).scenario);
  if (!world.ok) throw new Error("the scenario is wrong");
  const simulation = new Simulation(world.value, schedulerOf, { checks: true, snapshots: false });
  simulation.advance({ untilMs: atSec * 1_000, maxEvents: Number.POSITIVE_INFINITY });
  return simulation.candidates(run.jobs.length - 1, atSec * 1_000);
}

/** `2 devices, 1 kept → 1 node, needs 3`. */
function line(found: Candidates | null): string {
  if (found === null) return "nothing";
  const gone = CANDIDATE_RULES.flatMap((rule, at) => {
    const count = found.rows.reduce((sum, row) => sum + row.removed[at]!, 0);
    return count === 0 ? [] : [`${count} ${rule}`];
  });
  const had = found.rows.reduce((sum, row) => sum + row.members, 0);
  return `${gone.join(", ")} → ${had} ${found.unit}, needs ${found.membersNeeded}`;
}

const LONG = { submitSec: 0, timeLimitSec: 600, runtimeSec: 500 };

describe("a pending job of Slurm", () => {
  test("hears of nodes without a free GPU, with too few of them, drained ones and what is left", () => {
    const run: TinyRun = {
      jobs: [
        { id: "A", ...LONG },
        { id: "B", ...LONG, gpusPerNode: 5 },
        { id: "W", submitSec: 5, nodes: 3, gpusPerNode: 4, runtimeSec: 5 },
      ],
      commands: [[2, "scontrol update nodename=n4 state=drain reason=test"]],
    };
    expect(line(considered(run))).toBe("1 closed, 1 devices, 1 together → 1 node, needs 3");
  });

  test("hears of other partitions and of nodes it leaves out by name", () => {
    const partitions = [
      "PartitionName=main Nodes=n[1-3] Default=YES DefaultTime=10",
      "PartitionName=side Nodes=n4",
    ];
    const jobs = [
      { id: "A", ...LONG },
      { id: "B", ...LONG, nodes: 2 },
      { id: "W", submitSec: 5, runtimeSec: 5 },
    ];
    expect(line(considered({ jobs, partitions }))).toBe("1 partition, 3 devices → 0 node, needs 1");
    expect(line(considered({ jobs, partitions, slurm: { W: { exclude: "n2" } } }))).toBe(
      "1 partition, 1 named, 2 devices → 0 node, needs 1",
    );
  });

  test("hears of a feature that most nodes lack, and of nodes too small for it", () => {
    const nodes = [
      "NodeName=n[1-3] CPUs=64 SocketsPerBoard=2 CoresPerSocket=32 Gres=gpu:8 Feature=fast",
      "NodeName=n4 CPUs=64 SocketsPerBoard=2 CoresPerSocket=32 Gres=gpu:2",
    ];
    const jobs = [
      { id: "A", ...LONG, nodes: 3 },
      { id: "W", submitSec: 5, runtimeSec: 5, gpusPerNode: 4 },
    ];
    expect(line(considered({ jobs, nodes }))).toBe("1 size, 3 devices → 0 node, needs 1");
    expect(line(considered({ jobs, nodes, slurm: { W: { constraint: "fast" } } }))).toBe(
      "1 labels, 3 devices → 0 node, needs 1",
    );
  });

  test("that would still run when a job before it is planned hears for whom the nodes are kept", () => {
    const jobs = [
      { id: "A", submitSec: 0, nodes: 2, timeLimitSec: 100, runtimeSec: 90 },
      { id: "H", submitSec: 1, nodes: 4, timeLimitSec: 100, runtimeSec: 90 },
      { id: "W", submitSec: 5, timeLimitSec: 300, runtimeSec: 5 },
    ];
    const found = considered({ jobs }, 20);
    expect(line(found)).toBe("2 devices, 2 kept → 0 node, needs 1");
    expect(found?.keptForJobIdx).toBe(1);
  });

  test("that nothing keeps from the nodes hears of the limit that does", () => {
    const accounting = [
      "modify qos normal set MaxJobsPerUser=1",
      "modify user alice set qos=normal",
    ];
    const jobs = [
      { id: "A", ...LONG },
      { id: "W", submitSec: 5, runtimeSec: 5 },
    ];
    const found = considered({ jobs, accounting });
    expect(line(found)).toBe("1 devices → 3 node, needs 1");
    expect(slurmReasonOf(found?.ceiling ?? 0)).toBe("QOSMaxJobsPerUserLimit");
  });

  test("that runs is told nothing", () => {
    expect(considered({ jobs: [{ id: "A", ...LONG }] })).toBeNull();
  });
});
