/**
 * Small scenarios with known outcomes, for tests that must not depend on what the library shows today, and one drawn from a
 * seed for those that must hold on anything.
 */
import type { ScenarioInput } from "../../src/scenario/schema.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/**
 * Two nodes of four GPUs, strict order. `long` holds six GPUs for four hours; `wide` needs all eight from minute 10 on; `short`
 * fits into the two idle GPUs and would end before `wide` could start. Without backfill it waits behind `wide`.
 */
export const BLOCKED: ScenarioInput = {
  version: 1,
  title: "A short job behind a wide one",
  cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4 }], fabric: { nodesPerLeaf: 2 } },
  pools: [{ id: "all", policy: { preset: "lab", settings: { backfill: "none" } } }],
  workload: {
    jobs: [
      { id: "long", submitMs: 0, gpus: 6, workMs: 4 * HOUR, limitMs: 4 * HOUR, tier: "normal" },
      { id: "wide", submitMs: 10 * MINUTE, gpus: 8, workMs: HOUR, limitMs: HOUR, tier: "high" },
      { id: "short", submitMs: 20 * MINUTE, gpus: 2, workMs: HOUR, limitMs: HOUR, tier: "low" },
      {
        id: "late",
        submitMs: 3 * HOUR,
        gpus: 1,
        workMs: 30 * MINUTE,
        limitMs: HOUR,
        tier: "normal",
      },
    ],
  },
};

/** A cluster of some size under drawn load: enough to wait, to back-fill and to page. */
export function drawn(seed: number, perHour = 20): ScenarioInput {
  return {
    version: 1,
    title: `Drawn from seed ${seed}`,
    seed,
    horizonMs: 72 * HOUR,
    cluster: { nodeGroups: [{ id: "n", count: 16, gpus: 8 }], fabric: { nodesPerLeaf: 4 } },
    pools: [{ id: "all", policy: { preset: "lab", settings: { backfill: "easy" } } }],
    workload: {
      synthetic: [
        {
          id: "s",
          arrivals: { perHour },
          gpus: [
            { value: 1, weight: 5 },
            { value: 4, weight: 2 },
            { value: 8, weight: 2 },
            { value: 32, weight: 1 },
          ],
          wholeNodesFrom: 8,
          work: { medianMs: HOUR, mostMs: 24 * HOUR },
          tier: "normal",
        },
      ],
    },
  };
}

/** Names that a page may not take for anything but text. */
export const HOSTILE_NAMES = [
  "<img src=x onerror=console.error('injected')>",
  "<script>console.error('injected')</script>",
  "\u202Egpj.exe\u202C",
  "\u200B\u2066x\u2069",
  "javascript:console.error('injected')",
  "{{constructor.constructor('return 1')()}}",
  "%s %d %o",
] as const;
