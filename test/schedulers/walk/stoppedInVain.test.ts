/** Victims that go by counts may make room that nobody can use: they are not stopped again in the very pass that starts them again, and rented nodes come for the job that they gave way to. */
import { expect, test } from "vitest";
import { DecisionKindCode } from "../../../src/record/shapes.ts";
import { runsOf } from "../../support/labRuns.ts";
import { runDocument } from "../scenarioDocs.ts";

test("victims stand first again, and passes are put off: they are stopped once, and a node is rented", () => {
  const single = (id: string, submitMs: number, tier: string) => ({
    id,
    submitMs,
    workMs: 60_000,
    tier,
    preemptible: tier === "low",
    components: [{ members: 1, gpusPerMember: 1 }],
  });
  const settings = {
    order: "fcfs",
    placement: "spread",
    passEveryMs: 5_000,
    preemption: "graceful",
    graceMs: 2_000,
    onlyIfUseful: false,
  };
  const { world, chunks } = runDocument({
    version: 1,
    cluster: {
      nodeGroups: [
        { id: "own", count: 2, gpus: 2 },
        { id: "cloud", count: 1, gpus: 2, burst: { startupMs: 3_000, afterWaitMs: 2_000 } },
      ],
    },
    pools: [{ id: "main", policy: { preset: "lab", settings } }],
    workload: {
      jobs: [
        single("A", 0, "critical"),
        single("B", 0, "critical"),
        single("C", 1_000, "low"),
        single("D", 1_000, "low"),
        {
          id: "U",
          submitMs: 3_000,
          workMs: 3_000,
          tier: "critical",
          components: [{ members: 1, gpusPerMember: 2 }],
        },
      ],
    },
  });
  const kinds = chunks.flatMap(({ decisions }) => [...decisions.kind]);
  expect(kinds.filter((kind) => kind === DecisionKindCode.evict)).toHaveLength(2);
  expect(chunks.flatMap((chunk) => runsOf(world, chunk, "U"))).toEqual([[15_000, 18_000]]);
});
