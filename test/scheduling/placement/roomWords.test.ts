/** What is counted for a pod that waits are nodes, and it reads so. */
import { expect, test } from "vitest";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll } from "../../support/labRuns.ts";

test("nodes with too little free are not to be read as GPUs that are missing", () => {
  const world = documentWorld({
    version: 1,
    horizonMs: 30_000,
    cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4 }] },
    pools: [{ id: "all", policy: { preset: "kube-scheduler" } }],
    workload: {
      jobs: [
        { id: "a", submitMs: 0, workMs: 90_000, components: [{ members: 2, gpusPerMember: 3 }] },
        { id: "b", submitMs: 5_000, workMs: 5_000, components: [{ gpusPerMember: 2 }] },
      ],
    },
  });
  expect(runAll(world).simulation.explain(1, 20_000)?.counted).toBe(
    "1 pod waits; 0 of 2 nodes have room for one: 2 with too little nvidia.com/gpu free.",
  );
});

test("a node that boots and would not do even then is told for what it lacks", () => {
  const cluster = {
    nodeGroups: [
      { id: "own", count: 1, gpus: 4 },
      { id: "cloud", count: 2, gpus: 4, burst: { startupMs: 600_000 } },
    ],
  };
  const world = documentWorld({
    version: 1,
    horizonMs: 300_000,
    cluster,
    pools: [{ id: "all", policy: { preset: "kube-scheduler" } }],
    workload: {
      jobs: [
        { id: "base", submitMs: 0, workMs: 900_000, components: [{ gpusPerMember: 4 }] },
        { id: "peak", submitMs: 1_000, workMs: 5_000, components: [{ gpusPerMember: 4 }] },
        { id: "huge", submitMs: 2_000, workMs: 5_000, components: [{ gpusPerMember: 16 }] },
      ],
    },
  });
  const { simulation } = runAll(world);
  expect(simulation.explain(1, 60_000)?.counted).toBe(
    "1 pod waits; 0 of 3 nodes have room for one: 1 not rented, 1 on the way, 1 with too little nvidia.com/gpu free.",
  );
  expect(simulation.explain(2, 60_000)?.counted).toBe(
    "1 pod waits; 0 of 3 nodes have room for one: 3 of too few GPUs, even empty.",
  );
});
