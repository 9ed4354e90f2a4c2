/** Every cell of the comparison is run, and what happens is what it claims; so is every scenario that shows a claim to be wrong. */
import { describe, expect, test } from "vitest";
import { kubeReasonOf } from "../../../src/model/reasons.ts";
import { MINUTE_MS } from "../../../src/model/units.ts";
import { COLUMNS, type PolicyInput } from "../../../src/scenario/orchestrators/cell.ts";
import { LATENCY_SESSIONS, latencyDocument } from "../../../src/scenario/orchestrators/latency.ts";
import { latencyParts, writtenAfterMs } from "../../../src/scenario/orchestrators/latencyParts.ts";
import { growing } from "../../../src/scenario/orchestrators/rows/growing.ts";
import { documentOf, ROWS } from "../../../src/scenario/orchestrators/table.ts";
import type { ScenarioInput } from "../../../src/scenario/schema.ts";
import { presetOf } from "../../../src/scenario/settings.ts";
import { hasScheduler } from "../../../src/schedulers/registry.ts";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll } from "../../support/labRuns.ts";
import { jobNamed } from "../../support/world.ts";
import { JUDGES } from "./judges.ts";
import { ran } from "./ran.ts";

/** Cells of a preset that is not registered yet are shown and cannot be run. */
function isThere({ pools }: ScenarioInput): boolean {
  const name = pools?.[0]?.policy?.preset ?? "lab";
  return presetOf(name) !== undefined && hasScheduler(name);
}

for (const row of ROWS) {
  describe(`${row.title}: ${row.question}`, () => {
    for (const column of COLUMNS) {
      const cell = row.cells[column];
      const document = documentOf(row, column, cell);
      if (!isThere(document)) continue;
      test(`${column}: ${row.outcomes[cell.outcome]?.word}`, () => {
        const { runsAs = cell.outcome } = row.outcomes[cell.outcome]!;
        expect(JUDGES[row.id]!(ran(document))).toBe(runsAs);
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

test("what is put in by hand on autoscaling lets the second job do all its work", () => {
  for (const column of ["slurm", "kai"] as const) {
    const { runsOf } = ran(documentOf(growing, column, growing.cells[column]));
    expect(runsOf("second").map(({ end }) => end)).toEqual(["completed"]);
  }
});

test("under Volcano the gate keeps out the group for which a node could be rented: it has no pods that an autoscaler could see", () => {
  const why = (settings: object) => {
    const { volcano } = growing.cells;
    const world = documentWorld(
      documentOf(growing, "volcano", { ...volcano, policy: { ...volcano.policy, ...settings } }),
    );
    const asked = runAll(world).simulation.explain(jobNamed(world, "second"), 30 * MINUTE_MS);
    return kubeReasonOf(asked?.reason ?? 0);
  };
  // By the gate its queue would have more than the cluster; without the gate it is let in, and waits for its part.
  expect(why({})).toBe("queueMost");
  expect(why({ settings: { enqueue: false } })).toBe("queueDeserved");
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

  test("what is so only when configured says so", () => {
    const isChanged = ({ settings, yaml }: PolicyInput) =>
      Object.keys(settings ?? {}).length > 0 || /^ {2}preemption:$/m.test(yaml ?? "");
    for (const { id, cells } of ROWS) {
      const family = COLUMNS.filter((column) => column !== "easy" && column !== "slurm");
      const changed = family.filter((column) => isChanged(cells[column].policy));
      const said = family.filter((column) => cells[column].configured);
      expect([id, said]).toEqual([id, changed]);
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

  test("what a latency is made of adds up: the wait until the devices are taken, then cycles, bindings and calls", () => {
    const parts = Object.fromEntries(
      COLUMNS.map((column) => {
        const waits = waitsMs(column);
        const takenMs = waits.reduce((sum, ms) => sum + ms, 0) / waits.length;
        const of = latencyParts(column, takenMs);
        const sum = of.reduce((all, { ms }) => all + ms, 0);
        expect(Math.abs(sum - takenMs - writtenAfterMs(column))).toBeLessThan(1);
        return [column, of.map(({ label, ms }) => `${label}: ${Math.round(ms * 10) / 10}`)];
      }),
    );
    expect(parts).toEqual({
      easy: [],
      slurm: ["Wait for a pass: 444.5"],
      "kube-scheduler": ["Watch delay: 20", "Scheduling cycle: 3.7", "Binding: 30"],
      kueue: [
        "Round trip: 30",
        "Admission cycle: 10",
        "3 × round trip: 90",
        "Watch delay: 20",
        "Scheduling cycle: 3.7",
        "Binding: 30",
      ],
      volcano: ["Pod creation: 100", "Wait, by the session period: 1344.5"],
      kai: ["Wait, by the session period: 444.5"],
      ray: ["2 × round trip: 2"],
    });
  });

  test("Slurm looks once a second at what was submitted", () => {
    expect(Math.max(...waitsMs("slurm"))).toBeLessThan(1_000);
  });
});
