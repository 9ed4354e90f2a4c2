/**
 * Jobs that wait, in lanes: one queue, one priority, one class. Inside a lane nobody comes before an older job, and what one of them is refused in a session the
 * others are refused too; so a session looks at the head of each lane and closes a lane at the first refusal. Time is that of submission, ties by job
 * number. Insertion and removal O(log n + what stands behind); the next head O(lanes of the queue). Plain data.
 */
export interface Lane {
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
  /** Lane of each job in it. Follows from the lists: null in a copy, until somebody asks. */
  laneOf: Map<number, number> | null;
}

export function createLanes(queues: number): Lanes {
  return {
    list: [],
    byKey: new Map(),
    ofQueue: Array.from({ length: queues }, () => []),
    laneOf: new Map(),
  };
}

export function copyLanes(lanes: Lanes): Lanes {
  return {
    list: lanes.list.map((lane) => ({ ...lane, jobs: lane.jobs.slice(lane.first), first: 0 })),
    byKey: new Map(lanes.byKey),
    ofQueue: lanes.ofQueue.map((of) => [...of]),
    laneOf: null,
  };
}

/** The lane of such jobs, made where there is none. */
export function laneFor(lanes: Lanes, queueIdx: number, priority: number, classIdx: number): Lane {
  const key = `${queueIdx}|${priority}|${classIdx}`;
  const found = lanes.byKey.get(key);
  if (found !== undefined) return lanes.list[found]!;
  const lane = { queueIdx, priority, classIdx, jobs: [], first: 0, closed: false, reason: 0 };
  lanes.byKey.set(key, lanes.list.length);
  lanes.ofQueue[queueIdx]!.push(lanes.list.length);
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
  laneMap(lanes).set(jobIdx, lanes.byKey.get(keyOf(lane))!);
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

function keyOf({ queueIdx, priority, classIdx }: Lane): string {
  return `${queueIdx}|${priority}|${classIdx}`;
}

/** Jobs in all lanes. O(1); O(waiting) the first time after a snapshot. */
export function countWaiting(lanes: Lanes): number {
  return laneMap(lanes).size;
}

export function openLanes(lanes: Lanes): void {
  for (const lane of lanes.list) lane.closed = false;
}

/** The lane of a queue whose head comes first among those not closed: highest priority, oldest, lowest number; null if there is none. */
export function nextLane(lanes: Lanes, queueIdx: number, submitMs: ArrayLike<number>): Lane | null {
  let best: Lane | null = null;
  for (const idx of lanes.ofQueue[queueIdx]!) {
    const lane = lanes.list[idx]!;
    if (lane.closed || lane.first === lane.jobs.length) continue;
    if (best === null || isBefore(lane, best, submitMs)) best = lane;
  }
  return best;
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
