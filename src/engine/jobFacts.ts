/** What is said of one job besides why it waits: what its pool's scheduler knows of it, and what the engine does. */
import type { Dependency } from "../model/jobs.ts";
import type { BudgetFacts } from "../model/kubernetes/budgetFacts.ts";
import type { PlacementFacts } from "../model/kubernetes/placementFacts.ts";
import type { KueueJobFacts } from "../model/kubernetes/queueFacts.ts";
import type { JobLife } from "../model/lab/jobLife.ts";
import type { LabJobFacts } from "../model/lab/shares.ts";
import type { SlurmJobFacts } from "../model/slurm/jobFacts.ts";
import type { World } from "../model/world.ts";
import { dependencyFacts } from "./dependencyState.ts";
import type { Run } from "./run.ts";
import type { RunFacts } from "./speeds.ts";
import type { DependencyState } from "./view.ts";

/** One of a job's dependencies, and how far it has come. */
export interface DependencyFact extends Dependency {
  readonly state: DependencyState;
}

export interface JobFacts {
  readonly dependencies: readonly DependencyFact[];
  /** Where Slurm decides, and while the job lives. */
  readonly slurm: SlurmJobFacts | null;
  /** Where the lab decides, and while the job lives. */
  readonly lab: LabJobFacts | null;
  /** Where Kueue admits, and while the job lives. */
  readonly kueue?: KueueJobFacts | null;
  /** Where disruption budgets select its pods. */
  readonly budgets?: BudgetFacts | null;
  /** Where kube-scheduler or Ray places without anybody above it, and while the job lives. */
  readonly placement?: PlacementFacts | null;
  /** How fast it runs, while it makes progress. */
  readonly run?: RunFacts | null;
  /** What the document says of its life; null = nothing. */
  readonly life?: JobLife | null;
  /** Work that a stop would throw away now (ms at reference speed). */
  readonly unsavedMs?: number;
  /** torchrun: restarts that its run has left; −1 = none are counted. */
  readonly restartsLeft?: number;
}

/** As the run stands after its last pass; `seenMs`: the time that is asked about. O(dependencies of all jobs). */
export function jobFactsOf(run: Run, world: World, jobIdx: number, seenMs: number): JobFacts {
  const { scheduler, desk, state } = run.pools[world.poolOfJob[jobIdx]!]!;
  return {
    dependencies: dependencyFacts(run.lifecycle.dependencies.edges, jobIdx),
    slurm: scheduler.jobFacts?.(desk, state, jobIdx) ?? null,
    lab: scheduler.labFacts?.(desk, state, jobIdx) ?? null,
    kueue: scheduler.kueueFacts?.(desk, state, jobIdx) ?? null,
    budgets: scheduler.budgetFacts?.(desk, state, jobIdx) ?? null,
    placement: scheduler.placementFacts?.(desk, state, jobIdx) ?? null,
    run: run.lifecycle.respeed.factsOf(jobIdx),
    life: world.jobs.lab.get(jobIdx) ?? null,
    unsavedMs: desk.unsavedMs(jobIdx, seenMs),
    restartsLeft: run.lifecycle.application?.groups.restartsLeft(jobIdx) ?? -1,
  };
}
