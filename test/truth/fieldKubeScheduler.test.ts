/**
 * Field cases whose policy is one that kube-scheduler can be set to (skip ahead, spread or pack, nobody evicted, no tie that decides) run through its preset too: with latencies of 0 and
 * devices in the score it starts every named job in the minute in which the reference does.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { FieldCase, FieldRun } from "../../src/cli/conformance/fieldCaseFile.ts";
import {
  MINUTE_MS,
  partsOfRun,
  scenarioOfRun,
} from "../../src/cli/conformance/fieldCaseScenario.ts";
import { addPresets } from "../../src/cli/presets.ts";
import { ScheduleCollector } from "../../src/cli/schedule.ts";
import { simulate } from "../../src/cli/simulate.ts";
import { readScenario } from "../../src/scenario/read.ts";

addPresets();
const cases = readFileSync(new URL("field/cases.jsonl", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as FieldCase);

const SCORING = { spread: "LeastAllocated", pack: "MostAllocated" } as const;
const PROMPT = {
  watchDelayMs: 0,
  cycleMicros: 0,
  bindsPerSecond: 0,
  bindMs: 0,
  podStartMs: 0,
  scoreGpus: true,
};
/** Pods that failed are tried again within this time of what makes room. */
const BACK_OFF_MS = 10_000;

function scoringOf(one: FieldCase, run: FieldRun): string | null {
  const { mode, place, ...more } = { ...run.policy } as Record<string, unknown>;
  const { cluster, jobs } = partsOfRun(one, run);
  if (mode !== "skip" || Object.keys(more).length > 0) return null;
  // Pods are placed one by one: jobs of several are another question.
  if (jobs.some(({ tasks = 1 }) => tasks > 1) || cluster.maint !== undefined) return null;
  if (place === "spread" || place === "pack") return SCORING[place];
  return cluster.pool !== undefined || cluster.nodes?.length === 1 ? "LeastAllocated" : null;
}

const runs = cases.flatMap((one) =>
  (one.runs ?? []).flatMap((run, idx) => {
    const scoring = scoringOf(one, run);
    return scoring === null
      ? []
      : [{ name: `${one.id}/${idx + 1}, ${scoring}`, one, run, scoring }];
  }),
);

describe("field cases under kube-scheduler", () => {
  test("some of them are its own", () => expect(runs.length).toBeGreaterThanOrEqual(5));
  test.each(runs)("$name", ({ one, run, scoring }) => {
    const settings = { ...PROMPT, scoring, preemption: false };
    const read = readScenario({
      ...scenarioOfRun(one, run),
      pools: [{ id: "all", policy: { preset: "kube-scheduler", settings } }],
    });
    if (!read.ok) throw new Error(JSON.stringify(read.error));
    const schedule = new ScheduleCollector();
    const { world, open } = simulate(read.value, undefined, {
      checks: true,
      onChunk: (chunk) => schedule.add(chunk),
    });
    const rows = schedule.finish(world, open, 0);
    for (const [id, want] of Object.entries(run.starts ?? {})) {
      const have = rows.filter(({ jobId }) => jobId === id).map(({ startMs }) => startMs);
      expect(have, `${id} starts once`).toHaveLength(1);
      expect(have[0]! - Number(want) * MINUTE_MS, `${id} at ${want}`).toBeGreaterThanOrEqual(0);
      expect(have[0]! - Number(want) * MINUTE_MS, `${id} at ${want}`).toBeLessThanOrEqual(
        BACK_OFF_MS,
      );
    }
  });
});
