import { describe, expect, test } from "vitest";
import { canonicalJson } from "../../../src/scenario/canonical.ts";
import { readScenario } from "../../../src/scenario/read.ts";
import { MINUTE, mustRead, problemsOf } from "../scenarios.ts";

const cluster = { nodeGroups: [{ id: "n", count: 4, names: "n[1-4]", gpus: 8 }] };
const base = { version: 1, cluster, pools: [{ id: "all", policy: { preset: "slurm" } }] };
const job = { id: "a", submitMs: 0, workMs: MINUTE };
const withJob = (fields: object) => ({ ...base, workload: { jobs: [{ ...job, ...fields }] } });
const withChange = (fields: object, more: object = {}) => ({
  ...withJob({ slurm: {} }),
  interventions: [{ atMs: 10, ...fields }],
  ...more,
});
const withGroup = (fields: object) => ({
  ...base,
  cluster: { nodeGroups: [{ ...cluster.nodeGroups[0], ...fields }] },
});
const withSwitches = (...switches: object[]) => ({ ...base, cluster: { ...cluster, switches } });
const reserve = { kind: "reserve", name: "r", startMs: 5, endMs: 9 };
const lab = { pools: [{ id: "all" }] };

describe("a fault is named with its place", () => {
  test.each([
    ["GPUs given twice", withJob({ gpus: 2, slurm: { gpus: 2 } }), "/workload/jobs/0/slurm/gpus"],
    [
      "GPUs a task without tasks",
      withJob({ slurm: { gpusPerTask: 2 } }),
      "/workload/jobs/0/slurm/gpusPerTask",
    ],
    [
      "fewer nodes at most than at least",
      withJob({ slurm: { minNodes: 3, maxNodes: 2 } }),
      "/workload/jobs/0/slurm/maxNodes",
    ],
    [
      "a least time above the limit",
      withJob({ limitMs: 5, slurm: { timeMinMs: 9 } }),
      "/workload/jobs/0/slurm/timeMinMs",
    ],
    [
      "an unknown node",
      withJob({ slurm: { nodelist: "n[3-5]" } }),
      "/workload/jobs/0/slurm/nodelist",
    ],
    [
      "a host list that is none",
      withJob({ slurm: { exclude: "n[3" } }),
      "/workload/jobs/0/slurm/exclude",
    ],
    [
      "numbers of tasks that repeat",
      withJob({ slurm: {}, array: { count: 2, indices: [3, 3] } }),
      "/workload/jobs/0/array/indices",
    ],
    [
      "a number of tasks that is another",
      withJob({ slurm: {}, array: { count: 3, indices: [1, 2] } }),
      "/workload/jobs/0/array/indices",
    ],
    ["names that are too few", withGroup({ names: "n[1-3]" }), "/cluster/nodeGroups/0/names"],
    ["a name given twice", withGroup({ names: "n[1-3],n2" }), "/cluster/nodeGroups/0/names"],
    [
      "a switch with an unknown node",
      withSwitches({ name: "s", nodes: "x1" }),
      "/cluster/switches/0/nodes",
    ],
    [
      "a switch below itself",
      withSwitches({ name: "s", switches: ["t"] }, { name: "t", switches: ["s"] }),
      "/cluster/switches",
    ],
    [
      "a switch below two",
      withSwitches(
        { name: "s", switches: ["u"] },
        { name: "t", switches: ["u"] },
        { name: "u", nodes: "n1" },
      ),
      "/cluster/switches/1/switches",
    ],
    [
      "a reservation that ends before it begins",
      withChange({ ...reserve, endMs: 2, nodeCount: 1 }),
      "/interventions/0/endMs",
    ],
    ["a reservation of nothing", withChange(reserve), "/interventions/0/nodes"],
    [
      "a reservation of unknown nodes",
      withChange({ ...reserve, nodes: "x" }),
      "/interventions/0/nodes",
    ],
    [
      "a job moved to the top by another policy",
      withChange({ kind: "top", job: "a" }, lab),
      "/interventions/0/kind",
    ],
    [
      "a command about an unknown job",
      withChange({ kind: "hold", job: "b" }),
      "/interventions/0/job",
    ],
    [
      "Slurm's files in another policy",
      { ...base, pools: [{ id: "all", policy: { slurm: { conf: "x" } } }] },
      "/pools/0/policy/slurm",
    ],
  ])("%s", (_, document, place) => {
    expect(problemsOf(document).map((problem) => problem.place)).toContain(place);
  });

  test("a reservation may be made under any policy", () => {
    const document = withChange({ ...reserve, startMs: 50, endMs: 60, nodes: "ALL" }, lab);
    expect(readScenario(document).ok).toBe(true);
  });
});

test("a job of Slurm needs no other size, and its canonical form leaves out what is left out", () => {
  const document = withJob({ slurm: { gpus: 2 } });
  expect(canonicalJson(mustRead(document))).toEqual(document);
});
