/**
 * What panels may ask the worker about the run that they show. While the worker has another run in hand, such as one that is computed out of sight,
 * questions wait: its answers would be about that one.
 */
import type { Remote } from "comlink";
import type { JobFacts } from "../engine/jobFacts.ts";
import type { Explanation } from "../engine/view.ts";
import type { QueueFacts } from "../model/kubernetes/queueFacts.ts";
import type { Candidates } from "../model/lab/candidates.ts";
import type { ShareRow } from "../model/lab/shares.ts";
import type { KeptWindow } from "../model/lab/tenancy.ts";
import type { PlannedStart, PoolTables, RunHost, Trial } from "../protocol/messages.ts";
import type { Scenario } from "../scenario/schema.ts";
import { SentWorkloads } from "./sentWorkloads.ts";

export abstract class RunQuestions {
  protected readonly workloads = new SentWorkloads();
  #held: Promise<void> = Promise.resolve();

  protected abstract ask<T>(ask: (host: Remote<RunHost>) => Promise<T>): Promise<T>;

  /** Why a job waits at a time; `null` when there is no run or it does not wait. */
  explain = (jobIdx: number, atMs: number): Promise<Explanation | null> =>
    this.#askOfRun((host) => host.explain(jobIdx, atMs));

  // As the methods of `RunHost` of these names.
  planned = (jobs: readonly number[], atMs: number): Promise<readonly PlannedStart[]> =>
    this.#askOfRun((host) => host.planned(jobs, atMs));
  shares = (pool: number, atMs: number): Promise<readonly ShareRow[]> =>
    this.#askOfRun((host) => host.shares(pool, atMs));
  queues = (pool: number, atMs: number): Promise<readonly QueueFacts[]> =>
    this.#askOfRun((host) => host.queues(pool, atMs));
  windows = (pool: number, atMs: number): Promise<readonly KeptWindow[]> =>
    this.#askOfRun((host) => host.windows(pool, atMs));
  tables = (pool: number, atMs: number): Promise<PoolTables | null> =>
    this.#askOfRun((host) => host.tables(pool, atMs));
  tryDocument = (document: Scenario, jobId: string): Promise<Trial | null> =>
    this.#askOfRun<Trial | null>((host) => {
      const [sent, workload] = this.workloads.of(document);
      return host.tryDocument(sent, jobId, workload);
    });
  jobFacts = (jobIdx: number, atMs: number): Promise<JobFacts | null> =>
    this.#askOfRun((host) => host.jobFacts(jobIdx, atMs));

  prepare = (atMs: number): Promise<void> => this.#askOfRun((host) => host.prepare(atMs));

  candidates = (jobIdx: number, atMs: number): Promise<Candidates | null> =>
    this.#askOfRun((host) => host.candidates(jobIdx, atMs));

  /** Questions wait until the returned function is called. */
  holdQuestions(): () => void {
    let release = (): void => undefined;
    this.#held = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  }

  async #askOfRun<T>(ask: (host: Remote<RunHost>) => Promise<T>): Promise<T> {
    await this.#held;
    return this.ask(ask);
  }
}
