/** The worker's answers for panels: why a job waits, and what a scheduler shows. Connected once, at start. */
import type { JobFacts } from "../engine/jobFacts.ts";
import type { Explanation } from "../engine/view.ts";
import type { QueueFacts } from "../model/kubernetes/queueFacts.ts";
import type { Candidates } from "../model/lab/candidates.ts";
import type { ShareRow } from "../model/lab/shares.ts";
import type { KeptWindow } from "../model/lab/tenancy.ts";
import type { PlannedStart, PoolTables, Trial, YamlRead } from "../protocol/messages.ts";
import type { Scenario } from "../scenario/schema.ts";

/** Whoever answers; what it cannot say is not known. */
export interface Answers {
  explain(jobIdx: number, atMs: number): Promise<Explanation | null>;
  tables?(pool: number, atMs: number): Promise<PoolTables | null>;
  jobFacts?(jobIdx: number, atMs: number): Promise<JobFacts | null>;
  windows?(pool: number, atMs: number): Promise<readonly KeptWindow[]>;
  tryDocument?(document: Scenario, jobId: string): Promise<Trial | null>;
  candidates?(jobIdx: number, atMs: number): Promise<Candidates | null>;
  planned?(jobs: readonly number[], atMs: number): Promise<readonly PlannedStart[]>;
  queues?(pool: number, atMs: number): Promise<readonly QueueFacts[]>;
  shares?(pool: number, atMs: number): Promise<readonly ShareRow[]>;
  readYaml?(text: string, withForm: boolean): Promise<YamlRead>;
}
let answers: Answers | null = null;

export function connectExplain(given: Answers): void {
  answers = given;
}

/** Why a job waits at a time, by re-execution; `null` when it does not wait then, or nothing is known. Costs a replay from the nearest snapshot. */
export function explain(jobIdx: number, atMs: number): Promise<Explanation | null> {
  return answers?.explain(jobIdx, Math.round(atMs)) ?? Promise.resolve(null);
}

/** When and where waiting jobs are planned to start, as `explain`; nothing where nobody answers. */
export function plannedStarts(
  jobs: readonly number[],
  atMs: number,
): Promise<readonly PlannedStart[]> {
  return answers?.planned?.(jobs, Math.round(atMs)) ?? Promise.resolve([]);
}

/** The tables of a pool's scheduler at a time, as `explain`. */
export function poolTables(pool: number, atMs: number): Promise<PoolTables | null> {
  return answers?.tables?.(pool, Math.round(atMs)) ?? Promise.resolve(null);
}

/** Who uses how much of a pool at a time, as `explain`; empty where its scheduler keeps no books. */
export function poolShares(pool: number, atMs: number): Promise<readonly ShareRow[]> {
  return answers?.shares?.(pool, Math.round(atMs)) ?? Promise.resolve([]);
}

/** The queues of a pool's admission at a time, as `explain`; empty where it has none. */
export function poolQueues(pool: number, atMs: number): Promise<readonly QueueFacts[]> {
  return answers?.queues?.(pool, Math.round(atMs)) ?? Promise.resolve([]);
}

/** Windows and reservations as a pool's scheduler keeps them at a time, as `explain`. */
export function poolWindows(pool: number, atMs: number): Promise<readonly KeptWindow[]> {
  return answers?.windows?.(pool, Math.round(atMs)) ?? Promise.resolve([]);
}

/** What a job depends on and what its scheduler says of it at a time, as `explain`. */
export function jobFacts(jobIdx: number, atMs: number): Promise<JobFacts | null> {
  return answers?.jobFacts?.(jobIdx, Math.round(atMs)) ?? Promise.resolve(null);
}

/** When a job starts under another document, by a run of its own beside the open one; null where a newer question has come. */
export function tryDocument(document: Scenario, jobId: string): Promise<Trial | null> {
  return answers?.tryDocument?.(document, jobId) ?? Promise.resolve(null);
}

/** The nodes that a waiting job could go to and what takes each away at a time, as `explain`. */
export function candidatesOf(jobIdx: number, atMs: number): Promise<Candidates | null> {
  return answers?.candidates?.(jobIdx, Math.round(atMs)) ?? Promise.resolve(null);
}

/** What is wrong with the YAML of a policy, and on wish its objects; null where nobody answers. O(text), in the worker. */
export function readYaml(text: string, withForm: boolean): Promise<YamlRead | null> {
  return answers?.readYaml?.(text, withForm) ?? Promise.resolve(null);
}
