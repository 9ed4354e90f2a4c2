/**
 * What limits are held against: jobs submitted and running, resources in use and resource-minutes still to run, for each
 * association, each QOS, and each user and account within a QOS. A job counts for its entry and all above, and for its own QOS as
 * well as that of its partition; what it was counted under is kept with it, so that it is taken off where it was put on.
 * Counting follows sacctmgr(1) and "Resource Limits" of the Slurm manual.
 *
 *     row    0 … entries−1   entries … +QOS−1     then, as they appear: (QOS, user), (QOS, account)
 */
import type { SlurmConfig, TresAmounts } from "../../model/slurm/config.ts";
import type { AssociationTree } from "../accounting/associations.ts";
import { type LimitLists, type LimitSetup, limitSetup, listsOf } from "./limitSetup.ts";

/** What limits see of a job. Times in ms. */
export interface LimitJob {
  readonly jobIdx: number;
  /** Index of the user. */
  readonly user: number;
  /** Entry of the association tree; −1 = none. */
  readonly assoc: number;
  /** Index into the QOS of the books; −1 = none. */
  readonly qos: number;
  /** Index into the partitions of the books: the one that it is looked at in, or runs in; −1 = none. */
  readonly partition: number;
  /** Time limit; `Infinity` = none. */
  readonly limitMs: number;
}

/** Usage so far, as of the last tick: what minutes are held against. Minutes are resource-minutes with the QOS's factor. */
export interface LimitUsage {
  readonly nowMs: number;
  assocTresMins(entry: number, tres: string): number;
  qosTresMins(qos: number, tres: string): number;
  assocWallMs(entry: number): number;
  qosWallMs(qos: number): number;
  /** Fair-share factor of an entry, 0 … 1. */
  fairShare(entry: number): number;
}

/** The nodes of a run: `node[0 … length−1]`, by number. */
export interface NodesTaken {
  readonly length: number;
  readonly node: ArrayLike<number>;
}

/** Where a job is counted. Replaced, never changed: copies of the books share it. */
interface Charge {
  readonly rows: readonly number[];
  readonly accrues: boolean;
  /** Amounts of the counted resources while it runs. */
  readonly tres: Float64Array | null;
  /** End by time limit, seconds; the limit itself where run-minutes do not shrink. */
  readonly endSec: number;
  readonly startSec: number;
  readonly factor: number;
  /** Its nodes, where nodes are limited and it is known which; null = by number only. */
  readonly nodes: Int32Array | null;
}

export interface LimitBooks {
  readonly setup: LimitSetup;
  rows: number;
  /** Row of (QOS, user) and (QOS, account), by `pairKey`. */
  readonly rowOf: Map<number, number>;
  submitted: Int32Array;
  running: Int32Array;
  accruing: Int32Array;
  /** Per row and counted resource: in use. */
  tres: Float64Array;
  /** Per row and counted resource: Σ amount × factor × `endSec`, and Σ amount × factor. */
  endWeight: Float64Array;
  weight: Float64Array;
  /** Per row: different nodes in use. Several jobs on one node take it once. */
  nodesUsed: Int32Array;
  /** Jobs of a row on a node, by `row × NODES + node`. */
  readonly jobsOnNode: Map<number, number>;
  readonly charges: Map<number, Charge>;
  /** Jobs by their starts since some time before the last tick: time before its start is not taken off a job's minutes. */
  recent: readonly number[];
}

/** Seconds that stand for no time limit: Slurm's largest number of minutes. */
const UNLIMITED_SEC = 4_294_967_295 * 60;
const PAIRS = 4_194_304;
const NODES = 65_536;

/** Empty books. `lists` is what jobs index, where it differs from the configuration. O(entries × limits). */
export function createLimitBooks(
  config: SlurmConfig,
  tree: AssociationTree,
  lists: LimitLists = listsOf(config),
): LimitBooks {
  const setup = limitSetup(config, tree, lists);
  const rows = tree.count + lists.qos.length;
  const width = setup.tres.length;
  return {
    setup,
    rows,
    rowOf: new Map(),
    submitted: new Int32Array(rows),
    running: new Int32Array(rows),
    accruing: new Int32Array(rows),
    tres: new Float64Array(rows * width),
    endWeight: new Float64Array(rows * width),
    weight: new Float64Array(rows * width),
    nodesUsed: new Int32Array(rows),
    jobsOnNode: new Map(),
    charges: new Map(),
    recent: [],
  };
}

/** A copy that shares nothing that changes. O(rows + living jobs). */
export function copyLimitBooks(books: LimitBooks): LimitBooks {
  return {
    ...books,
    rowOf: new Map(books.rowOf),
    submitted: books.submitted.slice(),
    running: books.running.slice(),
    accruing: books.accruing.slice(),
    tres: books.tres.slice(),
    endWeight: books.endWeight.slice(),
    weight: books.weight.slice(),
    nodesUsed: books.nodesUsed.slice(),
    jobsOnNode: new Map(books.jobsOnNode),
    charges: new Map(books.charges),
  };
}

/** The QOS whose limits hold for a job, the one that is asked first in front: the partition's, unless the job's says `OverPartQOS`. */
export function qosOrder(setup: LimitSetup, job: LimitJob): readonly number[] {
  const ofPartition = setup.partitionQos[job.partition] ?? -1;
  if (job.qos < 0) return ofPartition < 0 ? [] : [ofPartition];
  if (ofPartition < 0 || ofPartition === job.qos) return [job.qos];
  return setup.qos[job.qos]!.overPartQos ? [job.qos, ofPartition] : [ofPartition, job.qos];
}

/** The row in which a QOS is counted, behind those of the associations. */
export function qosRow(setup: LimitSetup, qos: number): number {
  return setup.tree.count + qos;
}

/** Row of a user within a QOS; −1 while no job of the user has been counted there. O(1). */
export function userRow(books: LimitBooks, qos: number, user: number): number {
  return books.rowOf.get((2 * qos + 1) * PAIRS + user) ?? -1;
}

/** Row of a job's account within a QOS; −1 while none of its jobs has been counted there. O(1). */
export function accountRow(books: LimitBooks, qos: number, entry: number): number {
  return books.rowOf.get(2 * qos * PAIRS + (books.setup.accountOf[entry] ?? PAIRS - 1)) ?? -1;
}

/** Minutes of a resource still to run under a row's time limits. `nowMs`: the last tick. O(starts since then). */
export function runMinutes(books: LimitBooks, row: number, tresIdx: number, nowMs: number): number {
  if (row < 0) return 0;
  const at = row * books.setup.tres.length + tresIdx;
  if (!books.setup.runMinsShrink) return Math.max(0, books.endWeight[at]!) / 60;
  const tickSec = Math.floor(nowMs / 1000);
  let seconds = books.endWeight[at]! - books.weight[at]! * tickSec;
  for (const jobIdx of books.recent) {
    const charge = books.charges.get(jobIdx);
    if (!charge?.tres || charge.startSec <= tickSec || !charge.rows.includes(row)) continue;
    seconds -= charge.tres[tresIdx]! * charge.factor * (charge.startSec - tickSec);
  }
  return Math.max(0, seconds) / 60;
}

/** O(starts of a period). */
function noteStart(books: LimitBooks, jobIdx: number, startSec: number): void {
  const { tres, runMinsShrink, tickEverySec } = books.setup;
  if (!runMinsShrink || tres.length === 0) return;
  const since = startSec - tickEverySec;
  const kept = books.recent.filter((one) => {
    const started = books.charges.get(one)?.startSec ?? since;
    return one !== jobIdx && started > since;
  });
  books.recent = [...kept, jobIdx];
}

/** Counts a job as submitted. */
export function onSubmit(books: LimitBooks, job: LimitJob): void {
  if (books.setup.idle || books.charges.has(job.jobIdx)) return;
  const rows = rowsOf(books, job);
  for (const row of rows) books.submitted[row]! += 1;
  const charge = {
    rows,
    accrues: false,
    tres: null,
    endSec: 0,
    startSec: 0,
    factor: 1,
    nodes: null,
  };
  books.charges.set(job.jobIdx, charge);
}

/**
 * Counts a submitted job as running from `startMs` with these resources, in the partition that it runs in. `nodes`: which ones it is
 * on, so that nodes that jobs share are counted once.
 */
export function onStart(
  books: LimitBooks,
  job: LimitJob,
  tres: TresAmounts,
  startMs: number,
  nodes: NodesTaken | null = null,
): void {
  if (books.setup.idle) return;
  onLeave(books, job);
  onSubmit(books, job);
  const { setup } = books;
  const limitSec =
    job.limitMs === Number.POSITIVE_INFINITY ? UNLIMITED_SEC : Math.ceil(job.limitMs / 1000);
  const startSec = Math.floor(startMs / 1000);
  const amounts = Float64Array.from(setup.tres, (name) => tres[name] ?? 0);
  const counted = nodes !== null && setup.tres.includes("node");
  const charge: Charge = {
    rows: books.charges.get(job.jobIdx)!.rows,
    accrues: false,
    tres: amounts,
    endSec: setup.runMinsShrink ? startSec + limitSec : limitSec,
    startSec,
    factor: setup.qos[job.qos]?.usageFactor ?? 1,
    nodes: counted ? Int32Array.from({ length: nodes.length }, (_, at) => nodes.node[at]!) : null,
  };
  books.charges.set(job.jobIdx, charge);
  countRun(books, charge, 1);
  noteStart(books, job.jobIdx, startSec);
}

/** The run is over and the job pends again (a requeue): it stays counted as submitted. */
export function onEnd(books: LimitBooks, job: LimitJob): void {
  const charge = books.charges.get(job.jobIdx);
  if (charge === undefined || charge.tres === null) return;
  countRun(books, charge, -1);
  books.charges.set(job.jobIdx, { ...charge, tres: null, nodes: null });
}

/** The job is gone, from the queue or from its nodes: it counts no more. */
export function onLeave(books: LimitBooks, job: LimitJob): void {
  const charge = books.charges.get(job.jobIdx);
  if (charge === undefined) return;
  if (charge.tres !== null) countRun(books, charge, -1);
  setAccruing(books, job.jobIdx, false);
  for (const row of charge.rows) books.submitted[row]! -= 1;
  books.charges.delete(job.jobIdx);
}

/** QOS, account or partition of a job changed, pending or running: `job` is the job as it is now. */
export function onChangeQos(books: LimitBooks, job: LimitJob): void {
  const before = books.charges.get(job.jobIdx);
  if (before === undefined) return;
  onLeave(books, job);
  onSubmit(books, job);
  if (before.accrues) setAccruing(books, job.jobIdx, true);
  if (before.tres === null) return;
  const factor = books.setup.qos[job.qos]?.usageFactor ?? 1;
  const charge = { ...before, rows: books.charges.get(job.jobIdx)!.rows, factor };
  books.charges.set(job.jobIdx, charge);
  countRun(books, charge, 1);
}

/** Counts a pending job among those whose age grows (`MaxJobsAccrue`), or takes it out. */
export function setAccruing(books: LimitBooks, jobIdx: number, accrues: boolean): void {
  const charge = books.charges.get(jobIdx);
  if (charge === undefined || charge.accrues === accrues) return;
  for (const row of charge.rows) books.accruing[row]! += accrues ? 1 : -1;
  books.charges.set(jobIdx, { ...charge, accrues });
}

function rowsOf(books: LimitBooks, job: LimitJob): number[] {
  const { setup } = books;
  const rows: number[] = [];
  for (let entry = job.assoc; entry >= 0; entry = setup.tree.parent[entry]!) rows.push(entry);
  for (const qos of qosOrder(setup, job)) {
    rows.push(qosRow(setup, qos), pairRow(books, (2 * qos + 1) * PAIRS + job.user));
    if (job.assoc >= 0) rows.push(pairRow(books, 2 * qos * PAIRS + setup.accountOf[job.assoc]!));
  }
  return rows;
}

function pairRow(books: LimitBooks, key: number): number {
  const known = books.rowOf.get(key);
  if (known !== undefined) return known;
  const row = books.rows++;
  if (row >= books.submitted.length) grow(books);
  books.rowOf.set(key, row);
  return row;
}

function grow(books: LimitBooks): void {
  const rows = books.submitted.length * 2 + 8;
  const width = books.setup.tres.length;
  books.submitted = longer(books.submitted, new Int32Array(rows));
  books.running = longer(books.running, new Int32Array(rows));
  books.accruing = longer(books.accruing, new Int32Array(rows));
  books.tres = longer(books.tres, new Float64Array(rows * width));
  books.endWeight = longer(books.endWeight, new Float64Array(rows * width));
  books.nodesUsed = longer(books.nodesUsed, new Int32Array(rows));
  books.weight = longer(books.weight, new Float64Array(rows * width));
}

function longer<T extends Int32Array | Float64Array>(from: T, into: T): T {
  into.set(from);
  return into;
}

function countRun(books: LimitBooks, charge: Charge, sign: 1 | -1): void {
  const amounts = charge.tres!;
  const nodeIdx = books.setup.tres.indexOf("node");
  for (const row of charge.rows) {
    books.running[row]! += sign;
    if (charge.nodes !== null) countNodes(books, row, charge.nodes, sign);
    else if (nodeIdx >= 0) books.nodesUsed[row]! += sign * amounts[nodeIdx]!;
    for (let tresIdx = 0; tresIdx < amounts.length; tresIdx++) {
      const at = row * amounts.length + tresIdx;
      const amount = sign * amounts[tresIdx]!;
      books.tres[at]! += amount;
      books.weight[at]! += amount * charge.factor;
      books.endWeight[at]! += amount * charge.factor * charge.endSec;
    }
  }
}

function countNodes(books: LimitBooks, row: number, nodes: Int32Array, sign: 1 | -1): void {
  for (const node of nodes) {
    const key = row * NODES + node;
    const jobs = (books.jobsOnNode.get(key) ?? 0) + sign;
    if (jobs === 0) books.jobsOnNode.delete(key);
    else books.jobsOnNode.set(key, jobs);
    if (jobs === 0) books.nodesUsed[row]! -= 1;
    else if (jobs === 1 && sign === 1) books.nodesUsed[row]! += 1;
  }
}

/** How many of these nodes no job of a row is on yet. O(nodes). */
export function newNodes(books: LimitBooks, row: number, nodes: NodesTaken): number {
  let count = 0;
  for (let at = 0; at < nodes.length; at++)
    if (row < 0 || !books.jobsOnNode.has(row * NODES + nodes.node[at]!)) count++;
  return count;
}
