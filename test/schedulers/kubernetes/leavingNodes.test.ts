/** A rented node of which the cloud has given notice under another scheduler goes as it was told to: the autoscaler that takes the pool over does not close it once more. */
import { expect, test } from "vitest";
import { NodeStateCode } from "../../../src/model/states.ts";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll } from "../../support/labRuns.ts";

test("a node that is leaving when the policy changes leaves once", () => {
  const burst = { startupMs: 0, afterWaitMs: 1_000, idleTimeoutMs: 60_000, spotNoticeMs: 30_000 };
  const groups = [
    { id: "n", count: 1, gpus: 2 },
    { id: "rented", count: 1, gpus: 2, burst },
  ];
  const drawn = documentWorld({
    version: 1,
    horizonMs: 200_000,
    cluster: { nodeGroups: groups },
    pools: [{ id: "all", policy: { preset: "lab" } }],
    workload: {
      jobs: [
        { id: "A", submitMs: 0, workMs: 90_000, nodes: 2, gpusPerNode: 2, hangsOnEndMs: 20_000 },
      ],
    },
    interventions: [
      { kind: "policy", pool: "all", atMs: 15_000, policy: { preset: "kube-scheduler" } },
    ],
  });
  // Notice at 10 s, and what runs there may stay to 40 s; of a node that is rented at 15 s it would be given at 30 s.
  const rule = { ...drawn.burst![0]!, takenMs: [Float64Array.of(40_000, 60_000)] };
  const { simulation, chunk } = runAll({ ...drawn, burst: [rule] });
  expect(simulation.done).toBe(true);
  expect(chunk.nodeSpans.state).toContain(NodeStateCode.unborn);
});
