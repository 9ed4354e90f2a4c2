/**
 * Life cycle. A job is in one state; a run of it (from its first device to its last) ends in one end state. What devices do
 * while a run holds them is the member state of a rectangle in the record.
 *
 *     submitted → held → queued → admitted → starting → running ⇄ checkpointing
 *                           ↑                             ↓   ⇄ suspended
 *                           └────────── requeued ──── ending → done
 */
const JOB_STATES = [
  "unsubmitted",
  "held",
  "queued",
  "admitted",
  "placed",
  "starting",
  "running",
  "checkpointing",
  "suspended",
  "ending",
  "done",
] as const;
export type JobState = (typeof JOB_STATES)[number];

export const JobStateCode = {
  unsubmitted: 0,
  held: 1,
  queued: 2,
  admitted: 3,
  /** Holds some devices, but fewer than its minimum members: no progress. */
  placed: 4,
  starting: 5,
  running: 6,
  checkpointing: 7,
  suspended: 8,
  ending: 9,
  done: 10,
} as const satisfies Record<JobState, number>;

/** How a run ended. */
export const END_STATES = [
  "running",
  "completed",
  "timeout",
  "cancelled",
  "requeued",
  "preempted",
  "nodeFailed",
  "refused",
  "failed",
] as const;
export type EndState = (typeof END_STATES)[number];
export const EndStateCode = {
  /** Not ended at the end of the record. */
  running: 0,
  completed: 1,
  timeout: 2,
  cancelled: 3,
  requeued: 4,
  preempted: 5,
  nodeFailed: 6,
  refused: 7,
  /** Its work ended with an exit code other than 0. */
  failed: 8,
} as const satisfies Record<EndState, number>;

/** What a device does for a run: only `running` makes progress, all of them hold the device. */
export const MEMBER_STATES = [
  "held",
  "starting",
  "running",
  "checkpointing",
  "suspended",
  "ending",
  "stalled",
  "restoring",
] as const;
export type MemberState = (typeof MEMBER_STATES)[number];
export const MemberStateCode = {
  held: 0,
  starting: 1,
  running: 2,
  checkpointing: 3,
  suspended: 4,
  ending: 5,
  /** A gang that has lost members and does not know it yet: nothing goes on. */
  stalled: 6,
  /** Reading its state back, or forming a group again. */
  restoring: 7,
} as const satisfies Record<MemberState, number>;

/** Why a node takes no new work. */
export const NODE_STATES = ["open", "drained", "down", "unborn", "silent"] as const;
export type NodeState = (typeof NODE_STATES)[number];
export const NodeStateCode = {
  open: 0,
  drained: 1,
  down: 2,
  unborn: 3,
  /** Failed, but nobody has noticed yet: takes no new work, and its jobs make no progress. */
  silent: 4,
} as const satisfies Record<NodeState, number>;
