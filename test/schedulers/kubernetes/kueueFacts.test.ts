/** What the page is shown of Kueue's queues and workloads: asked of a run, and as gauges over time. */
import { expect, test } from "vitest";
import { quotaCells } from "../../../src/model/kubernetes/quotaCells.ts";
import { GaugeCode } from "../../../src/model/lab/gauges.ts";
import { kubeReasonCode } from "../../../src/model/reasons.ts";
import { runAll, runsOf } from "../../support/labRuns.ts";
import { jobNamed } from "../../support/world.ts";
import { kueueIn, kueueWorld } from "./kueueDocs.ts";

const worldOf = (head: string, body: string) =>
  kueueWorld(kueueIn(`title\n\n\`\`\`kueue ${head}\n${body.trim()}\n-----\n.\n\`\`\`\n`)[0]!);

const lending = worldOf(
  "2x4",
  `
queue a 4 in=all strict
queue b 4 in=all
-----
0 A 6*1 5s q=a
1 B 1*4 3s q=b
2 C 1*1 3s q=a
`,
);

test("a borrower, its lender and their heads stand in the table of ClusterQueues", () => {
  const { simulation } = runAll(lending);
  const [a, b] = simulation.queues(0, 3_000);
  expect(a).toMatchObject({ name: "a", cohort: "all", strategy: "StrictFIFO", admitted: 2 });
  expect(a!.quotas).toMatchObject([
    { flavor: "gpu", resource: "nvidia.com/gpu", nominal: 4, used: 7, borrowed: 3, lent: 0 },
  ]);
  expect(b).toMatchObject({ pending: 1, admitted: 0, headJobIdx: jobNamed(lending, "B") });
  expect(b!.headReason).toBe(kubeReasonCode("quotaShort"));
  expect(b!.quotas).toMatchObject([{ used: 0, borrowed: 0, lent: 3 }]);
});

test("gauges say at each time what the table says", () => {
  const { simulation, chunk } = runAll(lending);
  const { atMs, kind, subject, value } = chunk.gauges;
  const last = (gauge: keyof typeof GaugeCode, of: number, untilMs: number) => {
    let said = Number.NaN;
    for (let row = 0; row < atMs.length && atMs[row]! <= untilMs; row++)
      if (kind[row] === GaugeCode[gauge] && subject[row] === of) said = value[row]!;
    return said;
  };
  const cells = quotaCells(lending.pools, lending.changes);
  expect(cells.map(({ queue }) => queue)).toEqual(["a", "b"]);
  for (const ms of [0, 2_000, 5_000, 7_000])
    for (const [of, { quotas }] of simulation.queues(0, ms).entries()) {
      const { nominal, used, borrowed, lent } = quotas[0]!;
      expect([
        last("quotaNominal", of, ms),
        last("quotaUsed", of, ms),
        last("quotaBorrowed", of, ms),
        last("quotaLent", of, ms),
      ]).toEqual([nominal, used, borrowed, lent]);
    }
});

test("a change of quotas keeps the numbers of gauges; a queue that is gone has none any more", () => {
  const world = worldOf(
    "2x4",
    `
queue a 4 in=all
queue b 4 in=all
at 3 queue c 4 in=all
-----
0 A 1*4 9s q=a
`,
  );
  expect(quotaCells(world.pools, world.changes).map(({ queue }) => queue)).toEqual(["a", "b", "c"]);
});

test("admitted and unplaceable is a stage and a reason of its own", () => {
  const world = worldOf(
    "2x4 placement=kubeScheduler scoring=LeastAllocated scoreGpus=true bindMs=0 watchDelayMs=0 podStartMs=0",
    `
queue a 8
-----
0 X 1*2 6s q=a
1 Y 1*2 8s q=a
2 B 1*4 3s q=a
`,
  );
  const { simulation } = runAll(world);
  const facts = (job: string, ms: number) =>
    simulation.jobFacts(jobNamed(world, job), ms)?.kueue ?? null;
  expect(facts("X", 1_000)).toMatchObject({ stage: "ready", localQueue: "a", admittedMs: 0 });
  expect(facts("B", 4_000)).toMatchObject({ stage: "unplaceable", clusterQueue: "a", pods: 1 });
  expect(simulation.explain(jobNamed(world, "B"), 4_000)?.reason).toBe(
    kubeReasonCode("unplaceable"),
  );
  expect(simulation.queues(0, 4_000)[0]).toMatchObject({ pending: 0, admitted: 3 });
});

test("with blockAdmission the head is told that it waits for the pods of another, until the moment they are ready", () => {
  const world = worldOf(
    "2x4 blockAdmission=true placement=kubeScheduler podStartMs=2500 bindMs=0 watchDelayMs=0 cycleMicros=1 bindsPerSecond=0",
    `
queue a 8
-----
0 A 1*4 4s q=a
0 B 1*4 4s q=a
`,
  );
  const { simulation } = runAll(world);
  const b = jobNamed(world, "B");
  expect(simulation.explain(b, 1_000)?.reason).toBe(kubeReasonCode("podsAwaited"));
  expect(simulation.queues(0, 1_000)[0]!.headReason).toBe(kubeReasonCode("podsAwaited"));
  // A is bound after a cycle of 1 µs, so within the first millisecond, and starts up for 2.5 s.
  expect(simulation.jobFacts(b, 2_500)?.kueue?.stage).toBe("waiting");
  expect(simulation.jobFacts(b, 2_502)?.kueue?.stage).not.toBe("waiting");
});

test("with blockAdmission pods that run as soon as they are bound let the next workload in at that moment", () => {
  const world = worldOf(
    "2x4 blockAdmission=true",
    `
queue a 8
-----
3 A 1*4 4s q=a
3 B 1*4 4s q=a
`,
  );
  const { chunk } = runAll(world);
  expect(runsOf(world, chunk, "A")).toEqual([[3_000, 7_000]]);
  expect(runsOf(world, chunk, "B")).toEqual([[3_000, 7_000]]);
});
