/** What is often said and wrong: the world of each sentence is run, and what happens is what the page says instead. */
import { describe, expect, test } from "vitest";
import { UNSHOWN_SAYINGS } from "../../../src/scenario/orchestrators/sayings/unshown.ts";
import { SAYING_GROUPS } from "../../../src/scenario/orchestrators/sayings.ts";
import { documentOfSaying, ROWS } from "../../../src/scenario/orchestrators/table.ts";
import type { Ran } from "./judges.ts";
import { ran } from "./ran.ts";

const SAYINGS = SAYING_GROUPS.flatMap(({ sayings }) => sayings);

/** Judged by what a run of its world shows. */
const judged = new Set<string>();

function shows(id: string, what: string, judge: (ran: Ran) => void): void {
  judged.add(id);
  test(`${id}: ${what}`, () => {
    judge(ran(documentOfSaying(SAYINGS.find((each) => each.id === id)!)));
  });
}

const heldByAll = ({ heldBy }: Ran, ids: readonly string[], atMin: number): number =>
  ids.reduce((sum, id) => sum + heldBy(id, atMin), 0);

const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);

describe("kube-scheduler", () => {
  shows("budget", "guarded pods are preempted where nothing else helps", ({ startMin, heldBy }) => {
    expect(startMin("urgent")).toBeLessThan(11);
    expect([heldBy("guarded", 9), heldBy("guarded", 15)]).toEqual([8, 6]);
  });

  shows("lowest", "who goes is on the node that can be freed", ({ startMin, runsOf }) => {
    expect(startMin("urgent")).toBeLessThan(11);
    expect([runsOf("normal").length, runsOf("least").length]).toEqual([2, 1]);
  });

  shows("never", "who evicts nobody keeps its place in the queue", ({ startMin, runsOf }) => {
    expect(runsOf("running")[0]!.endMin).toBeGreaterThanOrEqual(20);
    expect(startMin("patient")).toBeLessThan(startMin("earlier"));
  });

  shows("nominated", "who comes later and matters more takes the room", ({ startMin, runsOf }) => {
    expect(runsOf("running")[0]!.end).toBe("preempted");
    expect(startMin("most")).toBeGreaterThanOrEqual(15);
    expect(startMin("most")).toBeLessThan(16);
    expect(startMin("first")).toBeGreaterThanOrEqual(runsOf("most")[0]!.endMin);
  });

  shows("descheduler", "who is evicted comes back to the same node", ({ runsOf, nodesOf }) => {
    expect(runsOf("small").length).toBeGreaterThanOrEqual(3);
    expect(new Set(nodesOf("small")).size).toBe(1);
    expect(nodesOf("large")).not.toContain(nodesOf("small")[0]);
  });
});

describe("Kueue", () => {
  shows("workload-class", "first in Kueue, and evicted by its pods’ priority", (one) => {
    const { startMin, runsOf } = one;
    expect(startMin("boosted")).toBeLessThan(startMin("ordinary"));
    expect(runsOf("boosted")[0]!.startMin).toBeLessThan(11);
    expect(runsOf("boosted")[0]!.end).toBe("preempted");
    expect(startMin("outside")).toBeGreaterThanOrEqual(15);
    expect(startMin("outside")).toBeLessThan(17);
  });

  shows("share-of-weights", "four of its own and half of what is lent", (one) => {
    const held = ["red", "blue"].map((name) => heldByAll(one, numbered(name, 8), 10));
    expect(held).toEqual([6, 2]);
  });

  shows("always-compared", "the larger share takes its own quota back", ({ heldBy, startMin }) => {
    expect([heldBy("red-borrows", 9), heldBy("blue-borrows", 9)]).toEqual([8, 4]);
    expect([heldBy("red-borrows", 15), heldBy("blue-borrows", 15)]).toEqual([8, 0]);
    expect(startMin("red-own")).toBeLessThan(12);
  });

  shows("borrowing", "borrows without any weight", ({ heldBy, startMin }) => {
    expect(heldBy("red-job", 1)).toBe(8);
    expect(startMin("blue-job")).toBeGreaterThanOrEqual(30);
  });

  shows("unconstrained", "the tightest node, not the emptiest", ({ nodesOf, startMin }) => {
    expect(new Set(nodesOf("small"))).toEqual(new Set(nodesOf("first")));
    expect(startMin("whole")).toBeLessThan(11);
  });
});

describe("KAI", () => {
  shows("deserved", "quota whatever the priority, the surplus by it", ({ heldBy }) => {
    const held = [heldBy("red-job", 9), heldBy("red-job", 15), heldBy("blue-job", 15)];
    expect(held).toEqual([8, 2, 6]);
  });

  shows("no-limit", "a queue without a limit may use nothing", ({ startMin }) => {
    expect(startMin("waiting")).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("Ray", () => {
  shows("ray-packs", "a node each, and none is left whole", ({ nodesOf, startMin }) => {
    const tasks = numbered("task", 4);
    expect(tasks.every((id) => startMin(id) < 1)).toBe(true);
    expect(new Set(tasks.flatMap(nodesOf)).size).toBe(4);
    expect(startMin("whole")).toBeGreaterThanOrEqual(30);
  });

  shows("ray-pack", "the emptiest node", ({ nodesOf, startMin, runsOf }) => {
    expect(new Set(nodesOf("group")).size).toBe(1);
    expect(nodesOf("group")[0]).not.toBe(nodesOf("task")[0]);
    expect(startMin("whole")).toBeGreaterThanOrEqual(runsOf("group")[0]!.endMin);
    expect(startMin("whole")).toBeLessThan(40);
  });
});

describe("training and parts of GPUs", () => {
  shows("max-restarts", "joining spends no restart", ({ heldBy, runsOf }) => {
    const held = [5, 15, 25].map((min) => heldBy("training", min));
    expect(held).toEqual([24, 16, 24]);
    expect(runsOf("training").map(({ end }) => end)).toEqual(["completed"]);
  });

  shows("any-count", "four of five, then six", ({ heldBy }) => {
    expect([heldBy("other", 15), heldBy("training", 15)]).toEqual([3, 4]);
    expect(heldBy("training", 45)).toBe(6);
  });

  shows("seven-slices", "the seventh slice is lost", ({ startMin }) => {
    expect([startMin("left"), startMin("right")].every((min) => min < 2)).toBe(true);
    expect(startMin("last")).toBeGreaterThanOrEqual(30);
  });

  shows("same-thing", "four replicas fit, three instances", ({ startMin }) => {
    expect(numbered("replica", 4).every((id) => startMin(id) < 1)).toBe(true);
    expect(numbered("instance", 3).every((id) => startMin(id) < 2)).toBe(true);
    expect(startMin("instance-4")).toBeGreaterThanOrEqual(30);
  });
});

describe("the list", () => {
  test("each is judged here, and opens at a job of its own that has come", () => {
    expect([...judged].sort()).toEqual(SAYINGS.map(({ id }) => id).sort());
    for (const { world, openAt } of SAYINGS) {
      const job = world.workload?.jobs?.find(({ id }) => id === openAt.select);
      expect(job?.submitMs).toBeLessThanOrEqual(openAt.cursorMs);
    }
  });

  /** The misconceptions of the written rules in their order, by words of the sentence on the page. */
  const MISCONCEPTIONS = [
    "Kueue backfills by default",
    "Kueue preempts out of the box",
    "Volcano’s action “backfill”",
    "Volcano preempts and reclaims by default",
    "never breaks a PodDisruptionBudget",
    "evicts the least important pod",
    "had others evicted gets their place",
    "preemptionPolicy: Never puts",
    "WorkloadPriorityClass changes",
    "its weight out of the sum",
    "nobody is evicted for a queue that has the larger share",
    "can only borrow once they have weights",
    "spreads pods without a wish",
    "the queue of higher priority gets everything",
    "Fractions of a GPU under KAI are isolated",
    "Ray packs tasks",
    "PACK goes to the fullest node",
    "Ray makes room for more important work",
    "--max-restarts limits every restart",
    "DeepSpeed’s elasticity takes any number",
    "3g, 3g and 1g fit",
    "MIG, MPS and time-slicing are one thing",
    "The descheduler moves pods",
    "Nutanix Karbon is a scheduler",
    "more replicas of a time-sliced GPU",
  ];

  test("all 25 misconceptions stand on the page, 22 of them with a run", () => {
    const shown = [
      ...ROWS.flatMap(({ claims }) => claims.map(({ claim }) => claim)),
      ...SAYINGS.map(({ claim }) => claim),
    ];
    const unshown = UNSHOWN_SAYINGS.map(({ claim }) => claim);
    const count = (list: readonly string[]) =>
      MISCONCEPTIONS.filter((words) => list.some((claim) => claim.includes(words))).length;
    expect([MISCONCEPTIONS.length, count(shown), count(unshown)]).toEqual([25, 22, 3]);
  });

  test("no two have one name, and each has a source and, without a run, a reason", () => {
    const ids = [...SAYINGS, ...UNSHOWN_SAYINGS].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { source } of [...SAYINGS, ...UNSHOWN_SAYINGS])
      expect(source.link).toMatch(/^https:/);
    for (const { whyNot } of UNSHOWN_SAYINGS) expect(whyNot.length).toBeGreaterThan(40);
  });
});
