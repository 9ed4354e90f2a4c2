/** Jobs and worlds of a few fields, for tests of the life of jobs. */
import { type LifeRules, PROMPT_LIFE, type Scheduler } from "../../src/engine/view.ts";
import type { Change } from "../../src/model/world.ts";
import { fcfs, type QueueState } from "./testScheduler.ts";
import type { JobSpec, WorldSpec } from "./world.ts";

/** Milliseconds of a second. */
export const S = 1_000;

/** First come, first served, with these rules of life. */
export function living(rules: Partial<LifeRules>): Scheduler<QueueState> {
  return { ...fcfs, life: () => ({ ...PROMPT_LIFE, ...rules }) };
}

/** A job of one GPU. */
export const job = (
  name: string,
  submitMs: number,
  workMs: number,
  more: Partial<JobSpec> = {},
): JobSpec => ({ name, submitMs, workMs, components: [{ members: 1, gpus: 1 }], ...more });

/** A world of one node with 4 GPUs and 8 CPUs. */
export const spec = (
  jobs: JobSpec[],
  changes: Change[] = [],
  more: Partial<WorldSpec> = {},
): WorldSpec => ({
  cluster: { nodes: 1, gpus: 4, cpus: 8, memMiB: 100 },
  jobs,
  changes,
  ...more,
});
