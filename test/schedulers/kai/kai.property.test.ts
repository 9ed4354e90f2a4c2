/** What holds of KAI whatever the jobs: gangs start whole, devices are given once (checked by the engine), limits of queues are kept, and runs depend neither on snapshots nor on sessions left out. */
import fc from "fast-check";
import { test } from "vitest";
import { kaiRules } from "../../../src/schedulers/kai/kai.ts";
import { groupProperties, groupWorld } from "../../support/groupWorlds.ts";
import { sameWithSnapshots } from "../../support/labRuns.ts";

const settings = fc.record({
  placement: fc.constantFrom("binpack", "spread"),
  consolidate: fc.boolean(),
  reclaim: fc.boolean(),
  preempt: fc.boolean(),
  timeBased: fc.boolean(),
  usageWindowMs: fc.constant(60_000),
  usageHalfLifeMs: fc.constantFrom(0, 20_000),
  preemptionDelayMs: fc.constantFrom(0, 3_000),
  staleGangMs: fc.constant(5_000),
  graceMs: fc.constantFrom(0, 2_500),
  podStartMs: fc.constantFrom(0, 700),
});
const YAML = `
apiVersion: scheduling.run.ai/v2
kind: Queue
metadata: { name: top }
spec: { resources: { gpu: { quota: 6, limit: -1, overQuotaWeight: 1 } } }
---
apiVersion: scheduling.run.ai/v2
kind: Queue
metadata: { name: q0 }
spec: { parentQueue: top, reclaimMinRuntime: 4s, resources: { gpu: { quota: 2, limit: 5, overQuotaWeight: 1 } } }
---
apiVersion: scheduling.run.ai/v2
kind: Queue
metadata: { name: q1 }
spec: { parentQueue: top, preemptMinRuntime: 3s, resources: { gpu: { quota: 3, limit: -1, overQuotaWeight: 2 } } }
`;

groupProperties({
  preset: "kai",
  rules: kaiRules,
  forms: ["", "min 1", "any", "share 500", "begin 12s", "fixed"],
  settings,
  yaml: YAML,
  countsAll: ({ graceMs, preempt, reclaim, consolidate }) =>
    graceMs === 0 || !(preempt || reclaim || consolidate),
  numRuns: 50,
});

/** Found among 8,000 draws. */
const LAST_MEMBER_LEAVES: [number, number, number, number, number, number, string][] = [
  [23, 2, 2, 15, 2, 2, "fixed"],
  [24, 4, 2, 3, 0, 0, "fixed"],
  [6, 3, 3, 15, 2, 1, "min 1"],
  [2, 3, 1, 12, 2, 2, "share 500"],
  [12, 1, 2, 3, 0, 0, ""],
  [23, 3, 3, 3, 2, 1, "fixed"],
  [20, 5, 1, 17, 3, 0, "any"],
  [3, 1, 2, 16, 1, 0, "begin 12s"],
  [9, 3, 3, 3, 1, 2, "min 1"],
  [8, 3, 3, 4, 2, 2, "begin 12s"],
  [11, 1, 3, 7, 1, 2, "begin 12s"],
  [27, 1, 1, 6, 0, 1, "begin 12s"],
  [24, 3, 2, 8, 1, 2, "min 1"],
  [22, 2, 1, 8, 0, 1, "any"],
];

test("a group whose others are lost while one of it is told to leave waits again when this one goes", () => {
  const list = LAST_MEMBER_LEAVES.map(([atSec, members, gpus, workSec, tier, queue, form]) => ({
    atSec,
    members,
    gpus,
    workSec,
    tier,
    queue,
    form,
  }));
  sameWithSnapshots(
    groupWorld("kai", YAML, list, {
      placement: "spread",
      consolidate: false,
      reclaim: true,
      preempt: false,
      timeBased: true,
      usageWindowMs: 60000,
      usageHalfLifeMs: 0,
      preemptionDelayMs: 3000,
      staleGangMs: 5000,
      graceMs: 2500,
      podStartMs: 700,
    }),
  );
});
