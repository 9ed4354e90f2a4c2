/** A small scenario of the policy lab with parts of devices, a reserved window and maintenance. */
import type { ScenarioInput } from "../../src/scenario/schema.ts";
import { HOUR, MINUTE } from "./scenarios.ts";

function part(id: string, submitMin: number, workMin: number, component: object) {
  return {
    id,
    submitMs: submitMin * MINUTE,
    components: [component],
    workMs: workMin * MINUTE,
    limitMs: workMin * MINUTE,
  };
}

export const SLICES: ScenarioInput = {
  version: 1,
  title: "Slices, shares and windows",
  horizonMs: 8 * HOUR,
  cluster: {
    nodeGroups: [{ id: "a", count: 2, gpus: 2, gpuModel: "A100-SXM4-80GB" }],
    fabric: { nodesPerLeaf: 2 },
  },
  pools: [{ id: "all", policy: { settings: { backfill: "easy" } } }],
  windows: [
    { name: "nightly", startMs: 4 * HOUR, durationMs: HOUR, nodes: "a-001" },
    { name: "firmware", kind: "maintenance", startMs: 6 * HOUR, durationMs: HOUR, nodes: "a-000" },
  ],
  workload: {
    jobs: [
      part("half", 0, 100, { migProfile: "3g.40gb" }),
      part("seventh", 1, 150, { migProfile: "1g.10gb" }),
      part("share-a", 2, 120, { gpuShareMilli: 500 }),
      part("share-b", 3, 90, { gpuShareMilli: 250 }),
    ],
  },
};
