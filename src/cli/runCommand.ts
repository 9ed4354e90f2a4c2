/** `run INPUT`: simulates and prints metrics and digest: one JSON object with `--json`, else the same as lines `name value`. */
import { leftOut } from "../scenario/kubernetes/form/leftOut.ts";
import { readForm } from "../scenario/kubernetes/form/readForm.ts";
import type { Scenario } from "../scenario/schema.ts";
import { fileClockOffsetMs } from "../workload/traceJobs.ts";
import { say } from "./fail.ts";
import { writeText } from "./files.ts";
import { linkDigest, loadInput } from "./input.ts";
import { type Overrides, override, tellIdle, tellReplaced } from "./overrides.ts";
import { policyNameOf } from "./policyNames.ts";
import { ScheduleCollector, scheduleCsv } from "./schedule.ts";
import { simulate } from "./simulate.ts";

export interface RunOptions extends Overrides {
  /** Where the trace of a scenario lies. */
  readonly trace?: string;
  readonly schedule?: string;
  readonly check: boolean;
  readonly json: boolean;
}

export function runCommand(input: string, options: RunOptions): void {
  const { scenario: read, trace } = loadInput(input, options.trace);
  tellReplaced(read, [options.policy]);
  const scenario = override(read, trace, options);
  tellIdle(scenario);
  const schedule = options.schedule === undefined ? null : new ScheduleCollector();
  const cpuBefore = process.cpuUsage();
  const outcome = simulate(scenario, trace, {
    checks: options.check,
    onChunk: (chunk) => schedule?.add(chunk),
  });
  const cpu = process.cpuUsage(cpuBefore);
  const { metrics } = outcome;
  const report = {
    digest: outcome.digest,
    engine: outcome.engine,
    policy: [...new Set(scenario.pools.map((pool) => policyNameOf(pool.policy)))].join(" + "),
    ...metrics,
    events: outcome.events,
    ...(outcome.backfillPasses === null ? {} : { backfillPasses: outcome.backfillPasses }),
    cpuSec: Math.round((cpu.user + cpu.system) / 1_000) / 1_000,
  };
  if (options.schedule !== undefined && schedule !== null) {
    const ref = scenario.workload.trace;
    const offsetMs = ref === undefined || trace === undefined ? 0 : fileClockOffsetMs(ref, trace);
    writeText(
      options.schedule,
      scheduleCsv(schedule.finish(outcome.world, outcome.open, offsetMs)),
    );
  }
  tellLeftOut(scenario);
  const refused = Object.entries(metrics.refused).map(([reason, count]) => `${count} ${reason}`);
  if (refused.length > 0) say(`refused jobs: ${refused.join(", ")}`);
  const promised = linkDigest(input);
  if (promised !== null && !outcome.digest.startsWith(promised)) {
    say(`the link was made with the digest ${promised}; this run has another one`);
  }
  process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : lines("", report));
}

/** Objects in the YAML of a policy that its preset does not read. */
function tellLeftOut({ pools, interventions }: Scenario): void {
  const changes = interventions.flatMap((one) =>
    one.kind === "policy" && !one.off ? [{ id: one.pool ?? "all pools", policy: one.policy }] : [],
  );
  for (const { id, policy } of [...pools, ...changes])
    for (const { line, sentence } of leftOut(policy.preset, readForm(policy.yaml ?? "") ?? []))
      say(`note: ${id}, YAML, line ${line}: ${sentence}`);
}

/** Nested values as `waitSec.p95 120`, one a line; text is written as JSON where it holds blanks. */
function lines(prefix: string, value: unknown): string {
  if (value !== null && typeof value === "object") {
    return Object.entries(value)
      .map(([name, inner]) => {
        const key = /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
        return lines(prefix === "" ? key : `${prefix}.${key}`, inner);
      })
      .join("");
  }
  const text = typeof value === "string" && !/\s/.test(value) ? value : JSON.stringify(value);
  return `${prefix} ${text}\n`;
}
