/** What holds of Volcano whatever the jobs: gangs start whole, devices are given once (checked by the engine), limits of queues are kept, and runs depend neither on snapshots nor on sessions left out. */
import fc from "fast-check";
import { volcanoRules } from "../../../src/schedulers/volcano/volcano.ts";
import { groupProperties } from "../../support/groupWorlds.ts";

const settings = fc.record({
  enqueue: fc.boolean(),
  preempt: fc.boolean(),
  reclaim: fc.boolean(),
  gangSpares: fc.boolean(),
  queuePlugin: fc.constantFrom("proportion", "capacity"),
  binpackWeight: fc.constantFrom(0, 1),
  binpackGpu: fc.constant(1),
  graceMs: fc.constantFrom(0, 2_500),
  podCreateMs: fc.constantFrom(0, 100),
  podStartMs: fc.constantFrom(0, 700),
});
const YAML = `
apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata: { name: q0 }
spec: { weight: 1, capability: { nvidia.com/gpu: 5 }, deserved: { nvidia.com/gpu: 3 } }
---
apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata: { name: q1 }
spec: { weight: 3, deserved: { nvidia.com/gpu: 6 } }
`;

groupProperties({
  preset: "volcano",
  rules: volcanoRules,
  forms: ["", "min 1", "any", "share 500", "begin 12s"],
  settings,
  yaml: YAML,
  countsAll: ({ graceMs, preempt, reclaim }) => graceMs === 0 || (!preempt && !reclaim),
  numRuns: 80,
});
