/** A session of KAI looks at a job in several actions, and each may refuse it for a reason of its own: the job hears one. */
import { expect, test } from "vitest";
import { kubeReasonOf, WAIT_REASONS } from "../../../src/model/reasons.ts";
import { DecisionKindCode } from "../../../src/record/shapes.ts";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll, sameWithSnapshots } from "../../support/labRuns.ts";
import { jobNamed } from "../../support/world.ts";

const queue = (name: string, spec: object) =>
  JSON.stringify({
    apiVersion: "scheduling.run.ai/v2",
    kind: "Queue",
    metadata: { name },
    spec: {
      ...spec,
      resources: Object.fromEntries(
        ["gpu", "cpu", "memory"].map((resource) => [
          resource,
          { quota: resource === "gpu" ? 4 : -1, limit: -1, overQuotaWeight: 1 },
        ]),
      ),
    },
  });
const yaml = [queue("a", { reclaimMinRuntime: "1h" }), queue("b", {})].join("\n---\n");

test("who finds no room and may not take any hears the latter, once, however many sessions there are", () => {
  const short = (n: number) => ({
    id: `s${n}`,
    queue: "a",
    submitMs: 10_000 + n * 4_000,
    workMs: 2_000,
    gpus: 1,
  });
  const world = documentWorld({
    version: 1,
    horizonMs: 60_000,
    cluster: { nodeGroups: [{ id: "n", count: 1, gpus: 8, cpus: 64, memGiB: 64 }] },
    queues: ["a", "b"],
    pools: [{ id: "all", policy: { preset: "kai", yaml } }],
    workload: {
      jobs: [
        { id: "holds", queue: "a", submitMs: 0, workMs: 600_000, gpus: 7 },
        { id: "waits", queue: "b", submitMs: 5_000, workMs: 5_000, gpus: 3 },
        ...[0, 1, 2, 3].map(short),
      ],
    },
  });
  sameWithSnapshots(world);
  const { decisions } = runAll(world).chunk;
  const waits = jobNamed(world, "waits");
  const heard = [...decisions.kind.keys()].filter(
    (row) => decisions.kind[row] === DecisionKindCode.wait && decisions.jobIdx[row] === waits,
  );
  const wordOf = (row: number) =>
    kubeReasonOf(decisions.reason[row]!) ?? WAIT_REASONS[decisions.reason[row]!];
  expect(heard.map(wordOf)).toEqual(["mayNotReclaim"]);
});
