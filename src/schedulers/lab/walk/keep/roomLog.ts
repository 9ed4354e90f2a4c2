/**
 * Where the room of the walk's profile of runs has grown or shrunk, row by row: a node (−1 on a flat machine), and until when. What was planned on the
 * profile at some row still holds if no later row matters to it (`stillKept.ts`). Rows are numbered without end; old ones are forgotten.
 */
import type { Placing } from "../../../../scheduling/placement/placing.ts";

export interface RoomLog {
  /** Number of the first row that is remembered. */
  first: number;
  readonly node: number[];
  readonly toMs: number[];
  readonly grew: boolean[];
}

/** Rows of a run: nodes, and how much of each. */
interface Rows {
  readonly endMs: number;
  readonly node: readonly number[];
  readonly gpus: readonly number[];
  readonly cpuMilli: readonly number[];
  readonly memMiB: readonly number[];
  readonly gpusAll: number;
}

/** Rows forgotten at once. */
const MANY = 256;

export function emptyLog(): RoomLog {
  return { first: 0, node: [], toMs: [], grew: [] };
}

export function logEnd({ first, node }: RoomLog): number {
  return first + node.length;
}

/** A run holds other devices now, or until another time; null = it did not, or does not, hold any. O(its rows). */
export function logRun(log: RoomLog, nowMs: number, before: Rows | null, after: Rows | null): void {
  if (before !== null && after !== null && isSame(before, after)) return;
  if (before !== null && before.endMs > nowMs) logRows(log, before.node, before.endMs, true);
  if (after !== null && after.endMs > nowMs) logRows(log, after.node, after.endMs, false);
}

/** A run begins now on a placing. O(its rows). */
export function logTaken(log: RoomLog, placing: Placing, endMs: number): void {
  logRows(log, placing.node, endMs, false, placing.length);
}

/** A run that a pass took out of the profile as it started holds something else by now. O(rows). */
export function logStart(
  log: RoomLog,
  nowMs: number,
  placing: Placing,
  endMs: number,
  after: Rows | null,
): void {
  if (after !== null && after.endMs === endMs && isPlaced(after.node, placing)) return;
  if (endMs > nowMs) logRows(log, placing.node, endMs, true, placing.length);
  if (after !== null && after.endMs > nowMs) logRows(log, after.node, after.endMs, false);
}

/** Forgets rows before one. O(1) amortized. */
export function forgetRows(log: RoomLog, before: number): void {
  const rows = Math.min(before, logEnd(log)) - log.first;
  if (rows < MANY && rows < log.node.length) return;
  log.node.splice(0, rows);
  log.toMs.splice(0, rows);
  log.grew.splice(0, rows);
  log.first += rows;
}

/** Without nodes it is a flat machine. */
function logRows(
  log: RoomLog,
  nodes: ArrayLike<number>,
  toMs: number,
  grew: boolean,
  length = nodes.length,
): void {
  for (let row = 0; row < Math.max(1, length); row++) {
    log.node.push(length === 0 ? -1 : nodes[row]!);
    log.toMs.push(toMs);
    log.grew.push(grew);
  }
}

function isPlaced(nodes: readonly number[], { node, length }: Placing): boolean {
  if (nodes.length !== length) return false;
  for (let row = 0; row < length; row++) if (nodes[row] !== node[row]) return false;
  return true;
}

function isSame(one: Rows, other: Rows): boolean {
  return (
    one.endMs === other.endMs &&
    one.gpusAll === other.gpusAll &&
    isAll(one.node, other.node) &&
    isAll(one.gpus, other.gpus) &&
    isAll(one.cpuMilli, other.cpuMilli) &&
    isAll(one.memMiB, other.memMiB)
  );
}

function isAll(one: readonly number[], other: readonly number[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}
