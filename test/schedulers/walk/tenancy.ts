/** Runs of worlds with teams, tiers and ceilings, and what tests ask of them. */
import { GAUGES, type Gauge } from "../../../src/model/lab/gauges.ts";
import type { SettingValue } from "../../../src/model/policy.ts";
import { START_REASONS, STOP_REASONS } from "../../../src/model/reasons.ts";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import type { Outcome } from "../../support/draw.ts";
import { runLines, runWorld } from "../../support/draw.ts";
import { tenancyWorld } from "../../support/tenancyWorld.ts";
import type { WorldSpec } from "../../support/world.ts";
import { labPool } from "../policyDocs.ts";

/** Later jobs pass those that do not fit, unless the settings say otherwise. */
export function run(
  settings: Readonly<Record<string, SettingValue>>,
  text: string,
  more: Partial<WorldSpec> = {},
): Outcome {
  const pools = [labPool({ backfill: "skip", ...settings })];
  return runWorld(tenancyWorld(text, { pools, ...more }), schedulerOf);
}

/** `{ A: 3, "A#2": 9 }`: started at 3 s, again at 9 s. */
export function starts(outcome: Outcome): Record<string, number> {
  const found: Record<string, number> = {};
  for (const line of runLines(outcome)) {
    const [, name, number, start] = /^(\w+)#(\d+) ([\d.]+)-/.exec(line)!;
    found[number === "1" ? name! : `${name}#${number}`] = Number(start);
  }
  return found;
}

/** `A#1 won`: why each run started or stopped. */
export function reasons(outcome: Outcome, of: "start" | "stop"): string[] {
  return outcome.chunks.flatMap(({ runs }) =>
    Array.from(runs.jobIdx, (jobIdx, i) => {
      const name = outcome.world.jobs.names.texts.get(jobIdx);
      const code = of === "start" ? runs.startReason[i]! : runs.stopReason[i]!;
      return `${name}#${runs.run[i]} ${(of === "start" ? START_REASONS : STOP_REASONS)[code]}`;
    }),
  );
}

/** `0s 3`: each change of a gauge of one subject. */
export function gauge(outcome: Outcome, kind: Gauge, subject: number): string[] {
  return outcome.chunks.flatMap(({ gauges }) =>
    Array.from(gauges.atMs, (atMs, i) => ({ atMs, i }))
      .filter(({ i }) => gauges.kind[i] === GAUGES.indexOf(kind) && gauges.subject[i] === subject)
      .map(({ atMs, i }) => `${atMs / 1_000}s ${gauges.value[i]}`),
  );
}

/** Runs that were stopped for another job. */
export function evictions(outcome: Outcome): number {
  return runLines(outcome).filter((line) => line.endsWith("preempted")).length;
}
