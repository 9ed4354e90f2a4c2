/**
 * What teams hold, and what is due to them. Due is a team's quota where it has one; else the part of the cluster that its shares are of the shares of all
 * teams that have a job in the system then, as in `metrics/fairness.ts`. O(rows of the record + jobs); memory O(changes).
 */
import { DeviceWeight, type WeighedJobs } from "../../model/deviceWeight.ts";
import type { JobTable } from "../../model/jobs.ts";
import { EndStateCode } from "../../model/states.ts";
import type { TeamInfo } from "../../model/world.ts";
import { type Chunk, type OpenSet, partOf } from "../../record/shapes.ts";
import { ChangeList } from "./changeList.ts";
import { type Steps, stepsOf } from "./steps.ts";

const SLICE = 4_096;

export interface TeamWorld {
  readonly cluster: { readonly deviceCount: number };
  readonly jobs: Pick<JobTable, "count"> & WeighedJobs;
  readonly teams: readonly TeamInfo[];
}

export interface TeamRecord {
  readonly chunks: readonly Pick<Chunk, "rects" | "runs">[];
  readonly open: Pick<OpenSet, "atMs" | "rects" | "waits"> | null;
  readonly endMs: number;
}

export interface TeamSteps {
  readonly held: Steps;
  readonly due: Steps;
}

/** By team. Yields after each chunk and each team. */
export function* teamSteps(
  world: TeamWorld,
  record: TeamRecord,
): Generator<void, readonly TeamSteps[]> {
  const held = yield* heldSteps(world, record);
  const demand = yield* demandSteps(world, record);
  const due = yield* dueSteps(world, demand);
  return held.map((steps, team) => ({ held: steps, due: due[team]! }));
}

function* heldSteps(world: TeamWorld, record: TeamRecord): Generator<void, Steps[]> {
  const weight = new DeviceWeight(world.jobs);
  const lists = world.teams.map(() => new ChangeList());
  const { team } = world.jobs.at;
  const add = (rects: Chunk["rects"], atMs: number): void => {
    for (let row = 0; row < rects.jobIdx.length; row++) {
      const job = rects.jobIdx[row]!;
      const amount = rects.deviceCount[row]! * weight.of(job, partOf(rects.bits[row]!));
      lists[team[job]!]?.span(rects.startMs[row]!, Math.min(rects.endMs[row]!, atMs), amount);
    }
  };
  for (const { rects } of record.chunks) {
    add(rects, Number.POSITIVE_INFINITY);
    yield;
  }
  if (record.open) add(record.open.rects, record.open.atMs);
  const all: Steps[] = [];
  for (const list of lists) all.push(yield* list.steps(weight.unit));
  return all;
}

/** Jobs in the system by team: from when a job may start until its last row, or the end where it has not left. */
function* demandSteps(world: TeamWorld, record: TeamRecord): Generator<void, Steps[]> {
  const { count, at } = world.jobs;
  const leftMs = new Float64Array(count).fill(Number.NaN);
  for (const { runs } of record.chunks) {
    for (let row = 0; row < runs.jobIdx.length; row++)
      leftMs[runs.jobIdx[row]!] =
        runs.endState[row] === EndStateCode.refused ? 0 : runs.endMs[row]!;
    yield;
  }
  for (const open of record.open ? [record.open.rects, record.open.waits] : [])
    for (const job of open.jobIdx) leftMs[job] = record.endMs;
  const lists = world.teams.map(() => new ChangeList());
  for (let job = 0; job < count; job++) {
    const fromMs = Math.max(at.submitMs[job]!, at.beginMs[job]!);
    if (!Number.isNaN(leftMs[job]!)) lists[at.team[job]!]?.span(fromMs, leftMs[job]!, 1);
  }
  yield;
  const all: Steps[] = [];
  for (const list of lists) all.push(yield* list.steps(1));
  return all;
}

function* dueSteps(
  { teams, cluster }: TeamWorld,
  demand: readonly Steps[],
): Generator<void, Steps[]> {
  const times = mergedTimes(demand);
  yield;
  const next = teams.map(() => 0);
  const wants = teams.map(() => false);
  const values = teams.map(() => new Float64Array(times.length));
  for (let row = 0; row < times.length; row++) {
    let shares = 0;
    for (let team = 0; team < teams.length; team++) {
      const steps = demand[team]!;
      let at = next[team]!;
      for (; at < steps.atMs.length && steps.atMs[at]! <= times[row]!; at++)
        wants[team] = steps.values[at]! > 0;
      next[team] = at;
      if (wants[team]) shares += teams[team]!.shares;
    }
    for (let team = 0; team < teams.length; team++) {
      const { shares: own, quotaGpus } = teams[team]!;
      const part = wants[team] && shares > 0 ? (cluster.deviceCount * own) / shares : 0;
      values[team]![row] = quotaGpus ?? part;
    }
    if (row % SLICE === SLICE - 1) yield;
  }
  return values.map((column) => stepsOf(times, column));
}

/** The times of all lists, each once. */
export function mergedTimes(lists: readonly Pick<Steps, "atMs">[]): Float64Array {
  const all = new Float64Array(lists.reduce((sum, { atMs }) => sum + atMs.length, 0));
  let end = 0;
  for (const { atMs } of lists) {
    all.set(atMs, end);
    end += atMs.length;
  }
  all.sort();
  let count = 0;
  for (let i = 0; i < all.length; i++) if (i === 0 || all[i] !== all[i - 1]) all[count++] = all[i]!;
  return all.slice(0, count);
}
