/** Controllers beside schedulers that have none of their own: one fleet, kube-scheduler with a service in one pool, Slurm with jobs in the other. */
import { describe, expect, test } from "vitest";
import { simulate } from "../../../src/cli/simulate.ts";
import { GaugeCode } from "../../../src/model/lab/gauges.ts";
import { HOUR_MS, MINUTE_MS } from "../../../src/model/units.ts";
import type { Chunk } from "../../../src/record/shapes.ts";
import { libraryScenario } from "../../../src/scenario/library/index.ts";
import { readScenario } from "../../../src/scenario/read.ts";
import type { ScenarioInput } from "../../../src/scenario/schema.ts";
import { withControllers } from "../../../src/schedulers/controllers/withControllers.ts";
import { kubeScheduler } from "../../../src/schedulers/kubernetes/kubeScheduler.ts";
import { slurm } from "../../../src/schedulers/slurm/slurm.ts";
import { expand } from "../../../src/workload/expand.ts";
import { must } from "../../scenario/scenarios.ts";
import { sameWithSnapshots } from "../../support/labRuns.ts";

const SLURM = `SelectType=select/cons_tres
NodeName=train-[000-002],serve-[000-001] CPUs=8 Gres=gpu:4
PartitionName=all Nodes=ALL Default=YES MaxTime=UNLIMITED
`;

/** Four hours with two waves of demand; the second pool's jobs fill what they get. */
function fleet(more: Partial<ScenarioInput> = {}): ScenarioInput {
  return {
    version: 1,
    horizonMs: 4 * HOUR_MS,
    cluster: {
      nodeGroups: [
        { id: "serve", count: 2, gpus: 4, cpus: 8 },
        { id: "train", count: 3, gpus: 4, cpus: 8 },
      ],
    },
    pools: [
      {
        id: "kubernetes",
        nodeGroups: ["serve"],
        route: { kinds: ["inference"] },
        policy: { preset: "kube-scheduler" },
      },
      {
        id: "slurm",
        nodeGroups: ["train"],
        policy: {
          preset: "slurm",
          slurm: { conf: SLURM, gres: "", topology: "", accounting: "" },
        },
      },
    ],
    services: [
      {
        id: "s",
        minReplicas: 1,
        maxReplicas: 14,
        coldStartMs: MINUTE_MS,
        requestMs: 1_000,
        target: { latencyMs: 10_000 },
        autoscale: { target: 0.5, everyMs: MINUTE_MS, downDelayMs: 5 * MINUTE_MS, tolerance: 0 },
        demand: { shape: "square", perSec: 0.5, highPerSec: 6, periodMs: 2 * HOUR_MS },
      },
    ],
    fleet: {
      serving: "kubernetes",
      batch: "slurm",
      everyMs: MINUTE_MS,
      upAfterMs: 2 * MINUTE_MS,
      downAfterMs: 10 * MINUTE_MS,
      handOverMs: 2 * MINUTE_MS,
    },
    workload: {
      jobs: Array.from({ length: 40 }, (_, index) => ({
        id: `job-${index}`,
        submitMs: index * 3 * MINUTE_MS,
        workMs: (10 + ((index * 7) % 25)) * MINUTE_MS,
        limitMs: 40 * MINUTE_MS,
        gpus: 1 + (index % 4),
      })),
    },
    ...more,
  };
}

function ranOf(document: ScenarioInput) {
  const chunks: Chunk[] = [];
  const outcome = simulate(must(readScenario(document)), undefined, {
    checks: true,
    onChunk: (chunk) => chunks.push(chunk),
  });
  const values = (kind: number, subject: number): number[] =>
    chunks.flatMap(({ gauges }) =>
      [...gauges.value].filter(
        (_, row) => gauges.kind[row] === kind && gauges.subject[row] === subject,
      ),
    );
  return { ...outcome, values };
}

describe("an autoscaler and a fleet controller beside kube-scheduler and Slurm", () => {
  test("replicas follow demand, and nodes go to the service and come back", () => {
    const { values } = ranOf(fleet());
    const serving = values(GaugeCode.replicasServing, 0);
    expect(Math.max(...serving)).toBe(12);
    expect(serving.slice(serving.indexOf(12))).toContain(1);
    const nodes = values(GaugeCode.poolNodes, 0);
    expect(Math.max(...nodes)).toBeGreaterThan(2);
    expect(Math.min(...nodes)).toBe(1);
  });

  test("without a fleet controller the nodes stay, and as many replicas serve as they hold", () => {
    const { fleet: _, ...rest } = fleet();
    const { values } = ranOf(rest as ScenarioInput);
    expect(values(GaugeCode.poolNodes, 0)).toEqual([]);
    expect(Math.max(...values(GaugeCode.replicasServing, 0))).toBe(8);
  });

  test("snapshots, rewinds and slices give the same run", () => {
    sameWithSnapshots(must(expand(must(readScenario(fleet())))));
  });

  test("Slurm leaves nodes alone that it names and that are another pool's", () => {
    const { fleet: _, ...rest } = fleet({ services: [] });
    const { world, open } = ranOf(rest as ScenarioInput);
    expect(world.pools).toHaveLength(2);
    expect(open.rects.jobIdx.length).toBe(0);
  });

  test("what a scheduler answers it goes on answering", () => {
    for (const scheduler of [kubeScheduler, slurm])
      expect(Object.keys(withControllers<never>(scheduler as never)).toSorted()).toEqual(
        Object.keys(scheduler).toSorted(),
      );
  });

  test("the library's fleet is one of these", () => {
    expect(libraryScenario("mixed-fleet-shared")?.pools.map(({ policy }) => policy.preset)).toEqual(
      ["kube-scheduler", "slurm"],
    );
  });
});

test("the descheduler leaves a replica alone that its autoscaler takes at the same moment", () => {
  const yaml = JSON.stringify({
    apiVersion: "descheduler/v1alpha2",
    kind: "DeschedulerPolicy",
    profiles: [
      {
        name: "balance",
        pluginConfig: [
          { name: "DefaultEvictor", args: { nodeFit: true } },
          {
            name: "LowNodeUtilization",
            args: {
              thresholds: { "nvidia.com/gpu": 20, pods: 60 },
              targetThresholds: { "nvidia.com/gpu": 50, pods: 60 },
            },
          },
        ],
        plugins: { balance: { enabled: ["LowNodeUtilization"] } },
      },
    ],
  });
  const read = readScenario({
    version: 1,
    horizonMs: 25 * MINUTE_MS,
    cluster: { nodeGroups: [{ id: "n", count: 4, gpus: 3 }] },
    pools: [{ id: "all", policy: { preset: "kube-scheduler", yaml } }],
    services: [
      {
        id: "chat",
        maxReplicas: 4,
        coldStartMs: 2_000,
        concurrency: 4,
        requestMs: 500,
        autoscale: { everyMs: 2_000, downDelayMs: 0 },
        demand: {
          shape: "square",
          perSec: 1,
          highPerSec: 10,
          periodMs: 400_000,
          stepMs: 2_000,
        },
      },
    ],
  });
  sameWithSnapshots(must(expand(must(read))));
});
