/**
 * The published variants of EASY on a flat machine, against a slow simulator that is written from the rule alone: passes for each
 * instant or each event, arrivals or ends first, devices counted free at the estimate, the reservation set once, no use of what
 * the head leaves, candidates judged by their run time.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { schedulerOf } from "../../src/schedulers/registry.ts";
import { labPool } from "../schedulers/policyDocs.ts";
import { runWorld } from "../support/draw.ts";
import { type JobSpec, worldOf } from "../support/world.ts";

interface Job {
  readonly submit: number;
  readonly run: number;
  readonly estimate: number;
  readonly need: number;
}
interface Rule {
  readonly passPer: "instant" | "event" | "eventArrivalsFirst";
  readonly releaseAtEstimate: boolean;
  readonly staleReservation: boolean;
  readonly extra: boolean;
  readonly judgedByRunTime: boolean;
}

/** Start times (s). */
function naive(jobs: readonly Job[], procs: number, rule: Rule): number[] {
  const start = jobs.map(() => -1);
  let running: number[] = [];
  const released = new Set<number>();
  let queue: number[] = [];
  let kept: { head: number; shadow: number; extra: number } | null = null;
  const estimatedEnd = (j: number) => start[j]! + jobs[j]!.estimate;

  function pass(now: number): void {
    const counted = running.filter((j) => !released.has(j));
    let free = procs - counted.reduce((sum, j) => sum + jobs[j]!.need, 0);
    const begin = (j: number) => {
      start[j] = now;
      running.push(j);
      counted.push(j);
      queue = queue.filter((other) => other !== j);
      free -= jobs[j]!.need;
    };
    while (queue.length > 0 && jobs[queue[0]!]!.need <= free) begin(queue[0]!);
    const head = queue[0];
    if (head === undefined) return;
    if (!(rule.staleReservation && kept?.head === head)) {
      let room = free;
      let shadow = Number.POSITIVE_INFINITY;
      for (const at of [...new Set(counted.map(estimatedEnd))].sort((a, b) => a - b)) {
        for (const j of counted) if (estimatedEnd(j) === at) room += jobs[j]!.need;
        if (room < jobs[head]!.need) continue;
        shadow = at;
        break;
      }
      kept = { head, shadow, extra: room - jobs[head]!.need };
    }
    for (const j of queue.slice(1)) {
      const { need, run, estimate } = jobs[j]!;
      if (need > free) continue;
      const inTime = now + (rule.judgedByRunTime ? run : estimate) <= kept.shadow;
      const beside = rule.extra && need <= kept.extra;
      if (!inTime && !beside) continue;
      if (!inTime) kept.extra -= need;
      begin(j);
    }
  }

  const leave = (j: number) => {
    running = running.filter((other) => other !== j);
  };
  const byStart = () => running.slice();
  for (let now = 0; start.includes(-1) || running.length > 0; now++) {
    const ends = byStart().filter((j) => start[j]! + jobs[j]!.run === now);
    const arrivals = jobs.flatMap((job, j) => (job.submit === now ? [j] : []));
    if (ends.length + arrivals.length === 0) continue;
    if (rule.passPer === "instant") {
      ends.forEach(leave);
      queue.push(...arrivals);
      pass(now);
      continue;
    }
    released.clear();
    if (rule.releaseAtEstimate)
      for (const j of running) if (estimatedEnd(j) <= now) released.add(j);
    const endAll = () => {
      for (const j of ends) {
        leave(j);
        pass(now);
      }
    };
    if (rule.passPer === "event") endAll();
    for (const j of arrivals) {
      queue.push(j);
      pass(now);
    }
    if (rule.passPer === "eventArrivalsFirst") endAll();
  }
  return start;
}

const job: fc.Arbitrary<Job> = fc
  .record({
    submit: fc.integer({ min: 0, max: 20 }),
    run: fc.integer({ min: 1, max: 12 }),
    slack: fc.constantFrom(0, 0, 1, 3, 9),
    need: fc.integer({ min: 1, max: 8 }),
  })
  .map(({ submit, run, slack, need }) => ({ submit, run, estimate: run + slack, need }));
const rule: fc.Arbitrary<Rule> = fc.record({
  passPer: fc.constantFrom("instant", "event", "eventArrivalsFirst"),
  releaseAtEstimate: fc.boolean(),
  staleReservation: fc.boolean(),
  extra: fc.boolean(),
  judgedByRunTime: fc.boolean(),
});

test("every variant of EASY starts each job when the rule says", () => {
  fc.assert(
    fc.property(fc.array(job, { minLength: 1, maxLength: 24 }), rule, (drawn, variant) => {
      const jobs = [...drawn].sort((a, b) => a.submit - b.submit);
      const expected = naive(jobs, 8, variant);
      const specs = jobs.map(
        ({ submit, run, estimate, need }, index): JobSpec => ({
          name: `J${index}`,
          submitMs: submit * 1_000,
          workMs: run * 1_000,
          limitMs: estimate * 1_000,
          components: [{ members: need, gpus: 1 }],
        }),
      );
      const world = worldOf({
        cluster: { nodes: 1, gpus: 8, flat: true },
        jobs: specs,
        pools: [labPool({ backfill: "easy", ...variant })],
      });
      const came = jobs.map(() => -1);
      for (const { jobIdx, startMs } of runsOf(world)) came[jobIdx] = startMs / 1_000;
      expect(came).toEqual(expected);
    }),
    { numRuns: 1_500, endOnFailure: true },
  );
});

function runsOf(world: ReturnType<typeof worldOf>) {
  return runWorld(world, schedulerOf).chunks.flatMap(({ runs }) =>
    Array.from(runs.jobIdx, (jobIdx, row) => ({ jobIdx, startMs: runs.startMs[row]! })),
  );
}
