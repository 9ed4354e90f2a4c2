/** Cluster Autoscaler: nodes that start for longer than they are waited for. */
import { expect, test } from "vitest";
import { kubeReasonOf } from "../../../src/model/reasons.ts";
import { DecisionKindCode } from "../../../src/record/shapes.ts";
import type { ScenarioInput } from "../../../src/scenario/schema.ts";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll, sameWithSnapshots } from "../../support/labRuns.ts";

const policy = (maxNodeProvisionMs: number) => ({
  preset: "kube-scheduler",
  settings: { clusterAutoscaler: true, maxNodeProvisionMs },
});
type Changes = NonNullable<ScenarioInput["interventions"]>;
const documentOf = (interventions: Changes = [], asks: object = { gpus: 4 }) =>
  documentWorld({
    version: 1,
    cluster: {
      nodeGroups: [
        { id: "n", count: 1, gpus: 1 },
        { id: "r", count: 1, gpus: 4, burst: { startupMs: 120_000, idleTimeoutMs: 60_000 } },
      ],
    },
    pools: [{ id: "all", policy: policy(60_000) }],
    workload: { jobs: [{ id: "wide", submitMs: 0, workMs: 60_000, ...asks }] },
    interventions,
  });

test("a group whose nodes never come in time is asked until its back-off is the longest, then the run ends", () => {
  const world = documentOf();
  const { simulation } = runAll(world);
  expect(simulation.jobsDone).toBe(0);
  // Back-offs of 5, 10, 20 and 30 minutes, each after a try.
  expect(simulation.nowMs).toBeGreaterThan(35 * 60_000);
  expect(simulation.nowMs).toBeLessThan(2 * 3_600_000);
  sameWithSnapshots(world);
});

test("a longer provision time gives such a group another try", () => {
  const world = documentOf([
    { kind: "policy", atMs: 7_200_000, pool: "all", policy: policy(600_000) },
  ]);
  expect(runAll(world).simulation.jobsDone).toBe(1);
  sameWithSnapshots(world);
});

test("while the group backs off, its job is told that no node comes, and how long its back-off is", () => {
  const { chunk, simulation } = runAll(documentOf([], { components: [{ gpusPerMember: 4 }] }));
  const { kind, atMs, reason } = chunk.decisions;
  const told = [...kind.keys()]
    .filter((row) => kind[row] === DecisionKindCode.wait && atMs[row]! < 400_000)
    .map((row) => [Math.floor(atMs[row]! / 1_000), kubeReasonOf(reason[row]!)]);
  // Asked for at 10 s, given up after a minute; asked for again when five minutes are over.
  expect(told).toEqual([
    [0, "noNode"],
    [10, "nodeComing"],
    [80, "noNode"],
    [380, "nodeComing"],
  ]);
  const counted = (ms: number) => simulation.explain(0, ms)?.counted;
  expect(counted(260_000)).toContain(
    "The last node of r was not there within 1 m: Cluster Autoscaler backs off for 5 m.",
  );
  expect(counted(20_000)).not.toContain("Cluster Autoscaler");
  expect(counted(simulation.nowMs)).toContain("asks it for no more.");
});
