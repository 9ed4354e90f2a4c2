/**
 * Jobs while they are collected: in document order, in the same columns as the finished table. `finishJobs` then numbers them
 * by submit time (equal times keep document order), with the injected ones behind, so that a number never changes its meaning
 * when a job is injected later.
 */

import type { ArraysOf, Column, Shape } from "../base/columns.ts";
import { Table } from "../base/columns.ts";
import { TailMap } from "../base/tailMap.ts";
import type { DependencyKind, JobTable, NameList } from "../model/jobs.ts";
import { COMPONENT_SHAPE, JOB_SHAPE } from "../model/jobs.ts";
import type { KubernetesRequest } from "../model/kubernetes/request.ts";
import type { JobLife } from "../model/lab/jobLife.ts";
import type { SlurmRequest } from "../model/slurm/request.ts";
import { KubernetesRequests } from "./kubernetesRequests.ts";
import { SlurmRequests } from "./slurmRequest.ts";

/** A wish of the document that can be resolved only when all jobs have their numbers. */
export interface PendingDependency {
  readonly jobDraft: number;
  readonly onId: string;
  readonly kind: DependencyKind;
  readonly delayMs: number;
  /** One met alternative of the job is enough. */
  readonly anyOf: boolean;
  /** Where `onId` is an array: the task that this one waits for; null = all of them. */
  readonly eachId: string | null;
  readonly place: string;
}

/** Strings met so far, each with a number. */
export class Interner {
  readonly list: string[];
  readonly #numbers: Map<string, number>;

  constructor(list: readonly string[] = []) {
    this.list = [...list];
    this.#numbers = new Map(list.map((text, number) => [text, number]));
  }

  /** The number of a text, new or old. */
  add(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.list.length);
    return this.list.push(text) - 1;
  }

  /** The number of a text, or −1. */
  find(text: string): number {
    return this.#numbers.get(text) ?? -1;
  }
}

const NAME_SHAPE = { id: "f64" } as const;

export class JobDraft {
  readonly jobs: Table<typeof JOB_SHAPE>;
  readonly components: Table<typeof COMPONENT_SHAPE>;
  readonly numbers: Table<typeof NAME_SHAPE>;
  readonly idTexts: Map<number, string>;
  readonly nameTexts: Map<number, string>;
  readonly users: Interner;
  readonly gpuModels: Interner;
  readonly migProfiles: Interner;
  readonly dependencies: PendingDependency[];
  /** Members of array jobs, by the id of the array: draft indexes. */
  readonly arrays: Map<string, number[]>;
  /** Ids of `arrays` that are the stages of one job, each after the last. */
  readonly chains: Set<string>;
  /** What jobs ask of Slurm, by draft index. */
  readonly slurm: Map<number, SlurmRequest>;
  readonly slurmRequests: SlurmRequests;
  /** What jobs do in their life, by draft index. */
  readonly lab: Map<number, JobLife>;
  /** What jobs ask of the Kubernetes family, by draft index. */
  readonly kubernetes: Map<number, KubernetesRequest>;
  readonly kubernetesRequests: KubernetesRequests;
  /** Jobs that run one at a time with others of their name and user, and those names; names only once a singleton may come. */
  readonly singletons: Set<number>;
  readonly commonNames: Map<number, string>;
  /** What single jobs leave out: bits of `Missing`. */
  readonly missing: Map<number, number>;

  /** `from`: a draft that this one begins as a copy of. `light`: without what only the finished table reads, which then is known from before: its rows are blank. */
  constructor(capacity = 1024, from: JobDraft | null = null, light = false) {
    const whole = light ? null : from;
    const rowsOf = <S extends Shape>(table: Table<S>) => (light ? table.blank() : table.copy());
    this.jobs = from ? rowsOf(from.jobs) : new Table(JOB_SHAPE, capacity);
    this.components = from ? rowsOf(from.components) : new Table(COMPONENT_SHAPE, capacity);
    this.numbers = from ? rowsOf(from.numbers) : new Table(NAME_SHAPE, capacity);
    this.idTexts = new Map(whole?.idTexts);
    this.nameTexts = new Map(whole?.nameTexts);
    this.users = new Interner(from?.users.list);
    this.gpuModels = new Interner(from?.gpuModels.list);
    this.migProfiles = new Interner(from?.migProfiles.list);
    this.dependencies = [...(from?.dependencies ?? [])];
    this.arrays = new Map([...(from?.arrays ?? [])].map(([id, rows]) => [id, rows.slice()]));
    this.chains = new Set(from?.chains);
    this.slurm = new Map(whole?.slurm);
    this.slurmRequests = from?.slurmRequests ?? new SlurmRequests();
    this.lab = new Map(whole?.lab);
    this.kubernetes = new Map(whole?.kubernetes);
    this.kubernetesRequests = from?.kubernetesRequests ?? new KubernetesRequests();
    this.singletons = new Set(from?.singletons);
    this.commonNames = new Map(from?.commonNames);
    this.missing = new Map(from?.missing);
  }

  get length(): number {
    return this.jobs.length;
  }

  /** A new job row, its first component being the next component row. The caller fills `jobs.at[…][row]`. */
  addJob(): number {
    this.jobs.reserve(1);
    this.numbers.reserve(1);
    const row = this.jobs.length++;
    this.numbers.length++;
    this.jobs.at.firstComponent[row] = this.components.length;
    return row;
  }

  /** Gives a job its id and the name that people read (its id where it has none). */
  nameJob(row: number, id: string, name: string): void {
    this.numbers.at.id[row] = -1;
    this.idTexts.set(row, id);
    this.nameTexts.set(row, name);
  }

  numberJob(row: number, id: number): void {
    this.numbers.at.id[row] = id;
  }

  /** Appends a component to the job that was added last, and counts its devices. */
  addComponent(members: number, minMembers: number, gpus: number, ownNode: boolean): number {
    this.components.reserve(1);
    const row = this.components.length++;
    const { at } = this.components;
    at.members[row] = members;
    at.minMembers[row] = minMembers;
    at.gpus[row] = gpus;
    at.ownNode[row] = ownNode ? 1 : 0;
    const job = this.jobs.length - 1;
    this.jobs.at.gpuTotal[job] = this.jobs.at.gpuTotal[job]! + members * gpus;
    return row;
  }
}

export interface FinishedJobs {
  readonly table: Omit<JobTable, "dependencies">;
  /** Number of each draft row. */
  readonly jobOfDraft: Uint32Array;
}

/**
 * Numbers the jobs of a draft that is not used again (its columns may become those of the table); rows from `injectedFrom` on keep their order behind all others.
 * O(n), O(n log n) where out of order. `before`: a draft that had the same rows up to there, numbered: what it knows of them is copied as it is, and the draft may
 * be a light one.
 */
export function finishJobs(
  draft: JobDraft,
  injectedFrom: number,
  before: FinishedJobs | null = null,
): FinishedJobs {
  if (before !== null) return extendJobs(draft, injectedFrom, before);
  const draftOfJob = orderBySubmit(draft.jobs.at.submitMs, injectedFrom, draft.length);
  const jobOfDraft = new Uint32Array(draft.length);
  for (let job = 0; job < draftOfJob.length; job++) jobOfDraft[draftOfJob[job]!] = job;
  const { at, components } = gather(draft, draftOfJob);
  const same = sameRows(draftOfJob);
  const numbers = takeRows(draft.numbers.at.id, draftOfJob, same);
  const table = finished(draft, at, components, numbers, (ofDraft) =>
    gatherMap(ofDraft, jobOfDraft),
  );
  const inOrder = same === draft.length;
  return { table: inOrder ? table : { ...table, listed: draftOfJob }, jobOfDraft };
}

/** `mapOf`: what single jobs have, by their numbers; `before` is what a draft that this one continues had. */
function finished(
  draft: JobDraft,
  at: JobTable["at"],
  components: JobTable["components"],
  numbers: NameList["numbers"],
  mapOf: <T>(
    ofDraft: ReadonlyMap<number, T>,
    before?: ReadonlyMap<number, T>,
  ) => ReadonlyMap<number, T>,
  before?: FinishedJobs["table"],
): FinishedJobs["table"] {
  const kubernetes = mapOf(draft.kubernetes, before?.kubernetes);
  return {
    count: draft.length,
    at,
    components,
    ids: { numbers, texts: mapOf(draft.idTexts, before?.ids.texts) },
    names: { numbers, texts: mapOf(draft.nameTexts, before?.names.texts) },
    users: draft.users.list,
    gpuModels: draft.gpuModels.list,
    migProfiles: draft.migProfiles.list,
    slurm: mapOf(draft.slurm, before?.slurm),
    lab: mapOf(draft.lab, before?.lab),
    ...(kubernetes.size > 0 ? { kubernetes } : {}),
  };
}

function extendJobs(draft: JobDraft, injectedFrom: number, before: FinishedJobs): FinishedJobs {
  const { table } = before;
  const count = draft.length;
  const jobOfDraft = new Uint32Array(count);
  jobOfDraft.set(before.jobOfDraft.subarray(0, injectedFrom));
  for (let row = injectedFrom; row < count; row++) jobOfDraft[row] = row;
  const { firstComponent: first, ...others } = table.at;
  const { firstComponent: firstAdded, ...added } = draft.jobs.at;
  const ofJobs = new Extended(injectedFrom, count);
  const at = ofJobs.all<Omit<typeof JOB_SHAPE, "firstComponent">>(others, added);
  // Injected jobs stand last in the draft too, so their components have the numbers that they have there.
  const firstComponent = new Uint32Array(count + 1);
  firstComponent.set(first.subarray(0, injectedFrom));
  firstComponent.set(firstAdded.subarray(injectedFrom, count), injectedFrom);
  firstComponent[count] = draft.components.length;
  const ofComponents = new Extended(first[injectedFrom]!, draft.components.length);
  const components = ofComponents.all<typeof COMPONENT_SHAPE>(
    table.components,
    draft.components.at,
  );
  const numbers = ofJobs.of(table.ids.numbers, draft.numbers.at.id);
  const mapOf = <T>(ofDraft: ReadonlyMap<number, T>, known: ReadonlyMap<number, T> = NOTHING) => {
    const tail = new Map([...ofDraft].filter(([row]) => row >= injectedFrom));
    return TailMap.over(known, injectedFrom, table.count, tail);
  };
  const columns = { ...at, firstComponent };
  const made = finished(draft, columns, components, numbers, mapOf, table);
  if (table.listed === undefined) return { table: made, jobOfDraft };
  const listed = Uint32Array.from(jobOfDraft, (_, job) =>
    job < injectedFrom ? table.listed![job]! : job,
  );
  return { table: { ...made, listed }, jobOfDraft };
}

const NOTHING: ReadonlyMap<number, never> = new Map<number, never>();

/** Columns that may be written to after all jobs have their numbers (`slurmDefaults.ts`): each is one of its own. */
const STILL_FILLED: ReadonlySet<string> = new Set(["team", "tier", "queue"]);

/** Columns of which the first rows are copied and the others added; two that were one array, and are given the same, are one again. */
class Extended {
  readonly #kept: number;
  readonly #count: number;
  readonly #made: { readonly from: Column; readonly column: Column }[] = [];

  constructor(kept: number, count: number) {
    this.#kept = kept;
    this.#count = count;
  }

  of<T extends Column>(from: T, by: T): T {
    const kept = this.#kept;
    const rows = by.subarray(kept, this.#count) as T;
    const same = this.#made.find(
      (known) =>
        known.from === from && rows.every((value, i) => Object.is(known.column[kept + i], value)),
    );
    if (same) return same.column as T;
    const column = this.#own(from, by);
    this.#made.push({ from, column });
    return column;
  }

  #own<T extends Column>(from: T, by: T): T {
    const kept = this.#kept;
    const column = new (from.constructor as new (length: number) => T)(this.#count);
    column.set(from.subarray(0, kept));
    column.set(by.subarray(kept, this.#count), kept);
    return column;
  }

  all<S extends Shape>(from: ArraysOf<S>, by: ArraysOf<S>): ArraysOf<S> {
    const columns = Object.keys(from).map((name) => [
      name,
      STILL_FILLED.has(name)
        ? this.#own(from[name] as Column, by[name] as Column)
        : this.of(from[name] as Column, by[name] as Column),
    ]);
    return Object.fromEntries(columns) as ArraysOf<S>;
  }
}

function orderBySubmit(submitMs: Float64Array, injectedFrom: number, count: number): Uint32Array {
  const order = new Uint32Array(count);
  for (let row = 0; row < count; row++) order[row] = row;
  let sorted = true;
  for (let row = 1; row < injectedFrom && sorted; row++)
    sorted = submitMs[row - 1]! <= submitMs[row]!;
  if (!sorted) order.subarray(0, injectedFrom).sort((a, b) => submitMs[a]! - submitMs[b]! || a - b);
  return order;
}

function gather(draft: JobDraft, draftOfJob: Uint32Array) {
  const same = sameRows(draftOfJob);
  const { firstComponent: _, ...shape } = JOB_SHAPE;
  const at = takeColumns<typeof shape>(shape, draft.jobs.at, draftOfJob, same);
  const firstComponent = new Uint32Array(draft.length + 1);
  const components = gatherComponents(draft, draftOfJob, firstComponent);
  return { at: { ...at, firstComponent }, components };
}

/** Copies the components in the order of the jobs and rewrites `firstComponent`, one more entry at its end included. */
function gatherComponents(draft: JobDraft, draftOfJob: Uint32Array, firstComponent: Uint32Array) {
  const count = draft.length;
  const first = draft.jobs.at.firstComponent;
  const componentOf = new Uint32Array(draft.components.length);
  let next = 0;
  for (let job = 0; job < count; job++) {
    const row = draftOfJob[job]!;
    const end = row + 1 < count ? first[row + 1]! : draft.components.length;
    firstComponent[job] = next;
    for (let component = first[row]!; component < end; component++) componentOf[next++] = component;
  }
  firstComponent[count] = next;
  return takeColumns(COMPONENT_SHAPE, draft.components.at, componentOf, sameRows(componentOf));
}

/** How many rows stand at their place from the first on: all of a log, mostly. */
function sameRows(rows: Uint32Array): number {
  let same = 0;
  while (same < rows.length && rows[same] === same) same++;
  return same;
}

/** Rows of columns in another order; the first `same` are copied at once. Where all are at their place and nothing else is there, the draft's own column. */
function takeColumns<S extends Shape>(
  shape: S,
  source: { readonly [name in keyof S]: Column },
  rows: Uint32Array,
  same: number,
): ArraysOf<S> {
  const taken = Object.keys(shape).map((name) => [name, takeRows(source[name]!, rows, same)]);
  return Object.fromEntries(taken) as ArraysOf<S>;
}

function takeRows<T extends Column>(source: T, rows: Uint32Array, same: number): T {
  if (same === source.length && same === rows.length) return source;
  const target = new (source.constructor as new (length: number) => T)(rows.length);
  target.set(source.subarray(0, same));
  for (let row = same; row < rows.length; row++) target[row] = source[rows[row]!]!;
  return target;
}

function gatherMap<T>(ofDraft: ReadonlyMap<number, T>, jobOfDraft: Uint32Array): Map<number, T> {
  const gathered = new Map<number, T>();
  for (const [row, value] of ofDraft) gathered.set(jobOfDraft[row]!, value);
  return gathered;
}
