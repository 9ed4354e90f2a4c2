/** A member above the least may make room by preemption, too: the end of a victim's minimum run time wakes the scheduler although nobody else waits. */
import { expect, test } from "vitest";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll, runsOf } from "../../support/labRuns.ts";

test("a member that waits for the end of a victim's protection gets its place then", () => {
  const job = (id: string, submitMs: number, tier: string, component: object, gang = true) => ({
    id,
    submitMs,
    workMs: 100_000,
    tier,
    queue: "q",
    gang,
    components: [component],
  });
  const world = documentWorld({
    version: 1,
    cluster: { nodeGroups: [{ id: "n", count: 1, gpus: 4 }] },
    queues: ["q"],
    pools: [
      {
        id: "all",
        policy: {
          preset: "kai",
          yaml: `apiVersion: scheduling.run.ai/v2
kind: Queue
metadata: { name: q }
spec: { preemptMinRuntime: 10s, resources: { gpu: { quota: 4, limit: -1, overQuotaWeight: 1 } } }
`,
        },
      },
    ],
    workload: {
      jobs: [
        job("victim", 0, "low", { members: 1, gpusPerMember: 2 }),
        job("grower", 1_000, "critical", { members: 2, gpusPerMember: 2 }, false),
      ],
    },
  });
  const { chunk } = runAll(world);
  // Ten seconds of protection, then the standard grace period.
  expect(runsOf(world, chunk, "victim")[0]).toEqual([0, 10_000 + 30_000]);
});
