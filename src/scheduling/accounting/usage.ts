/**
 * Usage of every association and every QOS: what their jobs were billed, and the resource-seconds behind limits on minutes. Old
 * usage fades at each tick, and a running job's is added at ticks and at its end, itself faded by the time it stands for; so
 * Slurm 22.05 counts (recordings 09a, 09b). A second fades by 1 − 0.693 / half-life: a little more than half in a half-life.
 *
 * Amounts are held divided by `scale`, and fading changes only `scale`: a tick at which nothing ran costs one multiplication,
 * however many associations there are, and leaves every ratio between them exactly as it was. Slurm's clock has whole seconds.
 */
import pow from "@stdlib/math-base-special-pow";
import type { PriorityConfig, SlurmQos, TresAmounts } from "../../model/slurm/config.ts";
import type { AssociationTree } from "./associations.ts";
import { nextResetSec } from "./resetPeriod.ts";
import type { ShareTree } from "./shares.ts";
import { sharesOf } from "./shares.ts";

/** What does not change during a run; copies share it. */
export interface UsageSetup {
  readonly tree: AssociationTree;
  readonly shares: ShareTree;
  readonly config: PriorityConfig;
  readonly qos: readonly SlurmQos[];
  /** TRES whose seconds are counted besides what is billed. */
  readonly tres: readonly string[];
  /** What is left of a usage after one second. */
  readonly decayFactor: number;
  /** priority/basic counts no usage. */
  readonly counts: boolean;
}

/** A running job as it is billed. Never changed: copies share it. */
export interface Charge {
  /** Entry of the association tree; −1 = none. */
  readonly assoc: number;
  readonly qos: number;
  /** QOS of its partition, where it is another one; −1 = none. */
  readonly partitionQos: number;
  readonly startSec: number;
  /** Unrounded (`billableTres`). */
  readonly billable: number;
  /** By `UsageSetup.tres`. */
  readonly tres: Float64Array;
}

/** Columns of one kind of holder: billed seconds, wall seconds, TRES-seconds; divided by the scale where they fade. */
export interface UsageColumns {
  readonly billed: Float64Array;
  readonly wall: Float64Array;
  readonly tres: Float64Array;
}

export interface Usage {
  readonly setup: UsageSetup;
  readonly assoc: UsageColumns;
  /** A QOS with `NoDecay` holds its amounts undivided. */
  readonly qos: UsageColumns;
  readonly charges: Map<number, Charge>;
  scale: number;
  /** The last time span that was asked for and what it leaves: nearly always a whole period. */
  lastFadeSec: number;
  lastFade: number;
  lastTickSec: number;
  nextResetSec: number;
  /** Ticks whose fair share can still differ from the last: usage was added. */
  staleTicks: number;
  /** As of the last tick, by entry. Values of the fair-share formula in use (`priority/`). */
  readonly normUsage: Float64Array;
  readonly effective: Float64Array;
  /** Fair Tree only: LevelFS, rank / number of users, and siblings by rank, laid out like `ShareTree.below`. */
  readonly levelFs: Float64Array;
  readonly rankFactor: Float64Array;
  readonly ranked: Int32Array;
}

/** ln 2 with the digits that slurmctld gives it. */
const LN_2 = 693 / 1000;
const SMALLEST_FACTOR = 2.2250738585072014e-308;
/** Powers of two, so that moving them between amounts and scale is exact. */
const SMALL_SCALE = 2 ** -300;
const LARGE_SCALE = 2 ** 300;

/** Whole seconds of slurmctld's clock. */
export function secondOf(ms: number): number {
  return Math.floor(ms / 1000);
}

/** Usage of nobody, at the start of slurmctld (`startMs`). `tres`: those that limits on minutes name. */
export function createUsage(
  tree: AssociationTree,
  config: PriorityConfig,
  qos: readonly SlurmQos[],
  tres: readonly string[],
  startMs: number,
): Usage {
  const halfLifeSec = Math.floor(config.decayHalfLifeMs / 1000);
  const shares = sharesOf(tree, config.fairTree);
  const setup = {
    tree,
    shares,
    config,
    qos,
    tres,
    decayFactor: halfLifeSec > 0 ? 1 - LN_2 / halfLifeSec : 1,
    counts: config.type === "multifactor",
  };
  const lastTickSec = secondOf(startMs);
  return {
    setup,
    assoc: columns(tree.count, tres.length),
    qos: columns(qos.length, tres.length),
    charges: new Map(),
    scale: 1,
    lastFadeSec: 0,
    lastFade: 1,
    lastTickSec,
    nextResetSec: nextResetSec(config.usageResetPeriod, lastTickSec),
    staleTicks: 1,
    normUsage: new Float64Array(tree.count),
    effective: new Float64Array(tree.count),
    levelFs: new Float64Array(tree.count),
    rankFactor: new Float64Array(tree.count),
    ranked: shares.below.slice(),
  };
}

function columns(rows: number, tres: number): UsageColumns {
  return {
    billed: new Float64Array(rows),
    wall: new Float64Array(rows),
    tres: new Float64Array(rows * tres),
  };
}

function copyColumns(of: UsageColumns): UsageColumns {
  return { billed: of.billed.slice(), wall: of.wall.slice(), tres: of.tres.slice() };
}

/** A copy that shares only what never changes. O(entries + running jobs). */
export function copyUsage(usage: Usage): Usage {
  return {
    ...usage,
    assoc: copyColumns(usage.assoc),
    qos: copyColumns(usage.qos),
    charges: new Map(usage.charges),
    normUsage: usage.normUsage.slice(),
    effective: usage.effective.slice(),
    levelFs: usage.levelFs.slice(),
    rankFactor: usage.rankFactor.slice(),
    ranked: usage.ranked.slice(),
  };
}

/** A job starts to be billed. All ticks up to `startMs` must have run. O(TRES). */
export function chargeStart(
  usage: Usage,
  jobIdx: number,
  job: { readonly assoc: number; readonly qos: number; readonly partitionQos: number },
  allocated: TresAmounts,
  billable: number,
  startMs: number,
): void {
  if (!usage.setup.counts) return;
  usage.charges.set(jobIdx, {
    assoc: job.assoc,
    qos: job.qos,
    partitionQos: job.partitionQos === job.qos ? -1 : job.partitionQos,
    startSec: secondOf(startMs),
    billable,
    tres: Float64Array.from(usage.setup.tres, (name) => allocated[name] ?? 0),
  });
}

/** A run is over: its usage since the last tick is added at once; fair share follows at the next tick. O(depth × TRES). */
export function chargeEnd(usage: Usage, jobIdx: number, endMs: number): void {
  const charge = usage.charges.get(jobIdx);
  if (charge === undefined) return;
  usage.charges.delete(jobIdx);
  bill(usage, charge, secondOf(endMs));
}

/** Adds what running jobs used since the last tick. O(running jobs × depth × TRES). */
export function billRunning(usage: Usage, nowSec: number): void {
  for (const charge of usage.charges.values()) bill(usage, charge, nowSec);
}

/** What so many seconds leave of a usage. */
export function fadeOver(usage: Usage, seconds: number): number {
  if (seconds !== usage.lastFadeSec) {
    usage.lastFadeSec = seconds;
    usage.lastFade = Math.max(SMALLEST_FACTOR, pow(usage.setup.decayFactor, seconds));
  }
  return usage.lastFade;
}

/** Old usage fades. O(1), and O(entries × TRES) about once in 300 half-lives. */
export function fadeAll(usage: Usage, factor: number): void {
  usage.scale *= factor;
  if (usage.scale >= SMALL_SCALE) return;
  // Far below that nothing is left of any usage, and the scale would underflow.
  const by = usage.scale < SMALL_SCALE * SMALL_SCALE ? 0 : SMALL_SCALE;
  rescale(usage.assoc, by);
  usage.setup.qos.forEach((qos, index) => {
    if (!qos.noDecay) rescaleRow(usage.qos, index, usage.setup.tres.length, by);
  });
  usage.scale = by === 0 ? 1 : usage.scale * LARGE_SCALE;
}

function rescale(of: UsageColumns, by: number): void {
  for (const column of [of.billed, of.wall, of.tres]) {
    for (let at = 0; at < column.length; at++) column[at]! *= by;
  }
}

function rescaleRow(of: UsageColumns, row: number, width: number, by: number): void {
  of.billed[row]! *= by;
  of.wall[row]! *= by;
  for (let at = row * width; at < (row + 1) * width; at++) of.tres[at]! *= by;
}

/** `PriorityUsageResetPeriod`: everything used so far is forgotten. */
export function resetUsage(usage: Usage): void {
  for (const holder of [usage.assoc, usage.qos]) {
    for (const column of [holder.billed, holder.wall, holder.tres]) column.fill(0);
  }
  usage.scale = 1;
  noteChange(usage);
}

/** The classic formula norms accounts by the usage before a tick, so that a change shows in two ticks. */
function noteChange(usage: Usage): void {
  usage.staleTicks = usage.setup.config.fairTree ? 1 : 2;
}

function bill(usage: Usage, charge: Charge, endSec: number): void {
  const { setup } = usage;
  const runSec = endSec - Math.max(charge.startSec, usage.lastTickSec);
  if (runSec <= 0) return;
  const qosFactor = setup.qos[charge.qos]?.usageFactor ?? 1;
  const fadedSec = runSec * fadeOver(usage, runSec) * qosFactor;
  const heldSec = fadedSec / usage.scale;
  for (let entry = charge.assoc; entry >= 0; entry = setup.tree.parent[entry]!) {
    add(usage.assoc, entry, charge, heldSec);
  }
  for (const qos of [charge.qos, charge.partitionQos]) {
    if (qos < 0) continue;
    add(usage.qos, qos, charge, setup.qos[qos]!.noDecay ? runSec * qosFactor : heldSec);
  }
  noteChange(usage);
}

function add(to: UsageColumns, row: number, charge: Charge, seconds: number): void {
  const { tres, billable } = charge;
  to.billed[row]! += seconds * billable;
  to.wall[row]! += seconds;
  for (let at = 0; at < tres.length; at++) to.tres[row * tres.length + at]! += seconds * tres[at]!;
}

/** Billed TRES-seconds of an entry (RawUsage of `sshare`), unrounded. */
export function rawUsage(usage: Usage, entry: number): number {
  return usage.assoc.billed[entry]! * usage.scale;
}
