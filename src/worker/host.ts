/**
 * The worker's end: takes documents, files and questions, and runs ahead. A document that differs from the last one only from
 * some time on goes back to the snapshot before that time; anything else starts afresh. A document with problems leaves the
 * run as it is.
 */
import type { Problem } from "../base/problem.ts";
import type { JobFacts } from "../engine/jobFacts.ts";
import type { Explanation } from "../engine/view.ts";
import { decodeText } from "../formats/text.ts";
import type { QueueFacts } from "../model/kubernetes/queueFacts.ts";
import type { Candidates } from "../model/lab/candidates.ts";
import type { ShareRow } from "../model/lab/shares.ts";
import type { KeptWindow } from "../model/lab/tenancy.ts";
import type { World } from "../model/world.ts";
import type {
  DataAck,
  DocumentOutcome,
  GivenFile,
  LinkOutcome,
  OpenOutcome,
  PlannedStart,
  PoolTables,
  ReadEntry,
  RunHost,
  SentOutcome,
  SentStage,
  SentWorkload,
  SlurmOutcome,
  TraceOutcome,
  Trial,
  YamlRead,
} from "../protocol/messages.ts";
import { firstDifferenceMs } from "../scenario/interventions.ts";
import type { Scenario, TraceRef } from "../scenario/schema.ts";
import { Expander } from "../workload/expander.ts";
import type { ParsedWorkload } from "../workload/parsed.ts";
import { WorldEngine } from "./engine.ts";
import { foremost } from "./foremost.ts";
import { fetchLives, fetchPresets } from "./presets.ts";
import { RunLoop } from "./runLoop.ts";
import { messageBuffers, type SentBefore, stageBuffers, stageOf } from "./stage.ts";
import { inPieces, Workloads } from "./workloads.ts";

/** Marks a result whose buffers go over without a copy (comlink's `transfer`). */
export type Transfer = <T extends object>(value: T, buffers: ArrayBuffer[]) => T;

export interface HostHooks {
  readonly clock: () => number;
  readonly breathe: (task: () => void) => void;
  readonly transfer: Transfer;
}

/** Parsed traces kept for Undo and Back: one of two million jobs has some 80 MB. */
const TRACES_KEPT = 3;
/** Events between looks at what else there is to do. */
const PREPARED_EVENTS = 200;

export class Host implements RunHost {
  readonly #hooks: HostHooks;
  readonly #loop: RunLoop;
  /** By content, the one asked for last at the end. What is let go is read again from the device, or asked for. */
  readonly #traces = new Map<string, ParsedWorkload>();
  #port: MessagePort | null = null;
  #last: { scenario: Scenario; engine: WorldEngine } | null = null;
  readonly #expander = new Expander();
  readonly #workloads = new Workloads();
  /** The world of the last stage that the page has. */
  #sent: World | null = null;
  #generation = 0;
  /** By generation: the one that is open, and the one that the engine can go back to. */
  readonly #documents = new Map<number, Scenario>();
  /** Counts questions about other documents: the newest is the one that is wanted. */
  #trials = 0;
  /** Counts times to be prepared for a change: the newest is the one that is wanted. */
  #preparing = 0;
  #opening: Promise<unknown> = Promise.resolve();

  constructor(hooks: HostHooks) {
    this.#hooks = hooks;
    this.#loop = new RunLoop({
      clock: hooks.clock,
      breathe: hooks.breathe,
      send: (message) => this.#port?.postMessage(message, messageBuffers(message)),
    });
  }

  connect(port: MessagePort): Promise<void> {
    this.#port = port;
    port.onmessage = (event: MessageEvent<DataAck>) =>
      this.#loop.acknowledge(event.data.generation);
    return Promise.resolve();
  }

  /** One document after the other: fetching a preset takes time, and the last one asked for must be the last one opened. */
  open(document: Scenario, workload?: SentWorkload): Promise<SentOutcome> {
    const outcome = this.#opening.then(() => this.#openNow(document, workload));
    this.#opening = outcome.catch(() => undefined);
    return outcome;
  }

  async #openNow(document: Scenario, workload: SentWorkload | undefined): Promise<SentOutcome> {
    const read = this.#workloads.read(document, workload);
    if (read === null) return { kind: "workloadNeeded" };
    if (!read.ok) return { kind: "problems", problems: read.error };
    const scenario = read.value;
    const { trace } = scenario.workload;
    const parsed = trace && this.#traceOf(trace.sha256);
    if (trace && !parsed) return this.#waitFor(trace);
    const missing = await fetchPresets(scenario);
    if (missing.length > 0) return { kind: "problems", problems: missing };
    const notes = (parsed && (await fetchReaders())?.importNotes(parsed)) ?? [];
    const back = await this.#goBack(scenario, notes);
    if (back !== null) return back;
    const editMs = this.#last ? firstDifferenceMs(this.#last.scenario, scenario) : "base";
    const expanded = this.#expander.expand(scenario, parsed, editMs !== "base");
    if (!expanded.ok) return { kind: "problems", problems: expanded.error };
    const world = expanded.value;
    const unfetched = await fetchLives(world);
    if (unfetched.length > 0) return { kind: "problems", problems: unfetched };
    this.#generation += 1;
    const { engine, keepChunks } = await this.#engineFor(world, editMs);
    if (editMs === "base") this.#documents.clear();
    this.#last = { scenario, engine };
    const stage = this.#stageOf(world, notes, editMs !== "base");
    return this.#start({ kind: "opened", stage, keepChunks, keeps: engine.formerTag });
  }

  /** The document that was run to its end before the last change, as it is after an Undo: its run is the run again. Null for any other. */
  async #goBack(scenario: Scenario, notes: readonly string[]): Promise<SentOutcome | null> {
    const last = this.#last;
    const again = last?.engine.formerTag ?? null;
    const former = again === null ? undefined : this.#documents.get(again);
    if (!last || again === null || !former || this.#loop.failed) return null;
    if (firstDifferenceMs(former, scenario) !== Number.POSITIVE_INFINITY) return null;
    if (firstDifferenceMs(last.scenario, scenario) === Number.POSITIVE_INFINITY) return null;
    this.#loop.hold();
    await this.#loop.drained();
    this.#generation += 1;
    const { engine } = last;
    const world = engine.goBack();
    engine.rename(this.#generation);
    this.#last = { scenario, engine };
    const stage = this.#stageOf(world, notes, true);
    const keepChunks = engine.chunkCount;
    return this.#start({ kind: "opened", stage, keepChunks, again, keeps: engine.formerTag });
  }

  #stageOf(world: World, notes: readonly string[], sameDraft: boolean): SentStage {
    const before: SentBefore | null = this.#sent && { world: this.#sent, sameDraft };
    this.#sent = world;
    return stageOf(world, this.#generation, notes, before);
  }

  /** Runs what was opened; what it names of former documents is kept. */
  #start(outcome: Extract<SentOutcome, { kind: "opened" }>): SentOutcome {
    const { scenario, engine } = this.#last!;
    this.#documents.set(this.#generation, scenario);
    for (const tag of this.#documents.keys())
      if (tag !== this.#generation && tag !== engine.formerTag) this.#documents.delete(tag);
    this.#loop.start(engine, this.#generation, outcome.keepChunks);
    void fetchReaders();
    return this.#hooks.transfer(outcome, stageBuffers(outcome.stage));
  }

  /** The page shows no run while it asks for the file: the last one ends here. */
  #waitFor(trace: TraceRef): OpenOutcome<SentStage> {
    this.#loop.hold();
    this.#last = null;
    return { kind: "traceNeeded", name: trace.name, sha256: trace.sha256, bytes: trace.bytes };
  }

  async readDocument(
    file: Blob,
    key = 0,
    have: readonly number[] = [],
    most?: number,
  ): Promise<DocumentOutcome> {
    const { text, guessed } = decodeText(new Uint8Array(await file.arrayBuffer()));
    const { read, known } = this.#workloads.readText(text, key, have, most);
    if (!read.ok) return { kind: "problems", problems: read.error };
    const pieces = inPieces(read.value, known);
    return this.#hooks.transfer({ kind: "read", guessed, ...pieces }, pieces.jobs);
  }

  async readLink(text: string): Promise<LinkOutcome> {
    return (await import("./links.ts")).readLink(text);
  }

  async readEntry(id: string): Promise<ReadEntry | null> {
    return (await import("./links.ts")).readEntry(id);
  }

  async readSlurm(files: readonly GivenFile[], open: Scenario | null): Promise<SlurmOutcome> {
    const { readSlurmFiles } = await import("./slurmFile.ts");
    return readSlurmFiles(files, open);
  }

  async readYaml(text: string, withForm: boolean): Promise<YamlRead> {
    return (await import("./yamlText.ts")).readYamlText(text, withForm);
  }

  async addTrace(name: string, file: Blob): Promise<TraceOutcome> {
    const readers = await fetchReaders();
    if (readers === null) return { kind: "problems", problems: [noReaders(name)] };
    const read = await readers.readTraceFile(name, file);
    if (!read.ok) return { kind: "problems", problems: read.error };
    const { workload, outcome } = read.value;
    this.#keepTrace(outcome.sha256, workload);
    return outcome;
  }

  #traceOf(sha256: string): ParsedWorkload | undefined {
    const parsed = this.#traces.get(sha256);
    if (parsed) this.#keepTrace(sha256, parsed);
    return parsed;
  }

  #keepTrace(sha256: string, parsed: ParsedWorkload): void {
    this.#traces.delete(sha256);
    this.#traces.set(sha256, parsed);
    const [oldest] = this.#traces.keys();
    if (this.#traces.size > TRACES_KEPT && oldest !== undefined) this.#traces.delete(oldest);
  }

  cancel(): Promise<void> {
    this.#loop.cancel();
    return Promise.resolve();
  }

  resume(): Promise<void> {
    this.#loop.resume();
    return Promise.resolve();
  }

  async prepare(atMs: number): Promise<void> {
    const last = this.#last;
    const serial = ++this.#preparing;
    const isWanted = () =>
      this.#last === last && this.#loop.done && this.#preparing === serial && last !== null;
    while (isWanted() && last?.engine.prepare(atMs, PREPARED_EVENTS))
      await new Promise<void>((resolve) => this.#hooks.breathe(resolve));
  }

  explain(jobIdx: number, atMs: number): Promise<Explanation | null> {
    return Promise.resolve(this.#last?.engine.explain(jobIdx, atMs) ?? null);
  }

  planned(jobs: readonly number[], atMs: number): Promise<readonly PlannedStart[]> {
    const plans = jobs.flatMap((jobIdx) => {
      const told = this.#last?.engine.explain(jobIdx, atMs);
      return told && told.plannedMs >= atMs && Number.isFinite(told.plannedMs)
        ? [{ jobIdx, plannedMs: told.plannedMs, nodes: told.plannedNodes }]
        : [];
    });
    return Promise.resolve(plans);
  }

  shares(pool: number, atMs: number): Promise<readonly ShareRow[]> {
    return Promise.resolve(this.#last?.engine.shares(pool, atMs) ?? []);
  }

  queues(pool: number, atMs: number): Promise<readonly QueueFacts[]> {
    return Promise.resolve(this.#last?.engine.queues(pool, atMs) ?? []);
  }

  windows(pool: number, atMs: number): Promise<readonly KeptWindow[]> {
    return Promise.resolve(this.#last?.engine.windows(pool, atMs) ?? []);
  }

  tables(pool: number, atMs: number): Promise<PoolTables | null> {
    const tables = this.#last?.engine.tables(pool, atMs) ?? null;
    return Promise.resolve(tables && foremost(tables));
  }

  async tryDocument(
    document: Scenario,
    jobId: string,
    workload?: SentWorkload,
  ): Promise<Trial | null> {
    const last = this.#last;
    const read = last && this.#workloads.read(document, workload);
    if (!last || !read) return null;
    const serial = ++this.#trials;
    // What crossed may name its workload by a number only.
    const trace = read.ok ? read.value.workload.trace : undefined;
    const parsed = trace && this.#traceOf(trace.sha256);
    const { tryDocument } = await import("./trial.ts");
    return tryDocument(read, jobId, {
      ...last,
      expand: (scenario, again) => this.#expander.expand(scenario, parsed, again, false),
      breathe: this.#hooks.breathe,
      isWanted: () => serial === this.#trials && this.#last === last,
    });
  }

  candidates(jobIdx: number, atMs: number): Promise<Candidates | null> {
    return Promise.resolve(this.#last?.engine.candidates(jobIdx, atMs) ?? null);
  }

  jobFacts(jobIdx: number, atMs: number): Promise<JobFacts | null> {
    return Promise.resolve(this.#last?.engine.jobFacts(jobIdx, atMs) ?? null);
  }

  /** The engine that goes on with this world, and how many chunks the page may keep. */
  async #engineFor(
    world: World,
    editMs: number | "base",
  ): Promise<{ engine: WorldEngine; keepChunks: number }> {
    const last = this.#last;
    if (!last || editMs === "base" || this.#loop.failed)
      return { engine: new WorldEngine(world, this.#generation), keepChunks: 0 };
    this.#loop.hold();
    await this.#loop.drained();
    const { engine } = last;
    if (editMs < Number.POSITIVE_INFINITY)
      return { engine, keepChunks: engine.rewind(world, editMs, this.#generation) };
    engine.rename(this.#generation);
    return { engine, keepChunks: this.#loop.chunkCount };
  }
}

/** Readers of foreign files are a file of their own: most visits open none. Null where it cannot be fetched. */
function fetchReaders(): Promise<typeof import("./traceFile.ts") | null> {
  return import("./traceFile.ts").catch(() => null);
}

function noReaders(name: string): Problem {
  return {
    place: name,
    message: "The readers of foreign files could not be fetched.",
    remedy: "Connect to the network and drop the file again.",
  };
}
