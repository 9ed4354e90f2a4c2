/** A placement group of unlike bundles is told of those that fit on fewest workers. */
import { expect, test } from "vitest";
import { readScenario } from "../../../src/scenario/read.ts";
import { expand } from "../../../src/workload/expand.ts";
import { runAll } from "../../support/labRuns.ts";

test("bundles that no worker has memory for are named, although the first ones would fit", () => {
  const read = readScenario({
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
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  const world = expand(read.value);
  if (!world.ok) throw new Error(JSON.stringify(world.error));
  expect(runAll(world.value).simulation.explain(0, 10_000)?.counted).toBe(
    "A placement group of 2 bundles, PACK; 0 of 3 workers can start one now: 3 without enough memory.",
  );
});
