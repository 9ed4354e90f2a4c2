/** Checks of what a job does in its life: numbers that fit together, and nothing that would be repeated for ever. */
import { deepspeedSizes } from "../model/lab/elasticity.ts";
import { LIMITS } from "../model/limits.ts";
import type { Report } from "./report.ts";
import type { JobEntry, Scenario, SyntheticClass } from "./schema.ts";

type Life = Pick<JobEntry, "checkpoint" | "elastic" | "requeueAtLimit" | "gpuModels" | "traffic">;
type SpelledJob = Omit<JobEntry, "submitMs">;

/** A class of drawn jobs. O(words). */
export function checkClassLife(
  scenario: Scenario,
  entry: SyntheticClass,
  place: string,
  report: Report,
): void {
  checkLife(scenario, entry, Number.POSITIVE_INFINITY, place, report);
  checkSaves(entry.checkpoint, entry.work.mostMs, place, report);
  checkDrawnSizes(scenario, entry, place, report);
}

/** Each size that may be drawn is a number of members that an elastic job may have: whole nodes, else GPUs. */
function checkDrawnSizes(
  scenario: Scenario,
  { elastic, gpus, wholeNodesFrom = Number.POSITIVE_INFINITY }: SyntheticClass,
  place: string,
  report: Report,
): void {
  if (elastic === undefined || elastic.minMembers > elastic.maxMembers) return;
  const perNode = largestNode(scenario);
  for (const { value } of gpus) {
    const members = value >= wholeNodesFrom ? Math.ceil(value / perNode) : value;
    checkMembers(members, elastic, `${place}/elastic`, report);
  }
}

function checkMembers(
  members: number,
  { minMembers: least, maxMembers: most }: NonNullable<Life["elastic"]>,
  place: string,
  report: Report,
): void {
  if (members >= least && members <= most) return;
  report(
    place,
    `The job asks for ${members} members, which are not within ${least} to ${most}.`,
    "Widen the range, or ask for another number.",
  );
}

function largestNode({ cluster }: Scenario): number {
  return cluster.nodeGroups.reduce((most, group) => Math.max(most, group.gpus), 1);
}

/** A job that is spelled out or injected. O(words). */
export function checkJobLife(
  scenario: Scenario,
  job: SpelledJob,
  place: string,
  report: Report,
): void {
  checkLife(scenario, job, job.limitMs ?? Number.POSITIVE_INFINITY, place, report);
  checkStages(job, place, report);
  if (job.requeueAtLimit && job.limitMs === undefined)
    report(`${place}/requeueAtLimit`, "The job has no time limit.", "Give it a limitMs.");
  if (job.elastic !== undefined) checkElasticSize(scenario, job, job.elastic, place, report);
  const part = job.components?.some((it) => (it.gpuShareMilli ?? it.migProfile) !== undefined);
  if (job.exclusive && part)
    report(
      `${place}/exclusive`,
      "A job with nodes to itself asks for a part of a GPU.",
      "Ask for whole GPUs, or leave exclusive out.",
    );
  checkSaves(job.checkpoint, job.workMs, place, report);
}

/** Each checkpoint is an event: work of years saved every few milliseconds would not end within anybody's patience. */
function checkSaves(
  checkpoint: Life["checkpoint"],
  workMs: number,
  place: string,
  report: Report,
): void {
  const every = checkpoint?.every;
  if (typeof every !== "number" || workMs / every <= LIMITS.checkpointsPerJob) return;
  report(
    `${place}/checkpoint/every`,
    `The job would save more than ${LIMITS.checkpointsPerJob} times.`,
    `Save at most every ${Math.ceil(workMs / LIMITS.checkpointsPerJob)} ms.`,
  );
}

function checkStages(job: SpelledJob, place: string, report: Report): void {
  if (job.stages === undefined) return;
  if (job.array !== undefined)
    report(`${place}/stages`, "An array comes in stages.", "Use an array or stages.");
  if (job.workMs < job.stages)
    report(`${place}/stages`, "There is less than 1 ms of work a stage.", "Use fewer stages.");
}

function checkLife(
  scenario: Scenario,
  life: Life,
  limitMs: number,
  place: string,
  report: Report,
): void {
  if (life.checkpoint !== undefined)
    checkCheckpoint(scenario, life.checkpoint, `${place}/checkpoint`, report);
  if (life.elastic !== undefined) checkElastic(life.elastic, `${place}/elastic`, report);
  if (life.requeueAtLimit && !savesBefore(life.checkpoint, limitMs)) {
    report(
      `${place}/requeueAtLimit`,
      "The job saves nothing before its limit, so it would start again for ever.",
      "Give it a checkpoint with an interval below its limit, or onSignal.",
    );
  }
  if (life.traffic !== undefined) checkTraffic(life.traffic, `${place}/traffic`, report);
  const models = (life.gpuModels ?? []).map((entry) => entry.model);
  const twin = models.find((model, index) => models.indexOf(model) < index);
  if (twin !== undefined)
    report(`${place}/gpuModels`, `"${twin}" is there twice.`, "Name each model once.");
}

/** Either a model that was measured, or numbers. */
function checkTraffic(
  { model, stepMs, allReduceGiB }: NonNullable<Life["traffic"]>,
  place: string,
  report: Report,
): void {
  if (model !== undefined && (stepMs !== undefined || allReduceGiB !== undefined))
    report(`${place}/model`, "A model has numbers of its own.", "Use a model or numbers.");
  if (model === undefined && (stepMs === undefined || allReduceGiB === undefined))
    report(place, "It does not say what is sent.", "Give stepMs and allReduceGiB, or a model.");
}

function savesBefore(checkpoint: Life["checkpoint"], limitMs: number): boolean {
  if (checkpoint === undefined) return false;
  if (checkpoint.onSignal) return true;
  const { every } = checkpoint;
  return typeof every === "number" ? every < limitMs : every !== "never";
}

function checkCheckpoint(
  scenario: Scenario,
  checkpoint: NonNullable<Life["checkpoint"]>,
  place: string,
  report: Report,
): void {
  const { every, costMs, sizeGiB, location } = checkpoint;
  const stored = scenario.cluster.storage !== undefined && location === "shared";
  if (sizeGiB !== undefined && sizeGiB > 0 && costMs === 0 && !stored) {
    report(
      `${place}/sizeGiB`,
      location === "node"
        ? "A checkpoint on the node is not written to the shared filesystem, so its size costs nothing."
        : "The cluster has no storage, so the size of a checkpoint costs nothing.",
      location === "node" ? "Give costMs." : "Give cluster.storage a bandwidth, or give costMs.",
    );
  }
  if (every !== "young" && every !== "daly") return;
  if (costMs === 0 && !(stored && (sizeGiB ?? 0) > 0))
    report(
      `${place}/every`,
      "The interval follows from a cost.",
      "Give costMs, or a size and storage.",
    );
  if (scenario.failures.length === 0) {
    report(
      `${place}/every`,
      "The interval follows from the failure rate, and nothing fails here.",
      "Give the scenario failures, or write the interval in milliseconds.",
    );
  }
}

function checkElastic(elastic: NonNullable<Life["elastic"]>, place: string, report: Report): void {
  const { minMembers: least, maxMembers: most, allowed, deepspeed, throughput } = elastic;
  if (least > most) {
    report(
      `${place}/minMembers`,
      "More members are needed than there may be.",
      `Use at most ${most}.`,
    );
    return;
  }
  if (allowed !== undefined && deepspeed !== undefined)
    report(place, "The allowed numbers are given twice.", "Give allowed or deepspeed.");
  allowed?.forEach((members, index) => {
    if (members >= least && members <= most) return;
    const message = `${members} members are not within ${least} to ${most}.`;
    report(`${place}/allowed/${index}`, message, "Leave it out, or widen the range.");
  });
  const points = (throughput ?? []).map((point) => point.members);
  const twin = points.find((members, index) => points.indexOf(members) < index);
  if (twin !== undefined) {
    const message = `${twin} members have two speeds.`;
    report(`${place}/throughput`, message, "Give each number of members one speed.");
  }
  if (throughput !== undefined && elastic.scaling !== 1)
    report(`${place}/scaling`, "The speed is given twice.", "Give throughput or scaling.");
}

/** What needs the size of the job: one component, its own number within the range, DeepSpeed's numbers of GPUs. */
function checkElasticSize(
  scenario: Scenario,
  job: SpelledJob,
  elastic: NonNullable<Life["elastic"]>,
  place: string,
  report: Report,
): void {
  if ((job.components?.length ?? 1) > 1) {
    report(
      `${place}/elastic`,
      "A job with several components is elastic.",
      "Give it one component: the members of that one come and go.",
    );
    return;
  }
  const size = sizeOf(scenario, job);
  if (size === null) return;
  const { minMembers: least, maxMembers: most, deepspeed } = elastic;
  if (least > most) return;
  checkMembers(size.members, elastic, `${place}/elastic`, report);
  if (deepspeed === undefined) return;
  const [from, to] = [least * size.gpus, most * size.gpus];
  const { sizes } = deepspeedSizes(deepspeed.microBatches, deepspeed.maxBatch, from, to);
  if (sizes.some((gpus) => gpus % size.gpus === 0)) return;
  report(
    `${place}/elastic/deepspeed`,
    `No number of GPUs from ${from} to ${to} goes with these batches.`,
    "Widen the range, or use other micro-batches or a larger batch.",
  );
}

/** Members of the first component and GPUs of each; null where only Slurm's request tells. */
function sizeOf(
  scenario: Scenario,
  job: SpelledJob,
): { readonly members: number; readonly gpus: number } | null {
  const [component] = job.components ?? [];
  if (component !== undefined)
    return { members: component.members, gpus: Math.max(1, component.gpusPerMember) };
  if (job.nodes === undefined && job.gpusPerNode === undefined)
    return job.gpus === undefined ? null : { members: job.gpus, gpus: 1 };
  const largest = largestNode(scenario);
  const gpus = job.gpusPerNode ?? largest;
  return { members: job.nodes ?? Math.max(1, Math.ceil((job.gpus ?? 0) / gpus)), gpus };
}
