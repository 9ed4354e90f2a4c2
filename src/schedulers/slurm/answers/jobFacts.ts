/** What the page shows of one job beside its reason: priority terms, the Fair Tree walk, who may preempt it. Nothing here decides. */
import type { PoolView } from "../../../engine/view.ts";
import type {
  FairShareFacts,
  FairTreeStep,
  PreemptableFacts,
  PriorityWeights,
  SlurmJobFacts,
} from "../../../model/slurm/jobFacts.ts";
import { userOfJob } from "../../../scheduling/accounting/associations.ts";
import { fairShareOf } from "../../../scheduling/priority/fairShare.ts";
import type { FairTreeLevel } from "../../../scheduling/priority/fairTree.ts";
import { fairTreeWalk } from "../../../scheduling/priority/fairTree.ts";
import { exemptUntilMs, graceMs, stopMode } from "../preemption/preempt.ts";
import type { SlurmJob, SlurmState } from "../state.ts";
import { nextPasses, plannedNodesOf, sprioRows } from "./tables.ts";

/** Siblings that are told of on either side of the chosen one. */
const SIBLINGS_AROUND = 5;

/** null for a job that is not there any more, or not yet. O(depth × siblings + QOS + partitions). */
export function jobFactsOf(
  view: PoolView,
  state: SlurmState,
  jobIdx: number,
): SlurmJobFacts | null {
  const job = state.jobs.get(jobIdx);
  if (job === undefined) return null;
  const { setup } = state;
  const runs = job.choice !== null;
  const multifactor = setup.config.priority.type === "multifactor";
  const shown = runs ? [job.partition] : job.partitions;
  return {
    jobIdx,
    partition: shown.map((each) => setup.partitions[each]!.config.name).join(","),
    qos: setup.qos[job.qos]?.config.name ?? "",
    account: setup.tree.account[job.assoc] ?? "",
    user: userOfJob(view.jobs, jobIdx),
    nodes: runs ? job.nodeCount : job.wanted.minNodes,
    priority: job.priority,
    prioritySet: job.prioritySet,
    sprio: multifactor && !runs ? sprioRows(state, job) : [],
    weights: weightsOf(state),
    fairShare: multifactor ? fairShareFacts(state, job) : null,
    plannedMs: job.plannedMs,
    plannedNodes: plannedNodesOf(state, job),
    limitMs: job.limitMs,
    array:
      job.request.arrayId === ""
        ? null
        : {
            id: job.request.arrayId,
            index: job.request.arrayIndex,
            most: job.request.arrayMost,
          },
    restarts: job.restarts,
    submitMs: job.submitMs,
    beginMs: job.beginMs,
    preemptable: runs ? preemptableFacts(state, job) : null,
    ...nextPasses(view, state),
  };
}

function weightsOf({ setup }: SlurmState): PriorityWeights {
  const { priority } = setup.config;
  return {
    age: priority.weightAge,
    assoc: priority.weightAssoc,
    fairshare: priority.weightFairshare,
    jobSize: priority.weightJobSize,
    partition: priority.weightPartition,
    qos: priority.weightQos,
    tres: priority.weightTres,
  };
}

function fairShareFacts(state: SlurmState, job: SlurmJob): FairShareFacts | null {
  const { usage } = state;
  const { config, shares } = usage.setup;
  if (job.assoc < 0 || config.weightFairshare === 0) return null;
  const factor = fairShareOf(usage, job.assoc);
  if (!config.fairTree) return { factor, users: 0, levels: [] };
  const levels = fairTreeWalk(usage, job.assoc).map((level) => stepOf(state, level));
  return { factor, users: shares.users, levels };
}

function stepOf(state: SlurmState, level: FairTreeLevel): FairTreeStep {
  const { tree } = state.setup;
  const at = level.siblings.findIndex((sibling) => sibling.entry === level.chosen);
  const from = Math.max(0, at - SIBLINGS_AROUND);
  return {
    account: tree.account[level.above]!,
    first: from + 1,
    count: level.siblings.length,
    siblings: level.siblings.slice(from, at + SIBLINGS_AROUND + 1).map((sibling) => {
      const user = tree.user[sibling.entry]!;
      return {
        name: user === "" ? tree.account[sibling.entry]! : user,
        isUser: user !== "",
        chosen: sibling.entry === level.chosen,
        normShares: sibling.normShares,
        effectvUsage: sibling.effectvUsage,
        levelFs: sibling.levelFs,
        rank: sibling.rank,
      };
    }),
  };
}

function preemptableFacts(state: SlurmState, job: SlurmJob): PreemptableFacts {
  const { preemption } = state.setup.config;
  const common = {
    mode: stopMode(state, job),
    graceMs: graceMs(state, job),
    exemptUntilMs: exemptUntilMs(state, job),
  };
  if (preemption.type === "partition_prio")
    return { ...common, of: "partition", by: higherPartitions(state, job) };
  return { ...common, of: "qos", by: preemption.type === "qos" ? preemptingQos(state, job) : [] };
}

/** Partitions of a higher tier that share a node with its own. */
function higherPartitions({ setup }: SlurmState, job: SlurmJob): string[] {
  const own = setup.partitions[job.partition]!;
  if (own.config.preemptMode === "off") return [];
  return setup.partitions
    .filter(
      (other) =>
        other.config.priorityTier > own.config.priorityTier && own.shares[other.index] === 1,
    )
    .map((other) => other.config.name);
}

function preemptingQos({ setup }: SlurmState, job: SlurmJob): string[] {
  const { within, mode } = setup.config.preemption;
  const own = setup.qos[job.qos];
  const among =
    within ||
    mode === "within" ||
    own?.config.preemptMode === "within" ||
    own?.config.preemptWithin === true;
  return setup.qos
    .filter((other) => other.preempts[job.qos] === 1 || (among && other === own))
    .map((other) => other.config.name);
}
