/**
 * Jobs that wait, in lanes: one queue, one priority, one class. Inside a lane nobody comes before an older job, and what one of them is refused in a session the
 * others are refused too; so a session looks at the head of each lane and closes a lane at the first refusal. Time is that of submission, ties by job
 * number. Lanes in which somebody waits stand in the order of their heads, so that empty ones cost nothing. Insertion and removal O(log n + what stands behind + such lanes of the queue);
 * the next head O(those of them that are closed). Plain data.
 */
export interface Lane {
  /** Its place among all lanes. */
  readonly idx: number;
  readonly queueIdx: number;
  readonly priority: number;
  readonly classIdx: number;
  /** Oldest first, from `first` on. */
  jobs: number[];
  first: number;
  /** Closed for the rest of the session. */
  closed: boolean;
  /** `WaitReasonCode` of the last refusal; 0 = none. */
  reason: number;
}

export interface Lanes {
  list: Lane[];
  byKey: Map<string, number>;
  /** Indexes of lanes by queue. */
  ofQueue: number[][];
  /** By queue, of these those in which somebody waits: the lane whose head comes first stands first. */
  busy: number[][];
  /** Lane of each job in it. Follows from the lists: null in a copy, until somebody asks. */
  laneOf: Map<number, number> | null;
}

export function createLanes(queues: number): Lanes {
  return {
    list: [],
    byKey: new Map(),
    ofQueue: Array.from({ length: queues }, () => []),
    busy: Array.from({ length: queues }, () => []),
    laneOf: new Map(),
  };
}

export function copyLanes(lanes: Lanes): Lanes {
  return {
    list: lanes.list.map((lane) => ({ ...lane, jobs: lane.jobs.slice(lane.first), first: 0 })),
    byKey: new Map(lanes.byKey),
    ofQueue: lanes.ofQueue.map((of) => [...of]),
    busy: lanes.busy.map((of) => [...of]),
    laneOf: null,
  };
}

/** The lane of such jobs, made where there is none. */
export function laneFor(lanes: Lanes, queueIdx: number, priority: number, classIdx: number): Lane {
  const key = `${queueIdx}|${priority}|${classIdx}`;
  const found = lanes.byKey.get(key);
  if (found !== undefined) return lanes.list[found]!;
  const idx = lanes.list.length;
  const lane = { idx, queueIdx, priority, classIdx, jobs: [], first: 0, closed: false, reason: 0 };
  lanes.byKey.set(key, idx);
  lanes.ofQueue[queueIdx]!.push(idx);
  lanes.list.push(lane);
  return lane;
}

/** Puts a job at its place by age. */
export function joinLane(
  lanes: Lanes,
  lane: Lane,
  submitMs: ArrayLike<number>,
  jobIdx: number,
): void {
  const at = placeOf(lane, submitMs, jobIdx);
  if (at === lane.jobs.length) lane.jobs.push(jobIdx);
  else lane.jobs.splice(at, 0, jobIdx);
  laneMap(lanes).set(jobIdx, lane.idx);
  if (at === lane.first) placeLane(lanes, lane, submitMs);
}

/** The lane has another head, or its first, or none any more: it stands where that belongs. O(lanes of the queue in which somebody waits). */
function placeLane({ list, busy }: Lanes, lane: Lane, submitMs: ArrayLike<number>): void {
  const order = busy[lane.queueIdx]!;
  const before = order.indexOf(lane.idx);
  if (before >= 0) order.splice(before, 1);
  if (isEmpty(lane)) return;
  let at = 0;
  while (at < order.length && isBefore(list[order[at]!]!, lane, submitMs)) at++;
  order.splice(at, 0, lane.idx);
}

function isEmpty({ jobs, first }: Lane): boolean {
  return first === jobs.length;
}

/** Takes a job out of its lane; false if it was in none. */
export function leaveLanes(lanes: Lanes, submitMs: ArrayLike<number>, jobIdx: number): boolean {
  const laneIdx = laneMap(lanes).get(jobIdx);
  if (laneIdx === undefined) return false;
  lanes.laneOf!.delete(jobIdx);
  const lane = lanes.list[laneIdx]!;
  const at = placeOf(lane, submitMs, jobIdx);
  if (at > lane.first) {
    lane.jobs.splice(at, 1);
    return true;
  }
  lane.first++;
  if (lane.first > 64 && lane.first * 2 > lane.jobs.length) {
    lane.jobs = lane.jobs.slice(lane.first);
    lane.first = 0;
  }
  placeLane(lanes, lane, submitMs);
  return true;
}

/** The lane in which a job waits; null if it is in none. O(1); O(waiting) the first time after a snapshot. */
export function laneOfJob(lanes: Lanes, jobIdx: number): Lane | null {
  const laneIdx = laneMap(lanes).get(jobIdx);
  return laneIdx === undefined ? null : lanes.list[laneIdx]!;
}

/** Jobs before a job in its lane. O(log n). */
export function rankInLane(lane: Lane, submitMs: ArrayLike<number>, jobIdx: number): number {
  return placeOf(lane, submitMs, jobIdx) - lane.first;
}

function laneMap(lanes: Lanes): Map<number, number> {
  if (lanes.laneOf !== null) return lanes.laneOf;
  lanes.laneOf = new Map();
  for (const [laneIdx, lane] of lanes.list.entries())
    for (let at = lane.first; at < lane.jobs.length; at++)
      lanes.laneOf.set(lane.jobs[at]!, laneIdx);
  return lanes.laneOf;
}

/** Jobs in all lanes. O(1); O(waiting) the first time after a snapshot. */
export function countWaiting(lanes: Lanes): number {
  return laneMap(lanes).size;
}

export function openLanes({ list, busy }: Lanes): void {
  for (const order of busy) for (const idx of order) list[idx]!.closed = false;
}

/** The lane of a queue whose head comes first among those not closed: highest priority, oldest, lowest number; null if there is none. */
export function nextLane({ list, busy }: Lanes, queueIdx: number): Lane | null {
  for (const idx of busy[queueIdx]!) if (!list[idx]!.closed) return list[idx]!;
  return null;
}

function isBefore(lane: Lane, other: Lane, submitMs: ArrayLike<number>): boolean {
  if (lane.priority !== other.priority) return lane.priority > other.priority;
  const job = lane.jobs[lane.first]!;
  const otherJob = other.jobs[other.first]!;
  const laterMs = submitMs[job]! - submitMs[otherJob]!;
  return laterMs < 0 || (laterMs === 0 && job < otherJob);
}

/** First place from `first` on whose job is not older. */
function placeOf(lane: Lane, submitMs: ArrayLike<number>, jobIdx: number): number {
  const ms = submitMs[jobIdx]!;
  let low = lane.first;
  let high = lane.jobs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = lane.jobs[middle]!;
    const older = submitMs[other]! < ms || (submitMs[other] === ms && other < jobIdx);
    if (older) low = middle + 1;
    else high = middle;
  }
  return low;
}
