/** Who waits because its queue holds what it deserves is told both numbers. */
import { expect, test } from "vitest";
import { kubeReasonCode } from "../../../src/model/reasons.ts";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll } from "../../support/labRuns.ts";

const queue = (name: string, weight: number) =>
  `apiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nmetadata: {name: ${name}}\nspec: {weight: ${weight}}\n`;
const job = (id: string, name: string, members: number, gpusPerMember: number) => ({
  id,
  queue: name,
  submitMs: 0,
  workMs: 60_000,
  components: [{ members, gpusPerMember }],
});

test("a group that would lead its queue beyond its part by weight is told how much that is", () => {
  const world = documentWorld({
    version: 1,
    horizonMs: 30_000,
    cluster: { nodeGroups: [{ id: "n", count: 4, gpus: 8 }] },
    queues: ["red", "blue"],
    pools: [
      {
        id: "all",
        policy: { preset: "volcano", yaml: `${queue("red", 3)}---\n${queue("blue", 1)}` },
      },
    ],
    workload: { jobs: [job("r1", "red", 2, 8), job("b1", "blue", 1, 8), job("r2", "red", 3, 4)] },
  });
  expect(runAll(world).simulation.explain(2, 20_000)).toMatchObject({
    reason: kubeReasonCode("queueDeserved"),
    counted: "Queue red has 16 of the 24 GPUs that are its part by weight now; it asks for 12.",
  });
});
