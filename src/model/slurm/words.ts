/**
 * How Slurm's commands write times, states and dependencies (squeue(1), sacct(1), sbatch(1)). States stand beside the project's
 * own words where a pool is under Slurm.
 */
import { clockParts, NBSP } from "../../base/format.ts";
import type { Dependency } from "../jobs.ts";
import type { EndState, MemberState } from "../states.ts";

const SECOND_MS = 1_000;
const two = (value: number) => String(value).padStart(2, "0");

/** A span as squeue writes it: "10:00", "1:30:00", "2-00:00:00", "UNLIMITED". Parts of a second are cut. */
export function slurmSpan(ms: number): string {
  if (!Number.isFinite(ms)) return "UNLIMITED";
  const total = Math.floor(ms / SECOND_MS);
  const days = Math.floor(total / 86_400);
  const hours = Math.floor((total % 86_400) / 3_600);
  const rest = `${two(Math.floor((total % 3_600) / 60))}:${two(total % 60)}`;
  if (days > 0) return `${days}-${two(hours)}:${rest}`;
  if (hours > 0) return `${hours}:${rest}`;
  return rest.startsWith("0") ? rest.slice(1) : rest;
}

/** A clock time to the second: "Day 1 12:00:30"; "N/A" for one that is not known, as squeue has it. */
export function slurmClock(atMs: number, calendarStart?: string): string {
  if (!Number.isFinite(atMs)) return "N/A";
  const { day, time, seconds } = clockParts(atMs, calendarStart);
  return `${day}${NBSP}${time}:${seconds}`;
}

/** Job states by how a run ended (sacct(1), "JOB STATE CODES"). */
export const SLURM_END_STATES: Readonly<Record<EndState, string>> = {
  running: "RUNNING",
  completed: "COMPLETED",
  timeout: "TIMEOUT",
  cancelled: "CANCELLED",
  requeued: "REQUEUED",
  preempted: "PREEMPTED",
  nodeFailed: "NODE_FAIL",
  refused: "submission refused",
  failed: "FAILED",
};

/** Job states by what the devices of a run do. A container that starts up is RUNNING to Slurm. */
export const SLURM_RUN_STATES: Readonly<Record<MemberState, string>> = {
  held: "CONFIGURING",
  starting: "RUNNING",
  running: "RUNNING",
  checkpointing: "RUNNING",
  suspended: "SUSPENDED",
  ending: "COMPLETING",
  stalled: "RUNNING",
  restoring: "RUNNING",
};

const DEPENDENCY_WORDS = {
  after: "after",
  afterOk: "afterok",
  afterNotOk: "afternotok",
  afterAny: "afterany",
} as const;

/** A dependency as `--dependency` takes it: "afterok:12", "after:12+5", "singleton". `job`: the name of the other. */
export function dependencyWords(
  { kind, delayMs, singleton }: Pick<Dependency, "kind" | "delayMs" | "singleton">,
  job: string,
): string {
  if (singleton) return "singleton";
  const delay = delayMs > 0 ? `+${Math.round(delayMs / 60_000)}` : "";
  return `${DEPENDENCY_WORDS[kind]}:${job}${delay}`;
}
