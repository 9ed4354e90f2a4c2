/** Small scenarios of the policy lab, each with what one part of it needs to show; forms of the page bring the part itself. */
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

/** Parts of devices, a reserved window and maintenance. */
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

function job(id: string, submitMin: number, gpus: number, workMin: number, more: object = {}) {
  return {
    id,
    submitMs: submitMin * MINUTE,
    gpus,
    workMs: workMin * MINUTE,
    limitMs: 2 * workMin * MINUTE,
    ...more,
  };
}

/** Four whole-node jobs want two nodes: with rounds they take turns. */
export const TURNS: ScenarioInput = {
  version: 1,
  title: "Taking turns",
  cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4 }], fabric: { nodesPerLeaf: 2 } },
  pools: [{ id: "all", policy: { settings: { backfill: "easy" } } }],
  workload: {
    jobs: [
      job("alpha", 0, 4, 180),
      job("beta", 0, 4, 150),
      job("gamma", 20, 4, 60),
      job("delta", 30, 8, 40),
    ],
  },
};

/** Two teams with quotas of four GPUs; red wants more than its own, with bids. Blue comes at 01:10 for what is its own. */
export const BIDS: ScenarioInput = {
  version: 1,
  title: "What nobody uses is sold",
  cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4 }], fabric: { nodesPerLeaf: 2 } },
  teams: [
    { id: "red", quotaGpus: 2 },
    { id: "blue", quotaGpus: 4 },
  ],
  pools: [{ id: "all", policy: { settings: { backfill: "skip", quota: "static" } } }],
  workload: {
    jobs: [
      job("own", 0, 2, 240, { team: "red" }),
      job("cheap", 1, 4, 180, { team: "red", bid: 1 }),
      job("dear", 20, 4, 60, { team: "red", bid: 5 }),
      job("blue-own", 130, 4, 60, { team: "blue" }),
    ],
  },
};

/** One node of one's own and two that can be rented; more work than the first holds. */
export const CLOUD: ScenarioInput = {
  version: 1,
  title: "Nodes to rent",
  horizonMs: 6 * HOUR,
  cluster: {
    nodeGroups: [
      { id: "own", count: 1, gpus: 4 },
      { id: "cloud", count: 2, gpus: 4 },
    ],
    fabric: { nodesPerLeaf: 3 },
  },
  pools: [{ id: "all", policy: { settings: { order: "tiers", backfill: "easy" } } }],
  workload: {
    jobs: [
      job("base", 0, 4, 240),
      job("peak-a", 30, 4, 60),
      job("peak-b", 35, 4, 90),
      job("late", 150, 2, 80),
    ],
  },
};

/** A service whose demand doubles for twenty minutes, beside a batch pool of two nodes. */
export const WAVE: ScenarioInput = {
  version: 1,
  title: "A wave of demand",
  horizonMs: HOUR,
  cluster: {
    nodeGroups: [
      { id: "serve", count: 1, gpus: 2 },
      { id: "batch", count: 2, gpus: 2 },
    ],
    fabric: { nodesPerLeaf: 3 },
  },
  pools: [
    {
      id: "serving",
      nodeGroups: ["serve"],
      policy: { settings: { order: "tiers" } },
      route: { kinds: ["inference"] },
    },
    {
      id: "training",
      nodeGroups: ["batch"],
      policy: { settings: { order: "tiers", backfill: "easy" } },
    },
  ],
  services: [
    {
      id: "chat",
      tier: "critical",
      maxReplicas: 4,
      coldStartMs: MINUTE,
      requestMs: 1_000,
      target: { latencyMs: 10_000 },
      autoscale: { target: 0.5, everyMs: MINUTE, downDelayMs: 2 * MINUTE, tolerance: 0 },
      demand: {
        shape: "points",
        perSec: 0.5,
        points: [
          { atMs: 10 * MINUTE, perSec: 2 },
          { atMs: 30 * MINUTE, perSec: 0.5 },
        ],
      },
    },
  ],
  workload: {
    jobs: ["a", "b", "c", "d"].map((id, k) => ({
      ...job(id, 0, 1, 4 + k),
      limitMs: 9 * MINUTE,
      array: { count: 9 },
    })),
  },
};

/** A gang over both nodes that hangs a quarter of an hour for a member that it lost, and somebody more urgent who needs one GPU. */
export const GANG: ScenarioInput = {
  version: 1,
  title: "One GPU of a gang",
  cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4 }], fabric: { nodesPerLeaf: 2 } },
  pools: [{ id: "all", policy: { settings: { order: "tiers", backfill: "easy" } } }],
  workload: {
    jobs: [
      job("gang", 0, 8, 240, { tier: "low", collectiveTimeoutMs: 15 * MINUTE }),
      job("urgent", 60, 1, 30, { tier: "critical" }),
      job("after", 70, 4, 30, { tier: "low" }),
    ],
  },
};
