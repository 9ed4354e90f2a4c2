/**
 * Runs the scenario of a recording and gathers, by the names of the recording, what happened: each job's runs, why it waited, and the tables
 * of the scheduler at the moments of the questions. Everything is read from the record and from `Simulation.tables`, as the page reads it.
 */
import { Simulation } from "../../engine/simulation.ts";
import { nodeOfDevice } from "../../model/cluster.ts";
import { nameOf } from "../../model/jobs.ts";
import { slurmReasonOf, WAIT_REASONS } from "../../model/reasons.ts";
import type { SlurmTables } from "../../model/slurm/tables.ts";
import { END_STATES, type EndState, NODE_STATES, type NodeState } from "../../model/states.ts";
import type { World } from "../../model/world.ts";
import { type Chunk, DECISION_KINDS, type OpenSet } from "../../record/shapes.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { schedulerOf } from "../../schedulers/registry.ts";
import { expand } from "../../workload/expand.ts";
import { problemLine } from "../fail.ts";
import type { Question } from "./slurmTruthCommands.ts";

export interface OurRun {
  readonly startMs: number;
  /** `Infinity`: still going where the simulation was cut off. */
  readonly endMs: number;
  readonly endState: EndState;
  readonly partition: string;
  readonly gpuIdx: Map<string, number[]>;
  /** From and to, in order. */
  readonly suspensions: [number, number][];
}

export interface OurReason {
  readonly reason: string;
  readonly fromMs: number;
  toMs: number;
}

export interface OurJob {
  readonly id: string;
  readonly submitMs: number;
  readonly runs: OurRun[];
  readonly reasons: OurReason[];
  /** Why it was refused, where it was. */
  refused: string | null;
  /** When it left without a run (refused, cancelled), else `Infinity`. */
  leftMs: number;
}

export interface Answer {
  readonly question: Question;
  readonly tables: SlurmTables;
}

export interface OurOutcome {
  readonly world: World;
  readonly jobs: ReadonlyMap<string, OurJob>;
  /** Ids by job index. */
  readonly names: readonly string[];
  readonly answers: readonly Answer[];
  /** A node's state other than open, at a moment. */
  nodeState(node: number, atMs: number): NodeState;
}

/** Throws the scenario's problems, and whatever the engine finds broken: whole-state invariants are checked after each instant. */
export function runRecording(scenario: Scenario, questions: readonly Question[]): OurOutcome {
  const expanded = expand(scenario);
  if (!expanded.ok) throw new Error(expanded.error.map(problemLine).join("; "));
  const world = expanded.value;
  const simulation = new Simulation(world, schedulerOf, { checks: true, snapshots: false });
  const withoutDevices = new CpuJobs(world);
  const advance = (toMs: number) => {
    for (let ms = simulation.nowMs; ms < toMs && !simulation.done; ) {
      ms = Math.min(toMs, ms + SEEN_EVERY_MS);
      simulation.advance({ untilMs: ms, maxEvents: Number.POSITIVE_INFINITY });
      withoutDevices.see(simulation, ms);
    }
  };
  const answers = [...questions]
    .sort((a, b) => a.atMs - b.atMs)
    .map((question) => {
      advance(question.atMs);
      const tables = simulation.tables(0, question.atMs);
      if (tables === null) throw new Error("the scheduler of the preset shows no tables");
      return { question, tables };
    });
  advance(scenario.horizonMs ?? Number.POSITIVE_INFINITY);
  const outcome = gather(world, simulation.takeChunk(), simulation.openSet(), answers);
  withoutDevices.addTo(outcome);
  return outcome;
}

const SEEN_EVERY_MS = 500;

/** Where jobs without GPUs run: the record is of devices, so they are looked at while the run goes on. */
class CpuJobs {
  readonly #jobs: readonly number[];
  readonly #seen: { jobIdx: number; atMs: number; nodes: readonly number[] }[] = [];

  constructor(world: World) {
    const { count, at } = world.jobs;
    this.#jobs = Array.from({ length: count }, (_, jobIdx) => jobIdx).filter(
      (jobIdx) => at.gpuTotal[jobIdx] === 0,
    );
  }

  see(simulation: Simulation, atMs: number): void {
    for (const jobIdx of this.#jobs) {
      const nodes = simulation.nodesOf(jobIdx);
      if (nodes.length > 0) this.#seen.push({ jobIdx, atMs, nodes });
    }
  }

  addTo({ world, jobs, names }: OurOutcome): void {
    for (const { jobIdx, atMs, nodes } of this.#seen) {
      const run = jobs
        .get(names[jobIdx]!)
        ?.runs.find((one) => one.startMs <= atMs && atMs < one.endMs);
      for (const node of nodes) {
        const name = world.cluster.nodeNames[node]!;
        if (run !== undefined && !run.gpuIdx.has(name)) run.gpuIdx.set(name, []);
      }
    }
  }
}

function gather(world: World, chunk: Chunk, open: OpenSet, answers: Answer[]): OurOutcome {
  const jobs = Array.from(
    { length: world.jobs.count },
    (_, jobIdx): OurJob => ({
      id: nameOf(world.jobs.ids, jobIdx),
      submitMs: world.jobs.at.submitMs[jobIdx]!,
      runs: [],
      reasons: [],
      refused: null,
      leftMs: Number.POSITIVE_INFINITY,
    }),
  );
  gatherRuns(world, chunk, open, jobs);
  gatherDecisions(chunk, open, jobs);
  for (const part of [chunk, open]) gatherDevices(world, part.rects, jobs);
  const spans = [chunk.nodeSpans, open.nodeSpans];
  return {
    world,
    jobs: new Map(jobs.map((job) => [job.id, job])),
    names: jobs.map((job) => job.id),
    answers,
    nodeState(node, atMs) {
      for (const { startMs, endMs, node: nodes, state } of spans) {
        for (let row = 0; row < nodes.length; row++) {
          if (nodes[row] === node && startMs[row]! <= atMs && atMs < endMs[row]!)
            return NODE_STATES[state[row]!]!;
        }
      }
      return "open";
    },
  };
}

function gatherRuns(world: World, { runs, decisions }: Chunk, open: OpenSet, jobs: OurJob[]) {
  const partitionAt = startPartitions(world, decisions);
  const add = (jobIdx: number, startMs: number, endMs: number, endState: EndState) =>
    jobs[jobIdx]!.runs.push({
      startMs,
      endMs,
      endState,
      partition: partitionAt.get(`${jobIdx}@${startMs}`) ?? ownPartition(world, jobIdx),
      gpuIdx: new Map(),
      suspensions: [],
    });
  for (let row = 0; row < runs.jobIdx.length; row++) {
    const jobIdx = runs.jobIdx[row]!;
    if (runs.run[row] === 0) jobs[jobIdx]!.leftMs = runs.endMs[row]!;
    else add(jobIdx, runs.startMs[row]!, runs.endMs[row]!, END_STATES[runs.endState[row]!]!);
  }
  const begun = new Map<number, number>();
  for (let row = 0; row < decisions.jobIdx.length; row++) {
    if (DECISION_KINDS[decisions.kind[row]!] === "start")
      begun.set(decisions.jobIdx[row]!, decisions.atMs[row]!);
  }
  const holding = new Set(open.rects.jobIdx);
  for (const jobIdx of holding)
    add(jobIdx, begun.get(jobIdx) ?? Number.NaN, Number.POSITIVE_INFINITY, "running");
  // Jobs without devices leave no rectangle: one that began and did not end still runs.
  for (const [jobIdx, startMs] of begun) {
    const job = jobs[jobIdx]!;
    if (holding.has(jobIdx) || world.jobs.at.gpuTotal[jobIdx] !== 0) continue;
    if (job.runs.every((run) => run.startMs !== startMs))
      add(jobIdx, startMs, Number.POSITIVE_INFINITY, "running");
  }
}

function startPartitions(world: World, decisions: Chunk["decisions"]): Map<string, string> {
  const found = new Map<string, string>();
  for (let row = 0; row < decisions.jobIdx.length; row++) {
    if (DECISION_KINDS[decisions.kind[row]!] !== "start" || decisions.value[row] === 0) continue;
    const queue = world.queues[decisions.value[row]! - 1];
    const key = `${decisions.jobIdx[row]}@${decisions.atMs[row]}`;
    if (queue !== undefined) found.set(key, queue);
  }
  return found;
}

/** The queue that the job names, or the default partition. */
function ownPartition(world: World, jobIdx: number): string {
  const asked = world.jobs.slurm.get(jobIdx)?.partitions[0];
  const queue = asked ?? world.queues[world.jobs.at.queue[jobIdx]!];
  const partitions = world.pools[0]?.settings.slurm?.partitions ?? [];
  if (queue !== undefined && partitions.some((one) => one.name === queue)) return queue;
  return (partitions.find((one) => one.isDefault) ?? partitions[0])?.name ?? "";
}

function gatherDecisions(chunk: Chunk, open: OpenSet, jobs: OurJob[]): void {
  const { decisions } = chunk;
  for (let row = 0; row < decisions.jobIdx.length; row++) {
    const job = jobs[decisions.jobIdx[row]!];
    const atMs = decisions.atMs[row]!;
    const kind = DECISION_KINDS[decisions.kind[row]!];
    if (job === undefined || kind === "pass") continue;
    const word = wordOf(decisions.reason[row]!);
    if (kind === "wait") {
      endReason(job, atMs);
      job.reasons.push({ reason: word, fromMs: atMs, toMs: Number.POSITIVE_INFINITY });
    } else if (kind === "refuse") job.refused = word;
    else if (kind === "start") endReason(job, atMs);
    else if (kind === "suspend")
      runAt(job, atMs)?.suspensions.push([atMs, Number.POSITIVE_INFINITY]);
    else if (kind === "resume") endSuspension(job, atMs);
  }
  closeReasons(chunk.waits, jobs);
  for (const job of jobs) {
    endReason(job, Math.min(job.leftMs, open.atMs));
    for (const run of job.runs) {
      for (const span of run.suspensions) span[1] = Math.min(span[1], run.endMs);
    }
  }
}

const runAt = (job: OurJob, atMs: number): OurRun | undefined =>
  job.runs.findLast((run) => run.startMs <= atMs && atMs <= run.endMs);

function endSuspension(job: OurJob, atMs: number): void {
  const span = runAt(job, atMs)?.suspensions.at(-1);
  if (span !== undefined) span[1] = atMs;
}

export const suspendedMs = (run: OurRun): number =>
  run.suspensions.reduce((sum, [from, to]) => sum + to - from, 0);

/** A wait that ended took its reason with it. */
function closeReasons(waits: Chunk["waits"], jobs: OurJob[]): void {
  for (let row = 0; row < waits.jobIdx.length; row++) {
    for (const one of jobs[waits.jobIdx[row]!]!.reasons) {
      const within = waits.fromMs[row]! <= one.fromMs && one.fromMs <= waits.toMs[row]!;
      if (within) one.toMs = Math.min(one.toMs, waits.toMs[row]!);
    }
  }
}

function endReason(job: OurJob, atMs: number): void {
  const last = job.reasons.at(-1);
  if (last !== undefined && last.toMs > atMs) last.toMs = atMs;
}

/** Slurm's word, or the general one. */
function wordOf(code: number): string {
  return slurmReasonOf(code) ?? WAIT_REASONS[code] ?? String(code);
}

function gatherDevices(world: World, rects: Chunk["rects"], jobs: OurJob[]): void {
  const { cluster } = world;
  for (let row = 0; row < rects.jobIdx.length; row++) {
    const job = jobs[rects.jobIdx[row]!]!;
    const startMs = rects.startMs[row]!;
    // A rectangle that begins where a run ends belongs to the run after it.
    const run = job.runs.findLast((one) => one.startMs <= startMs && startMs <= one.endMs);
    if (run === undefined) continue;
    const first = rects.device[row]!;
    const node = nodeOfDevice(cluster, first);
    const name = cluster.nodeNames[node]!;
    const devices = run.gpuIdx.get(name) ?? [];
    for (let device = first; device < first + rects.deviceCount[row]!; device++) {
      const index = device - cluster.deviceBase[node]!;
      if (!devices.includes(index)) devices.push(index);
    }
    devices.sort((a, b) => a - b);
    run.gpuIdx.set(name, devices);
  }
}
