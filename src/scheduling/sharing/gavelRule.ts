/**
 * Gavel, heterogeneity-aware max-min fairness (Narayanan et al., OSDI 2020): each job is to run so much of its time on each device model that
 * the least progress, against the progress it would make on an equal part of every model, is as large as possible. A linear programme over
 * kinds of jobs (same size, same speeds) gives the allocation X; in rounds, the job and model whose X is largest against the time it
 * has had there go first. Ties: submit time, job index. O(active jobs) a round, and a programme where the kinds have changed.
 *
 * Speeds come from the document (`gpuModels` of a job); a job without a list runs on every model at speed 1. Not modelled: space sharing
 * of one device by two jobs, learning of speeds, levels above the least (idle devices go to whoever is next in line).
 * Pathology: one job that is slow everywhere pulls nobody down, but one that only fits a scarce model bounds the level of all of its kind.
 */

import { Grant } from "../../engine/grant.ts";
import type { PoolView } from "../../engine/view.ts";
import { JobStateCode } from "../../model/states.ts";
import { SPEED_ONE } from "../../model/units.ts";
import type { JobRule } from "./jobRule.ts";
import { maximize } from "./simplex.ts";

/** Part of a round that counts as had before the first. */
const FIRST_ROUND = 0.01;
/** Weight of the mean progress beside the least. */
const SUM_WEIGHT = 1e-4;
/** An equal progress below this is lifted, so that the rows of slow kinds count as much as others and the programme takes none of their numbers for nothing. */
const FAINT = 1 / 2;
/** What a promise may be beyond its limit, of rounding alone. */
const ROUNDING = 1e-10;

interface Received {
  /** Ms on each model up to `sinceMs`. */
  readonly onModel: readonly number[];
  /** The model it runs on since then; −1 = none. */
  readonly model: number;
  readonly sinceMs: number;
}

/** Jobs of one size and the same speeds by model. */
interface Kind {
  readonly count: number;
  readonly devices: number;
  readonly speeds: readonly number[];
}

export interface GavelBooks {
  readonly models: readonly string[];
  /** By job that lives and has run. Entries are replaced, never changed. */
  readonly received: Map<number, Received>;
  /** Part of its time that a job of a kind is to spend on each model, by kind. */
  allocation: ReadonlyMap<string, readonly number[]>;
  /** Kinds, numbers and devices that `allocation` is for. */
  solvedFor: string;
  readonly roundMs: number;
  /** False: every model on which a job can run counts as the same, as in the paper's baselines. */
  readonly speedsKnown: boolean;
}

const held = new Grant();

/** Device models of the cluster, in order of its node groups. */
function modelsOf(view: PoolView): string[] {
  return [...new Set(view.cluster.groups.map((group) => group.gpuModel))];
}

export function modelOfNode(view: PoolView, models: readonly string[], node: number): number {
  return models.indexOf(view.cluster.groups[view.cluster.nodeGroup[node]!]!.gpuModel);
}

/** Speed of a job on each model, 1 = as its work says; 0 = it cannot run there. O(models). */
function speedsOf(view: PoolView, models: readonly string[], jobIdx: number): number[] {
  const { at, components, gpuModels, lab } = view.jobs;
  const only = components.gpuModel[at.firstComponent[jobIdx]!]!;
  const wishes = lab.get(jobIdx)?.nodes?.models ?? [];
  return models.map((model) => {
    if (only > 0 && gpuModels[only - 1] !== model) return 0;
    if (wishes.length === 0) return 1;
    return (wishes.find((wish) => wish.model === model)?.speedQ16 ?? 0) / SPEED_ONE;
  });
}

/** Speeds as the allocation sees them. */
function seenSpeeds({ models, speedsKnown }: GavelBooks, view: PoolView, jobIdx: number): number[] {
  const speeds = speedsOf(view, models, jobIdx);
  return speedsKnown ? speeds : speeds.map((speed) => (speed > 0 ? 1 : 0));
}

function kindOf(books: GavelBooks, view: PoolView, jobIdx: number): string {
  return `${view.jobs.at.gpuTotal[jobIdx]!}:${seenSpeeds(books, view, jobIdx).join(",")}`;
}

/**
 * Max-min allocation over kinds of jobs: for each kind the part of its time on each model. `count` jobs of `devices` devices with `speeds`
 * by model share `capacity` devices by model. A kind for none of whose models there is a device gets no time and bounds nobody: its equal
 * progress is 0, and without another kind the level would have no bound. Nor is a model without devices looked at.
 */
export function maxMinAllocation(kinds: readonly Kind[], capacity: readonly number[]): number[][] {
  const all = capacity.reduce((sum, devices) => sum + devices, 0);
  const equalOf = ({ speeds }: Kind): number =>
    all === 0 ? 0 : speeds.reduce((sum, speed, at) => sum + (speed * capacity[at]!) / all, 0);
  const equals = kinds.map(equalOf);
  const served = kinds.flatMap((_, at) => (equals[at]! > 0 ? [at] : []));
  const found = allocate(
    served.map((at) => {
      const { speeds, ...kind } = kinds[at]!;
      return { ...kind, speeds: speeds.map((speed, model) => (capacity[model]! > 0 ? speed : 0)) };
    }),
    served.map((at) => equals[at]!),
    capacity,
  );
  const x = kinds.map(() => capacity.map(() => 0));
  served.forEach((kind, at) => {
    x[kind] = found[at]!;
  });
  return x;
}

/** The programme for kinds of which each makes some progress on an equal part, `equals`. */
function allocate(
  kinds: readonly Kind[],
  equals: readonly number[],
  capacity: readonly number[],
): number[][] {
  if (kinds.length === 0) return [];
  const models = capacity.length;
  const columns = kinds.length * models + 1;
  const rows: number[][] = [];
  const b: number[] = [];
  kinds.forEach((kind, at) => {
    // By powers of two, which leave every digit as it is.
    let lift = 1;
    while (equals[at]! * lift < FAINT) lift *= 2;
    // Least progress × equal progress ≤ progress; and nobody runs more than all the time.
    const progress = new Array<number>(columns).fill(0);
    const time = new Array<number>(columns).fill(0);
    kind.speeds.forEach((speed, model) => {
      progress[at * models + model] = -speed * kind.devices * lift;
      time[at * models + model] = 1;
    });
    progress[columns - 1] = equals[at]! * lift;
    rows.push(progress, time);
    b.push(0, 1);
  });
  capacity.forEach((devices, model) => {
    const used = new Array<number>(columns).fill(0);
    kinds.forEach((kind, at) => {
      used[at * models + model] = kind.count * kind.devices;
    });
    rows.push(used);
    b.push(devices);
  });
  // The least progress counts first; among equals the sum, so that nobody idles where the least cannot be raised.
  const goal = new Array<number>(columns).fill(0);
  goal[columns - 1] = 1;
  const jobs = kinds.reduce((sum, kind) => sum + kind.count, 0);
  kinds.forEach((kind, at) => {
    kind.speeds.forEach((speed, model) => {
      goal[at * models + model] = (SUM_WEIGHT * speed * kind.count) / jobs;
    });
  });
  const x = maximize(goal, rows, b);
  const parts = kinds.map((_, at) => Array.from(x.subarray(at * models, (at + 1) * models)));
  return withinLimits(parts, kinds, capacity);
}

/**
 * Takes back what is promised beyond the limits. Speeds of 1 and of 1/65,536 beside each other cost the programme so many digits that, once in some thousands of pools, a part is
 * below nothing or a model is promised beyond what it has. O(kinds × models).
 */
function withinLimits(
  parts: readonly (readonly number[])[],
  kinds: readonly Kind[],
  capacity: readonly number[],
): number[][] {
  const x = parts.map((ofKind) => {
    const some = ofKind.map((part) => Math.max(0, part));
    const all = some.reduce((sum, part) => sum + part, 0);
    return all > 1 + ROUNDING ? some.map((part) => part / all) : some;
  });
  capacity.forEach((devices, model) => {
    const used = kinds.reduce((sum, { count, devices: each }, at) => {
      return sum + count * each * x[at]![model]!;
    }, 0);
    if (used <= devices + ROUNDING) return;
    for (const ofKind of x) ofKind[model] = (ofKind[model]! * devices) / used;
  });
  return x;
}

function solve(books: GavelBooks, view: PoolView, active: () => readonly number[]): void {
  const count = new Map<string, { count: number; devices: number; speeds: number[] }>();
  for (const jobIdx of active()) {
    const speeds = seenSpeeds(books, view, jobIdx);
    const kind = kindOf(books, view, jobIdx);
    const known = count.get(kind);
    if (known !== undefined) known.count++;
    else if (speeds.some((speed) => speed > 0)) {
      count.set(kind, { count: 1, devices: Math.max(1, view.jobs.at.gpuTotal[jobIdx]!), speeds });
    }
  }
  const capacity = books.models.map(() => 0);
  for (const node of view.nodes) {
    const model = modelOfNode(view, books.models, node);
    capacity[model]! += view.cluster.deviceBase[node + 1]! - view.cluster.deviceBase[node]!;
  }
  const names = [...count.keys()].sort();
  const solvedFor = `${capacity.join()}|${names.map((name) => `${name}x${count.get(name)!.count}`).join()}`;
  if (solvedFor === books.solvedFor) return;
  books.solvedFor = solvedFor;
  const found = maxMinAllocation(
    names.map((name) => count.get(name)!),
    capacity,
  );
  books.allocation = new Map(names.map((name, at) => [name, found[at]!]));
}

/**
 * How much a job is due on a model: its part of time there against the part it has had; who has not had its first round there stands before
 * all that have, as in the paper, where it is infinite; 0 = it is not to run there. Larger goes first.
 */
export function dueOn(books: GavelBooks, view: PoolView, jobIdx: number, model: number): number {
  const part = books.allocation.get(kindOf(books, view, jobIdx))?.[model] ?? 0;
  if (part <= 0) return 0;
  const entry = books.received.get(jobIdx);
  let hadMs = entry?.onModel[model] ?? 0;
  if (entry?.model === model) hadMs += view.nowMs - entry.sinceMs;
  const livedMs = view.nowMs - view.jobs.at.submitMs[jobIdx]!;
  return (part * (livedMs + books.roundMs)) / (hadMs + FIRST_ROUND * books.roundMs);
}

/** The model that a job is most due on, −1 = none. */
function dueModel(books: GavelBooks, view: PoolView, jobIdx: number): number {
  let best = -1;
  let most = 0;
  for (let model = 0; model < books.models.length; model++) {
    const due = dueOn(books, view, jobIdx, model);
    if (due > most) {
      best = model;
      most = due;
    }
  }
  return best;
}

function noteReceived(books: GavelBooks, view: PoolView, jobIdx: number): void {
  const state = view.jobState[jobIdx]!;
  if (state === JobStateCode.done) {
    books.received.delete(jobIdx);
    return;
  }
  let model = -1;
  if (state >= JobStateCode.placed) {
    held.clear();
    view.holdings(jobIdx, held);
    if (held.length > 0) model = modelOfNode(view, books.models, held.node[0]!);
  }
  const before = books.received.get(jobIdx);
  if (before === undefined && model < 0) return;
  const onModel = before === undefined ? books.models.map(() => 0) : [...before.onModel];
  if (before !== undefined && before.model >= 0) {
    onModel[before.model]! += view.nowMs - before.sinceMs;
  }
  books.received.set(jobIdx, { onModel, model, sinceMs: view.nowMs });
}

export const gavelRule: JobRule<GavelBooks> = {
  create: (view, { settings }) => ({
    models: modelsOf(view),
    received: new Map(),
    allocation: new Map(),
    solvedFor: "",
    roundMs: Math.max(1, Number(settings["roundMs"] ?? 0)),
    speedsKnown: settings["speedsKnown"] !== false,
  }),
  copy: (books) => ({ ...books, received: new Map(books.received) }),
  everyMs: ({ roundMs }) => (Number(roundMs ?? 0) > 0 ? Number(roundMs) : 360_000),
  prepare: solve,
  key: (books, view, jobIdx) => {
    const model = dueModel(books, view, jobIdx);
    return model < 0 ? 0 : -dueOn(books, view, jobIdx, model);
  },
  held: noteReceived,
};
