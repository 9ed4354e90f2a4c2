/**
 * Jobs drawn from the classes of a synthetic workload. Each property of a job has a stream of its own, keyed by (seed,
 * property, class), and takes exactly one draw a job: so another arrival rate, size mix or duration of one class changes only
 * that property of that class, and job n keeps all its other properties.
 */
import ln from "@stdlib/math-base-special-ln";
import exponentialQuantile from "@stdlib/stats-base-dists-exponential-quantile";
import lognormalQuantile from "@stdlib/stats-base-dists-lognormal-quantile";
import type { Problem } from "../base/problem.ts";
import type { Stream } from "../base/random.ts";
import { randomStream } from "../base/random.ts";
import type { Result } from "../base/result.ts";
import { err, ok } from "../base/result.ts";
import { JOB_KINDS, JobFlag } from "../model/jobs.ts";
import { LIMITS } from "../model/limits.ts";
import { MINUTE_MS, SECOND_MS, SPEED_ONE } from "../model/units.ts";
import type { Scenario, SyntheticClass } from "../scenario/schema.ts";
import { calendarOf, drawArrivals } from "./arrivals.ts";
import type { Names } from "./explicitJobs.ts";
import { NO_NAME } from "./explicitJobs.ts";
import type { JobDraft } from "./jobDraft.ts";
import { tooManyJobs } from "./problems.ts";
import { layMembers } from "./traceJobs.ts";

const LIMIT_STEP_MS = 10 * MINUTE_MS;
const CPU_MILLI = 1_000;
const MIB_PER_GIB = 1_024;

/** Appends the drawn jobs of all classes, class by class. O(jobs). */
export function draftSynthetic(
  draft: JobDraft,
  names: Names,
  scenario: Scenario,
): Result<null, Problem[]> {
  const calendar = calendarOf(scenario.calendarStart);
  for (const entry of scenario.workload.synthetic) {
    const untilMs = entry.untilMs ?? scenario.horizonMs ?? entry.fromMs;
    const room = LIMITS.jobs - draft.length;
    const times = drawArrivals(scenario.seed, entry, untilMs, calendar, room);
    if (times.length > room) return err([tooManyJobs(draft.length + times.length)]);
    draftClass(draft, names, scenario.seed, entry, times);
  }
  return ok(null);
}

function draftClass(
  draft: JobDraft,
  names: Names,
  seed: number,
  entry: SyntheticClass,
  times: readonly number[],
): void {
  const draw = drawersOf(seed, entry);
  const kind = JOB_KINDS.indexOf(entry.kind);
  const tier =
    entry.tier === undefined ? names.tierOfKind[kind]! : Math.max(0, names.tiers.find(entry.tier));
  const queue = names.queues.add(NO_NAME);
  const flags = flagsOf(entry);
  times.forEach((submitMs, number) => {
    const row = draft.addJob();
    const { at } = draft.jobs;
    const id = `${entry.id}-${number + 1}`;
    const team = draw.team();
    const workMs = draw.workMs();
    at.submitMs[row] = submitMs;
    at.beginMs[row] = submitMs;
    at.workQ16[row] = workMs * SPEED_ONE;
    at.limitMs[row] = Math.ceil((workMs * draw.limitFactor()) / LIMIT_STEP_MS) * LIMIT_STEP_MS;
    at.tier[row] = tier;
    at.kind[row] = kind;
    at.queue[row] = queue;
    at.flags[row] = flags;
    at.team[row] = names.teams.add(team);
    at.user[row] = draft.users.add(`${team === NO_NAME ? entry.id : team}-u${draw.user() + 1}`);
    draft.nameJob(row, id, draw.name() ?? id);
    layJob(draft, names, entry, draw.gpus());
    names.lives.fill(draft, row, entry);
  });
}

function flagsOf(entry: SyntheticClass): number {
  return (
    (entry.preemptible ? JobFlag.preemptible : 0) |
    (entry.gang ? JobFlag.gang : 0) |
    (entry.within === "leaf" ? JobFlag.sameLeaf : 0) |
    (entry.within === "nvswitch" ? JobFlag.sameNvswitch : 0)
  );
}

/** One function a property; each call takes one draw of the property's own stream. */
export function drawersOf(seed: number, entry: SyntheticClass) {
  const stream = (property: string): Stream => randomStream(seed, property, entry.id);
  const userStream = stream("user");
  const nameStream = stream("name");
  const limitStream = stream("limit");
  const [lowest, highest] = entry.limitFactor;
  return {
    gpus: pickWeighted(entry.gpus, stream("gpus")),
    team: pickWeighted(entry.teams ?? [{ value: NO_NAME, weight: 1 }], stream("team")),
    workMs: drawDuration(entry.work, stream("work")),
    limitFactor: () => lowest + (highest - lowest) * limitStream(),
    user: () => Math.floor(userStream() * entry.users),
    name: (): string | undefined => entry.names[Math.floor(nameStream() * entry.names.length)],
  };
}

function pickWeighted<T>(
  mix: readonly { readonly value: T; readonly weight: number }[],
  stream: Stream,
): () => T {
  const total = mix.reduce((sum, entry) => sum + entry.weight, 0);
  return () => {
    let left = stream() * total;
    for (const entry of mix) {
      left -= entry.weight;
      if (left < 0) return entry.value;
    }
    return mix[mix.length - 1]!.value;
  };
}

/** In whole seconds, cut to the range. Log-normal: the standard deviation of the logarithm is the logarithm of p84/median. */
function drawDuration(mix: SyntheticClass["work"], stream: Stream): () => number {
  const quantile = durationQuantile(mix);
  return () => {
    const seconds = Math.round(quantile(stream()) / SECOND_MS);
    return Math.min(mix.mostMs, Math.max(mix.leastMs, seconds * SECOND_MS));
  };
}

function durationQuantile(mix: SyntheticClass["work"]): (part: number) => number {
  if (mix.shape === "exponential") return exponentialQuantile.factory(Math.LN2 / mix.medianMs);
  const sigma = ln(mix.spread);
  return sigma > 0 ? lognormalQuantile.factory(ln(mix.medianMs), sigma) : () => mix.medianMs;
}

function layJob(draft: JobDraft, names: Names, entry: SyntheticClass, gpus: number): void {
  const perNode = Math.max(1, names.gpusPerNode);
  const whole = entry.wholeNodesFrom !== undefined && gpus >= entry.wholeNodesFrom;
  const nodes = Math.ceil(gpus / perNode);
  const component = whole
    ? draft.addComponent(nodes, nodes, perNode, true)
    : entry.elastic === undefined
      ? layMembers(draft, gpus, perNode, false)
      : // What comes and goes are GPUs, as with `gpus` of a job that is spelled out.
        draft.addComponent(gpus, gpus, 1, false);
  const { at } = draft.components;
  at.cpuMilli[component] = Math.round(entry.cpusPerGpu * at.gpus[component]! * CPU_MILLI);
  at.memMiB[component] = Math.round(entry.memGiBPerGpu * at.gpus[component]! * MIB_PER_GIB);
}
