/** Nobody who waits under Volcano is left without a reason after the sessions that could have served him. */
import { expect, test } from "vitest";
import { kubeReasonOf } from "../../../src/model/reasons.ts";
import { DecisionKindCode } from "../../../src/record/shapes.ts";
import type { ScenarioInput } from "../../../src/scenario/schema.ts";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll } from "../../support/labRuns.ts";

const plain = { id: "plain", submitMs: 2_000, workMs: 5_000, components: [{ gpusPerMember: 0 }] };
const one = { id: "one", submitMs: 2_000, workMs: 5_000, gpus: 1 };

const worldWith = (
  policy: object,
  jobs: readonly object[],
  interventions: ScenarioInput["interventions"] = [],
) =>
  documentWorld({
    version: 1,
    horizonMs: 60_000,
    cluster: {
      nodeGroups: [{ id: "n", count: 2, gpus: 2, cpus: 8 }],
      fabric: { nodesPerLeaf: 1 },
    },
    pools: [{ id: "all", policy: { preset: "volcano", ...policy } }],
    queues: ["a", "b"],
    workload: { jobs: jobs as (typeof one)[] },
    interventions,
  });

const told = (policy: object, job: object, interventions: ScenarioInput["interventions"] = []) => {
  const world = documentWorld({
    version: 1,
    horizonMs: 60_000,
    cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 2 }] },
    pools: [{ id: "all", policy: { preset: "volcano", ...policy } }],
    workload: { jobs: [job as typeof one] },
    interventions,
  });
  return kubeReasonOf(runAll(world).simulation.explain(0, 50_000)?.reason ?? 0);
};

const GUARANTEE = `apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata: {name: other}
spec: {guarantee: {resource: {nvidia.com/gpu: 4}}}
`;

test("a queue that deserves nothing because all is guaranteed to another tells its jobs", () => {
  expect(told({ yaml: GUARANTEE, settings: { enqueue: false } }, one)).toBe("queueMost");
});

test("where all nodes are closed a job is told that its queue can have nothing", () => {
  const drain = [{ kind: "drain" as const, atMs: 1_500, nodes: ["n-000", "n-001"] }];
  expect(told({ settings: { enqueue: false } }, one, drain)).toBe("queueMost");
});

test("a pod that asks for nothing is told where backfill is switched off", () => {
  expect(told({ settings: { backfill: false } }, plain)).toBe("noAction");
  expect(told({}, plain)).toBe(null);
});

test("and one that asks for something where the list has no allocate", () => {
  const conf = 'actions: "enqueue, backfill"\ntiers:\n- plugins:\n  - name: gang\n';
  const yaml = JSON.stringify({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "volcano-scheduler-configmap" },
    data: { "volcano-scheduler.conf": conf },
  });
  expect(told({ yaml }, one)).toBe("noAction");
});

test("at the gate the resource that is short is named, be it CPUs", () => {
  const jobs = [
    {
      id: "holds",
      submitMs: 0,
      workMs: 50_000,
      components: [{ gpusPerMember: 0, cpusPerMember: 7 }],
    },
    {
      id: "asks",
      submitMs: 2_000,
      workMs: 5_000,
      components: [{ gpusPerMember: 1, cpusPerMember: 6 }],
    },
    {
      id: "too",
      queue: "b",
      submitMs: 3_000,
      workMs: 5_000,
      components: [{ gpusPerMember: 1, cpusPerMember: 7 }],
    },
  ];
  const settings = { overcommitFactor: 1 };
  expect(runAll(worldWith({ settings }, jobs)).simulation.explain(2, 4_000)?.counted).toBe(
    "3 CPUs are free and 0 promised to groups let in before it; it asks for 7.",
  );
});

const reclaims = { settings: { reclaim: true, enqueue: false } };
const busy = {
  id: "busy",
  queue: "a",
  submitMs: 0,
  workMs: 50_000,
  gang: false,
  components: [{ members: 2, gpusPerMember: 2 }],
};

test.for([
  [
    "that must be near each other where no node holds it",
    { members: 2, gpusPerMember: 2 },
    { within: "leaf" },
  ],
  [
    "that has more members apart than there are nodes",
    { members: 3, gpusPerMember: 1, ownNode: true },
    {},
  ],
] as const)(
  "for a group %s nothing is taken back, and no room is said to be made",
  ([, component, more]) => {
    const asks = {
      id: "asks",
      queue: "b",
      submitMs: 5_000,
      workMs: 5_000,
      components: [component],
      ...more,
    };
    const { simulation, chunk } = runAll(worldWith(reclaims, [busy, asks]));
    expect(kubeReasonOf(simulation.explain(1, 50_000)?.reason ?? 0)).not.toBe("nominated");
    expect(chunk.decisions.kind).not.toContain(DecisionKindCode.evict);
    expect(chunk.decisions.kind).not.toContain(DecisionKindCode.resize);
  },
);

test("members that must be near each other are said so", () => {
  const world = worldWith({ settings: { enqueue: false } }, [
    {
      id: "wide",
      submitMs: 0,
      workMs: 5_000,
      components: [{ members: 2, gpusPerMember: 2 }],
      within: "leaf",
    },
  ]);
  expect(runAll(world).simulation.explain(0, 50_000)?.counted).toBe(
    "2 members must start together and near each other; 4 GPUs are free, not where all of them fit.",
  );
});
