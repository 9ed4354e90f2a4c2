import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  compareQueues,
  deservedAmounts,
  fitsWithin,
  type ProportionQueue,
  queueShare,
  realCapabilities,
} from "../../../src/scheduling/kubernetes/volcano/deserved.ts";
import { evictableFor } from "../../../src/scheduling/kubernetes/volcano/gang.ts";
import { hyperNodeScores } from "../../../src/scheduling/kubernetes/volcano/hyperNodes.ts";
import { reclaimVictims } from "../../../src/scheduling/kubernetes/volcano/reclaim.ts";

const INFINITE = Number.POSITIVE_INFINITY;

function queue(name: string, weight: number, request: number[]): ProportionQueue {
  return {
    name,
    weight,
    priority: 0,
    request,
    capability: request.map(() => INFINITE),
    guarantee: request.map(() => 0),
  };
}

describe("what a queue deserves", () => {
  test("a queue without jobs takes no part, whatever its weight", () => {
    const deserved = deservedAmounts([12], [queue("a", 1, [20]), queue("idle", 9, [0])]);
    expect(deserved).toEqual([[12], [0]]);
  });

  test("a guarantee counts in full even above the request, and is kept back from the others", () => {
    const guarded = { ...queue("a", 1, [2]), guarantee: [6] };
    const others = queue("b", 1, [20]);
    expect(realCapabilities([10], [guarded, others])).toEqual([[10], [4]]);
    expect(deservedAmounts([10], [guarded, others])).toEqual([[6], [4]]);
  });

  test("guarantees beyond the cluster leave each queue its own", () => {
    const guarded = ["a", "b"].map((name) => ({ ...queue(name, 1, [9]), guarantee: [6] }));
    expect(realCapabilities([10], guarded)).toEqual([[6], [6]]);
  });

  test("what guarantees take beyond what is left is taken back from nobody", () => {
    const guarded = { ...queue("a", 1, [1, 10]), guarantee: [4, 0] };
    const others = [queue("b", 1, [6, 60]), queue("c", 1, [6, 60])];
    const deserved = deservedAmounts([6, 60], [guarded, ...others]);
    expect(deserved).toEqual([
      [4, 10],
      [2, 25],
      [2, 25],
    ]);
  });

  test("a queue covered in one resource goes on taking its part of the other", () => {
    const deserved = deservedAmounts([8, 8], [queue("a", 1, [2, 8]), queue("b", 1, [8, 2])]);
    // The part that is not wanted comes back by halves: the last crumb is not handed out.
    expect(deserved.flat().map((amount) => Math.round(amount * 1e6) / 1e6)).toEqual([2, 6, 6, 2]);
  });

  test("nobody deserves more than it asks for, and all together no more than there is", () => {
    const amounts = fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 40 }));
    const queues = fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), amounts), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(amounts, queues, (total, list) => {
        const asked = list.map(([weight, request], idx) => queue(`q${idx}`, weight, request));
        const deserved = deservedAmounts(total, asked);
        for (const [idx, one] of deserved.entries())
          expect(fitsWithin(one, asked[idx]!.request)).toBe(true);
        const sum = total.map((_, at) => deserved.reduce((held, one) => held + one[at]!, 0));
        expect(fitsWithin(sum, total)).toBe(true);
        const wanted = total.map((_, at) => asked.reduce((all, one) => all + one.request[at]!, 0));
        // Where everybody's wishes fit, everybody gets them.
        if (fitsWithin(wanted, total)) expect(fitsWithin(wanted, sum)).toBe(true);
      }),
      { endOnFailure: true },
    );
  });
});

test("queues come by priority, then by the share of what they deserve, then by name", () => {
  const ranked = [
    { name: "b", priority: 0, share: queueShare([2], [4]) },
    { name: "a", priority: 0, share: queueShare([2], [4]) },
    { name: "c", priority: 1, share: queueShare([1], [0]) },
    { name: "d", priority: 0, share: queueShare([0], [0]) },
  ];
  expect(ranked.sort(compareQueues).map(({ name }) => name)).toEqual(["c", "d", "a", "b"]);
});

test("equal priority is no reason to give way, and a job does not preempt its own tasks", () => {
  const low = { name: "low", queue: "q", priority: 1, minAvailable: 0, running: 1 };
  const equal = { ...low, name: "equal", priority: 2 };
  const high = { ...low, name: "high", priority: 2 };
  const running = [low, equal, high].map((job) => ({ name: job.name, job, preemptable: true }));
  expect(evictableFor(high, running).map(({ name }) => name)).toEqual(["low"]);
});

describe("reclaim", () => {
  const holder = (allocated: number, deserved: number, name = "rich") => ({
    name,
    priority: 0,
    reclaimable: true,
    allocated: [allocated],
    deserved: [deserved],
  });
  const poor = holder(0, 2, "poor");
  const tasks = (rich: ReturnType<typeof holder>, count: number, minAvailable: number) => {
    const job = { name: "j", queue: "rich", priority: 0, minAvailable, running: count };
    return Array.from({ length: count }, (_, idx) => ({
      name: `t${idx}`,
      job,
      queue: rich,
      request: [1],
      preemptable: true,
    }));
  };
  const asker = { queue: poor, request: [2], never: false };

  test("room that is free already spares victims", () => {
    const rich = holder(4, 2);
    const node = { free: [1], tasks: tasks(rich, 4, 1) };
    expect(reclaimVictims(asker, [node]).map(({ name }) => name)).toEqual(["t0"]);
  });

  test("a queue at its deserved amount gives nothing, and half enough is nothing", () => {
    expect(reclaimVictims(asker, [{ free: [0], tasks: tasks(holder(4, 4), 4, 1) }])).toEqual([]);
    expect(reclaimVictims(asker, [{ free: [0], tasks: tasks(holder(4, 3), 4, 1) }])).toEqual([]);
  });

  test("a gang at its least number is passed over for a node that can free enough", () => {
    const rich = holder(8, 2);
    const stuck = { free: [0], tasks: tasks(rich, 4, 4) };
    const loose = { free: [0], tasks: tasks(rich, 4, 2) };
    expect(reclaimVictims(asker, [stuck, loose])).toHaveLength(2);
  });

  test("a queue that holds less than the task asks for gives what it has above its share", () => {
    const rich = holder(2, 1);
    const asking = { queue: holder(0, 3, "poor"), request: [3], never: false };
    const victims = reclaimVictims(asking, [{ free: [2], tasks: tasks(rich, 2, 1) }]);
    expect(victims.map(({ name }) => name)).toEqual(["t0"]);
  });

  test("a task beyond what its queue deserves, or with PreemptionPolicy Never, takes nothing", () => {
    const rich = { free: [0], tasks: tasks(holder(8, 2), 4, 1) };
    expect(reclaimVictims({ ...asker, never: true }, [rich])).toEqual([]);
    expect(reclaimVictims({ ...asker, request: [3] }, [rich])).toEqual([]);
  });
});

test("where the job runs in no lowest HyperNode, a node that is in none lower either scores in full", () => {
  const leaf = { tier: 1, parentIdx: 1 };
  const spine = { tier: 2, parentIdx: -1 };
  expect(hyperNodeScores([leaf, spine], 1, [1, 0], [0, 0], 1)).toEqual([100, 50]);
  expect(hyperNodeScores([leaf, spine], 0, [-1, -1], [1, 0], 1)).toEqual([0, 0]);
});

test("equal HyperNodes are told apart by where the job's tasks already run", () => {
  const leaves = [
    { tier: 1, parentIdx: 2 },
    { tier: 1, parentIdx: 2 },
    { tier: 2, parentIdx: -1 },
  ];
  expect(hyperNodeScores(leaves, 2, [0, 1], [0.75, 0.25, 1], 1)).toEqual([125, 75]);
  expect(hyperNodeScores(leaves, 0, [0, 1], [1, 0, 1], 2)).toEqual([200, 100]);
  expect(hyperNodeScores(leaves, -1, [0, 1], [0, 0, 0], 1)).toEqual([0, 0]);
});
