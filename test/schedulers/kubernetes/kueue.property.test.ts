import fc from "fast-check";
import { expect, test } from "vitest";
import { Simulation } from "../../../src/engine/simulation.ts";
import type { Scheduler } from "../../../src/engine/view.ts";
import type { World } from "../../../src/model/world.ts";
import {
  type KueueMemory,
  kueue,
  kueueWith,
} from "../../../src/schedulers/kubernetes/admission/kueue.ts";
import type { KueueState } from "../../../src/schedulers/kubernetes/admission/state.ts";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { releaseAll } from "../../../src/scheduling/kubernetes/kueue/quotaTree.ts";
import { sameWithSnapshots } from "../../support/labRuns.ts";
import { type DrawnKueue, kueueWorld } from "./kueueDocs.ts";

const QUEUES = ["a", "b", "c"];
const option = (name: string, ...values: readonly string[]) =>
  fc.constantFrom("", ...values.map((value) => ` ${name}=${value}`));

/** Nobody lends more than is owned. */
const LENDS = /lend=(\d+)/;

const queueLine = (name: string) =>
  fc
    .tuple(
      fc.integer({ min: 0, max: 8 }),
      fc.constantFrom("", " strict"),
      option("reclaim", "Any", "LowerPriority"),
      option("within", "LowerPriority", "LowerOrNewerEqualPriority"),
      option("borrow", "2", "4"),
      option("lend", "1", "3"),
      option("weight", "2", "500m"),
    )
    .map(
      ([own, ...words]) =>
        `queue ${name} ${own} in=${name === "c" ? "inner" : "all"}${words.filter((word) => !(Number(LENDS.exec(word)?.[1] ?? 0) > own)).join("")}`,
    );

const jobLine = fc
  .tuple(
    fc.integer({ min: 0, max: 40 }),
    fc.integer({ min: 1, max: 6 }),
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: 1, max: 12 }),
    fc.constantFrom(...QUEUES),
    fc.constantFrom("", " t=high", " t=low"),
    fc.constantFrom("", "", " cut=1 min=1"),
  )
  .map(
    ([at, members, gpus, work, queue, tier, cut]) =>
      (id: number) =>
        `${at} J${id} ${members}*${gpus} ${work}s q=${queue}${tier}${cut}`,
  );

/** A change of labels, and quotas that only grow: what holds quota must fit them still. */
const CHANGES = [
  "at 7 label n-000 rack=a",
  "at 13 cohort all 4",
  "at 17 label n-001 rack=b",
  "at 17 cohort all 9",
  "at 26 class high 9",
];

const drawn = fc
  .tuple(
    fc.tuple(...QUEUES.map(queueLine)),
    fc.array(jobLine, { minLength: 4, maxLength: 10 }),
    fc.constantFrom("fairSharing=true", "fairSharing=false"),
    fc.constantFrom("quotaOnly", "kubeScheduler", "volcano"),
    fc.constantFrom("0", "7"),
    fc.boolean(),
    fc.subarray(CHANGES),
  )
  .map(([queues, jobs, sharing, placement, cycle, borrowing, changes]): DrawnKueue => {
    const lines = queues.map((line, at) => (borrowing && at === 0 ? `${line} upto=2` : line));
    return {
      title: "",
      words: [
        "3x4",
        sharing,
        `placement=${placement}`,
        `admissionCycleMs=${cycle}`,
        "podsReadyTimeoutMs=20000",
        "requeueBaseMs=5000",
        "requeueLimit=2",
      ],
      objects: ["cohort all 2", "cohort inner in=all", ...lines.map(reclaimToo), ...changes],
      lines: jobs.map((line, id) => line(id)),
      drawing: "",
    };
  });

/** borrowWithinCohort goes with reclaimWithinCohort only. */
function reclaimToo(line: string): string {
  return line.includes("upto=") && !line.includes("reclaim=")
    ? `${line} reclaim=LowerPriority`
    : line;
}

/** What the books say is what the entries hold, and nobody has more than it may have; who was told to leave apart. */
function checkBooks({ setup, usage, admitted, entries, leaving }: KueueState): void {
  const { tree } = setup;
  const staying = usage.slice();
  for (const { queue, amounts } of leaving.flat()) releaseAll(tree, staying, queue, amounts);
  for (const [queueIdx] of setup.queues.entries())
    for (let cell = 0; cell < tree.cells; cell++) {
      const at = queueIdx * tree.cells + cell;
      const held = admitted[queueIdx]!.flatMap(({ amounts }) => amounts)
        .filter((one) => one.cell === cell)
        .reduce((sum, { amount }) => sum + amount, 0);
      expect(usage[at]).toBe(held);
      const limit = tree.nodes[queueIdx]!.quotas[cell]?.borrowingLimit ?? Number.POSITIVE_INFINITY;
      expect(staying[at]!).toBeLessThanOrEqual(tree.subtree[at]! + limit);
    }
  for (let node = 0; node < tree.nodes.length; node++) {
    if (tree.nodes[node]!.parentIdx >= 0) continue;
    for (let cell = 0; cell < tree.cells; cell++)
      expect(staying[node * tree.cells + cell]!).toBeLessThanOrEqual(
        tree.subtree[node * tree.cells + cell]!,
      );
  }
  const holding = [...entries.values()].filter(({ amounts }) => amounts.length > 0);
  expect(
    admitted
      .flat()
      .map(({ jobIdx }) => jobIdx)
      .sort((a, b) => a - b),
  ).toEqual(holding.map(({ jobIdx }) => jobIdx).sort((a, b) => a - b));
}

function run(world: World, scheduler: Scheduler<KueueMemory>): string {
  const presets = (name: string) =>
    name === "kueue" ? (scheduler as Scheduler<unknown>) : schedulerOf(name);
  const simulation = new Simulation(world, presets, { checks: true });
  simulation.advance({ untilMs: Number.POSITIVE_INFINITY, maxEvents: Number.POSITIVE_INFINITY });
  return simulation.digest();
}

const checked: Scheduler<KueueMemory> = {
  ...kueue,
  decide(view, happened, memory, act) {
    const next = kueue.decide(view, happened, memory, act);
    checkBooks(memory.admission);
    return next;
  },
};

test("quota in use is what admitted workloads hold, and within what may be borrowed and lent", () => {
  fc.assert(
    fc.property(drawn, (one) => {
      run(kueueWorld(one), checked);
    }),
    { numRuns: 8, endOnFailure: true },
  );
});

test("searches that sums rule out would have found nobody", () => {
  fc.assert(
    fc.property(drawn, (one) => {
      const world = kueueWorld(one);
      expect(run(world, kueueWith({ everySearch: true }))).toBe(run(world, kueue));
    }),
    { numRuns: 10, endOnFailure: true },
  );
});

test("slices, snapshots and rewinds leave a run as it is", () => {
  fc.assert(
    fc.property(drawn, (one) => sameWithSnapshots(kueueWorld(one))),
    { numRuns: 3, endOnFailure: true },
  );
});
