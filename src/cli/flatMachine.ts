/** A log on a flat machine under a named policy, as `run --procs` does it: for readers of truth that compare whole schedules. */

import { suggestScenario } from "../workload/suggest.ts";
import { fileClockOffsetMs } from "../workload/traceJobs.ts";
import type { Workload } from "./input.ts";
import { override } from "./overrides.ts";
import { ScheduleCollector, type ScheduleRow } from "./schedule.ts";
import { simulate } from "./simulate.ts";

/** The schedule in submit order; `set` as the option `--set`. Throws the scenario's problems. */
export function runOnFlatMachine(
  { identity, parsed }: Workload,
  processors: number,
  policy: string,
  set: readonly string[] = [],
): ScheduleRow[] {
  const suggested = suggestScenario(identity, parsed).scenario;
  const scenario = override(suggested, parsed, { procs: processors, policy, set, kill: true });
  const schedule = new ScheduleCollector();
  const outcome = simulate(scenario, parsed, {
    checks: false,
    onChunk: (chunk) => schedule.add(chunk),
  });
  const { trace } = scenario.workload;
  const offsetMs = trace === undefined ? 0 : fileClockOffsetMs(trace, parsed);
  return schedule.finish(outcome.world, outcome.open, offsetMs);
}
