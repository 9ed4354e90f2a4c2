/** What the list of changes says of a change of policy. */
import { expect, test } from "vitest";
import { changeWords } from "../../src/panels/inspector/changes/changeWords.ts";
import { mustRead } from "../scenario/scenarios.ts";

test("a change to Slurm says that usage is counted from there on, and a change back does not", () => {
  const scenario = mustRead({
    version: 1,
    cluster: { nodeGroups: [{ id: "n", count: 1, gpus: 4 }] },
    workload: { jobs: [] },
    pools: [{ id: "all", policy: { preset: "lab", settings: {} } }],
    interventions: [
      { atMs: 1_000, kind: "policy", policy: { preset: "slurm", settings: {} } },
      { atMs: 2_000, kind: "policy", policy: { preset: "lab", settings: {} } },
    ],
  } as Parameters<typeof mustRead>[0]);
  const detail = (index: number) => changeWords(scenario, index, "GPU").detail;
  expect(detail(0)).toContain("Slurm counts usage from here on");
  expect(detail(1)).not.toContain("usage");
});
