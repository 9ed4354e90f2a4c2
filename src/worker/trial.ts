/**
 * A document tried beside the open one: from the snapshot before they differ (from the start, where they differ in more than changes) until one
 * job starts. It runs in slices, so that the worker goes on hearing the page; the open run is left as it is.
 */
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import type { Run } from "../engine/run.ts";
import { nameOf } from "../model/jobs.ts";
import { LIMITS } from "../model/limits.ts";
import type { World } from "../model/world.ts";
import type { Trial } from "../protocol/messages.ts";
import { DecisionKindCode } from "../record/shapes.ts";
import { firstDifferenceMs } from "../scenario/interventions.ts";
import type { Scenario } from "../scenario/schema.ts";
import { WorldEngine } from "./engine.ts";
import { fetchLives, fetchPresets } from "./presets.ts";

export interface TrialContext {
  readonly scenario: Scenario;
  readonly engine: WorldEngine;
  /** Expands a document. `again`: it differs from the open one in its interventions at most. */
  readonly expand: (scenario: Scenario, again: boolean) => Result<World, Problem[]>;
  readonly breathe: (task: () => void) => void;
  /** False once a newer question has come. */
  readonly isWanted: () => boolean;
}

const EVENTS_A_SLICE = 400;
const EVENTS_MOST = 2_000_000;

/** Null where the answer is no longer wanted. */
export async function tryDocument(
  read: Result<Scenario, Problem[]>,
  jobId: string,
  context: TrialContext,
): Promise<Trial | null> {
  if (!read.ok) return { kind: "problems", problems: read.error };
  const missing = await fetchPresets(read.value);
  if (missing.length > 0) return { kind: "problems", problems: missing };
  const difference = firstDifferenceMs(context.scenario, read.value);
  const fresh = difference === "base";
  const expanded = context.expand(read.value, !fresh);
  if (!expanded.ok) return { kind: "problems", problems: expanded.error };
  const world = expanded.value;
  const unfetched = await fetchLives(world);
  if (unfetched.length > 0) return { kind: "problems", problems: unfetched };
  if (!context.isWanted()) return null;
  const fromMs = fresh ? 0 : difference;
  const run = (fresh ? new WorldEngine(world) : context.engine).trial(world, fromMs);
  return untilStart(run, jobOf(world, jobId), fromMs, context);
}

async function untilStart(
  run: Run,
  jobIdx: number,
  fromMs: number,
  { breathe, isWanted }: TrialContext,
): Promise<Trial | null> {
  for (let events = 0; events < EVENTS_MOST; events += EVENTS_A_SLICE) {
    const over = run.advance(LIMITS.horizonMs, EVENTS_A_SLICE);
    const found = fateIn(run, jobIdx, fromMs);
    if (found) return found;
    if (over) return { kind: "never" };
    await new Promise<void>((resolve) => breathe(resolve));
    if (!isWanted()) return null;
  }
  return { kind: "tooLong", simulatedMs: run.clock.nowMs };
}

/** What the decisions since the last look say of the job. */
function fateIn(run: Run, jobIdx: number, fromMs: number): Trial | null {
  const { kind, atMs, jobIdx: jobs, reason } = run.recorder.takeChunk(0, 0).decisions;
  for (let row = 0; row < kind.length; row++) {
    if (jobs[row] !== jobIdx || atMs[row]! < fromMs) continue;
    if (kind[row] === DecisionKindCode.start) return { kind: "starts", startMs: atMs[row]! };
    if (kind[row] === DecisionKindCode.refuse) return { kind: "refused", reason: reason[row]! };
    if (kind[row] === DecisionKindCode.cancel) return { kind: "never" };
  }
  return null;
}

function jobOf({ jobs }: World, id: string): number {
  for (let job = 0; job < jobs.count; job++) if (nameOf(jobs.ids, job) === id) return job;
  return -1;
}
