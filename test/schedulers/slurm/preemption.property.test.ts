import fc from "fast-check";
import { expect, test } from "vitest";
import { outcomeOf, QOS, type TinyRun } from "./tinyCluster.ts";

const RANK: Readonly<Record<string, number>> = { low: 0, normal: 1, high: 2 };

/** A job behind a blocked one is started by backfill alone: it finds the nodes of its victims free in the pass after. */
const BF_INTERVAL_MS = 1_000;

const someJob = fc.record({
  submitSec: fc.integer({ min: 0, max: 120 }),
  qos: fc.constantFrom("low", "low", "normal", "high"),
  nodes: fc.integer({ min: 1, max: 3 }),
  gpusPerNode: fc.constantFrom(2, 4, 8),
  runtimeSec: fc.integer({ min: 5, max: 90 }),
  timeLimitSec: fc.constantFrom(60, 120, 300),
  requeue: fc.boolean(),
});
const someRun = fc.record({
  jobs: fc.array(someJob, { minLength: 2, maxLength: 14 }),
  exemptSec: fc.constantFrom(0, 0, 20),
  options: fc.subarray([
    "preempt_youngest_first",
    "preempt_strict_order",
    "preempt_reorder_count=3",
  ]),
  mode: fc.constantFrom("REQUEUE", "CANCEL"),
});

type Draft = typeof someRun extends fc.Arbitrary<infer T> ? T : never;

function tinyRun({ jobs, exemptSec, options, mode }: Draft): TinyRun {
  const scheduler = [
    "bf_interval=1,bf_resolution=1,bf_continue,sched_interval=1,sched_min_interval=0,batch_sched_delay=0",
    ...options,
  ];
  return {
    conf: [
      `SchedulerParameters=${scheduler.join(",")}`,
      "PriorityType=priority/multifactor",
      "PriorityWeightQOS=1000",
      "PreemptType=preempt/qos",
      `PreemptMode=${mode}`,
      `PreemptExemptTime=00:00:${exemptSec}`,
    ],
    accounting: QOS,
    jobs: jobs.map((job, at) => ({ ...job, id: `j${at}` })),
  };
}

test("property: victims are lower and not exempt, and at once or in the next backfill pass a job of a QOS that preempts theirs starts on their nodes", () => {
  fc.assert(
    fc.property(someRun, (draft) => {
      const { jobs } = outcomeOf(tinyRun(draft));
      const qosOf = (id: string) => draft.jobs[Number(id.slice(1))]!.qos;
      const all = [...jobs.values()].flatMap((job) => job.runs.map((run) => ({ job, run })));
      for (const { job, run } of all) {
        if (run.endState !== "preempted") continue;
        const preemptor = all.find(
          (other) =>
            other.run.startMs >= run.endMs &&
            other.run.startMs <= run.endMs + BF_INTERVAL_MS &&
            RANK[qosOf(other.job.id)]! > RANK[qosOf(job.id)]! &&
            qosOf(other.job.id) === "high" &&
            [...other.run.gpuIdx.keys()].some((node) => run.gpuIdx.has(node)),
        );
        expect(preemptor, `${job.id} makes room for somebody`).toBeDefined();
        expect(run.endMs - run.startMs).toBeGreaterThanOrEqual(draft.exemptSec * 1_000);
      }
    }),
    { numRuns: 30 },
  );
});

test("property: with graces and turns nothing breaks, and every job ends or goes on", () => {
  const graces = fc.record({ draft: someRun, graceSec: fc.integer({ min: 0, max: 40 }) });
  fc.assert(
    fc.property(graces, ({ draft, graceSec }) => {
      const run = tinyRun(draft);
      const { jobs } = outcomeOf({
        ...run,
        accounting: [...QOS, `modify qos low set gracetime=${graceSec}`],
      });
      for (const job of jobs.values()) {
        const ends = job.runs.slice(0, -1).map((each) => each.endState);
        expect(ends.every((end) => end === "preempted")).toBe(true);
      }
    }),
    { numRuns: 20 },
  );
  const cpuJob = fc.record({
    submitSec: fc.integer({ min: 0, max: 200 }),
    partition: fc.constantFrom("lo", "lo", "hi"),
    nodes: fc.integer({ min: 1, max: 2 }),
    cpusPerTask: fc.constantFrom(8, 32, 64),
    runtimeSec: fc.integer({ min: 5, max: 120 }),
    timeLimitSec: fc.constantFrom(60, 300),
  });
  fc.assert(
    fc.property(fc.array(cpuJob, { minLength: 2, maxLength: 16 }), (drafts) => {
      const { jobs } = outcomeOf({
        conf: ["PreemptType=preempt/partition_prio", "PreemptMode=SUSPEND,GANG"],
        partitions: [
          "PartitionName=lo Nodes=ALL Default=YES PriorityTier=1 OverSubscribe=FORCE:2",
          "PartitionName=hi Nodes=ALL PriorityTier=10 OverSubscribe=FORCE:1",
        ],
        nodes: ["NodeName=n[1-2] CPUs=64 SocketsPerBoard=2 CoresPerSocket=32"],
        jobs: drafts.map((job, at) => ({ ...job, id: `j${at}`, gpusPerNode: null })),
      });
      const suspended = [...jobs.values()].flatMap((job) =>
        job.runs.flatMap((each) =>
          each.suspensions.filter(([from, to]) => to > from).map(() => job.id),
        ),
      );
      // A job of the highest partition, alone in its rows, is suspended by nobody.
      for (const id of suspended) expect(drafts[Number(id.slice(1))]!.partition).toBe("lo");
      for (const job of jobs.values()) expect(job.runs.length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 30 },
  );
});
