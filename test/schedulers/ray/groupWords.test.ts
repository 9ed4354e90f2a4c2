/** Why a placement group waits: unlike bundles are told of those that fit on fewest workers; what no workers can ever hold is told apart from what has to wait. */
import { expect, test } from "vitest";
import { kubeReasonOf } from "../../../src/model/reasons.ts";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll } from "../../support/labRuns.ts";

test("bundles that no worker has memory for are named, although the first ones would fit", () => {
  const world = documentWorld({
    version: 1,
    horizonMs: 20_000,
    cluster: { nodeGroups: [{ id: "n", count: 3, gpus: 2, cpus: 8, memGiB: 8 }] },
    pools: [{ id: "all", policy: { preset: "ray" } }],
    workload: {
      jobs: [
        {
          id: "group",
          submitMs: 0,
          workMs: 5_000,
          components: [{ members: 1 }, { members: 1, memGiBPerMember: 16 }],
        },
      ],
    },
  });
  expect(runAll(world).simulation.explain(0, 10_000)?.counted).toBe(
    "A placement group of 2 bundles, PACK; 0 of 3 workers can start one now: 3 with too little memory, even empty.",
  );
});

const groups = (count: number, extra: { gpuModel?: string } = {}) => ({
  id: "n",
  count,
  gpus: 2,
  cpus: 8,
  ...extra,
});

test.for([
  [
    "a bundle larger than every worker",
    [{ members: 2, gpusPerMember: 3 }],
    [groups(3)],
    "rayGroupNever",
  ],
  [
    "more bundles than all workers hold",
    [{ members: 4, gpusPerMember: 2 }],
    [groups(3)],
    "rayGroupNever",
  ],
  [
    "bundles of two kinds that come to more than there is",
    [{ members: 2, gpusPerMember: 2 }, { members: 4 }],
    [groups(3)],
    "rayGroupNever",
  ],
  [
    "a bundle that only a node with another label holds",
    [{ members: 2, gpusPerMember: 2 }],
    [groups(3, { gpuModel: "A100" })],
    "rayGroupNever",
  ],
  ["one whose nodes are closed now", [{ members: 6 }], [groups(3)], "rayGroup"],
] as const)("%s", ([, components, nodeGroups, reason]) => {
  const wants = nodeGroups[0]!.gpuModel === undefined ? {} : { gpuModel: "H100" };
  const world = documentWorld({
    version: 1,
    horizonMs: 20_000,
    cluster: { nodeGroups: [...nodeGroups, { id: "h", count: 1, gpus: 1, gpuModel: "H100" }] },
    pools: [{ id: "all", policy: { preset: "ray" } }],
    workload: {
      jobs: [
        {
          id: "j",
          submitMs: 1_000,
          workMs: 5_000,
          components: components.map((one) => ({ ...one, ...wants })),
        },
      ],
    },
    interventions: [{ kind: "drain", atMs: 0, nodes: ["n-000"] }],
  });
  expect(kubeReasonOf(runAll(world).simulation.explain(0, 10_000)?.reason ?? 0)).toBe(reason);
});
