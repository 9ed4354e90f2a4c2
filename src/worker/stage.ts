/**
 * What the page needs beside the record, copied from the world and handed over without a second copy. Against the world sent before, only what is
 * new crosses: nothing of the jobs where the table is the same object, else the rows behind those that are equal.
 */
import type { ArraysOf, Column, Shape } from "../base/columns.ts";
import { buffersOf } from "../base/columns.ts";
import { type Joined, joinTexts } from "../base/joinTexts.ts";
import { samePlain } from "../base/samePlain.ts";
import { JobFlag, type JobTable, type NameList } from "../model/jobs.ts";
import { quotaCells } from "../model/kubernetes/quotaCells.ts";
import type { Traffic } from "../model/lab/jobLife.ts";
import type { World } from "../model/world.ts";
import type { DataMessage, SentJobs, SentNames, SentStage } from "../protocol/messages.ts";

/** What was sent before and is still in the page's hands. `sameDraft`: its jobs and those of the world now differ in injected ones at most. */
export interface SentBefore {
  readonly world: World;
  readonly sameDraft: boolean;
}

/** O(jobs) where their table is another one, else O(1). */
export function stageOf(
  world: World,
  generation: number,
  importNotes: readonly string[],
  before: SentBefore | null = null,
): SentStage {
  const { cluster } = world;
  return {
    generation,
    cluster: cluster === before?.world.cluster ? null : cluster,
    jobs: jobsOf(world, before),
    tiers: world.tiers,
    teams: world.teams,
    services: (world.services ?? []).map(({ id, targetMs }) => ({ id, targetMs })),
    queues: world.queues,
    ...cellsOf(world),
    poolIds: world.pools.map((pool) => pool.id),
    importNotes,
  };
}

function cellsOf({ pools, changes }: World): Pick<SentStage, "quotaCells"> {
  const cells = quotaCells(pools, changes);
  return cells.length === 0 ? {} : { quotaCells: cells };
}

function jobsOf(world: World, before: SentBefore | null): SentJobs | null {
  const { jobs } = world;
  if (jobs === before?.world.jobs) return null;
  const keepJobs = before?.sameDraft ? equalJobs(before.world, world) : 0;
  const keepComponents = jobs.at.firstComponent[keepJobs] ?? 0;
  const rows = new RowsFrom();
  const ids = namesFrom(jobs.ids, keepJobs, rows);
  const names = namesFrom(jobs.names, keepJobs, rows);
  return {
    keepJobs,
    keepComponents,
    table: {
      count: jobs.count,
      at: columnsFrom(jobs.at, keepJobs, rows),
      components: columnsFrom(jobs.components, keepComponents, rows),
      ids,
      names: isSame(ids.texts, names.texts) ? { ...names, texts: ids.texts } : names,
      users: jobs.users,
      gpuModels: jobs.gpuModels,
      migProfiles: jobs.migProfiles,
    },
    poolOfJob: Uint8Array.from(world.poolOfJob.subarray(keepJobs)),
    ...trafficOf(world),
  };
}

/**
 * How many of the first jobs, injected ones apart, have the same numbers in every column; their names are the same because their draft is. O(1) where the tables are
 * told to have them from one place.
 */
function equalJobs(a: World, b: World): number {
  const { origin } = b.jobs;
  if (origin && origin.of === a.jobs.origin?.of && origin.rows === a.jobs.origin.rows)
    return origin.rows;
  let equal = Math.min(a.jobs.count, b.jobs.count);
  while (equal > 0 && (b.jobs.at.flags[equal - 1]! & JobFlag.injected) !== 0) equal--;
  const columns: (keyof JobTable["at"])[] = Object.keys(a.jobs.at) as (keyof JobTable["at"])[];
  const pairs = [
    ...columns.map((name) => [a.jobs.at[name], b.jobs.at[name]] as const),
    [a.jobs.ids.numbers, b.jobs.ids.numbers] as const,
    [a.poolOfJob, b.poolOfJob] as const,
  ];
  for (const [left, right] of pairs) {
    let row = left === right ? equal : 0;
    while (row < equal && left[row] === right[row]) row++;
    equal = row;
  }
  return equal;
}

/** Jobs of one kind share one object, and still do on the page. O(jobs) where a network is modelled. */
function trafficOf({ network, jobs }: World): Pick<SentJobs, "traffic"> {
  if (!network) return {};
  const kinds = new Map<Traffic, number>();
  const ofJob = new Uint32Array(jobs.count);
  for (const [jobIdx, { traffic }] of jobs.lab) {
    if (!traffic) continue;
    const kind = kinds.get(traffic) ?? kinds.size + 1;
    kinds.set(traffic, kind);
    ofJob[jobIdx] = kind;
  }
  return { traffic: { kinds: [...kinds.keys()], ofJob } };
}

/** The transfer list of a stage made by `stageOf`: the cluster's few columns are cloned, the engine keeps them. */
export function stageBuffers({ jobs }: SentStage): ArrayBuffer[] {
  if (jobs === null) return [];
  const { at, components, ids, names } = jobs.table;
  const buffers = [
    ...buffersOf(at),
    ...buffersOf(components),
    ids.numbers.buffer,
    names.numbers.buffer,
    ...buffersOf(ids.texts),
    ...buffersOf(names.texts),
    jobs.poolOfJob.buffer,
  ];
  return [...new Set(buffers)];
}

/** The transfer list of a message on the data port: the columns of a chunk and of its open set. */
export function messageBuffers(message: DataMessage): ArrayBuffer[] {
  if (message.kind !== "chunk") return [];
  const { chunk, open } = message;
  const tables = [
    chunk.rects,
    chunk.runs,
    chunk.waits,
    chunk.decisions,
    chunk.nodeSpans,
    chunk.gauges,
    chunk.series,
    open.rects,
    open.waits,
    open.nodeSpans,
  ];
  return [...new Set(tables.flatMap((table) => buffersOf(table)))];
}

/** Copies of the last rows of columns; columns that are one array stay one. */
class RowsFrom {
  readonly #made = new Map<Column, { readonly from: number; readonly rows: Column }>();

  of<T extends Column>(column: T, from: number): T {
    const made = this.#made.get(column);
    if (made?.from === from) return made.rows as T;
    const rows = column.slice(from) as T;
    this.#made.set(column, { from, rows });
    return rows;
  }
}

function columnsFrom<S extends Shape>(
  arrays: ArraysOf<S>,
  from: number,
  rows: RowsFrom,
): ArraysOf<S> {
  const made = Object.entries(arrays).map(([name, column]) => [name, rows.of(column, from)]);
  return Object.fromEntries(made) as ArraysOf<S>;
}

function namesFrom({ numbers, texts }: NameList, from: number, rows: RowsFrom): SentNames {
  return {
    numbers: rows.of(numbers, from),
    texts: joinTexts(textsFrom(texts, from, numbers.length)),
  };
}

function textsFrom(texts: NameList["texts"], from: number, count: number): NameList["texts"] {
  if (from === 0) return texts;
  const found = new Map<number, string>();
  for (let job = from; job < count; job++) {
    const text = texts.get(job);
    if (text !== undefined) found.set(job, text);
  }
  return found;
}

function isSame(a: Joined, b: Joined): boolean {
  return a.text === b.text && samePlain(a.keys, b.keys) && samePlain(a.ends, b.ends);
}
