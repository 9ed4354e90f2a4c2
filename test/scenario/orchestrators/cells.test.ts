/** Every cell of the comparison is run, and what happens is what it claims; so is every scenario that shows a claim to be wrong. */
import { describe, expect, test } from "vitest";
import { simulate } from "../../../src/cli/simulate.ts";
import { nameOf } from "../../../src/model/jobs.ts";
import { MINUTE_MS } from "../../../src/model/units.ts";
import type { Chunk } from "../../../src/record/shapes.ts";
import { COLUMNS } from "../../../src/scenario/orchestrators/cell.ts";
import { LATENCY_SESSIONS, latencyDocument } from "../../../src/scenario/orchestrators/latency.ts";
import { SAYINGS } from "../../../src/scenario/orchestrators/sayings.ts";
import { documentOf, documentOfSaying, ROWS } from "../../../src/scenario/orchestrators/table.ts";
import type { ScenarioInput } from "../../../src/scenario/schema.ts";
import { presetOf } from "../../../src/scenario/settings.ts";
import { hasScheduler } from "../../../src/schedulers/registry.ts";
import { mustRead } from "../scenarios.ts";
import { JUDGES, type Ran } from "./judges.ts";

/** Cells of a preset that is not registered yet are shown and cannot be run. */
function isThere({ pools }: ScenarioInput): boolean {
  const name = pools?.[0]?.policy?.preset ?? "lab";
  return presetOf(name) !== undefined && hasScheduler(name);
}

function ran(document: ScenarioInput): Ran {
  const chunks: Chunk[] = [];
  const { world } = simulate(mustRead(document), undefined, {
    checks: true,
    onChunk: (chunk) => chunks.push(chunk),
  });
  const isOf = (id: string) => (jobIdx: number) => nameOf(world.jobs.ids, jobIdx) === id;
  const runsOf = (id: string) =>
    chunks
      .flatMap(({ runs }) =>
        Array.from(runs.jobIdx, (jobIdx, row) => ({
          jobIdx,
          startMin: runs.startMs[row]! / MINUTE_MS,
          endMin: runs.endMs[row]! / MINUTE_MS,
        })),
      )
      .filter(({ jobIdx }) => isOf(id)(jobIdx))
      .toSorted((a, b) => a.startMin - b.startMin);
  return {
    runsOf,
    startMin: (id) => runsOf(id)[0]?.startMin ?? Number.POSITIVE_INFINITY,
    heldBy: (id, atMin) =>
      chunks.reduce((sum, { rects }) => {
        const atMs = atMin * MINUTE_MS;
        const held = Array.from(rects.deviceCount, (count, row) =>
          isOf(id)(rects.jobIdx[row]!) && rects.startMs[row]! <= atMs && atMs < rects.endMs[row]!
            ? count
            : 0,
        );
        return sum + held.reduce((a, b) => a + b, 0);
      }, 0),
  };
}

for (const row of ROWS) {
  describe(`${row.title}: ${row.question}`, () => {
    for (const column of COLUMNS) {
      const cell = row.cells[column];
      const document = documentOf(row, column, cell);
      if (!isThere(document)) continue;
      test(`${column}: ${row.outcomes[cell.outcome]?.word}`, () => {
        expect(JUDGES[row.id]!(ran(document))).toBe(cell.outcome);
      });
    }
    for (const { claim, column, cell } of row.claims) {
      if (cell === undefined) continue;
      test(`wrong: ${claim}`, () => {
        expect(JUDGES[row.id]!(ran(documentOf(row, column, cell)))).toBe(cell.outcome);
      });
    }
  });
}

describe("what is often said, and wrong", () => {
  const ranOf = (id: string) => ran(documentOfSaying(SAYINGS.find((each) => each.id === id)!));

  test("budget: pods that a budget guards are preempted where nothing else helps", () => {
    const { startMin, heldBy } = ranOf("budget");
    expect(startMin("urgent")).toBeLessThan(11);
    expect([heldBy("guarded", 9), heldBy("guarded", 15)]).toEqual([8, 6]);
  });

  test("lowest: the victim is the one whose node can be freed, not the least important of all", () => {
    const { startMin, runsOf } = ranOf("lowest");
    expect(startMin("urgent")).toBeLessThan(11);
    expect([runsOf("normal").length, runsOf("least").length]).toEqual([2, 1]);
  });

  test("never: a pod that evicts nobody keeps its place in the queue", () => {
    const { startMin, runsOf } = ranOf("never");
    expect(runsOf("running")[0]!.endMin).toBeGreaterThanOrEqual(20);
    expect(startMin("patient")).toBeLessThan(startMin("earlier"));
  });

  test("deserved: quota is granted whatever the priority, the surplus goes by it", () => {
    const { heldBy } = ranOf("deserved");
    expect([heldBy("red-job", 9), heldBy("red-job", 15), heldBy("blue-job", 15)]).toEqual([
      8, 2, 6,
    ]);
  });

  test("no-limit: a queue without a limit may use nothing", () => {
    expect(ranOf("no-limit").startMin("waiting")).toBe(Number.POSITIVE_INFINITY);
  });

  test("each is judged here, and opens at a job of its own", () => {
    expect(SAYINGS.map(({ id }) => id)).toEqual([
      "budget",
      "lowest",
      "never",
      "deserved",
      "no-limit",
    ]);
    for (const { world, openAt } of SAYINGS)
      expect(world.workload?.jobs?.map(({ id }) => id)).toContain(openAt.select);
  });
});

describe("the rows", () => {
  test("every outcome of a row is claimed by some cell, and every claim names a column", () => {
    for (const { cells, claims, outcomes } of ROWS) {
      const claimed = [
        ...COLUMNS.map((column) => cells[column].outcome),
        ...claims.flatMap(({ cell }) => (cell ? [cell.outcome] : [])),
      ];
      expect(new Set(claimed)).toEqual(new Set(Object.keys(outcomes)));
    }
  });

  test("each opens at a job that exists, between its submission and the end", () => {
    for (const { world, openAt } of ROWS) {
      const job = world.workload?.jobs?.find(({ id }) => id === openAt.select);
      expect(job?.submitMs).toBeLessThanOrEqual(openAt.cursorMs);
    }
  });
});

describe("start latency of a one-GPU session on an idle cluster", () => {
  const waitsMs = (column: (typeof COLUMNS)[number]): number[] => {
    const { startMin } = ran(latencyDocument(column));
    return LATENCY_SESSIONS.map(({ id, submitMs }) => startMin(id) * MINUTE_MS - submitMs);
  };

  test("EASY decides at once, kube-scheduler after its watch delay, Kueue after its round trips as well", () => {
    expect(new Set(waitsMs("easy").map(Math.round))).toEqual(new Set([0]));
    expect(Math.max(...waitsMs("kube-scheduler"))).toBeLessThan(50);
    expect(Math.min(...waitsMs("kueue"))).toBeGreaterThan(100);
    expect(Math.max(...waitsMs("kueue"))).toBeLessThan(300);
  });

  test("sessions of a second: KAI needs one, Volcano one to be let in and the next to be placed", () => {
    expect(Math.max(...waitsMs("kai"))).toBeLessThan(1_000);
    expect(Math.max(...waitsMs("kai"))).toBeGreaterThan(500);
    expect(Math.min(...waitsMs("volcano"))).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...waitsMs("volcano"))).toBeLessThan(2_000);
  });

  test("Slurm looks once a second at what was submitted", () => {
    expect(Math.max(...waitsMs("slurm"))).toBeLessThan(1_000);
  });
});
