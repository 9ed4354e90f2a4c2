/**
 * The language of the search box: `job: user: team: tier: queue: node: state:` with a value each, all of which must hold, and plain
 * words that the id or the name contains. Values are compared without case; `state:` speaks of the cursor.
 */
import { type Cluster, nodeOfDevice } from "../model/cluster.ts";
import { type NameList, nameOf } from "../model/jobs.ts";
import type { TeamInfo, TierInfo } from "../model/world.ts";
import type { Chunk, OpenSet } from "../record/shapes.ts";

export const SEARCH_FIELDS = ["job", "user", "team", "tier", "queue", "node", "state"] as const;
export type SearchField = (typeof SEARCH_FIELDS)[number];
export const SEARCH_STATES = ["unsubmitted", "waiting", "running", "done"] as const;

export interface SearchTerm {
  readonly field: SearchField | "text";
  readonly value: string;
}

/** Splits a query at blanks; `field:value` where the field is known, else plain text. */
export function parseSearch(query: string): SearchTerm[] {
  return query
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter((part) => part !== "" && !SEARCH_FIELDS.some((field) => part === `${field}:`))
    .map((part) => {
      const colon = part.indexOf(":");
      const field = SEARCH_FIELDS.find((name) => name === part.slice(0, colon));
      return field ? { field, value: part.slice(colon + 1) } : { field: "text", value: part };
    });
}

export interface SearchWorld {
  readonly cluster: Cluster;
  readonly jobs: {
    readonly count: number;
    readonly at: {
      readonly submitMs: Float64Array;
      readonly tier: Uint8Array;
      readonly user: Uint32Array;
      readonly team: Uint16Array;
      readonly queue: Uint16Array;
    };
    readonly ids: NameList;
    readonly names: NameList;
    readonly users: readonly string[];
  };
  readonly tiers: readonly TierInfo[];
  readonly teams: readonly TeamInfo[];
  readonly queues: readonly string[];
}
export interface SearchRecord {
  readonly chunks: readonly Chunk[];
  readonly open: OpenSet | null;
}

/** Numbers of the jobs that match all terms, ascending; empty for no terms. O(jobs + rows of the record for `node` and `state`). */
export function searchJobs(
  world: SearchWorld,
  record: SearchRecord,
  atMs: number,
  terms: readonly SearchTerm[],
): Uint32Array {
  const steps = searchJobsSteps(world, record, atMs, terms);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

const JOBS_A_STEP = 8_192;

/** As `searchJobs`, a few milliseconds at a time. */
export function* searchJobsSteps(
  world: SearchWorld,
  record: SearchRecord,
  atMs: number,
  terms: readonly SearchTerm[],
): Generator<void, Uint32Array> {
  if (terms.length === 0) return new Uint32Array(0);
  const tests: JobTest[] = [];
  for (const term of terms) {
    tests.push(testOf(world, record, atMs, term));
    yield;
  }
  const found: number[] = [];
  for (let job = 0; job < world.jobs.count; job++) {
    if (tests.every((test) => test(job))) found.push(job);
    if (job % JOBS_A_STEP === JOBS_A_STEP - 1) yield;
  }
  return Uint32Array.from(found);
}

type JobTest = (jobIdx: number) => boolean;

function testOf(
  world: SearchWorld,
  record: SearchRecord,
  atMs: number,
  { field, value }: SearchTerm,
): JobTest {
  const { jobs } = world;
  const has = (text: string | undefined) => text?.toLowerCase().includes(value) ?? false;
  const matches = (texts: readonly (string | undefined)[]) =>
    new Set(texts.flatMap((text, index) => (has(text) ? [index] : [])));
  switch (field) {
    case "text":
      return (job) => has(nameOf(jobs.ids, job)) || has(nameOf(jobs.names, job));
    case "job":
      return (job) => nameOf(jobs.ids, job).toLowerCase() === value || has(nameOf(jobs.names, job));
    case "user": {
      const users = matches(jobs.users);
      return (job) => users.has(jobs.at.user[job]!);
    }
    case "team": {
      const teams = matches(world.teams.map((team) => `${team.id} ${team.name}`));
      return (job) => teams.has(jobs.at.team[job]!);
    }
    case "queue": {
      const queues = matches(world.queues);
      return (job) => queues.has(jobs.at.queue[job]!);
    }
    case "tier": {
      const tiers = new Set(
        world.tiers.flatMap((tier, index) =>
          has(tier.name) ||
          tier.id.toLowerCase().includes(value) ||
          tier.letter.toLowerCase() === value
            ? [index]
            : [],
        ),
      );
      return (job) => tiers.has(jobs.at.tier[job]!);
    }
    case "node": {
      const onNodes = jobsOnNodes(world.cluster, record, value);
      return (job) => onNodes.has(job);
    }
    case "state": {
      const states = statesAt(world, record, atMs);
      return (job) => SEARCH_STATES[states[job]!]!.startsWith(value);
    }
  }
}

/** Jobs that ever held a device of a node whose name contains the text. */
function jobsOnNodes(cluster: Cluster, record: SearchRecord, value: string): ReadonlySet<number> {
  const wanted = new Uint8Array(cluster.nodeCount);
  cluster.nodeNames.forEach((name, node) => {
    if (name.toLowerCase().includes(value)) wanted[node] = 1;
  });
  const found = new Set<number>();
  const read = (rects: Chunk["rects"]) => {
    for (let row = 0; row < rects.device.length; row++) {
      if (wanted[nodeOfDevice(cluster, rects.device[row]!)]) found.add(rects.jobIdx[row]!);
    }
  };
  for (const chunk of record.chunks) read(chunk.rects);
  if (record.open) read(record.open.rects);
  return found;
}

/** Index into `SEARCH_STATES` of each job at a time. */
export function statesAt(world: SearchWorld, record: SearchRecord, atMs: number): Uint8Array {
  const { count, at } = world.jobs;
  const states = new Uint8Array(count);
  for (let job = 0; job < count; job++) states[job] = at.submitMs[job]! > atMs ? 0 : 3;
  const mark = (jobs: Uint32Array, from: Float64Array, to: Float64Array | null, state: number) => {
    for (let row = 0; row < jobs.length; row++) {
      if (from[row]! <= atMs && (to === null || atMs < to[row]!)) states[jobs[row]!] = state;
    }
  };
  for (const { waits, runs } of record.chunks) {
    mark(waits.jobIdx, waits.fromMs, waits.toMs, 1);
    mark(runs.jobIdx, runs.startMs, runs.endMs, 2);
  }
  if (record.open) {
    mark(record.open.waits.jobIdx, record.open.waits.fromMs, null, 1);
    mark(record.open.rects.jobIdx, record.open.rects.startMs, null, 2);
  }
  return states;
}
