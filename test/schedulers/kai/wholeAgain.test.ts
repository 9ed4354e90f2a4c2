/** A gang that another scheduler left with some of its members is short until it has all: from then on nobody looks at it for that. Such a run once ended with an error. */
import { expect, test } from "vitest";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll, runsOf } from "../../support/labRuns.ts";

test("a gang that got its last members is not looked at when it would have been short for too long", () => {
  const of = (members: number, gpusPerMember: number) => ({
    components: [{ members, gpusPerMember }],
  });
  const world = documentWorld({
    version: 1,
    cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4 }] },
    pools: [{ id: "all", policy: { preset: "kube-scheduler" } }],
    workload: {
      jobs: [
        { id: "A", submitMs: 0, workMs: 80_000, ...of(1, 3) },
        { id: "B", submitMs: 1_000, workMs: 300_000, ...of(3, 2) },
      ],
    },
    interventions: [{ kind: "policy", pool: "all", atMs: 61_000, policy: { preset: "kai" } }],
  });
  const { chunk } = runAll(world);
  expect(runsOf(world, chunk, "B")).toHaveLength(1);
});
