/**
 * The decision log in words: what the scheduler did, each entry of the record one line. Entries come newest first, up to the
 * cursor; what comes later is not told before its time.
 */
import { clockNear, countText, durationText, numberText } from "../base/format.ts";
import { START_REASONS, StopReasonCode } from "../model/reasons.ts";
import { startWords, waitWords } from "../model/sentences.ts";
import { stopWords } from "../model/stopWords.ts";
import type { Stage } from "../protocol/messages.ts";
import {
  type Chunk,
  DECISION_KINDS,
  type DecisionKind,
  DecisionKindCode,
  isAboutJob,
  jobOfMove,
  nodeOfMove,
  PassKind,
} from "../record/shapes.ts";
import { jobLabel } from "./jobNames.ts";
import type { StoryDecision } from "./jobStory.ts";
import { deviceName } from "./nodeWords.ts";

export interface LogEntry extends StoryDecision {
  readonly jobIdx: number;
  /** Its place in the record, unique in a log. */
  readonly place: string;
}

export interface LogContext {
  readonly calendar: string | undefined;
  readonly jobLabel: (jobIdx: number) => string;
  readonly nodeName: (node: number) => string;
  /** "GPU 3 of n-2". */
  readonly deviceName: (device: number) => string;
  readonly poolName: (pool: number) => string;
  readonly queueName: (queue: number) => string;
  /** The queue that a job was submitted to. */
  readonly queueOf: (jobIdx: number) => number;
}

/** What the words need of a run. O(1). */
export function logContext(stage: Stage, calendar: string | undefined): LogContext {
  const { cluster, jobs } = stage;
  return {
    calendar,
    jobLabel: (jobIdx) => jobLabel(jobs, jobIdx),
    nodeName: (node) => cluster.nodeNames[node] ?? "",
    deviceName: (device) => deviceName(stage, device),
    poolName: (pool) => stage.poolIds[pool] ?? "",
    queueName: (queue) => stage.queues[queue] ?? "",
    queueOf: (jobIdx) => jobs.at.queue[jobIdx] ?? 0,
  };
}

/** Kinds that the log of a whole run leaves out: every waiting job has them again and again. */
const OF_JOBS_ONLY: ReadonlySet<DecisionKind> = new Set(["wait", "plan"]);

/** Decisions about nodes and devices that the log tells. */
const OF_NODES: ReadonlySet<DecisionKind> = new Set([
  "openNode",
  "closeNode",
  "handNode",
  "repartition",
  "failDevice",
  "resumeDevice",
  "round",
]);

/** The last `most` decisions about jobs and nodes, and passes that started some, at or before `atMs`, newest first. O(log rows + rows passed over). */
export function runLog(chunks: readonly Chunk[], atMs: number, most: number): LogEntry[] {
  const log: LogEntry[] = [];
  for (let index = chunks.length - 1; index >= 0 && log.length < most; index--) {
    const { decisions, fromMs } = chunks[index]!;
    if (fromMs > atMs) continue;
    for (let row = decisions.atMs.length - 1; row >= 0 && log.length < most; row--) {
      const kind = decisions.kind[row]!;
      if (decisions.atMs[row]! > atMs) continue;
      // A pass that starts nothing says nothing; those that do are few.
      const tells =
        kind === DecisionKindCode.pass
          ? decisions.value[row]! > 0
          : isAboutJob(kind) || OF_NODES.has(DECISION_KINDS[kind]!);
      if (!tells) continue;
      if (OF_JOBS_ONLY.has(DECISION_KINDS[kind]!)) continue;
      log.push({
        atMs: decisions.atMs[row]!,
        kind,
        reason: decisions.reason[row]!,
        value: decisions.value[row]!,
        jobIdx: decisions.jobIdx[row]!,
        place: `${index}.${row}`,
      });
    }
  }
  return log;
}

/** One decision as a line: "Waits: too few free", "Promised for 14:10". */
export function decisionWords(entry: LogEntry, context: LogContext): string {
  const kind = DECISION_KINDS[entry.kind] ?? "wait";
  const { value } = entry;
  switch (kind) {
    case "wait":
      return `Waits: ${waitWords(entry.reason)}`;
    case "admit":
      return "Admitted";
    case "plan":
      return `Promised for ${clockNear(value, entry.atMs, context.calendar)}`;
    case "start":
      return startedWords(entry, context);
    case "place":
      return "Got devices for some of its members";
    case "evict":
      return value < 0
        ? stoppedWords(entry.reason)
        : `Preempted for job ${context.jobLabel(value)}`;
    case "suspend":
      return value < 0 ? "Suspended" : `Suspended for job ${context.jobLabel(value)}`;
    case "resume":
      return "Resumed";
    case "resize":
      return value < 0
        ? `Gave up ${countText(-value, "member")}`
        : "Got more members while it runs";
    case "move":
      return movedWords(value, context);
    case "speed":
      return value < 1
        ? `Its members talk slower: ${numberText(100 * value, 1)} % of its speed packed`
        : "Its members talk at full speed";
    case "hold":
      return "Held";
    case "refuse":
      return `Refused: ${waitWords(entry.reason)}`;
    case "cancel":
      return "Cancelled";
    case "checkpoint":
      return `Began to save its work, which takes ${durationText(value)}`;
    case "saved":
      return "Saved: its work so far is kept";
    case "unsaved":
      return "What it had saved is lost";
    case "restart":
      if (entry.reason > 0)
        return `Too few members are left, and ${durationText(value)} of work is lost`;
      return value > 0
        ? `Forms its group anew and loses ${durationText(value)} of work`
        : "Forms its group anew";
    case "repartition":
      return `${context.deviceName(entry.jobIdx)} is cut anew, which takes ${durationText(value)}`;
    case "failDevice":
      return `${context.deviceName(entry.jobIdx)} failed`;
    case "resumeDevice":
      return `${context.deviceName(entry.jobIdx)} works again`;
    case "openNode":
      return value > 0
        ? `Node ${context.nodeName(entry.jobIdx)} rented: it boots for ${durationText(value)}`
        : `Node ${context.nodeName(entry.jobIdx)} rented`;
    case "closeNode":
      return `Node ${context.nodeName(entry.jobIdx)} given back: it goes when it is empty`;
    case "handNode":
      return `Node ${context.nodeName(entry.jobIdx)} handed to pool ${context.poolName(value)}`;
    case "pass":
      return `${entry.reason === PassKind.main ? "Main" : "Backfill"} pass: looked at ${countText(entry.jobIdx, "job")}, started ${numberText(value)}`;
    case "round":
      return `Round: ${countText(value, "job")} gave way to jobs that stand before ${value === 1 ? "it" : "them"} now`;
  }
}

/** Why it was stopped, where that is more than that somebody needed its devices. */
function stoppedWords(reason: number): string {
  const words =
    reason === StopReasonCode.none || reason === StopReasonCode.preempted
      ? ""
      : `: ${stopWords(reason)}`;
  return `Stopped, to wait again${words}`;
}

function movedWords(value: number, context: LogContext): string {
  const forJobIdx = jobOfMove(value);
  const whom = forJobIdx < 0 ? "" : ` to make room for job ${context.jobLabel(forJobIdx)}`;
  return `Moved away from ${context.nodeName(nodeOfMove(value))}${whom}`;
}

/** Started in its turn is what a start is; another reason is worth its words, and so is a queue that is not the one it was submitted to. */
function startedWords({ reason, value, jobIdx }: LogEntry, context: LogContext): string {
  const words =
    START_REASONS[reason] === "inOrder"
      ? "Started in its turn"
      : startWords(reason).replace(/\.$/, "");
  const other = value > 0 && value - 1 !== context.queueOf(jobIdx);
  return other ? `${words}, from queue ${context.queueName(value - 1)}` : words;
}
