/** What holds of Volcano whatever the jobs: gangs start whole, devices are given once (checked by the engine), limits of queues are kept, and runs depend neither on snapshots nor on sessions left out. */
import fc from "fast-check";
import { test } from "vitest";
import type { Settings } from "../../../src/model/policy.ts";
import { groupScheduler } from "../../../src/schedulers/podGroups/sessions.ts";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { volcanoRules } from "../../../src/schedulers/volcano/volcano.ts";
import {
  firstQueueHoldsAtMost,
  type GroupJob,
  gangsStartWhole,
  groupJobs,
  groupWorld,
  sameUnder,
} from "../../support/groupWorlds.ts";
import { sameWithSnapshots } from "../../support/labRuns.ts";

const RUNS = { numRuns: 80, endOnFailure: true };

const jobs = groupJobs(["", "min 1", "any", "share 500", "begin 12s"]);
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

const worldOf = (list: readonly GroupJob[], given: Settings) =>
  groupWorld("volcano", YAML, list, given);

test("a gang that cannot shrink gets all its devices at the instant in which its run starts", () => {
  fc.assert(
    fc.property(jobs, settings, (list, given) => gangsStartWhole(worldOf(list, given))),
    RUNS,
  );
});

test("no queue holds more than its limit", () => {
  fc.assert(
    fc.property(jobs, settings, (list, given) => {
      // Who is told to leave counts no more, and still holds its devices for the grace period.
      if (given.graceMs === 0 || (!given.preempt && !given.reclaim))
        firstQueueHoldsAtMost(worldOf(list, given), 5);
    }),
    RUNS,
  );
});

test("slices, snapshots and going back leave a run as it is", () => {
  fc.assert(
    fc.property(jobs, settings, (list, given) => sameWithSnapshots(worldOf(list, given))),
    RUNS,
  );
});

test("sessions left out would have decided nothing", () => {
  const every = groupScheduler(volcanoRules(), true);
  fc.assert(
    fc.property(jobs, settings, (list, given) =>
      sameUnder(worldOf(list, given), (name) => (name === "volcano" ? every : schedulerOf(name))),
    ),
    RUNS,
  );
});

test("searches for victims left out would have found none", () => {
  const every = groupScheduler(volcanoRules(true));
  fc.assert(
    fc.property(jobs, settings, (list, given) =>
      sameUnder(worldOf(list, given), (name) => (name === "volcano" ? every : schedulerOf(name))),
    ),
    RUNS,
  );
});
