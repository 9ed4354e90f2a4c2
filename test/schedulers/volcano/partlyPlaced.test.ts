/** Jobs that hold some of their members when somebody else takes over, or when more members come. */
import { expect, test } from "vitest";
import type { ScenarioInput } from "../../../src/scenario/schema.ts";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll } from "../../support/labRuns.ts";

const NODES = { nodeGroups: [{ id: "n", count: 4, gpus: 2 }] };

test("a partly placed job that can never be complete gives back what it holds and is refused by the lab that takes over", () => {
  const document: ScenarioInput = {
    version: 1,
    horizonMs: 60_000,
    cluster: NODES,
    pools: [{ id: "all", policy: { preset: "volcano" } }],
    workload: {
      jobs: [
        {
          id: "A",
          submitMs: 0,
          workMs: 1_000,
          gang: false,
          components: [
            { members: 2, ownNode: true },
            { members: 3, gpusPerMember: 2 },
          ],
        },
      ],
    },
    interventions: [{ atMs: 9_000, kind: "policy", policy: { preset: "lab" } }],
  };
  const kept = runAll(documentWorld({ ...document, interventions: [] })).simulation.openSet();
  expect(kept.rects.jobIdx.length).toBeGreaterThan(0);
  const taken = runAll(documentWorld(document)).simulation.openSet();
  expect(taken.rects.jobIdx).toHaveLength(0);
  expect(taken.waits.jobIdx).toHaveLength(0);
});

test("members that join while the others form their group form it with them", () => {
  const document: ScenarioInput = {
    version: 1,
    cluster: NODES,
    pools: [{ id: "all", policy: { preset: "kai", settings: { podStartMs: 0 } } }],
    workload: {
      jobs: [
        { id: "X", submitMs: 0, workMs: 1_500, gpus: 6 },
        {
          id: "A",
          submitMs: 0,
          workMs: 9_000,
          gang: false,
          components: [{ members: 5 }],
          elastic: { minMembers: 1, maxMembers: 5, rendezvousMs: 3_000 },
        },
      ],
    },
  };
  const { simulation } = runAll(documentWorld(document));
  expect(simulation.jobsDone).toBe(2);
});

test("pods that ask for nothing go only to nodes with the labels that they want", () => {
  const world = documentWorld({
    version: 1,
    cluster: {
      nodeGroups: [
        { id: "a", count: 1, gpus: 2 },
        { id: "b", count: 1, gpus: 2, labels: { zone: "b" } },
      ],
    },
    pools: [{ id: "all", policy: { preset: "volcano" } }],
    workload: {
      jobs: [
        {
          id: "A",
          submitMs: 0,
          workMs: 1_000,
          labels: { zone: "b" },
          components: [{ members: 2, gpusPerMember: 0 }],
        },
      ],
    },
  });
  expect(runAll(world).simulation.jobsDone).toBe(1);
});
